"""Sockets beat: a page hears that the server is there, and a client that is gone is noticed."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import uvicorn
from server.services import ON_SQLITE, Server, online
from support import own_loop
from websockets.asyncio.client import connect

from headway.server.tables.news import PRESENCE_SECONDS
from headway.server.web import protocol
from headway.settings import ServerSettings


async def accept(scope: Any, receive: Any, send: Any) -> None:
    """An application that accepts a socket and waits until it closes."""
    await receive()
    await send({"type": "websocket.accept"})
    await receive()


async def until_closed(reader: asyncio.StreamReader) -> bytes:
    received = b""
    while data := await reader.read(65536):
        received += data
    return received


def test_a_socket_beats_until_its_client_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(protocol, "BEAT_TICK_SECONDS", 0.02)
    monkeypatch.setattr(protocol, "SILENT_CLIENT_SECONDS", 2.0)

    async def listen() -> tuple[list[str], bytes]:
        options = protocol.protocols(ServerSettings("sqlite:///never-opened.sqlite"))
        with socket.create_server(("127.0.0.1", 0)) as door:
            server = uvicorn.Server(
                uvicorn.Config(accept, lifespan="off", log_config=None, **options)
            )
            serving = asyncio.create_task(server.serve([door]))
            port = door.getsockname()[1]
            async with connect(f"ws://127.0.0.1:{port}/", ping_interval=None) as page:
                # A client that opens a socket and never answers a ping.
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(
                    b"GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
                    b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                    b"\r\n"
                )
                silence = await until_closed(reader)
                writer.close()
                beats = [str(await page.recv()) for _ in range(3)]
            server.should_exit = True
            await serving
        return beats, silence

    beats, silence = own_loop.run(listen())
    assert beats == ['{"type":"pong"}'] * 3
    assert protocol.BEAT * 2 in silence
    assert b"keepalive ping timeout" in silence[-40:]


class Hours:
    """A loop whose time passes only as far as somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[tuple[float, Callable[[Any], None], Any]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, wait: float, work: Callable[[Any], None], argument: Any) -> None:
        self.timers.append((self.now + wait, work, argument))

    def pass_on(self) -> None:
        """Goes on to what is due next, and does it."""
        self.timers.sort(key=lambda timer: timer[0])
        self.now, work, argument = self.timers.pop(0)
        work(argument)


class Line(protocol.SocketConnection):
    """A socket without a network, whose client speaks all the time up to its last word."""

    def __init__(self, loop: Hours, last_word: float) -> None:
        self.loop: Any = loop
        self.last_word = last_word
        self.closed_at = 0.0
        self.disconnected = self.close_sent = False
        self.transport: Any = self
        self.writable = asyncio.Event()

    @property
    def heard_at(self) -> float:  # type: ignore[override]
        return float(min(self.loop.now, self.last_word))

    def is_closing(self) -> bool:
        return False

    def keepalive_timeout(self) -> None:
        self.closed_at = self.loop.now
        self.disconnected = True


def test_a_table_sees_a_dead_line_within_15_seconds() -> None:
    """Whenever between two beats a client says its last word, by the settings that hold."""
    moments = 200
    for moment in range(moments):
        loop, heartbeat = Hours(), protocol.Heartbeat()
        line = Line(loop, last_word=20 + moment * protocol.BEAT_SECONDS / moments)
        heartbeat.add(line)
        while not line.closed_at:
            loop.pass_on()
        assert line.closed_at - line.last_word + PRESENCE_SECONDS <= 15


HOLDS_A_LINE = """
import sys
from websockets.sync.client import connect
url, origin, cookie = sys.argv[1:]
with connect(url, origin=origin, additional_headers={"cookie": cookie}) as line:
    print("here", flush=True)
    for _ in line: pass
"""


@ON_SQLITE
def test_a_dead_line_shows_at_the_table(server: Server) -> None:
    """A program that is stopped keeps its connection open, and answers no more."""
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open")
    ben.join(table)
    url = f"{server.url.replace('http', 'ws')}/api/tables/{table}/live"
    cookie = "; ".join(f"{one.name}={one.value}" for one in ben.http.cookies.jar)
    with (
        ann.socket(table) as ear,
        subprocess.Popen(
            [sys.executable, "-c", HOLDS_A_LINE, url, server.url, cookie], stdout=subprocess.PIPE
        ) as program,
    ):
        try:
            ear.table(lambda seen: online(seen) == [0, 1])
            program.send_signal(signal.SIGSTOP)
            ear.table(lambda seen: online(seen) == [0])
            assert program.poll() is None
        finally:
            program.kill()
