"""Measures the size of the web client, and how fast the server opens long replays."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.figure import Figure, best
from headway.bots import make_bot, play_out
from headway.games import boxes
from headway.server.content.site import STATIC
from headway.server.replays.replay import replay_text
from headway.table import Table


def size(path: Path) -> float:
    """Returns the gzipped size of a file in KB."""
    return len(gzip.compress(path.read_bytes(), 9)) / 1000


def client_size() -> float:
    """Returns the gzipped size of all files of the client in KB."""
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    return sum(size(path) for path in files if path.suffix != ".br")


def figures() -> Iterator[Figure]:
    """Yields the client's size, and the time to open the longest replays."""
    yield Figure("the whole web client, gzipped", client_size(), "KB", "< 200")
    for box in boxes():
        table = Table(box.open(box.default_map, box.seats[-1]), seed=1)
        play_out(table, [make_bot("random", table.game, seat) for seat in range(table.seats)])
        text = table.record().json().decode()
        moves = len(replay_text(text, None).moments) - 1
        name = f"{box.name}, {moves} moves, opened as a replay, all hands open"
        yield Figure(name, best(3, partial(replay_text, text, None)), "s", "< 0.5")
