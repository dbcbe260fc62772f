"""A load of tables on one server process: `python -m benchmarks --server`.

Every seat of every table has a socket and moves once in a while; what is measured is the time from
sending a move over HTTP until the server says that it is committed. The tables take their turns at
different times, as tables of strangers do; if all turns ended together, the server would have idle
and overloaded moments at any rate. Players and server share this machine, so the server alone does
better than it looks here.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from benchmarks.figure import Figure

PLAYERS = 4
RATES = 250, 500, 750, 1000, 1250, 1500, 2000
"""Moves a second that are tried, one after the other."""
GOALS = {250: ("< 4", "< 50", ""), 500: ("", "", "< 1.2")}
"""Within how many ms half and 99% of the moves are confirmed, and CPU of a move, by rate."""
IDLE_SECONDS = 3.0
"""How long an idle connection is used again: the server closes it after five."""
STOP_SECONDS = 60
"""How long a server may take to end; with 20,000 sockets on a busy machine, 20 are too few."""
BROKEN_MS = 100
"""A server that confirms 99% of the moves only later is overloaded."""


class Report(NamedTuple):
    """What one run showed: moves a second, their latency in ms, memory in MB, refused moves."""

    rate: float
    median: float
    p99: float
    worst: float
    memory_before: float
    memory_after: float
    refused: int
    cores: float
    """What the server took of a core, on average; of several processes, the busiest."""
    cpu_per_move: float
    """The processor time of the server for each move, in ms; of several, the busiest's."""


class _TableChanges(msgspec.Struct, frozen=True):
    number: int | None = None
    finished: bool | None = None
    legal: dict[str, list[str]] | None = None


class _Message(msgspec.Struct):
    type: str
    table: _TableChanges = _TableChanges()


class _Moved(msgspec.Struct):
    number: int


_DECODER, _MOVED = msgspec.json.Decoder(_Message), msgspec.json.Decoder(_Moved)


@contextlib.contextmanager
def server(database: str, *, extra: dict[str, str] | None = None) -> Iterator[tuple[str, int]]:
    """Starts a separate server process; yields its address and its process id."""
    port = free_port()
    variables = os.environ | {"HEADWAY_RATE_LIMIT": "0", "HEADWAY_WARM_UP": "0"} | (extra or {})
    command = [sys.executable, "-m", "headway", "serve", "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--database", database],
        env=variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            if time.monotonic() > deadline or process.poll() is not None:
                raise RuntimeError("the server does not start")
            time.sleep(0.05)
        yield f"127.0.0.1:{port}", process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(STOP_SECONDS)


def free_port() -> int:
    """Returns a port that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def memory(process: int) -> float:
    """The memory that a process takes, in MB."""
    with open(f"/proc/{process}/status") as status:
        line = next(line for line in status if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def processor_time(process: int) -> float:
    """The processor time that a process took so far, in seconds."""
    with open(f"/proc/{process}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class HttpClient:
    """Requests over connections that stay open, as a browser's do.

    httpx takes 1.6 ms of processor time for a request, this client 0.02 ms, and the server about
    1 ms: with httpx the load would measure its players.
    """

    def __init__(self, address: str, source: str = "") -> None:
        self.address = address
        self._local = (source, 0) if source else None
        self.cookie = ""
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter, float]] = []
        """Open connections, and since when they are idle."""

    async def request(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        """Returns the status and the content of an answer."""
        reader, writer = await self._connection()
        data = b"" if body is None else msgspec.json.encode(body)
        head = f"{method} {path} HTTP/1.1\r\nhost: {self.address}\r\ncookie: {self.cookie}\r\n"
        head += f"content-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
        writer.write(head.encode() + data)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = [line.partition(": ")[::2] for line in lines[1:]]
        length = next(int(value) for name, value in headers if name == "content-length")
        content = await reader.readexactly(length)
        self._idle.append((reader, writer, time.monotonic()))
        for name, value in headers:
            if name == "set-cookie":
                self.cookie = value.partition(";")[0]
        return int(lines[0].split()[1]), content

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self._idle:
            reader, writer, since = self._idle.pop()
            if time.monotonic() - since < IDLE_SECONDS and not reader.at_eof():
                return reader, writer
            writer.close()
        host, port = self.address.split(":")
        return await asyncio.open_connection(host, int(port), local_addr=self._local)

    def close(self) -> None:
        """Closes all connections."""
        for _, writer, _ in self._idle:
            writer.close()


class Player(HttpClient):
    """A guest who sits at many tables, one seat and one socket at each."""

    async def ask(self, method: str, path: str, body: object = None) -> bytes:
        """Returns the content of an answer; raises for a refusal."""
        status, content = await self.request(method, path, body)
        if not 200 <= status < 300:
            raise RuntimeError(f"{method} {path}: {status} {content[:200]!r}")
        return content

    async def arrive(self) -> None:
        """Becomes a guest."""
        await self.ask("GET", "/api/me")

    @contextlib.asynccontextmanager
    async def sit(self, table_id: str, seat: int) -> AsyncIterator[SeatedPlayer]:
        """Opens a socket at a table."""
        url = f"ws://{self.address}/api/tables/{table_id}/live"
        headers = {"cookie": self.cookie}
        origin = Origin(f"http://{self.address}")
        async with connect(
            url, origin=origin, additional_headers=headers, compression=None, max_size=None
        ) as socket:
            yield SeatedPlayer(self, socket, table_id, seat)


class SeatedPlayer:
    """One seat at one table: hears the news, and moves when told to."""

    def __init__(self, player: Player, socket: ClientConnection, table_id: str, seat: int) -> None:
        self.player = player
        self.socket = socket
        self.table_id = table_id
        self.seat = seat
        self.legal: list[str] = []
        self.number = self.moved = 0
        """The last event that is known, and that of the own last move."""
        self.finished = False
        self.answers: list[tuple[float, float]] = []
        """When each move was sent, and how long its answer took."""
        self.refused = 0
        self.heard = 0
        """How often the socket has brought the table."""

    async def listen(self) -> None:
        """Reads until the socket closes."""
        async for data in self.socket:
            message = _DECODER.decode(data)
            if message.table.legal is not None:
                self.legal = message.table.legal.get(str(self.seat), [])
            if message.table.number is not None:
                self.heard += 1
                self.number = message.table.number
            if message.table.finished is not None:
                self.finished = message.table.finished

    async def move(self) -> None:
        """Makes any legal move, if there is one, and notes how long its answer took."""
        if not self.legal or self.number < self.moved:
            return
        move = {"seat": self.seat, "move": random.choice(self.legal)}
        began = time.perf_counter()
        status, answer = await self.player.request(
            "POST",
            f"/api/tables/{self.table_id}/moves",
            move | {"client_id": secrets.token_hex(8)},
        )
        if status == 200:
            self.answers.append((began, time.perf_counter() - began))
            self.moved = _MOVED.decode(answer).number
        else:
            self.refused += 1


class Endurance(NamedTuple):
    """Memory of the server in MB after a number of finished games."""

    games: int
    memory: float


async def _play(player: SeatedPlayer, begin: float, period: float, until: float) -> None:
    """Moves once in every period since `begin`, at any moment of it."""
    while (moment := begin + random.uniform(0, 0.9) * period) < until:
        await asyncio.sleep(max(0.0, moment - time.perf_counter()))
        if player.finished:
            return
        await player.move()
        begin += period


async def set_up(players: list[Player]) -> str:
    """Sets up a table with a seat for each player, all taken; returns its id."""
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in players[1:])]
    wanted = {"game": "next-station", "map": "london", "seats": seats}
    made = await players[0].ask("POST", "/api/tables", wanted)
    table: str = msgspec.json.decode(made)["id"]
    for seat, player in enumerate(players[1:], 1):
        await player.ask("POST", f"/api/tables/{table}/join", {"seat": seat})
    return table


async def run(
    servers: list[tuple[str, int]],
    tables: int,
    period: float,
    seconds: float,
    *,
    split: bool = True,
) -> Report:
    """Plays at `tables` tables, every seat moving once in `period` seconds; reports `seconds`.

    The players of a table are `split` over the servers, each an address and a process id; or the
    tables are, and all players of a table use the same server. The tables begin within a period,
    which is not reported.
    """
    addresses, process = [address for address, _ in servers], servers[0][1]
    groups = [[Player(address) for _ in range(PLAYERS)] for address in addresses]
    if split:
        groups = [[Player(addresses[n % len(addresses)]) for n in range(PLAYERS)]]
    for player in chain(*groups):
        await player.arrive()
    async with contextlib.AsyncExitStack() as stack:
        seated, listening = [], []
        for number in range(tables):
            players = groups[number % len(groups)]
            table = await set_up(players)
            for seat, player in enumerate(players):
                sitting = await stack.enter_async_context(player.sit(table, seat))
                seated.append(sitting)
                listening.append(asyncio.create_task(sitting.listen()))
        began = time.perf_counter() + period
        begins = {who.table_id: began - random.uniform(0, period) for who in seated}
        plays = (_play(who, begins[who.table_id], period, began + seconds) for who in seated)
        playing = asyncio.gather(*plays)
        await asyncio.sleep(period)
        before, worked = memory(process), [processor_time(pid) for _, pid in servers]
        await playing
        after = memory(process)
        used = [processor_time(pid) - w for (_, pid), w in zip(servers, worked, strict=True)]
        cores = max(used) / (time.perf_counter() - began)
        for task in listening:
            task.cancel()
        answers = [answer for who in seated for answer in who.answers]
        spans = sorted(span for sent, span in answers if began <= sent)
        refused = sum(who.refused for who in seated)
    return Report(
        rate=len(spans) / seconds,
        median=spans[len(spans) // 2] * 1000,
        p99=spans[int(len(spans) * 0.99)] * 1000,
        worst=spans[-1] * 1000,
        memory_before=before,
        memory_after=after,
        refused=refused,
        cores=cores,
        cpu_per_move=max(used) / len(spans) * 1000,
    )


async def _endure(players: list[Player], period: float, until: float, ended: list[str]) -> None:
    """One place at which game after game is played to its end, by four people with sockets."""
    while time.perf_counter() < until:
        table = await set_up(players)
        async with contextlib.AsyncExitStack() as stack:
            sat = [stack.enter_async_context(p.sit(table, seat)) for seat, p in enumerate(players)]
            seated = [await sitting for sitting in sat]
            listening = [asyncio.create_task(player.listen()) for player in seated]
            begin = time.perf_counter()
            await asyncio.gather(*(_play(player, begin, period, until) for player in seated))
            if any(player.finished for player in seated):
                ended.append(table)
            for task in listening:
                task.cancel()


async def run_long(
    address: str, process: int, tables: int, period: float, seconds: float
) -> list[Endurance]:
    """Plays games to their end at `tables` tables at a time; returns memory over time."""
    players = [Player(address) for _ in range(PLAYERS)]
    for player in players:
        await player.arrive()
    until, ended = time.perf_counter() + seconds, list[str]()
    places = [asyncio.create_task(_endure(players, period, until, ended)) for _ in range(tables)]
    seen = []
    while time.perf_counter() < until:
        await asyncio.sleep(seconds / 20)
        seen.append(Endurance(len(ended), memory(process)))
    await asyncio.gather(*places)
    return seen


def endurance(tables: int = 100, period: float = 0.5, seconds: float = 120.0) -> list[Endurance]:
    """Runs a separate server for long, at sixteen times the pace of people."""
    with _run_alone() as (runner, address, process):
        return runner.run(run_long(address, process, tables, period, seconds))


@contextlib.contextmanager
def _run_alone() -> Iterator[tuple[asyncio.Runner, str, int]]:
    """Yields an event loop for players, and a separate server with an SQLite file."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder) / 'tables.sqlite'}"
        with server(database) as (address, process):
            gc.disable()  # the players' own pauses are not the server's
            try:
                with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                    yield runner, address, process
            finally:
                gc.enable()


def measure(tables: int = 500, period: float = 8.0, seconds: float = 24.0) -> Report:
    """Returns the figures of a run on a separate server."""
    with _run_alone() as (runner, address, process):
        return runner.run(run([(address, process)], tables, period, seconds))


def figures(quick: bool) -> Iterator[Figure]:
    """One process with 500 tables of four seats, with more moves each time until it breaks."""
    tables, seconds = (50, 6.0) if quick else (500, 16.0)
    held = 0.0
    for rate in RATES:
        report = measure(tables, tables * PLAYERS / rate, seconds)
        name = f"server, {tables} tables of four, {rate:,} moves/s"
        half, most, cpu = GOALS.get(rate, ("", "", ""))
        yield Figure(f"{name}: reached", report.rate, "moves/s", "")
        yield Figure(f"{name}: half confirmed within", report.median, "ms", half)
        yield Figure(f"{name}: 99% confirmed within", report.p99, "ms", most)
        yield Figure(f"{name}: CPU for each move", report.cpu_per_move, "ms", cpu)
        yield Figure(f"{name}: of one core", report.cores * 100, "%", "")
        yield Figure(f"{name}: memory", report.memory_after, "MB", "")
        if report.p99 > BROKEN_MS or report.refused:
            break
        held = report.rate
    name = f"server, most moves with 99% confirmed within {BROKEN_MS} ms, players on this machine"
    yield Figure(name, held, "moves/s", "> 1,000")
    yield Figure("server, moves that one core carries", report.rate / report.cores, "/s", "> 1,000")
    seen = endurance(10, 0.2, 10.0) if quick else endurance()
    for at in (seen[len(seen) // 2], seen[-1]):
        yield Figure(f"server, memory after {at.games} whole games", at.memory, "MB", "flat")
