"""The lobby's addresses: its socket, and how somebody asks to be paired."""

from __future__ import annotations

from litestar import Controller, delete, websocket
from litestar.params import JSONBody

from headway.errors import HeadwayError
from headway.server.lobby.hub import NewSeek, Seek
from headway.server.process import ServerProcess
from headway.server.web.context import RequestContext
from headway.server.web.dependencies import WRITE, Context, Process, person_of, write
from headway.server.web.limits import Limits, limited
from headway.server.web.sockets import PONG, Peer, Socket, opened, refuse_crowd, sender, serve

SOCKETS_PER_GUEST = 10
"""Sockets that one guest may have open in the lobby, in one process."""
SOCKETS_PER_ADDRESS = 100
"""The same for one address."""


@websocket("/api/lobby/live")
async def lobby_live(socket: Socket) -> None:
    """Sends the lobby when it opens and after changes."""
    process: ServerProcess = socket.app.state.process
    limits: Limits = socket.app.state.limits
    lobby = process.lobby

    async def admit(_: RequestContext) -> None:
        others = (visitor for sockets in lobby.visitors.values() for visitor in sockets)
        refuse_crowd(socket, others, SOCKETS_PER_GUEST, SOCKETS_PER_ADDRESS)

    context = await opened(socket, admit)
    if context is None:
        return
    visitor = Peer(context.guest, context.address, sender(context))

    async def listen() -> None:
        try:
            await lobby.connect(visitor)
            while True:
                await socket.receive_data(mode="text")
                await limits.take("messages", visitor.guest)
                visitor.tell(PONG)
        except HeadwayError:
            visitor.close()
        finally:
            lobby.disconnect(visitor)

    await serve(socket, visitor.serve, listen)


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
