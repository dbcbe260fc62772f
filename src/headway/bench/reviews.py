"""Measures reviews: how long they take, that luck has the mean zero, and what each level loses.

The limits in `reviews/grades.py` are the figures printed here: the loss that nine of ten games of
the strongest bot stay below, the loss that nine of ten games of the weakest exceed, and between
them the middle of the medians of neighbouring levels.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial
from itertools import product
from math import sqrt
from statistics import mean, median, quantiles, stdev
from typing import NamedTuple

from headway import Record, Table, make_bot, play_out
from headway.arena import open_job, report, run
from headway.bench.figure import Figure, Measure
from headway.games import box, boxes
from headway.process_pool import open_pool
from headway.reviews import review
from headway.reviews.grades import LIMITS

EXPERT = "expert@300"
LEVELS = {
    "next-station": ("tourist", "commuter", "driver", EXPERT),
    "ticket-to-ride": ("tourist", "commuter", "driver", "expert@1000"),
}
LUCK_BOTS = ("random", "greedy", "commuter", EXPERT)
TINY = 2
"""Simulations where only the sum counts."""


class Timed(NamedTuple):
    """A kind of game whose review is timed, and the target in seconds of one core."""

    game: str
    map: str
    seats: int
    target: int


TIMED = (
    Timed("next-station", "london", 1, 3),
    Timed("next-station", "london", 4, 12),
    Timed("ticket-to-ride", "london", 2, 15),
)


def measures(quick: bool) -> list[Measure]:
    """Returns all measurements; a whole run takes hours."""
    steps: list[Measure] = [partial(_seconds, timed, 2 if quick else 10) for timed in TIMED]
    steps.append(partial(_sums, 20 if quick else 1000))
    steps += [partial(_luck, bot, 20 if quick else 2000) for bot in LUCK_BOTS]
    maps = [(game, name) for game, fitted in LIMITS.items() for name in fitted]
    steps += [partial(_losses, *which, 4 if quick else 60) for which in maps]
    return steps


def played(game: str, map_name: str, bots: list[str], seed: int, **options: bool) -> Record:
    """Returns the record of a game between bots."""
    opened = box(game).open(map_name, len(bots), options)
    table = Table(opened, seed=seed)
    play_out(table, [make_bot(bot, opened, seed + seat) for seat, bot in enumerate(bots)])
    return table.record()


def _seconds(timed: Timed, games: int) -> Iterator[Figure]:
    """Yields the mean processor time of a review with the default budget."""
    spans = []
    for seed in range(games + 1):
        record = played(timed.game, timed.map, ["greedy"] * timed.seats, seed)
        before = time.process_time()
        review(record)
        spans.append(time.process_time() - before)
    name = f"review, {timed.game} {timed.map}, {timed.seats} seats"
    yield Figure(name, mean(spans[1:]), "s of one core", f"< {timed.target}")


def _sums(games: int) -> Iterator[Figure]:
    """Reviews games of all kinds with a tiny budget; yields those whose sum is not exact."""
    kinds = list(_kinds())
    with open_pool(os.cpu_count() or 1) as pool:
        wrong = sum(pool.map(_wrong, [kinds[i % len(kinds)] for i in range(games)], range(games)))
    yield Figure(f"review, sums of {games} games that are not exact", wrong, "", "0")


class Kind(NamedTuple):
    """A kind of game: map, seats, modules and bot."""

    game: str
    map: str
    seats: int
    options: tuple[str, ...]
    bot: str


def _kinds() -> Iterator[Kind]:
    for game in boxes():
        modules: list[tuple[str, ...]] = [(), *((option,) for option in game.options)]
        for name, seats, options in product(game.maps, game.seats, modules):
            for bot in ("random", "greedy", "tourist"):
                yield Kind(game.name, name, seats, options, bot)


def _wrong(kind: Kind, seed: int) -> int:
    """Returns 1 for a game with a sum that is not exact, else 0."""
    options = dict.fromkeys(kind.options, True)
    record = played(kind.game, kind.map, [kind.bot] * kind.seats, seed, **options)
    found = review(record, budget=TINY)
    sums = [s.start + s.luck - s.loss + s.others + s.recount - s.result for s in found.seats]
    return int(any(sums))


def _luck(bot: str, games: int) -> Iterator[Figure]:
    """Yields the mean luck of a bot, which is zero within two errors."""
    job = open_job("london", [bot], luck=True)
    results = run(job, games, cores=os.cpu_count() or 1)
    lucks = [result.luck[0] for result in results]
    name = f"luck of {bot}, london, {games} games"
    error = stdev(lucks) / sqrt(games)
    yield Figure(f"{name}: mean", mean(lucks), "points", f"within ±{2 * error:.2f}")
    yield Figure(f"{name}: standard error", error, "points", "")
    fair = report(job, results).standings[0].fair
    if fair:
        yield Figure(f"{name}: points without luck", fair.mean, "points", "")


def _losses(game: str, map_name: str, games: int) -> Iterator[Figure]:
    """Yields what each level loses in a game, and the limits that follow."""
    losses: dict[str, list[int]] = {}
    for bot in LEVELS[game]:
        with open_pool(os.cpu_count() or 1) as pool:
            losses[bot] = list(pool.map(partial(_loss, game, map_name, bot), range(games)))
        name = f"loss of {bot}, {game} {map_name}, {games} games"
        yield Figure(f"{name}: median", median(losses[bot]), "thousandths", "")
    tourist, commuter, driver, expert = (losses[bot] for bot in LEVELS[game])
    highest, lowest = quantiles(expert, n=10)[-1], quantiles(tourist, n=10)[0]
    between = (median(driver) + median(commuter)) / 2
    limits = highest, min(max(between, highest), lowest), lowest
    for level, limit in zip(("expert", "driver", "commuter"), limits, strict=True):
        yield Figure(f"limit of {level}, {game} {map_name}", limit, "thousandths", "")


def _loss(game: str, map_name: str, bot: str, seed: int) -> int:
    """Returns what the first seat loses in a game among equals."""
    seats = box(game).seats.start
    return review(played(game, map_name, [bot] * seats, seed), seat=0).seats[0].loss
