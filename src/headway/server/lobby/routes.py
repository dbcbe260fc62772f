"""The lobby's addresses: its socket, and how somebody asks to be paired."""

from __future__ import annotations

import asyncio
import contextlib
import math
from typing import Any

from litestar import Controller, WebSocket, delete, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import JSONBody

from headway.errors import HeadwayError
from headway.server.core.errors import too_often
from headway.server.lobby.hub import Visitor
from headway.server.lobby.schema import NewSeek, Seek
from headway.server.process import ServerProcess
from headway.server.web.context import context_of
from headway.server.web.dependencies import WRITE, Context, Process, person_of, write
from headway.server.web.errors import status_of
from headway.server.web.limits import Limits, limited
from headway.server.web.schema import PONG

SOCKETS_PER_GUEST = 10
"""Sockets that one guest may have open in the lobby, in one process."""
SOCKETS_PER_ADDRESS = 100
"""The same for one address."""


@websocket("/api/lobby/live")
async def lobby_live(socket: WebSocket[Any, Any, Any]) -> None:
    """Sends the lobby when it opens and after changes."""
    process: ServerProcess = socket.app.state.process
    limits: Limits = socket.app.state.limits
    context, lobby = context_of(socket), process.lobby
    await socket.accept()
    try:
        await limits.take("sockets", context.address if context.new_guest else context.guest)
        others = [visitor for sockets in lobby.visitors.values() for visitor in sockets]
        of_guest = len(lobby.visitors.get(context.guest, ()))
        of_address = sum(other.network == context.address for other in others)
        most = SOCKETS_PER_ADDRESS * limits.factor or math.inf
        if of_guest >= SOCKETS_PER_GUEST or of_address >= most:
            raise too_often("server.too_often", seconds=1)
    except HeadwayError as error:
        await socket.close(code=4000 + status_of(error))
        return
    context.forget_headers()

    async def send(data: bytes) -> None:
        await context.send({"type": "websocket.send", "text": data.decode()})

    visitor = Visitor(context.guest, context.address, send)
    serving = asyncio.create_task(_serve(socket, visitor))
    try:
        await lobby.connect(visitor)
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                await socket.receive_data(mode="text")
                await limits.take("messages", context.guest)
                visitor.tell(PONG)
    except HeadwayError:
        visitor.closing = True
    finally:
        lobby.disconnect(visitor)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def _serve(socket: WebSocket[Any, Any, Any], visitor: Visitor) -> None:
    """Sends news until the socket ends; closing it ends the other direction too."""
    try:
        await visitor.serve()
    finally:
        with contextlib.suppress(Exception):
            await socket.close()


class LobbyController(Controller):
    """Being paired with somebody who looks for the same game."""

    path = "/api/lobby"
    tags = ("lobby",)

    @write("/seek", guards=[limited("seeks")])
    async def seek(self, data: JSONBody[NewSeek], process: Process, context: Context) -> Seek:
        """Looks for somebody to play with, as long as my page has the lobby's socket open."""
        guest = person_of(context)
        persona = await process.guests.persona(guest, context.lang)
        return await process.lobby.seek(guest, persona, data, context.address)

    @delete("/seek", responses=WRITE, status_code=204)
    async def give_up_seek(self, process: Process, context: Context) -> None:
        """Looks for nobody any more."""
        await process.lobby.give_up(person_of(context))
