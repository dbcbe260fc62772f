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
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from headway.bots import Budget, make_bot, play_out
from headway.files import write_whole
from headway.games import box, boxes
from headway.games.contract import Box, Game, Speed
from headway.games.nextstation.game import NextStation
from headway.i18n import say
from headway.record import read, replay
from headway.table import Table


class Figure(NamedTuple):
    """One thing measured: its name, value and unit, and what it should reach."""

    name: str
    value: float
    unit: str
    target: str


Measure = Callable[[], Iterator[Figure]]


def run(
    *,
    quick: bool,
    output: Path | None,
    server: bool = False,
    page: bool = False,
    hidden: bool = False,
) -> list[Figure]:
    """Measures rules and bots, or the server, the page, hidden cards; prints and keeps the figures.

    A file that has figures already keeps those that are not measured again.
    """
    from rich.console import Console
    from rich.progress import track
    from rich.table import Table as RichTable

    figures: list[Figure] = []
    measures = _measures(10 if quick else 1)
    if server or page or hidden:
        measures = [partial(_server, quick)] if server else []
        measures += [partial(_page, quick)] if page else []
        measures += _hidden(quick) if hidden else []
    for measure in track(measures, say("bench.title"), console=Console(stderr=True)):
        figures.extend(measure())
    table = RichTable(title=say("bench.title"))
    for column in ("figure", "value", "target"):
        table.add_column(say(f"bench.{column}"))
    for figure in figures:
        table.add_row(figure.name, f"{_digits(figure.value)} {figure.unit}", figure.target)
    Console().print(table)
    if output:
        machine = {"python": platform.python_version(), "cores": os.cpu_count()}
        content = {"machine": machine, "figures": _kept(output, figures)}
        write_whole(output, msgspec.json.format(msgspec.json.encode(content)))
    return figures


def _kept(output: Path, figures: list[Figure]) -> list[dict[str, Any]]:
    """These figures, after those in the file that have other names."""
    new = {figure.name for figure in figures}
    known = msgspec.json.decode(output.read_bytes())["figures"] if output.exists() else []
    return [f for f in known if f["name"] not in new] + [f._asdict() for f in figures]


def _measures(divisor: int) -> list[Measure]:
    found: list[Measure] = [
        _start_up,
        _compile,
        partial(_simulations, divisor),
        _interpreted,
        _replay,
        _web,
        _memory,
    ]
    return found


def _server(quick: bool) -> Iterator[Figure]:
    """One process with 500 tables of four seats, then twice the moves each time until it breaks."""
    from headway.server.load import endurance, measure

    tables, seconds = (50, 6.0) if quick else (500, 24.0)
    period = 8.0
    while True:
        report = measure(tables, period, seconds)
        name = f"server, {tables} tables of four, {report.rate:,.0f} moves/s"
        yield Figure(f"{name}: half confirmed within", report.median, "ms", "")
        yield Figure(f"{name}: 99 % confirmed within", report.p99, "ms", "< 100")
        yield Figure(f"{name}: of one core", report.cores * 100, "%", "")
        yield Figure(f"{name}: memory", report.memory_after, "MB", "")
        if report.p99 > 100 or report.refused or period < 1:
            break
        period /= 2
    seen = endurance(10, 0.2, 10.0) if quick else endurance()
    for at in (seen[len(seen) // 2], seen[-1]):
        yield Figure(f"server, memory after {at.games} whole games", at.memory, "MB", "flat")


def _page(quick: bool) -> Iterator[Figure]:
    """What a player waits for, in a browser; nothing but a sentence where there is none."""
    from headway.server import loading, lookback, onscreen

    with onscreen.stage() as ready:
        if ready is None:
            sys.stderr.write(say("bench.no_browser") + "\n")
            return
        loaded = loading.measure(*ready)
        seen = onscreen.measure(*ready, quick)
        looks = list(lookback.measure(*ready, quick))
    yield Figure("page, client in all, gzipped", loaded.whole, "KB", "< 200")
    yield Figure("page, loaded by the first page, gzipped", loaded.home, "KB", "")
    for game, size in loaded.games.items():
        yield Figure(f"page, loaded besides by a table of {game}", size, "KB", "")
    yield Figure("page, files of a game that is not opened", len(loaded.early), "loaded", "0")
    yield Figure(
        "page, usable on the first visit, median", float(np.median(seen.usable)), "ms", "< 1000"
    )
    for look in looks:
        name = f"page, replay of {look.map}, {look.moves} moves, opened"
        yield Figure(name, look.opened / 1000, "s", "< 0.5")
    for name, spans, target in (
        ("a section drawn is on the screen", seen.drawn, "< 50"),
        ("a move is confirmed and shown", seen.confirmed, "< 100"),
        *((f"a replay step of {look.map}", look.steps, "< 50") for look in looks),
    ):
        yield Figure(f"page, {name}, median of {len(spans)}", float(np.median(spans)), "ms", "")
        yield Figure(f"page, {name}, 95 % within", float(np.percentile(spans, 95)), "ms", target)


def _hidden(quick: bool) -> list[Measure]:
    """What hidden cards and cards to come are worth: steps that take minutes, not seconds."""
    deals = 10 if quick else 200
    steps: list[Measure] = [partial(_clairvoyant, 10 if quick else 500)]
    for city in ("london", "tokyo"):
        steps += [partial(_known, city, deals, width) for width in (1, 100, 1000)]
        steps += [partial(_fair, city, deals // 5, width) for width in (1, 10, 100)]
    return steps


def _clairvoyant(deals: int) -> Iterator[Figure]:
    """What a search gains that is given the real hidden cards; it loses nothing but the doubt."""
    from headway.clairvoyance import figures

    for name, value, unit in figures(deals, Budget(simulations=1000)):
        yield Figure(name, value, unit, "")


def _known(city: str, deals: int, width: int) -> Iterator[Figure]:
    """The best results with all cards of a deal known; a beam of one looks at none ahead."""
    from headway.bots.nextstation.perfect_information import best_known, deal

    game = _city(city)
    totals = _each(deals, lambda number: best_known(game, deal(game, number), width))
    yield from _spread(f"next-station {city}, {deals} deals, all cards known, beam {width}", totals)


def _fair(city: str, deals: int, width: int, simulations: int = 60) -> Iterator[Figure]:
    """The same with the luck counted off: a beam of one is a player, a wide one a bound for all."""
    from headway.bots.nextstation.perfect_information import best_fair, deal

    game = _city(city)
    totals = _each(deals, lambda number: best_fair(game, deal(game, number), width, simulations))
    name = f"next-station {city}, {deals} deals, without luck, {simulations} simulations"
    yield from _spread(f"{name}, beam {width}", totals)


def _city(name: str) -> NextStation:
    game = box("next-station").open(name)
    assert isinstance(game, NextStation)
    return game


def _each(deals: int, best: Callable[[int], float]) -> list[float]:
    """The best of each deal, on all cores: the search lets other threads run."""
    best(0)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(best, range(deals)))


def _spread(name: str, totals: list[float]) -> Iterator[Figure]:
    yield Figure(f"{name}: mean", float(np.mean(totals)), "points", "")
    error = float(np.std(totals, ddof=1) / len(totals) ** 0.5)
    yield Figure(f"{name}: standard error", error, "points", "")


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


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


def _simulations(divisor: int) -> Iterator[Figure]:
    for found in boxes():
        for speed in found.speeds:
            game = found.open(speed.map, speed.seats)
            games = speed.games // divisor
            game.simulate(1, policy=speed.policy)
            rate = games / _best(5, partial(game.simulate, games, policy=speed.policy))
            name = f"{found.name} {speed.map}, {speed.seats} seats, {speed.policy}, one core"
            yield Figure(name, rate, "games/s", f"> {speed.target:,}" if speed.target else "")
        yield _cores(found, found.speeds[0], divisor)


def _cores(found: Box, speed: Speed, divisor: int) -> Figure:
    game, games = found.open(speed.map, speed.seats), speed.games // divisor
    cores = os.cpu_count() or 1
    one = _best(3, partial(game.simulate, games))
    every = _best(3, partial(game.simulate, games, threads=cores))
    return Figure(f"{found.name}, {cores} cores against one", one / every, "times", "> 1.8")


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


def _web() -> Iterator[Figure]:
    """What a browser loads, and how long the server takes to open the longest replays."""
    from headway.server.loading import client_size
    from headway.server.replaying import replay_text

    yield Figure("the whole web client, gzipped", client_size(), "KB", "< 200")
    for found in boxes():
        table = Table(found.open(found.default_map, found.seats[-1]), seed=1)
        play_out(table, [make_bot("random", table.game, seat) for seat in range(table.seats)])
        text = table.record().json().decode()
        moves = len(replay_text(text, None).moments) - 1
        name = f"{found.name}, {moves} moves, opened as a replay, all hands open"
        yield Figure(name, _best(3, partial(replay_text, text, None)), "s", "< 0.5")


def _memory() -> Iterator[Figure]:
    from headway.games.nextstation.rules.arrays import SHEET

    yield Figure("a million sheets", SHEET.itemsize * 1e6 / 2**30, "GB", "< 1")
