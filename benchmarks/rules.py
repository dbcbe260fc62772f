"""Measures the rules: start-up, compilation, simulation, interpreted turns, replay."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from benchmarks.figure import Figure, Measure, best, timed
from headway.bots import make_bot, play_out
from headway.games import boxes
from headway.games.box import Box
from headway.games.contract import CHANCE, Game
from headway.record import Record, read, replay, replay_many
from headway.table import Table


class Speed(NamedTuple):
    """Games to simulate, and the target in games per second."""

    map: str
    seats: int
    policy: str
    games: int
    target: int = 0


SPEEDS = {
    "next-station": (
        Speed("london", 1, "random", 400_000, 130_000),
        Speed("london", 1, "greedy", 100_000, 60_000),
        Speed("tokyo", 1, "random", 400_000),
        Speed("tokyo", 1, "greedy", 100_000),
    ),
    "ticket-to-ride": (
        Speed("london", 2, "random", 100_000, 40_000),
        Speed("london", 3, "random", 100_000),
        Speed("london", 4, "random", 100_000, 20_000),
    ),
}
"""What is simulated of each game; the first one is also measured on all cores."""


def measures(divisor: int) -> list[Measure]:
    found: list[Measure] = [
        _start_up,
        _compile,
        partial(_simulations, divisor),
        _interpreted,
        _replay,
        _compiled_replay,
        _memory,
    ]
    return found


def _python(*arguments: str, cache: str | None = None) -> None:
    variables = os.environ | ({"HEADWAY_CACHE_DIR": cache} if cache else {})
    subprocess.run(
        [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=variables
    )


def _processor_time(*arguments: str) -> float:
    """Returns the processor time that a Python program takes."""
    before = os.times()
    _python(*arguments)
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def _start_up() -> Iterator[Figure]:
    bare = best(5, lambda: _python("-c", "pass"))
    load = best(5, lambda: _python("-c", "import headway")) - bare
    yield Figure("import headway", load, "s", "< 0.25")
    yield Figure(
        "headway --help", best(5, lambda: _python("-m", "headway", "--help")), "s", "< 0.3"
    )
    table = "import headway\nheadway.Table('london')"
    used = min(_processor_time("-c", table) - _processor_time("-c", "pass") for _ in range(5))
    yield Figure("first table of a process, CPU time", used, "s", "< 0.15")


def _compile() -> Iterator[Figure]:
    program = "import headway\nfor b in headway.boxes(): b.open(b.default_map, 2).simulate(1)"
    with tempfile.TemporaryDirectory() as cache:
        first = best(1, lambda: _python("-c", program, cache=cache))
        again = best(3, lambda: _python("-c", program, cache=cache))
    yield Figure("first compile, all games", first, "s", "< 40 each")
    yield Figure("start with compiled code cached", again, "s", "")


def _simulations(divisor: int) -> Iterator[Figure]:
    for box in boxes():
        for speed in SPEEDS[box.name]:
            game = box.open(speed.map, speed.seats)
            games = speed.games // divisor
            game.simulate(1, policy=speed.policy)
            seconds, spread = timed(5, partial(game.simulate, games, policy=speed.policy))
            name = f"{box.name} {speed.map}, {speed.seats} seats, {speed.policy}, one core"
            target = f"> {speed.target:,}" if speed.target else ""
            yield Figure(name, games / seconds, "games/s", target, spread)
        yield _cores(box, SPEEDS[box.name][0], divisor)


def _cores(box: Box, speed: Speed, divisor: int) -> Figure:
    game, games = box.open(speed.map, speed.seats), speed.games // divisor
    cores = os.cpu_count() or 1
    one = best(3, partial(game.simulate, games))
    every = best(3, partial(game.simulate, games, threads=cores))
    return Figure(f"{box.name}, {cores} cores against one", one / every, "times", "> 1.8")


def _interpreted() -> Iterator[Figure]:
    for box in boxes():
        for name in box.maps:
            seats = max(2, box.seats.start)
            game = box.open(name, seats)
            yield Figure(
                f"{box.name} {name}, {seats} seats, interpreted turn of a seat",
                _turn(game) * 1000,
                "ms",
                "< 1",
            )


def _turn(game: Game) -> float:
    """Returns the mean time of legal moves, one move and the view, over a game of random moves."""
    means = []
    for seed in range(5):
        table = Table(game, seed=seed)
        bot = make_bot("random", game, seed)
        before = time.perf_counter()
        play_out(table, [bot] * game.seats)
        moves = sum(seat != CHANCE for seat, _ in table.events)
        means.append((time.perf_counter() - before) / moves)
    return min(means)


def _replay() -> Iterator[Figure]:
    table = Table("london", seats=2, seed=1, objectives=True, powers=True)
    play_out(table, [make_bot("random", table.game, seat) for seat in range(2)])
    text = table.record().json()
    yield Figure(
        "200 records replayed, 2 seats",
        200 * best(5, lambda: replay(read(text))),
        "s",
        "< 10",
    )


def _compiled_replay() -> Iterator[Figure]:
    """Records of games by the bot that fills tables, replayed by `replay_many`."""
    for box in boxes():
        tables = [_played(box.open(box.default_map, 2), seed) for seed in range(20)]
        seeded = [table.record() for table in tables]
        texts = [record.json() for record in seeded]
        kinds: dict[str, list[Record] | list[bytes]] = {
            "JSON, dealt by the seed": texts * 20,
            "read before, dealt by the seed": seeded * 20,
            "read before, deal written": [_written(table) for table in tables] * 20,
        }
        for kind, records in kinds.items():
            _replay_all(records[:1])
            seconds, spread = timed(5, partial(_replay_all, records), time.process_time)
            name = f"{box.name}, 2 seats, compiled replay, {kind}"
            yield Figure(name, len(records) / seconds, "records/s", "> 5,000", spread)


def _replay_all(records: Iterable[Record | bytes]) -> None:
    for result in replay_many(records):
        assert result.error is None


def _played(game: Game, seed: int) -> Table:
    table = Table(game, seed=seed)
    bot = make_bot(game.box.opponent, game, seed)
    play_out(table, [bot] * game.seats)
    return table


def _written(table: Table) -> Record:
    """Returns the record of a table with its deal instead of its seed."""
    record = table.record()
    record.seed, record.fair = None, None
    record.deal, record.moves = table.game.records.write(table.game, table.events)
    return record


def _memory() -> Iterator[Figure]:
    from headway.games.nextstation.rules.arrays import SHEET

    yield Figure("a million sheets", SHEET.itemsize * 1e6 / 2**30, "GB", "< 1")
