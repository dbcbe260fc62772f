"""The log of a game in progress: who may read which line, and when."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import Any

import msgspec

from headway.games.contract import Event, Game, Seat


class LogLine(msgspec.Struct, frozen=True):
    """A line of the log: the event's number, its actor, and what the reader may know.

    `turn` counts the turns of the game; all that a seat does in its turn has the same number.
    """

    number: int
    seat: Seat
    text: str
    turn: int


class Logbook(ABC):
    """The log of a game in progress, for all seats.

    A line is shown when its event is no longer hidden. Until then it waits, and only its own seat
    sees it. Each line has two forms: for the one seat that knows more, and for all others.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.number = 0
        self.turn = 0
        self.shown: list[tuple[LogLine, LogLine, Seat]] = []
        """The line for others, the line for a seat, and that seat."""
        self.waiting: list[tuple[LogLine, LogLine, Seat]] = []

    @abstractmethod
    def add(self, state: Any, event: Event) -> None:
        """Adds an event that is about to be applied to a state."""

    def note(self, event: Event, text: str, own: str, seat: Seat, *, waits: bool) -> None:
        """Adds the line of an event: its `text`, and what it says to a seat that knows more."""
        line = LogLine(self.number, event[0], text, self.turn)
        own_line = line if own == text else LogLine(self.number, event[0], own, self.turn)
        (self.waiting if waits else self.shown).append((line, own_line, seat))
        self.number += 1

    def show(self) -> None:
        """Shows all lines that wait."""
        self.shown += self.waiting
        self.waiting = []

    def lines(self, seat: Seat) -> list[LogLine]:
        """Returns the lines that a seat has seen so far; CHANCE is a spectator.

        What the seat does not know is left out or shown without its hidden part. Two games that
        differ only in that have equal logs.
        """
        lines = [own if knower == seat else line for line, own, knower in self.shown]
        return lines + [own for _, own, knower in self.waiting if knower == seat]

    def copy(self) -> Logbook:
        """Returns an independent copy."""
        twin = copy(self)
        twin.shown, twin.waiting = self.shown[:], self.waiting[:]
        return twin
