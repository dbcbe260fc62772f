"""The socket of a table: `live.py` over Litestar's WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from headway.errors import HeadwayError, InputError
from headway.server.errors import Refused
from headway.server.http.middleware import Asked, failure
from headway.server.http.schema.socket import Done, FromClient, Ping, Pong, RefusedMove, SocketMove
from headway.server.http.schema.tables import NewMove
from headway.server.metrics import METRICS
from headway.server.play.connections import Line
from headway.server.process import House
from headway.server.table.view import ENCODER

log = logging.getLogger("headway.sockets")
MESSAGE_BYTES = 2000
MOST_LINES = 20
"""Sockets that one guest may have open at one table, in one process."""
GONE = 4404
_DECODER: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)


@websocket("/api/tables/{table:str}/live")
async def live(socket: WebSocket[Any, Any, Any], table: str, since: int = -1) -> None:
    """Sends the table now and after every change; takes moves."""
    house: House = socket.app.state.house
    asked: Asked = socket.scope["state"]["asked"]
    assert asked.guest
    await socket.accept()
    try:
        await house.today.seen(table, asked.guest)
    except HeadwayError:
        await socket.close(code=GONE)
        return
    line = Line(table, asked.guest, _sender(socket), since)
    crowd = [other for other in house.live.lines.get(table, ()) if other.guest == asked.guest]
    if len(crowd) >= MOST_LINES:
        await socket.close(code=4429)
        return
    house.live.connect(line)
    talking = asyncio.create_task(line.talk(house.live))
    listening = asyncio.create_task(_listen(socket, house, asked, line))
    try:
        await asyncio.wait({talking, listening}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        house.live.disconnect(line)
        for task in (talking, listening):
            task.cancel()
        await asyncio.gather(talking, listening, return_exceptions=True)
        with contextlib.suppress(Exception):
            await socket.close()


def _sender(socket: WebSocket[Any, Any, Any]) -> Any:
    async def send(data: bytes) -> None:
        await socket.send_data(data, mode="text")

    return send


async def _listen(socket: WebSocket[Any, Any, Any], house: House, asked: Asked, line: Line) -> None:
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            data = await socket.receive_data(mode="text")
            answer = await _answer(data, house, asked, line)
            await line.send(ENCODER.encode(answer))


async def _answer(
    data: str | bytes, house: House, asked: Asked, line: Line
) -> Done | RefusedMove | Pong:
    client_id: str | msgspec.UnsetType = msgspec.UNSET
    try:
        await house.limits.take("messages", line.guest)
        message = _read(data)
        if isinstance(message, Ping):
            return Pong()
        client_id = message.client_id
        began = time.perf_counter()
        now = await house.tables.move(line.table, line.guest, _move(message))
        METRICS.span("headway_move_seconds", time.perf_counter() - began)
        return Done(client_id, now.number)
    except HeadwayError as error:
        return RefusedMove(failure(error, asked.lang).error, client_id)
    except Exception as error:
        log.error("move failed", exc_info=error, extra={"id": asked.id.decode()})
        return RefusedMove(failure(Refused(503, "server.busy"), asked.lang).error, client_id)


def _read(data: str | bytes) -> FromClient:
    if len(data) > MESSAGE_BYTES:
        raise Refused(413, "server.too_large")
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise InputError("format.field", reason=error) from None


def _move(message: SocketMove) -> NewMove:
    return NewMove(message.seat, message.move, message.client_id, message.number)
