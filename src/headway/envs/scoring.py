"""Scores agents in the arena on fixed deals, so that their results can stand in one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from statistics import fmean, stdev
from typing import NamedTuple

import msgspec

from headway.arena.job import Job, open_job
from headway.arena.match import play
from headway.bots import Bot
from headway.envs.encoding import Encoding, encoding_of
from headway.errors import unknown


class Benchmark(NamedTuple):
    """Fixed deals: those that `headway arena` plays with this map and seed."""

    title: str
    map: str
    seed: int
    games: int
    opponent: str | None = None


BENCHMARKS = {
    "london": Benchmark("London", "london", 77, 1000),
    "tokyo": Benchmark("Tokyo", "tokyo", 77, 400),
    "ticket-to-ride": Benchmark("Ticket to Ride", "ticket-to-ride", 61, 1000, "driver"),
}


class Score(NamedTuple):
    """The mean over all games with its standard error: points, or the share of games won."""

    name: str
    benchmark: Benchmark
    mean: float
    error: float
    games: int

    def row(self) -> str:
        """Returns the row of the table on the results page."""
        won = self.benchmark.opponent is not None
        value, error = (100 * self.mean, 100 * self.error) if won else (self.mean, self.error)
        result = f"{value:.1f} ± {error:.1f}{'%' if won else ''}"
        return f"| `{self.name}` | {self.benchmark.title} | {result} | {self.games:,} |"


def benchmark(name: str) -> Benchmark:
    """Returns a benchmark by name."""
    if name not in BENCHMARKS:
        raise unknown("agent.unknown", BENCHMARKS, name=name)
    return BENCHMARKS[name]


def encoding_for(chosen: Benchmark, observation: str) -> Encoding:
    """Returns the actions and observations that an agent of this benchmark gets."""
    return encoding_of(_job(chosen, "random").open(), observation)


def results(chosen: Benchmark, name: str, games: int, guest: Bot | None = None) -> Iterator[float]:
    """Plays the first games and yields each result: points, or 1 for a victory.

    Without a guest the name is that of a bot of `headway arena`.
    """
    job = _job(chosen, "random" if guest else name)
    sent = msgspec.json.encode(msgspec.structs.replace(job, bots=(name, *job.bots[1:])))
    for number in range(games):
        result = play(sent, number, guest)
        seat = result.bots.index(name)
        if chosen.opponent is None:
            yield float(result.totals[seat])
        else:
            yield 1 / len(result.winners) if seat in result.winners else 0.0


def score(chosen: Benchmark, name: str, played: Iterable[float]) -> Score:
    """Returns the score of an agent from its results."""
    values = list(played)
    error = stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return Score(name, chosen, fmean(values), error, len(values))


def _job(chosen: Benchmark, bot: str) -> Job:
    opponents = [] if chosen.opponent is None else [chosen.opponent]
    return open_job(chosen.map, [bot, *opponents], seed=chosen.seed)
