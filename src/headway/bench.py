"""Figures of speed, measured on this machine: `headway bench`, `make bench`.

Everything is measured several times and the best is kept, since other work on the machine can only
slow it down. Where machines differ, what counts is a ratio.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from headway.bots import make_bot, play_out
from headway.catalogue import say
from headway.games import box, boxes
from headway.games.contract import Game
from headway.record import read, replay
from headway.table import Table
from headway.textfile import write_whole


class Figure(NamedTuple):
    """One thing measured: its name, value and unit, and what it should reach."""

    name: str
    value: float
    unit: str
    target: str


def run(*, quick: bool, output: Path | None) -> list[Figure]:
    """Measures everything, prints a table and writes the figures to a file if wanted."""
    from rich.console import Console
    from rich.progress import track
    from rich.table import Table as RichTable

    figures: list[Figure] = []
    measures = _measures(10 if quick else 1)
    for measure in track(measures, say("bench.title"), console=Console(stderr=True)):
        figures.extend(measure())
    table = RichTable(title=say("bench.title"))
    for column in ("figure", "value", "target"):
        table.add_column(say(f"bench.{column}"))
    for figure in figures:
        table.add_row(figure.name, f"{figure.value:,.4g} {figure.unit}", figure.target)
    Console().print(table)
    if output:
        machine = {"python": platform.python_version(), "cores": os.cpu_count()}
        content = {"machine": machine, "figures": [f._asdict() for f in figures]}
        write_whole(output, msgspec.json.format(msgspec.json.encode(content)))
    return figures


def _measures(divisor: int) -> list[Callable[[], Iterator[Figure]]]:
    found: list[Callable[[], Iterator[Figure]]] = [
        _start_up,
        _compile,
        lambda: _next_station(divisor),
        _interpreted,
        _replay,
        _memory,
    ]
    return found


def _best(times: int, work: Callable[[], Any]) -> float:
    """The shortest of several runs, in seconds."""
    spans = []
    for _ in range(times):
        before = time.perf_counter()
        work()
        spans.append(time.perf_counter() - before)
    return min(spans)


def _python(*arguments: str, cache: str | None = None) -> None:
    variables = os.environ | ({"HEADWAY_CACHE_DIR": cache} if cache else {})
    subprocess.run(
        [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=variables
    )


def _start_up() -> Iterator[Figure]:
    bare = _best(5, lambda: _python("-c", "pass"))
    load = _best(5, lambda: _python("-c", "import headway")) - bare
    yield Figure("import headway", load, "s", "< 0.25")
    yield Figure(
        "headway --help", _best(5, lambda: _python("-m", "headway", "--help")), "s", "< 0.4"
    )


def _compile() -> Iterator[Figure]:
    program = "import headway\nfor b in headway.boxes(): b.open(b.default_map, 2).simulate(1)"
    with tempfile.TemporaryDirectory() as cache:
        first = _best(1, lambda: _python("-c", program, cache=cache))
        again = _best(3, lambda: _python("-c", program, cache=cache))
    yield Figure("first compile, all games", first, "s", "< 40 each")
    yield Figure("start with compiled code cached", again, "s", "")


def _next_station(divisor: int) -> Iterator[Figure]:
    for city, policy, games, target in (
        ("london", "random", 400_000, "> 130,000"),
        ("london", "greedy", 100_000, "> 60,000"),
        ("tokyo", "random", 400_000, ""),
        ("tokyo", "greedy", 100_000, ""),
    ):
        game = box("next-station").open(city)
        count = games // divisor
        game.simulate(1, policy=policy)
        rate = count / _best(5, lambda g=game, n=count, p=policy: g.simulate(n, policy=p))
        yield Figure(f"{city}, solo, {policy}, one core", rate, "games/s", target)
    yield _cores(400_000 // divisor)


def _cores(games: int) -> Figure:
    game = box("next-station").open("london")
    cores = os.cpu_count() or 1
    one = _best(3, lambda: game.simulate(games))
    all_ = _best(3, lambda: game.simulate(games, threads=cores))
    return Figure(f"london, solo, random, {cores} cores against one", one / all_, "times", "> 1.8")


def _interpreted() -> Iterator[Figure]:
    for found in boxes():
        for name in found.maps:
            seats = max(2, found.seats.start)
            game = found.open(name, seats)
            yield Figure(
                f"{found.name} {name}, {seats} seats, interpreted turn of a seat",
                _turn(game) * 1000,
                "ms",
                "< 1",
            )


def _turn(game: Game) -> float:
    """Legal moves, one applied and the view, the mean over a whole game of random moves."""
    best = 1.0
    for seed in range(5):
        table = Table(game, seed=seed)
        bot = make_bot("random", game, seed)
        spans = []
        while seats := table.actors():
            before = time.perf_counter()
            legal = table.state.legal(seats[0])
            view = table.view(seats[0])
            table.play(seats[0], bot.choose(view, legal))
            spans.append(time.perf_counter() - before)
        best = min(best, float(np.mean(spans)))
    return best


def _replay() -> Iterator[Figure]:
    table = Table("london", seats=2, seed=1, objectives=True, powers=True)
    play_out(table, [make_bot("random", table.game, seat) for seat in range(2)])
    text = table.record().json()
    yield Figure(
        "200 records replayed, 2 seats",
        200 * _best(5, lambda: replay(read(text))),
        "s",
        "< 10",
    )


def _memory() -> Iterator[Figure]:
    from headway.games.nextstation.layout import SHEET

    yield Figure("a million sheets", SHEET.itemsize * 1e6 / 2**30, "GB", "< 1")
