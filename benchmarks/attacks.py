"""Attacks on a server process, with an honest player beside them: `python -m benchmarks --attacks`.

The server runs with the limits that hosts have. Attackers come from other addresses of this machine
than the honest player. What is measured is how long the honest player waits, before the attack and
while it lasts; attackers and server share the machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import uvloop
from websockets.asyncio.client import connect
from websockets.typing import Origin

from benchmarks.figure import Figure, Measure
from benchmarks.server_load import Player, SeatedPlayer, memory, server

HONEST = "127.0.0.1"
REQUESTS = 20
"""Requests of the honest player before an attack, and at least while it lasts."""
PAUSE_SECONDS = 0.15
TURNS = 12
COMPILE_SECONDS = 900.0
"""How long the bots may take to be compiled before an attack."""


class Target(NamedTuple):
    """A server under attack: its address, its process and its database."""

    address: str
    process: int
    file: Path


Attack = Callable[[Target], Awaitable[None]]


async def _table(player: Player, *kinds: str, **more: object) -> str:
    seats = [{"kind": k} if k in ("me", "open") else {"kind": "bot", "bot": k} for k in kinds]
    body = {"game": "next-station", "map": "london", "seats": seats, **more}
    table: str = msgspec.json.decode(await player.ask("POST", "/api/tables", body))["id"]
    return table


async def _attacker(target: Target, source: str) -> Player:
    player = Player(target.address, source)
    await player.arrive()
    return player


@contextlib.asynccontextmanager
async def _seated(player: Player, table: str) -> AsyncIterator[SeatedPlayer]:
    async with player.sit(table, 0) as seated:
        listening = asyncio.create_task(seated.listen())
        try:
            yield seated
        finally:
            listening.cancel()


# The honest player


class Honest:
    """Plays alone and notes how long each request takes."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.spans: list[float] = []

    async def play(self, requests: int, until: asyncio.Event) -> None:
        """Looks at a table and moves until the event is set, with this many requests at least."""
        table, left = "", requests
        while left > 0 or not until.is_set():
            if not table:
                table = await _table(self.player, "me")
            seen = await self._timed("GET", f"/api/tables/{table}")
            view = msgspec.json.decode(seen)
            if view["finished"]:
                table = ""
                continue
            move = {
                "seat": 0,
                "move": view["legal"]["0"][-1],
                "client_id": f"honest-{view['number']}",
            }
            await self._timed("POST", f"/api/tables/{table}/moves", move)
            left -= 2
            await asyncio.sleep(PAUSE_SECONDS)

    async def _timed(self, method: str, path: str, body: object = None) -> bytes:
        began = time.perf_counter()
        content = await self.player.ask(method, path, body)
        self.spans.append(time.perf_counter() - began)
        return content


async def _beside(target: Target, attack: Attack) -> tuple[float, float]:
    """Returns the honest player's longest request before an attack and during it, in seconds."""
    player, over = Player(target.address, HONEST), asyncio.Event()
    await player.arrive()
    before, during = Honest(player), Honest(player)
    over.set()
    await before.play(REQUESTS, over)
    over.clear()

    async def attacking() -> None:
        try:
            await attack(target)
        finally:
            over.set()

    await asyncio.gather(attacking(), during.play(REQUESTS, over))
    player.close()
    return max(before.spans), max(during.spans)


# The attacks


async def pictures(target: Target) -> None:
    """Twenty pictures at once, as wide as allowed, of a table at which two play."""
    eve = await _attacker(target, "127.0.0.2")
    table = await _table(eve, "me", "me")
    widths = [4096, *range(1581, 1600)]
    path = f"/api/tables/{table}/picture.png?width="
    await asyncio.gather(*(eve.request("GET", f"{path}{width}") for width in widths))
    eve.close()


async def half_sent(target: Target) -> None:
    """A thousand half-sent requests, and a head that does not end."""
    host, port = target.address.split(":")
    writers = []
    for n in range(1000):
        source = f"127.0.2.{n % 4 + 1}", 0
        _, writer = await asyncio.open_connection(host, int(port), local_addr=source)
        writer.write(b"GET / HTTP/1.1\r\nhost: x\r\nx-slow: ")
        writers.append(writer)
    _, endless = await asyncio.open_connection(host, int(port), local_addr=("127.0.2.9", 0))
    with contextlib.suppress(ConnectionError):
        for _ in range(2000):
            endless.write(b"x" * 100_000)
            await endless.drain()
    for writer in [*writers, endless]:
        writer.transport.abort()


async def undos(target: Target) -> None:
    """A loser moves and undoes as fast as the server answers, and joins and leaves elsewhere."""
    eve, ann = await _attacker(target, "127.0.0.2"), await _attacker(target, "127.0.0.4")
    table, other = await _table(ann, "me", "open"), await _table(ann, "me", "open", "open")
    await eve.ask("POST", f"/api/tables/{table}/join", {})
    until, n = time.perf_counter() + 10, 0
    while time.perf_counter() < until:
        seen = msgspec.json.decode((await eve.request("GET", f"/api/tables/{table}"))[1])
        legal = seen.get("legal", {}).get("1") or ["pass"]
        n += 1
        move = {"seat": 1, "move": legal[-1], "client_id": f"the-move-{n}"}
        await eve.request("POST", f"/api/tables/{table}/moves", move)
        await eve.request(
            "POST", f"/api/tables/{table}/undo", {"seat": 1, "client_id": f"the-undo-{n}"}
        )
        await eve.request("POST", f"/api/tables/{other}/join", {})
        await eve.request("POST", f"/api/tables/{other}/leave", {"seat": 1})
    for player in (eve, ann):
        player.close()


async def claim(tables: int, target: Target) -> None:
    """A guest with thousands of tables claims an account."""
    eve = await _attacker(target, "127.0.0.2")
    copy_table(target.file, await _table(eve, "me"), tables)
    await eve.ask("POST", "/api/account", {"name": "Eve", "password": "a long password"})
    eve.close()


def copy_table(file: Path, table: str, times: int, prefix: str = "copy") -> None:
    """Writes more tables like one that has no events, into an SQLite file."""
    with sqlite3.connect(file, timeout=60) as database:
        for rows, key in (("tables", "id"), ("seats", "table_id")):
            names = [row[1] for row in database.execute(f"PRAGMA table_info({rows})")]
            others = ", ".join(name for name in names if name != key)
            copying = f"INSERT INTO {rows} ({key}, {others}) SELECT ?, {others} FROM {rows}"
            ids = [(f"{prefix}{n}", table) for n in range(times)]
            database.executemany(f"{copying} WHERE {key} = ?", ids)
    database.close()


# Bots and spectators: the honest player waits for more than an answer


async def _turns(target: Target, bot: str, turns: int) -> list[float]:
    """Returns how long each turn against a bot takes: from the move to the next decision."""
    ann, spans = Player(target.address, HONEST), list[float]()
    await ann.arrive()
    async with _seated(ann, await _table(ann, "me", bot)) as seated:
        while len(spans) < turns:
            deadline = time.perf_counter() + COMPILE_SECONDS
            began = time.perf_counter()
            while not seated.legal and not seated.finished and time.perf_counter() < deadline:
                await asyncio.sleep(0.005)
            spans.append(time.perf_counter() - began)
            if seated.finished:
                break
            await seated.move()
            await asyncio.sleep(0)
    ann.close()
    return spans[1:]


async def _keep_moving(player: Player, table: str) -> None:
    async with _seated(player, table) as seated:
        while not seated.finished:
            await seated.move()
            await asyncio.sleep(0.2)


async def starved_bots(quick: bool, target: Target) -> tuple[float, float]:
    """Three guests play at sixty tables against the expert; returns two median turns elsewhere."""
    await _turns(target, "expert", 3)  # until everything is compiled
    before = statistics.median(await _turns(target, "commuter", TURNS))
    tasks = []
    for _ in range(3):
        eve = await _attacker(target, "127.0.0.2")
        tables = [await _table(eve, "me", "expert") for _ in range(5 if quick else 20)]
        tasks += [asyncio.create_task(_keep_moving(eve, table)) for table in tables]
    during = await _turns(target, "commuter", TURNS)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return before, max(during)


async def spectators(count: int, target: Target) -> tuple[float, float]:
    """Sockets without cookies at one table; returns the next move's way without and with them."""
    ann = Player(target.address, HONEST)
    await ann.arrive()
    table = await _table(ann, "me")
    url, origin = f"ws://{target.address}/api/tables/{table}/live", f"http://{target.address}"
    async with _seated(ann, table) as seated, contextlib.AsyncExitStack() as stack:
        before = max([await _news(seated) for _ in range(5)])
        sockets = [
            connect(url, origin=Origin(origin), local_addr=(f"127.0.3.{n // 40 + 1}", 0))
            for n in range(count)
        ]
        for socket in sockets:
            line = await stack.enter_async_context(socket)
            stack.callback(asyncio.create_task(_drain(line)).cancel)
        during = max([await _news(seated) for _ in range(5)])
    ann.close()
    return before, during


async def _drain(line: object) -> None:
    async for _ in line:  # type: ignore[attr-defined]
        pass


async def _news(seated: SeatedPlayer) -> float:
    """Returns how long it takes from a move until its news comes over the socket."""
    while not seated.legal:
        await asyncio.sleep(0.005)
    began, heard = time.perf_counter(), seated.heard
    await seated.move()
    while seated.heard == heard:
        await asyncio.sleep(0.001)
    return time.perf_counter() - began


# Figures


@contextlib.contextmanager
def _under_attack(**variables: str) -> Iterator[tuple[asyncio.Runner, Target]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tables.sqlite"
        limits = {"HEADWAY_RATE_LIMIT": "1", **variables}
        with (
            server(f"sqlite:///{file}", extra=limits) as (address, process),
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        ):
            yield runner, Target(address, process, file)


def _delay(name: str, attack: Attack) -> Iterator[Figure]:
    with _under_attack() as (runner, target):
        before, during = runner.run(_beside(target, attack))
        used = memory(target.process)
    yield Figure(f"attack, {name}: longest request before", before * 1000, "ms", "")
    yield Figure(f"attack, {name}: longest request during", during * 1000, "ms", "< 1000")
    yield Figure(f"attack, {name}: memory of the server", used, "MB", "")


def _bots(quick: bool) -> Iterator[Figure]:
    with _under_attack() as (runner, target):
        before, during = runner.run(starved_bots(quick, target))
    name = f"attack, {15 if quick else 60} tables with the expert: turn against the commuter"
    yield Figure(f"{name} before", before * 1000, "ms", "")
    yield Figure(f"{name}, longest, later by", (during - before) * 1000, "ms", "< 1000")


def _spectators(quick: bool) -> Iterator[Figure]:
    count = 120 if quick else 720
    with _under_attack() as (runner, target):
        before, during = runner.run(spectators(count, target))
    name = f"attack, {count} sockets at a table: news of a move"
    yield Figure(f"{name} before", before * 1000, "ms", "")
    yield Figure(f"{name} during", during * 1000, "ms", "< 500")


def measures(quick: bool) -> list[Measure]:
    """Returns the measurements, one for each attack."""
    tables = 500 if quick else 4000
    return [
        partial(_delay, "20 wide pictures", pictures),
        partial(_delay, "1000 half-sent requests and an endless head", half_sent),
        partial(_bots, quick),
        partial(_spectators, quick),
        partial(_delay, "move and undo, join and leave", undos),
        partial(_delay, f"an account claimed with {tables} tables", partial(claim, tables)),
    ]
