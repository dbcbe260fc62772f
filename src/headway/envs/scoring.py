"""Scores agents on fixed deals, so that their results can stand in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

import msgspec

from headway.arena.job import Job, bot_seed, deal_seed, match_of, open_job
from headway.bots import Bot, make_bot
from headway.bots.user_code import ask_at
from headway.envs.encoding import Encoding, encoding_of
from headway.errors import unknown
from headway.games.contract import Game
from headway.table import Table, play_to_end


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


def named_bot(spec: str) -> Callable[[Game, int], Bot]:
    """Returns a maker of a bot of `headway arena`, which plays from its view."""
    return lambda game, seed: make_bot(spec, game, seed, files=True)


def results(
    chosen: Benchmark, name: str, make: Callable[[Game, int], Bot], games: int
) -> Iterator[float]:
    """Plays the first games and yields each result: points, or 1 for a victory."""
    job = msgspec.structs.replace(_job(chosen, "random"), bots=_bots(chosen, name))
    game = job.open()
    for number in range(games):
        match = match_of(job, number)
        table = Table(game, seed=deal_seed(job, match.deal))
        players = [
            (make if contestant == 0 else named_bot(str(chosen.opponent)))(
                game, bot_seed(job, match.deal, contestant)
            )
            for contestant in match.seats
        ]
        _play(table, players, [job.bots[contestant] for contestant in match.seats])
        outcome, seat = table.outcome(), match.seats.index(0)
        assert outcome
        if chosen.opponent is None:
            yield float(outcome.totals[seat])
        else:
            yield 1 / len(outcome.winners) if seat in outcome.winners else 0.0


def _play(table: Table, players: Sequence[Bot], specs: Sequence[str]) -> None:
    play_to_end(table, lambda seat: ask_at(table, seat, players[seat], specs[seat])[0])


def score(chosen: Benchmark, name: str, played: Iterable[float]) -> Score:
    """Returns the score of an agent from its results."""
    values = list(played)
    error = stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return Score(name, chosen, fmean(values), error, len(values))


def _bots(chosen: Benchmark, name: str) -> tuple[str, ...]:
    return (name,) if chosen.opponent is None else (name, chosen.opponent)


def _job(chosen: Benchmark, name: str) -> Job:
    return open_job(chosen.map, _bots(chosen, name), seed=chosen.seed)
