"""A day of a host in short: a server killed, all restarted in turn, a backup made and restored.

All of it while people play on three servers and keep sockets open; then the database and the
restored backup are compared with what was acknowledged.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import subprocess
import sys
import time
from collections.abc import Iterator

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from benchmarks.faults.lab import SERVER_HOSTS, SERVER_PORT, Lab, address
from benchmarks.faults.workload import Ledger, audit, database_url, healed, play
from benchmarks.figure import Figure

PLAYERS = 16
WATCHERS = 9
LOAD_SECONDS = 10.0
STOP_SECONDS = 60.0


class Rolled:
    """What the day showed."""

    def __init__(self) -> None:
        self.moves = self.lost = self.doubled = self.lost_in_backup = 0
        self.moves_a_second = 0.0
        self.cpu = {"who plays": 0.0, "servers": 0.0, "services": 0.0}
        """Milliseconds of CPU for each move: what a busy machine cannot change."""
        self.doctor = 0
        """The exit code of `headway doctor` at the restored backup."""
        self.gaps: list[float] = []
        """Seconds without a socket, for each that was lost."""


async def _watch(rolled: Rolled, number: int) -> None:
    """Keeps a socket open: where one server closes it, the next one is asked, as proxies do."""
    lost: float | None = None
    while True:
        for host in (*SERVER_HOSTS[number % 3 :], *SERVER_HOSTS[: number % 3]):
            site = f"{address(host)}:{SERVER_PORT}"
            with contextlib.suppress(OSError, TimeoutError, WebSocketException):
                url, origin = f"ws://{site}/api/lobby/live", Origin(f"http://{site}")
                async with connect(url, origin=origin, open_timeout=2) as line:
                    await line.recv()
                    if lost is not None:
                        rolled.gaps.append(time.monotonic() - lost)
                    lost = None
                    with contextlib.suppress(WebSocketException):
                        while True:
                            await line.recv()
            lost = lost or time.monotonic()
        await asyncio.sleep(0.05)


def _cpu(lab: Lab) -> dict[str, float]:
    """The CPU seconds so far of those who play, of the servers, of PostgreSQL and Redis."""
    return {
        "who plays": time.process_time(),
        "servers": lab.cpu_seconds(*(f"server-{host}" for host in SERVER_HOSTS)),
        "services": lab.cpu_seconds("postgresql", "redis"),
    }


def _roll(lab: Lab) -> None:
    """Restarts one server after the other, as a host does for a new version."""
    for host in SERVER_HOSTS:
        process = lab.processes[f"server-{host}"]
        process.terminate()
        process.wait(STOP_SECONDS)
        lab.start_server(host)


def _headway(*words: str) -> int:
    command = [sys.executable, "-m", "headway", *words]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
    return done.returncode


def _back_up_and_restore(lab: Lab) -> int:
    """Restores a backup into a new database and returns what doctor says of it."""
    file, restored = str(lab.folder / "all.backup"), database_url("restored")
    lab.create_database("restored")
    return (
        _headway("backup", file, "--database", database_url())
        or _headway("restore", file, "--database", restored)
        or _headway("doctor", "--database", restored)
    )


async def run(lab: Lab) -> Rolled:
    """Plays the day."""
    ledger, rolled = Ledger(), Rolled()
    tasks = [asyncio.create_task(play(ledger, random.Random(n))) for n in range(PLAYERS)]
    tasks += [asyncio.create_task(_watch(rolled, n)) for n in range(WATCHERS)]
    try:
        await healed(ledger, time.monotonic())
        before, spent = len(ledger.numbers), _cpu(lab)
        await asyncio.sleep(LOAD_SECONDS)
        moves = len(ledger.numbers) - before
        rolled.moves_a_second = moves / LOAD_SECONDS
        for who, seconds in _cpu(lab).items():
            rolled.cpu[who] = 1000 * (seconds - spent[who]) / max(1, moves)
        lab.kill(f"server-{SERVER_HOSTS[0]}")
        await asyncio.to_thread(lab.start_server, SERVER_HOSTS[0])
        await healed(ledger, time.monotonic())
        await asyncio.to_thread(_roll, lab)
        await healed(ledger, time.monotonic())
        told = dict(ledger.numbers)
        rolled.doctor = await asyncio.to_thread(_back_up_and_restore, lab)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    rolled.moves = len(ledger.numbers)
    rolled.lost, rolled.doubled = await audit(ledger)
    ledger.numbers = told
    rolled.lost_in_backup, _ = await audit(ledger, "restored")
    return rolled


def figures() -> Iterator[Figure]:
    """What was lost, how long nobody had a socket, and whether the backup is whole."""
    with Lab.running() as lab:
        rolled = asyncio.run(run(lab))
    yield Figure("restarts: moves a second, before", rolled.moves_a_second, "", "≥ 50")
    for who, milliseconds in rolled.cpu.items():
        yield Figure(f"restarts: CPU of {who} for each move", milliseconds, "ms", "")
    yield Figure("restarts: moves acknowledged", rolled.moves, "", "")
    yield Figure("restarts: acknowledged moves lost", rolled.lost, "", "0")
    yield Figure("restarts: moves doubled or refused", rolled.doubled, "", "0")
    yield Figure("restarts: sockets lost", len(rolled.gaps), "", "")
    yield Figure("restarts: sockets back within", max(rolled.gaps, default=0.0), "s", "< 5")
    yield Figure("backup: acknowledged moves lost", rolled.lost_in_backup, "", "0")
    yield Figure("backup: exit code of doctor", rolled.doctor, "", "0")
