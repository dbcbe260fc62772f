"""Frames: what a socket sends arrives whole, whatever its size."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import uvicorn
from support import own_loop
from websockets.asyncio.client import connect

from headway.server.web import protocol
from headway.settings import ServerSettings

SIZES = 0, 1, 125, 126, 65_535, 65_536, 200_000
"""The length of a frame has three forms, for up to 125 and 65,535 bytes and for more."""


async def talk(scope: Any, receive: Any, send: Any) -> None:
    """An application that sends texts of all sizes, and one with letters of several bytes."""
    await receive()
    await send({"type": "websocket.accept"})
    for size in SIZES:
        await send({"type": "websocket.send", "text": "x" * size})
    await send({"type": "websocket.send", "text": "gare é" * 30})
    await send({"type": "websocket.send", "bytes": b"as bytes"})
    await send({"type": "websocket.close"})


def test_texts_of_all_sizes_arrive() -> None:
    async def listen() -> list[str | bytes]:
        options = protocol.protocols(ServerSettings("sqlite:///never-opened.sqlite"))
        with socket.create_server(("127.0.0.1", 0)) as door:
            config = uvicorn.Config(talk, lifespan="off", log_config=None, **options)
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server.serve([door]))
            async with connect(f"ws://127.0.0.1:{door.getsockname()[1]}/") as page:
                messages = [message async for message in page]
            server.should_exit = True
            await serving
        return messages

    assert own_loop.run(listen()) == [*("x" * n for n in SIZES), "gare é" * 30, b"as bytes"]
