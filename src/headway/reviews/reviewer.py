"""What a review needs to know of a game: its events, and what each of them was worth.

A reviewer is a class in the folder of its game, found by the game's name. Every analysis depends on
its own position alone, so analyses may be made in any order and in any process.
"""

from __future__ import annotations

import pkgutil
from abc import ABC, abstractmethod
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import msgspec

import headway.reviews
from headway.games.contract import Event, Game, Move, Outcome, Seat, State
from headway.record import Record, steps
from headway.reviews.arithmetic import Valued
from headway.reviews.report import Measure, MoveLoss, Turn


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
