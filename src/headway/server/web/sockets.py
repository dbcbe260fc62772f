"""Sockets: how each of them opens, is limited, and is served until it ends."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from headway.errors import HeadwayError
from headway.server.core.errors import too_often
from headway.server.web.context import RequestContext, context_of
from headway.server.web.errors import status_of
from headway.server.web.limits import Limits

Socket = WebSocket[Any, Any, Any]
Send = Callable[[bytes], Awaitable[None]]
Admit = Callable[[RequestContext], Awaitable[None]]
MOST_UNSENT = 20
"""Messages that wait for a slow reader before its socket is closed."""


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """Answers a ping, and says from time to time that the server is there."""


PONG = msgspec.json.encode(Pong())
"""The answer as it is sent; every socket also brings it from time to time, unasked."""


class Peer:
    """One open socket, and who is behind it: messages wait until it is free, not their senders."""

    def __init__(self, guest: str, network: str, send: Send) -> None:
        self.guest = guest
        self.network = network
        self.send = send
        self.closing = False
        self._unsent: list[bytes] = []
        self._news = asyncio.Event()

    def tell(self, message: bytes) -> None:
        """Sends a message when the socket is free; closes one whose reader is too slow."""
        self._unsent.append(message)
        self.closing |= len(self._unsent) > MOST_UNSENT
        self._news.set()

    def close(self) -> None:
        """Ends the socket."""
        self.closing = True
        self._news.set()

    async def serve(self, update: Callable[[], Awaitable[None]] | None = None) -> None:
        """Sends what there is to send, until the socket closes.

        `update` sends what else is new; each message comes after it.
        """
        while True:
            await self._news.wait()
            self._news.clear()
            if self.closing:
                return
            if update:
                await update()
            messages, self._unsent = self._unsent, []
            for message in messages:
                await self.send(message)


async def nothing_more(_: RequestContext) -> None:
    """Admits everybody."""


async def opened(socket: Socket, admit: Admit = nothing_more) -> RequestContext | None:
    """Accepts a socket and returns its context; closes one that a limit or `admit` refuses."""
    limits: Limits = socket.app.state.limits
    context = context_of(socket)
    await socket.accept()
    try:
        await limits.take("sockets", context.address if context.new_guest else context.guest)
        await admit(context)
    except HeadwayError as error:
        await socket.close(code=close_code(error))
        return None
    context.forget_headers()
    return context


def refuse_crowd(
    socket: Socket, others: Iterable[Peer], most_of_guest: int, most_of_address: int
) -> None:
    """Refuses a socket if its guest or its address has too many of the `others`."""
    context, factor = context_of(socket), socket.app.state.limits.factor
    peers = list(others)
    of_guest = sum(other.guest == context.guest for other in peers)
    of_address = sum(other.network == context.address for other in peers)
    if of_guest >= most_of_guest or of_address >= (most_of_address * factor or math.inf):
        raise too_often("server.too_often", seconds=1)


def close_code(error: HeadwayError) -> int:
    """Returns the code that tells a page why its socket closes: 4000 more than the status."""
    status = status_of(error)
    return 4000 + (404 if status == 403 else status)


def sender(context: RequestContext) -> Send:
    """Returns what sends a message over an opened socket."""

    async def send(data: bytes) -> None:
        await context.send({"type": "websocket.send", "text": data.decode()})

    return send


async def serve(
    socket: Socket,
    sending: Callable[[], Awaitable[None]],
    listening: Callable[[], Awaitable[None]],
) -> None:
    """Sends and listens at the same time; when one of them ends, so do the other and the socket."""

    async def send_and_close() -> None:
        try:
            await sending()
        finally:
            with contextlib.suppress(Exception):
                await socket.close()

    task = asyncio.create_task(send_and_close())
    try:
        with contextlib.suppress(WebSocketDisconnect):
            await listening()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
