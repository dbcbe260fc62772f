"""A position in arrays: what the states of all games share."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from headway.games.contract import Outcome, Seat, State
from headway.shallow_copy import shallow_copy


class ArrayState(State):
    """A position whose whole content is in numpy arrays."""

    ARRAYS: ClassVar[tuple[str, ...]]
    """The attributes that hold the arrays, in the order of `dump`; `shared_rows` is the first."""
    TIE_BREAK: ClassVar[str]
    """The catalogue key of what decides between equal totals, after `outcome.`."""
    shared_rows: np.ndarray
    shared: Any
    """The only row of `shared_rows`: what is common to all seats."""

    def copy(self) -> Self:
        twin = shallow_copy(self)
        twin.restore(self.dump())
        return twin

    def dump(self) -> bytes:
        return b"".join([getattr(self, name).tobytes() for name in self.ARRAYS])

    def restore(self, data: bytes) -> None:
        start = 0
        for name in self.ARRAYS:
            array = getattr(self, name)
            part = bytearray(data[start : start + array.nbytes])
            setattr(self, name, np.frombuffer(part, array.dtype))
            start += array.nbytes
        self.shared = self.shared_rows[0]

    def outcome(self) -> Outcome | None:
        if not self.finished():
            return None
        sheets = self.scores()
        totals, ranks = tuple([s.total for s in sheets]), [s.rank for s in sheets]
        winners = tuple([seat for seat, rank in enumerate(ranks) if rank == max(ranks)])
        return Outcome(totals, winners, self.reason(totals, winners))

    def reason(self, totals: tuple[int, ...], winners: tuple[Seat, ...]) -> str:
        """Returns the catalogue key that says why these seats have won."""
        if len(winners) > 1:
            return "outcome.shared"
        alone = totals.count(max(totals)) == 1
        return "outcome.highest" if alone else f"outcome.{self.TIE_BREAK}"
