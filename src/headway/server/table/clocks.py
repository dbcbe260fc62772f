"""Clocks: how long each seat has been asked to move, and when its time is over.

Everything follows from the times of a table's events, so every process comes to the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from headway.server.errors import Refused

DAY = 86_400


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table's clock: none; so many seconds a turn; a bank with increment; so many days a turn."""

    kind: Literal["none", "turn", "bank", "days"] = "none"
    seconds: Annotated[int, Meta(ge=1, le=DAY)] | None = None
    increment: Annotated[int, Meta(ge=0, le=DAY)] | None = None
    days: Annotated[int, Meta(ge=1, le=30)] | None = None


class Clocks(msgspec.Struct, frozen=True, omit_defaults=True):
    """When time is over: for all that have to move, by seat, and what is left in the banks."""

    turn_ends: float | None = None
    ends: dict[str, float] = {}
    banks: dict[str, float] = {}


def checked(clock: Clock, training: bool) -> Clock:
    """The clock if it says all that its kind needs and nothing else."""
    needs = {"none": set(), "turn": {"seconds"}, "bank": {"seconds", "increment"}, "days": {"days"}}
    given = {n for n in ("seconds", "increment", "days") if getattr(clock, n) is not None}
    if given != needs[clock.kind]:
        raise Refused(400, "server.clock", kind=clock.kind)
    if training and clock.kind != "none":
        raise Refused(400, "server.clock_training")
    return clock


@dataclass
class Times:
    """Since when each actor is asked, by time and event number, and what its bank holds."""

    clock: Clock
    since: dict[int, float] = field(default_factory=dict)
    asked: dict[int, int] = field(default_factory=dict)
    banks: dict[int, float] = field(default_factory=dict)

    def copy(self) -> Times:
        """Times of their own."""
        return Times(self.clock, dict(self.since), dict(self.asked), dict(self.banks))

    def moved(self, seat: int, at: float) -> None:
        """A seat has moved: its bank is charged, and what it needs next will be asked anew."""
        asked = self.since.pop(seat, at)
        self.asked.pop(seat, None)
        if self.clock.kind == "bank":
            left = self.bank(seat) - (at - asked)
            self.banks[seat] = max(left, 0.0) + (self.clock.increment or 0)

    def ask(self, actors: Iterable[int], at: float, number: int) -> None:
        """These seats have to move now; who was asked already was asked then."""
        for seat in actors:
            self.since.setdefault(seat, at)
            self.asked.setdefault(seat, number)

    def bank(self, seat: int) -> float:
        """What a seat had in its bank when it was asked."""
        return self.banks.get(seat, float(self.clock.seconds or 0))

    def ends(self, seat: int) -> float | None:
        """When the time of a seat that has to move is over; None without a clock."""
        if seat not in self.since or self.clock.kind == "none":
            return None
        if self.clock.kind == "bank":
            return self.since[seat] + self.bank(seat)
        limit = (self.clock.days or 0) * DAY or self.clock.seconds or 0
        return self.since[seat] + limit

    def shown(self, seats: int) -> Clocks | None:
        """The clocks as everybody at the table sees them."""
        if self.clock.kind == "none":
            return None
        ends = {str(seat): end for seat in sorted(self.since) if (end := self.ends(seat))}
        if self.clock.kind == "bank":
            return Clocks(ends=ends, banks={str(s): self.bank(s) for s in range(seats)})
        return Clocks(turn_ends=min(ends.values(), default=None), ends=ends)
