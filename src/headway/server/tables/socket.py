"""The socket of a table: brings its news; moves and everything else go over HTTP."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from litestar import websocket
from litestar.params import FromPath, FromQuery

from headway.errors import HeadwayError, InputError
from headway.server.core.errors import RefusedError
from headway.server.process import ServerProcess
from headway.server.tables.connections import Connection
from headway.server.tables.schema import Looking, Ping, RefusedMessage
from headway.server.tables.view import ENCODER
from headway.server.web.context import RequestContext
from headway.server.web.errors import failure
from headway.server.web.limits import Limits
from headway.server.web.schema import Pong
from headway.server.web.sockets import Socket, opened, refuse_crowd, sender, serve

MESSAGE_BYTES = 2000
SOCKETS_PER_GUEST = 20
"""Sockets that one guest may have open at one table, in one process."""
SOCKETS_PER_ADDRESS = 40
"""Sockets that one address may have open at one table, in one process."""
_DECODER = msgspec.json.Decoder(Ping | Looking)


@websocket("/api/tables/{table:str}/live")
async def live(socket: Socket, table: FromPath[str], since: FromQuery[int] = -1) -> None:
    """Sends the table when it opens and after every change."""
    process: ServerProcess = socket.app.state.process
    limits: Limits = socket.app.state.limits
    hub = process.connections

    async def admit(context: RequestContext) -> None:
        await process.daily.visible(table, context.guest)
        others = hub.by_table.get(table, ())
        refuse_crowd(socket, others, SOCKETS_PER_GUEST, SOCKETS_PER_ADDRESS)

    context = await opened(socket, admit)
    if context is None:
        return
    connection = Connection(table, context.guest, sender(context), since, context.address)

    async def listen() -> None:
        try:
            while True:
                data = await socket.receive_data(mode="text")
                said = await _understood(data, limits, context)
                if isinstance(said, Looking):
                    hub.look(connection, said.looking)
                else:
                    await connection.send(ENCODER.encode(said))
        finally:
            hub.disconnect(connection)

    hub.connect(connection)
    await serve(socket, lambda: connection.serve(hub), listen)


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
