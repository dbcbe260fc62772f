"""The socket of a review that is being made: brings it after every change, until it is there."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

from litestar import websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from headway.errors import HeadwayError
from headway.server.core.errors import not_found, too_often
from headway.server.process import ServerProcess
from headway.server.reviews.service import ReviewState
from headway.server.reviews.store import SENT
from headway.server.tables.view import ENCODER
from headway.server.web.sockets import Socket, close_code, opened, sender

Find = Callable[[str, str, str], Awaitable[ReviewState | None]]
"""Returns a review once it differs from a version, for a guest at an address."""
AT_ONCE_SECONDS = 0.5
"""An answer without news that comes sooner says that too many of an address wait already."""


@websocket("/api/tables/{table:str}/review/live")
async def review_live(socket: Socket, table: FromPath[str]) -> None:
    """Sends the review of a table that somebody has asked for, and how far it is."""
    process: ServerProcess = socket.app.state.process

    async def find(since: str, guest: str, address: str) -> ReviewState | None:
        row = await process.daily.visible_row(table, guest)
        found = await process.reviewing.follow(table, since, address)
        return await process.daily.with_best(row, found) if found else None

    await _live(socket, find)


@websocket("/api/reviews/{review:str}/live")
async def record_review_live(socket: Socket, review: FromPath[str]) -> None:
    """Sends the review of a record that was sent, and how far it is."""
    process: ServerProcess = socket.app.state.process

    async def find(since: str, _: str, address: str) -> ReviewState | None:
        known = review.startswith(SENT)
        return await process.reviewing.follow(review, since, address) if known else None

    await _live(socket, find)


async def _live(socket: Socket, find: Find) -> None:
    """Sends the review after every change; the socket closes when there will be no other."""
    context = await opened(socket)
    if context is None:
        return
    send = sender(context)
    leaving = asyncio.create_task(_left(socket))
    code, version = 1000, ""
    try:
        while not leaving.done():
            asked = time.monotonic()
            found = await find(version, context.guest, context.address)
            if found is None:
                raise not_found()
            if found.version != version:
                await send(ENCODER.encode(found))
            elif time.monotonic() - asked < AT_ONCE_SECONDS:
                raise too_often("server.too_often", seconds=1)
            version = found.version
            if found.state in ("done", "failed"):
                break
    except HeadwayError as error:
        code = close_code(error)
    finally:
        leaving.cancel()
        await asyncio.gather(leaving, return_exceptions=True)
    with contextlib.suppress(Exception):  # the page may be gone
        await socket.close(code=code)


async def _left(socket: Socket) -> None:
    """Ends when the page is gone."""
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            await socket.receive_data(mode="text")
