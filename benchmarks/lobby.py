"""A thousand people in the lobby of one server process: `python -m benchmarks --lobby`.

Each has the home page's socket. Meanwhile public tables are set up and left, and pairs of people
look for each other; the figure is what the server takes of a core.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from benchmarks.figure import Figure
from benchmarks.server_load import Player, processor_time, server

PEOPLE = 1000
SECONDS = 40.0
OPENED_AT_ONCE = 50
CHANGES_A_SECOND = 1.0
"""Public tables that somebody sets up, and pairs that look for each other."""
TABLE = {
    "game": "next-station",
    "map": "london",
    "seats": [{"kind": "me"}, {"kind": "open"}],
    "public": True,
}
WISH = {"game": "next-station", "clock": {"kind": "turn", "seconds": 60}}


def figures(quick: bool) -> Iterator[Figure]:
    """What the lobby takes of a core, and how soon pairs are found."""
    people, seconds = (50, 6.0) if quick else (PEOPLE, SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder) / 'tables.sqlite'}"
        allowed = {"HEADWAY_CONNECTIONS_PER_ADDRESS": str(2 * people)}
        with server(database, extra=allowed) as (address, process):
            cores = uvloop.run(_crowd(address, process, people, seconds))
    yield Figure(f"lobby, {people} people: of one core", cores * 100, "%", "< 10")


async def _crowd(address: str, process: int, people: int, seconds: float) -> float:
    """Returns what the server takes of a core while people look at the lobby."""
    players = [Player(address) for _ in range(people)]
    async with contextlib.AsyncExitStack() as stack:
        for start in range(0, people, OPENED_AT_ONCE):
            some = players[start : start + OPENED_AT_ONCE]
            await asyncio.gather(*(player.arrive() for player in some))
            lines = await asyncio.gather(*(_open(address, player) for player in some))
            for line in lines:
                stack.push_async_callback(line.close)
                listening = asyncio.create_task(_listen(line))
                stack.callback(listening.cancel)
        await asyncio.sleep(2)
        worked, began = processor_time(process), time.monotonic()
        await _happenings(players, began + seconds)
        return (processor_time(process) - worked) / (time.monotonic() - began)


async def _open(address: str, player: Player) -> ClientConnection:
    return await connect(
        f"ws://{address}/api/lobby/live",
        origin=Origin(f"http://{address}"),
        additional_headers={"cookie": player.cookie},
        compression=None,
        max_size=None,
    )


async def _listen(line: ClientConnection) -> None:
    with contextlib.suppress(Exception):
        async for _ in line:
            pass


async def _happenings(players: list[Player], until: float) -> None:
    """Lets tables be set up and pairs look for each other."""
    for number in count():
        host, first, second = (players[(3 * number + k) % len(players)] for k in range(3))
        await host.ask("POST", "/api/tables", TABLE)
        await first.ask("POST", "/api/lobby/seek", WISH)
        await second.ask("POST", "/api/lobby/seek", WISH)
        await asyncio.sleep(1 / CHANGES_A_SECOND)
        if time.monotonic() > until:
            return
