"""A review as a list of tasks that can be done one by one, in any order and in any process.

A reviewer says what a review needs to know of a game: its events, and what each of them was worth.
It is a class in the folder of its game, found by the game's name. Every analysis depends on its own
position alone.
"""

from __future__ import annotations

import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import msgspec
from msgspec import UNSET

import headway.reviews
from headway import __version__
from headway.errors import NotYourTurn, whole
from headway.games.contract import Event, Game, Move, Outcome, Seat, State
from headway.record import Record, steps
from headway.reviews.arithmetic import LEVEL_LIMITS, Scale, Valued, seat_review
from headway.reviews.report import BestFound, Measure, MoveLoss, Review, SeatReview, Turn
from headway.table import Table, play_to_end


class Positions(NamedTuple):
    """A record as it was played: every event with the state before it, and the result."""

    game: Game
    events: list[Event]
    dumps: list[bytes]
    """The state before each event, as `State.dump` writes it."""
    outcome: Outcome

    def state(self, number: int) -> State:
        """Returns the state before an event."""
        return self.game.load(self.dumps[number])


def positions(record: Record) -> Positions:
    """Plays a record; raises what `headway replay` raises for a wrong or unfinished one."""
    events, dumps, state = [], [], None
    for step in steps(record):
        events.append(step.event)
        dumps.append(step.state.dump())
        state = step.state
    assert state
    outcome = state.outcome()
    assert outcome
    return Positions(state.game, events, dumps, outcome)


class Line(msgspec.Struct, frozen=True, tag=True):
    """What one seat could have reached with all cards known: a total, and a move for each turn."""

    total: int
    moves: list[Move]


class Reviewer(ABC):
    """Values the events of one played record."""

    game: ClassVar[str]
    """The game's name in records."""
    measure: ClassVar[Measure]
    simulations: ClassVar[int]
    """The default budget of an analysis."""
    has_best: ClassVar[bool] = False
    """Whether `best_line` can look for the best result with all cards known."""
    rough: bool = False
    """Whether values are too rough to be added up: marks need more errors then."""
    explains: bool = True
    """Whether `value` looks for the reasons of a loss."""

    def __init__(self, played: Positions, simulations: int) -> None:
        self.played, self.budget = played, simulations

    @abstractmethod
    def count(self, seat: Seat) -> int:
        """Returns the number of events in the report of a seat."""

    @abstractmethod
    def value(self, seat: Seat, index: int, move: Move | None = None) -> Valued:
        """Returns the values of one event; this is what takes time.

        With a `move`, returns them as if the seat had made this move.
        """

    @abstractmethod
    def position(self, seat: Seat, index: int) -> int:
        """Returns the number of events before the seat decides; nobody has decided with it yet."""

    @abstractmethod
    def losses(self, seat: Seat, index: int) -> list[MoveLoss]:
        """Returns what the moves of a decision lose, the best first, which loses nothing."""

    @staticmethod
    @abstractmethod
    def kinds(turn: Turn) -> tuple[str, ...]:
        """Returns the kinds of a decision in a report; the text `review.kind.KIND` names each."""

    @abstractmethod
    def result(self, seat: Seat) -> int:
        """Returns the result of a seat in thousandths of the measure."""

    def best_line(self, seat: Seat) -> Line:
        """Returns the best line with all cards known, at least what the seat played."""
        raise NotImplementedError

    def own_line(self, seat: Seat) -> Line:
        """Returns what the seat played."""
        raise NotImplementedError

    def moves_of(self, lines: list[Line]) -> Any:
        """Returns the `moves` of a record in which every seat plays its line."""
        raise NotImplementedError


@cache
def reviewers() -> dict[str, type[Reviewer]]:
    """Returns the reviewer of each game, by the game's name."""
    package = headway.reviews
    folders = [m.name for m in pkgutil.iter_modules(package.__path__) if m.ispkg]
    classes = [import_module(f"{package.__name__}.{folder}").REVIEWER for folder in folders]
    return {reviewer.game: reviewer for reviewer in classes}


REVISION = 8
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
