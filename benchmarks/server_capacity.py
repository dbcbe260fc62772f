"""What a server process can hold: idle sockets, clients that come back at once, a second process.

All of it is measured in processor time, which other work on this machine disturbs least.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
import selectors
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import uvloop
from websockets.asyncio.client import connect
from websockets.typing import Origin

from benchmarks.figure import Figure
from benchmarks.server_load import (
    PLAYERS,
    Player,
    Report,
    free_port,
    memory,
    processor_time,
    run,
    server,
    set_up,
)
from headway.server.web.protocol import BEAT

SPARE_FILES = 400
"""File descriptors that the sockets leave to everything else."""
SOCKETS_PER_TABLE = 20
COMING_BACK = 100
"""Clients that connect at the same time."""
OPENED_AT_ONCE = 100
"""Idle sockets that open before the others answer their beats: a silent one would be closed."""
SPARE_CONNECTIONS = 200
"""Connections that a server may have besides the sockets that are counted."""


def figures(quick: bool) -> Iterator[Figure]:
    """Sockets, clients that come back, and two processes."""
    yield from _idle(200 if quick else 20_000, 5.0 if quick else 40.0)
    yield from _coming_back(40 if quick else 5000)
    if shutil.which("redis-server"):
        yield from _two_processes(*((20, 1.0, 5.0) if quick else (125, 1.0, 15.0)))


# Idle sockets


class IdleSockets:
    """Sockets that only answer beats, without a library: thousands fit into this process."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._open: list[socket.socket] = []

    def add(self, address: str, table: str, source: str) -> None:
        """Opens a socket at a table and waits for its first message."""
        host, port = address.split(":")
        line = socket.create_connection((host, int(port)), 30, (source, 0))
        request = (
            f"GET /api/tables/{table}/live HTTP/1.1\r\nhost: {address}\r\n"
            f"origin: http://{address}\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
            "sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        line.sendall(request.encode())
        if b" 101 " not in line.recv(65536):
            raise RuntimeError("the socket does not open")
        line.setblocking(False)
        self._selector.register(line, selectors.EVENT_READ)
        self._open.append(line)

    def wait(self, seconds: float) -> None:
        """Reads what comes; answers every beat with a pong, as browsers do."""
        until, left = time.monotonic() + seconds, seconds
        while left >= 0:
            for key, _ in self._selector.select(left):
                line = key.fileobj
                assert isinstance(line, socket.socket)
                news = line.recv(65536)
                if not news:
                    raise RuntimeError("the server has closed an idle socket")
                if BEAT in news:
                    line.send(b"\x8a\x80\0\0\0\0")
            left = until - time.monotonic()

    def close(self) -> None:
        """Closes all of them."""
        self._selector.close()
        for line in self._open:
            line.close()


def _idle(count: int, seconds: float) -> Iterator[Figure]:
    count = min(count, _allow_files(count + SPARE_FILES) - SPARE_FILES)
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(IdleSockets()) as sockets:
        database = f"sqlite:///{Path(folder) / 'tables.sqlite'}"
        with server(database, extra=_connections(count)) as (address, process):
            tables = asyncio.run(_tables(address, count // SOCKETS_PER_TABLE))
            sockets.add(address, tables[0], "127.0.0.1")
            before = memory(process)
            for number in range(count):
                table = tables[number % len(tables)]
                sockets.add(address, table, f"127.0.0.{number % 100 + 1}")
                if number % OPENED_AT_ONCE == 0:
                    sockets.wait(0)
            sockets.wait(2)
            after, worked = memory(process), processor_time(process)
            sockets.wait(seconds)
            cores = (processor_time(process) - worked) / seconds
    name = f"server, {count} idle sockets"
    yield Figure(f"{name}: memory of each", (after - before) * 1024 / count, "KB", "< 25")
    yield Figure(f"{name}: of one core", cores * 100, "%", "< 5")


def _connections(sockets: int) -> dict[str, str]:
    """Returns the setting that lets a server have this number of sockets."""
    return {"HEADWAY_CONNECTIONS": str(sockets + SPARE_CONNECTIONS)}


def _allow_files(count: int) -> int:
    """Lets this process and its children open this number of files; returns how many they may."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with contextlib.suppress(ValueError, OSError):  # more than the system allows us
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, max(count, most)))
        return count
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


async def _tables(address: str, count: int) -> list[str]:
    player = Player(address)
    await player.arrive()
    made = [await set_up([player]) for _ in range(max(1, count))]
    player.close()
    return made


# Clients that come back after a restart


def _coming_back(clients: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder) / 'tables.sqlite'}"
        with server(database) as (address, _):
            players, tables = asyncio.run(_prepare(address, clients // PLAYERS))
        with server(database, extra=_connections(clients)) as (address, process):
            began, worked = time.perf_counter(), processor_time(process)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(_come_back(address, players, tables))
            took, used = time.perf_counter() - began, processor_time(process) - worked
    count = len(tables) * PLAYERS
    name = f"server, {count} clients come back after a restart"
    yield Figure(f"{name}: within", took, "s", "")
    yield Figure(f"{name}: CPU time", used, "s", "< 10")


async def _prepare(address: str, count: int) -> tuple[list[str], list[str]]:
    """Sets up tables, with a move at each; returns the players' cookies and the tables."""
    players = [Player(address) for _ in range(PLAYERS)]
    for player in players:
        await player.arrive()
    tables = [await set_up(players) for _ in range(count)]
    for player in players:
        player.close()
    return [player.cookie for player in players], tables


async def _come_back(address: str, cookies: list[str], tables: list[str]) -> None:
    """Everybody asks for the table and opens a socket, as a page does."""
    waiting = asyncio.Semaphore(COMING_BACK)
    async with contextlib.AsyncExitStack() as stack:

        async def come(player: Player, table: str) -> None:
            async with waiting:
                seen = msgspec.json.decode(await player.ask("GET", f"/api/tables/{table}"))
                url = f"ws://{address}/api/tables/{table}/live?since={seen['number']}"
                line = connect(
                    url,
                    origin=Origin(f"http://{address}"),
                    additional_headers={"cookie": player.cookie},
                    compression=None,
                )
                await (await stack.enter_async_context(line)).recv()

        players = [Player(address) for _ in cookies]
        for player, cookie in zip(players, cookies, strict=True):
            player.cookie = cookie
        await asyncio.gather(*(come(player, table) for table in tables for player in players))
        for player in players:
            player.close()


# Two processes


@contextlib.contextmanager
def _redis() -> Iterator[str]:
    port = free_port()
    options = ["--port", str(port), "--save", "", "--appendonly", "no", "--bind", "127.0.0.1"]
    redis = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
    try:
        yield f"redis://127.0.0.1:{port}"
    finally:
        redis.terminate()
        redis.wait(20)


def _two_processes(tables: int, period: float, seconds: float) -> Iterator[Figure]:
    """What two processes carry: with split tables, and with each table on one process.

    A process spends less on a move the more moves it makes. So the two are compared with one that
    makes all the moves, and with one that makes half of them and is about as busy as each.
    """
    all_moves = _busier(1, tables, period, seconds)
    half = _busier(1, tables // 2, period, seconds)
    name = f"server, {all_moves.rate:,.0f} moves/s on two processes"
    for split, how in ((True, "the players of a table split"), (False, "each table on one")):
        busier = _busier(2, tables, period, seconds, split=split)
        same_moves = all_moves.cpu_per_move / busier.cpu_per_move
        as_busy = half.cpu_per_move / busier.cpu_per_move
        yield Figure(f"{name}, {how}: of one that makes all", same_moves, "times", "> 1.7")
        yield Figure(f"{name}, {how}: of one that is as busy", as_busy, "times", "> 1.7")


def _busier(
    processes: int, tables: int, period: float, seconds: float, *, split: bool = True
) -> Report:
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        channels = {"HEADWAY_CHANNELS_URL": stack.enter_context(_redis())}
        database = f"sqlite:///{Path(folder) / 'tables.sqlite'}"
        running = [stack.enter_context(server(database, extra=channels)) for _ in range(processes)]
        runner = stack.enter_context(asyncio.Runner(loop_factory=uvloop.new_event_loop))
        return runner.run(run(running, tables, period, seconds, split=split))
