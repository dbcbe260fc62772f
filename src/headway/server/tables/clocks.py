"""Clocks: since when each seat has to move, and when its time is over.

Everything follows from the times of a table's events, so every process computes the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal, Self

import msgspec
from msgspec import Meta

from headway.server.core.errors import invalid
from headway.shallow_copy import shallow_copy

DAY_SECONDS = 86_400


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The clock that a host chose: none, seconds per turn, a bank with increment, days per turn."""

    kind: Literal["none", "turn", "bank", "days"] = "none"
    seconds: Annotated[int, Meta(ge=1, le=DAY_SECONDS)] | None = None
    increment: Annotated[int, Meta(ge=0, le=DAY_SECONDS)] | None = None
    days: Annotated[int, Meta(ge=1, le=30)] | None = None

    def checked(self, training: bool) -> Clock:
        """Returns this clock if it has exactly the fields of its kind; else refuses it."""
        given = {n for n in ("seconds", "increment", "days") if getattr(self, n) is not None}
        if given != RUNNING[self.kind].fields:
            raise invalid("server.clock", kind=self.kind)
        if training and self.kind != "none":
            raise invalid("server.clock_training")
        return self

    def start(self) -> RunningClock:
        """Returns this clock as it runs at a table where nobody has to move yet."""
        return RUNNING[self.kind](self)


class Clocks(msgspec.Struct, frozen=True, omit_defaults=True):
    """When time is over: for all that have to move, by seat, and what is left in the banks."""

    turn_ends: float | None = None
    ends: dict[str, float] = {}
    banks: dict[str, float] = {}


class RunningClock:
    """A table without a clock: only since when each actor has to move, by time and event."""

    fields: ClassVar[set[str]] = set()
    """The fields of `Clock` that this kind needs."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.since: dict[int, float] = {}
        self.asked: dict[int, int] = {}

    def copy(self) -> Self:
        """Returns an independent copy."""
        twin = shallow_copy(self)
        twin.since, twin.asked = dict(self.since), dict(self.asked)
        return twin

    def move(self, seat: int, at: float) -> None:
        """Notes that a seat has ended its turn."""
        self.since.pop(seat, None)
        self.asked.pop(seat, None)

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

    def ends(self, seat: int) -> float | None:
        """Returns when the time of a seat that has to move is over; None if never."""
        return None

    def shown(self, seats: int) -> Clocks | None:
        """Returns the clocks as everybody at the table sees them."""
        return None

    def _all_ends(self) -> dict[str, float]:
        return {str(seat): end for seat in sorted(self.since) if (end := self.ends(seat))}


class TurnClock(RunningClock):
    """The same number of seconds for every turn."""

    fields: ClassVar[set[str]] = {"seconds"}

    @property
    def limit(self) -> float:
        """The seconds that a turn may take."""
        return self.clock.seconds or 0

    def ends(self, seat: int) -> float | None:
        return self.since[seat] + self.limit if seat in self.since else None

    def shown(self, seats: int) -> Clocks | None:
        ends = self._all_ends()
        return Clocks(turn_ends=min(ends.values(), default=None), ends=ends)


class DayClock(TurnClock):
    """The same number of days for every turn."""

    fields: ClassVar[set[str]] = {"days"}

    @property
    def limit(self) -> float:
        return (self.clock.days or 0) * DAY_SECONDS


class BankClock(RunningClock):
    """Seconds for the whole game, and an increment after every turn."""

    fields: ClassVar[set[str]] = {"seconds", "increment"}

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.banks: dict[int, float] = {}

    def copy(self) -> Self:
        twin = super().copy()
        twin.banks = dict(self.banks)
        return twin

    def move(self, seat: int, at: float) -> None:
        # Events of machines with different clocks may be out of order: no move gives time.
        left = self.bank(seat) - max(at - self.since.get(seat, at), 0.0)
        self.banks[seat] = max(left, 0.0) + (self.clock.increment or 0)
        super().move(seat, at)

    def bank(self, seat: int) -> float:
        """Returns what a seat had in its bank when its turn began."""
        return self.banks.get(seat, float(self.clock.seconds or 0))

    def ends(self, seat: int) -> float | None:
        return self.since[seat] + self.bank(seat) if seat in self.since else None

    def shown(self, seats: int) -> Clocks | None:
        return Clocks(ends=self._all_ends(), banks={str(s): self.bank(s) for s in range(seats)})


RUNNING: dict[str, type[RunningClock]] = {
    "none": RunningClock,
    "turn": TurnClock,
    "bank": BankClock,
    "days": DayClock,
}
