"""Clocks: since when each seat has to move, and when its time is over.

Everything follows from the times of a table's events, so every process computes the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from headway.server.core.errors import invalid
from headway.shallow_copy import shallow_copy

DAY_SECONDS = 86_400
CLOCK_FIELDS: dict[str, set[str]] = {
    "none": set(),
    "turn": {"seconds"},
    "bank": {"seconds", "increment"},
    "days": {"days"},
}
"""The kinds of clocks, each with the fields of `Clock` that it needs."""


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The clock that a host chose: none, seconds per turn, a bank with increment, days per turn."""

    kind: Literal["none", "turn", "bank", "days"] = "none"
    seconds: Annotated[int, Meta(ge=1, le=DAY_SECONDS)] | None = None
    increment: Annotated[int, Meta(ge=0, le=DAY_SECONDS)] | None = None
    days: Annotated[int, Meta(ge=1, le=30)] | None = None

    def checked(self, training: bool) -> Clock:
        """Returns this clock if it has exactly the fields of its kind; else refuses it."""
        given = {n for n in ("seconds", "increment", "days") if getattr(self, n) is not None}
        if given != CLOCK_FIELDS[self.kind]:
            raise invalid("server.clock", kind=self.kind)
        if training and self.kind != "none":
            raise invalid("server.clock_training")
        return self


class Clocks(msgspec.Struct, frozen=True, omit_defaults=True):
    """When time is over: for all that have to move, by seat, and what is left in the banks."""

    turn_ends: float | None = None
    ends: dict[str, float] = {}
    banks: dict[str, float] = {}


class RunningClock:
    """A clock at a table: since when each actor has to move, by time and event, and the banks."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.since: dict[int, float] = {}
        self.asked: dict[int, int] = {}
        self.banks: dict[int, float] = {}
        """What seats that have moved have left, at a clock with banks."""

    def copy(self) -> RunningClock:
        """Returns an independent copy."""
        twin = shallow_copy(self)
        twin.since, twin.asked, twin.banks = dict(self.since), dict(self.asked), dict(self.banks)
        return twin

    def move(self, seat: int, at: float) -> None:
        """Notes that a seat has ended its turn."""
        since = self.since.pop(seat, at)
        self.asked.pop(seat, None)
        if self.clock.kind == "bank":
            # Events of machines with different clocks may be out of order: no move gives time.
            left = self.bank(seat) - max(at - since, 0.0)
            self.banks[seat] = max(left, 0.0) + (self.clock.increment or 0)

    def ask(self, actors: Iterable[int], at: float, number: int) -> None:
        """Notes that these seats have to move; for one that had to before, nothing changes."""
        for seat in actors:
            self.since.setdefault(seat, at)
            self.asked.setdefault(seat, number)

    def go_on(self, seat: int, number: int) -> None:
        """Notes that a seat has another decision in the same turn: its time runs on."""
        self.asked[seat] = number

    def give_back(self, seconds: float, at: float) -> None:
        """Gives time back to everybody who has to move; nobody gets more than a whole turn."""
        self.since = {seat: min(since + seconds, at) for seat, since in self.since.items()}

    def bank(self, seat: int) -> float:
        """Returns the seconds that a seat had when its turn began."""
        whole = self.clock.seconds or (self.clock.days or 0) * DAY_SECONDS
        return self.banks.get(seat, float(whole))

    def ends(self, seat: int) -> float | None:
        """Returns when the time of a seat that has to move is over; None if never."""
        if self.clock.kind == "none" or seat not in self.since:
            return None
        return self.since[seat] + self.bank(seat)

    def shown(self, seats: int) -> Clocks | None:
        """Returns the clocks as everybody at the table sees them."""
        if self.clock.kind == "none":
            return None
        ends = {str(seat): end for seat in sorted(self.since) if (end := self.ends(seat))}
        if self.clock.kind == "bank":
            return Clocks(ends=ends, banks={str(seat): self.bank(seat) for seat in range(seats)})
        return Clocks(turn_ends=min(ends.values(), default=None), ends=ends)
