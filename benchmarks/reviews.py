"""Measures reviews: how long they take, that luck has the mean zero, and whether levels are told.

`python -m benchmarks --review --games FILE` keeps every game in the file; the same command
continues it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

from benchmarks.figure import Figure, Measure
from benchmarks.grades import ENDS, FRESH_SEED, level_kinds, losses_by_level, share_of_word
from benchmarks.review_games import Kind, ReviewedGame, games_of, played
from headway.games import boxes
from headway.reviews import review
from headway.reviews.arithmetic import LEVEL_LIMITS
from headway.server.reviews.tasks import first_figures

LUCK_BUDGET = 4
"""Simulations of a look that measures luck: its mean is zero however poor the look."""
TINY = 2
"""Simulations where only the sum counts."""
ALL_BOTS = ("random", "greedy", "tourist", "commuter", "driver", f"expert@{TINY}")

TARGETS = {
    ("next-station", 1): 3,
    ("next-station", 4): 12,
    ("ticket-to-ride", 2): 8,
    ("ticket-to-ride", 4): 24,
}
"""The seconds of one core that a review in London may take, by game and seats."""


def measures(quick: bool, file: Path | None = None) -> list[Measure]:
    """Returns all measurements; a whole run takes about two hours of one core."""
    steps: list[Measure] = [partial(_seconds, *timed, 2 if quick else 10) for timed in TARGETS]
    steps.append(partial(_sums, 20 if quick else 1000, file))
    steps += [
        partial(_luck, kind, 4 if quick else games, file) for kind, games in luck_kinds().items()
    ]
    steps += [partial(_words, game, "london", 4 if quick else 30, file) for game in LEVEL_LIMITS]
    return steps


def luck_kinds() -> dict[Kind, int]:
    """Returns the kinds of games whose mean luck is measured, and the number of games of each."""
    sheets = partial(Kind, "next-station")
    bots = ("random", "greedy", "commuter", "expert@20")
    kinds = {sheets("london", 1, (), bot, LUCK_BUDGET): 2000 for bot in bots}
    modules = [("objectives", "powers"), ("special_stations",)]
    others = [("tokyo", ()), *product(("london", "tokyo"), modules)]
    for (name, options), bot in product(others, ("greedy", "commuter")):
        kinds[sheets(name, 1, options, bot, LUCK_BUDGET)] = 300
    for bot in ("random", "commuter", "driver", "expert@300"):
        kinds[Kind("ticket-to-ride", "london", 2, (), bot, LUCK_BUDGET)] = 300
    return kinds


def _seconds(game: str, seats: int, games: int) -> Iterator[Figure]:
    """Yields the mean processor time of a review with the default budget, and of its beginning."""
    first, whole = [], []
    for seed in range(games + 1):
        record = played(Kind(game, "london", seats, (), "greedy", TINY), seed)
        before = time.process_time()
        first_figures(record.json(), None)
        between = time.process_time()
        review(record)
        first.append(between - before)
        whole.append(time.process_time() - between)
    name, unit = f"review, {game} london, {seats} seats", "s of one core"
    yield Figure(f"{name}: first figures", mean(first[1:]), unit, "< 1")
    yield Figure(name, mean(whole[1:]), unit, f"< {TARGETS[game, seats]}")


def _sums(games: int, file: Path | None) -> Iterator[Figure]:
    """Reviews games of all kinds with a tiny budget; yields those whose sum is not exact."""
    kinds = list(all_kinds())
    found = games_of(kinds, range(-(-games // len(kinds))), file)
    wrong = sum(not game.exact for game in found)
    yield Figure(f"review, sums of {len(found)} games that are not exact", wrong, "", "0")


def all_kinds() -> Iterator[Kind]:
    """Yields games of all maps, modules, seats and levels, with a tiny budget."""
    for game in boxes():
        modules: list[tuple[str, ...]] = [(), *((option,) for option in game.options)]
        for name, seats, options in product(game.maps, game.seats, modules):
            for bot in ALL_BOTS:
                yield Kind(game.name, name, seats, options, bot, TINY)


def _luck(kind: Kind, games: int, file: Path | None) -> Iterator[Figure]:
    """Yields the mean luck of a bot, which is zero within two errors."""
    found = games_of([kind], range(games), file)
    middle, error = mean_luck(found)
    unit = "points" if kind.game == "next-station" else "%"
    yield Figure(f"mean luck, {kind}, {games} games", middle, unit, f"within ±{2 * error:.2f}")


def mean_luck(games: Sequence[ReviewedGame]) -> tuple[float, float]:
    """Returns the mean luck of some games and its standard error, in units of the measure."""
    lucks = [game.luck / 1000 for game in games]
    return mean(lucks), stdev(lucks) / sqrt(len(lucks))


def _words(game: str, map_name: str, games: int, file: Path | None) -> Iterator[Figure]:
    """Yields how often the ends of the scale get their word, in games that no limit comes from."""
    kinds = {level: kind for level, kind in level_kinds(game, map_name).items() if level in ENDS}
    seeds = range(FRESH_SEED, FRESH_SEED + games)
    losses = losses_by_level(kinds, games_of(list(kinds.values()), seeds, file))
    for level, kind in kinds.items():
        share = share_of_word(level, losses[level], LEVEL_LIMITS[game])
        target = "> 0.9" if game == "next-station" else ""
        yield Figure(f"games with the word {level}, {kind}", share, "", target)
