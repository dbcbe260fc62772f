"""The socket of a table: brings its news; moves and everything else go over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import math
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, FromQuery

from headway.errors import HeadwayError, InputError
from headway.server.core.errors import RefusedError, too_often
from headway.server.process import ServerProcess
from headway.server.tables.connections import Connection, Send
from headway.server.tables.news import ConnectionHub
from headway.server.tables.schema import Looking, Ping, RefusedMessage
from headway.server.tables.view import ENCODER
from headway.server.web.context import RequestContext, context_of
from headway.server.web.errors import failure, status_of
from headway.server.web.limits import Limits
from headway.server.web.schema import Pong

MESSAGE_BYTES = 2000
SOCKETS_PER_GUEST = 20
"""Sockets that one guest may have open at one table, in one process."""
SOCKETS_PER_ADDRESS = 40
"""Sockets that one address may have open at one table, in one process."""
_DECODER = msgspec.json.Decoder(Ping | Looking)

Socket = WebSocket[Any, Any, Any]


@websocket("/api/tables/{table:str}/live")
async def live(socket: Socket, table: FromPath[str], since: FromQuery[int] = -1) -> None:
    """Sends the table when it opens and after every change."""
    process: ServerProcess = socket.app.state.process
    limits: Limits = socket.app.state.limits
    context = context_of(socket)
    await socket.accept()
    try:
        await limits.take("sockets", context.address if context.new_guest else context.guest)
        await process.daily.visible(table, context.guest)
        others = process.connections.by_table.get(table, ())
        of_guest = sum(other.guest == context.guest for other in others)
        of_address = sum(other.network == context.address for other in others)
        most = SOCKETS_PER_ADDRESS * limits.factor or math.inf
        if of_guest >= SOCKETS_PER_GUEST or of_address >= most:
            raise too_often("server.too_often", seconds=1)
    except HeadwayError as error:
        code = 404 if status_of(error) == 403 else status_of(error)
        await socket.close(code=4000 + code)
        return
    context.forget_headers()
    connection = Connection(table, context.guest, _sender(context.send), since, context.address)
    process.connections.connect(connection)
    serving = asyncio.create_task(_serve(socket, connection, process.connections))
    try:
        await _listen(socket, limits, context, connection, process.connections)
    finally:
        process.connections.disconnect(connection)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


def _sender(send_message: Any) -> Send:
    async def send(data: bytes) -> None:
        await send_message({"type": "websocket.send", "text": data.decode()})

    return send


async def _serve(socket: Socket, connection: Connection, hub: ConnectionHub) -> None:
    """Sends news until the connection ends; closing the socket ends `_listen` too."""
    try:
        await connection.serve(hub)
    finally:
        with contextlib.suppress(Exception):
            await socket.close()


async def _listen(
    socket: Socket,
    limits: Limits,
    context: RequestContext,
    connection: Connection,
    hub: ConnectionHub,
) -> None:
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            data = await socket.receive_data(mode="text")
            said = await _understood(data, limits, context)
            if isinstance(said, Looking):
                hub.look(connection, said.looking)
            else:
                await connection.send(ENCODER.encode(said))


async def _understood(
    data: str | bytes, limits: Limits, context: RequestContext
) -> Looking | Pong | RefusedMessage:
    """Returns what a message says about the page, else what to answer."""
    try:
        await limits.take("messages", context.guest)
        if len(data) > MESSAGE_BYTES:
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "server.too_large")
        said = _DECODER.decode(data)
        return said if isinstance(said, Looking) else Pong()
    except HeadwayError as error:
        return RefusedMessage(failure(error, context.lang).error)
    except (msgspec.DecodeError, UnicodeError) as error:
        unreadable = InputError("format.field", reason=error)
        return RefusedMessage(failure(unreadable, context.lang).error)
