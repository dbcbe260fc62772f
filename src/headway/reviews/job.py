"""A review as a list of tasks that can be done one by one, in any order and in any process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from headway import __version__
from headway.errors import NotYourTurn, whole
from headway.record import Record
from headway.reviews.arithmetic import Scale, Valued, seat_review
from headway.reviews.grades import LEVEL_LIMITS
from headway.reviews.report import BestFound, Review, SeatReview
from headway.reviews.reviewer import Line, positions, reviewers
from headway.table import Table, play_to_end

REVISION = 7
"""Raise it when analyses change: reviews of another engine are made again."""
ENGINE = f"{__version__}/{REVISION}"


class Task(NamedTuple):
    """One piece of a review: an event of a seat, or with no event the best line of the seat."""

    seat: int
    event: int | None


Done = Valued | Line
Results = Mapping[Task, Done]


class ReviewJob:
    """The review of one record; raises what `headway replay` raises for a wrong one.

    `seat` limits it to one seat. `budget` is the number of simulations for each analysis.
    """

    def __init__(
        self, record: Record, *, seat: int | None = None, budget: int | None = None
    ) -> None:
        played = positions(record)
        kind = reviewers()[record.game]
        if seat is not None and seat not in range(record.seats):
            raise NotYourTurn("FORMAT", "turn.no_seat", seat=seat, seats=record.seats)
        if budget is not None:
            budget = whole("budget", budget, 1)
        self.record, self.played = record, played
        self.reviewer = kind(played, budget or kind.simulations)
        self.seats = tuple(range(record.seats)) if seat is None else (seat,)

    def tasks(self) -> list[Task]:
        """Returns all tasks; the events of the game in order, each for all seats."""
        counts = {seat: self.reviewer.count(seat) for seat in self.seats}
        events = [
            Task(seat, index)
            for index in range(max(counts.values()))
            for seat in self.seats
            if index < counts[seat]
        ]
        best = [Task(seat, None) for seat in self.seats] if self.reviewer.has_best else []
        return [*events, *best]

    def do(self, task: Task) -> Done:
        """Does a task."""
        if task.event is None:
            return self.reviewer.best_line(task.seat)
        return self.reviewer.value(task.seat, task.event)

    def seat_report(self, seat: int, results: Results) -> SeatReview:
        """Returns the report of a seat from the results of its tasks."""
        values = [results.get(Task(seat, event)) for event in range(self.reviewer.count(seat))]
        events = [value for value in values if isinstance(value, Valued)]
        reviewer = self.reviewer
        scale = Scale(reviewer.measure, LEVEL_LIMITS[self.record.game], reviewer.rough)
        return seat_review(seat, scale, events, reviewer.result(seat))

    def report(self, results: Results) -> Review:
        """Returns the review from the results of all tasks."""
        return Review(
            engine=ENGINE,
            budget=str(self.reviewer.budget),
            game=self.record.game,
            map=self.record.map,
            seats=tuple(self.seat_report(seat, results) for seat in self.seats),
            best=self._best(results) if self.reviewer.has_best else UNSET,
        )

    def _best(self, results: Results) -> BestFound:
        """Returns the best lines of all seats as one game; seats without a review play as before.

        The record has the deal of the original, but neither its names nor its promise.
        """
        done = [
            results[Task(seat, None)] if seat in self.seats else self.reviewer.own_line(seat)
            for seat in range(self.record.seats)
        ]
        lines = [line for line in done if isinstance(line, Line)]
        moves = self.reviewer.moves_of(lines)
        best = msgspec.structs.replace(self.record, moves=moves, names=None, fair=None)
        return BestFound(tuple(line.total for line in lines), best.plain())


def review(
    record: Record,
    *,
    seat: int | None = None,
    budget: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Reviews a finished game: what luck did, and what the players did.

    The same engine, budget and record give the same result; `budget` is the number of simulations
    for each analysis. `progress` is called with the number of tasks that are done and of all tasks.
    """
    job = ReviewJob(record, seat=seat, budget=budget)
    tasks, results = job.tasks(), {}
    for number, task in enumerate(tasks):
        if progress:
            progress(number, len(tasks))
        results[task] = job.do(task)
    return job.report(results)


@cache
def warm_up(game: str) -> None:
    """Compiles and loads what the first review of a game needs, once in a process."""
    table = Table(game, seats=2, seed=1)
    play_to_end(table, lambda seat: table.state.legal(seat)[0])
    job = ReviewJob(table.record(), budget=1)
    last = Task(0, job.reviewer.count(0) - 1)
    best = [Task(0, None)] if job.reviewer.has_best else []
    for task in (Task(0, 0), Task(0, 1), last, *best):
        job.do(task)
