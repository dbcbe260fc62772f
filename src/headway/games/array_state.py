"""A position in arrays: what the states of all games share."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from headway.errors import InputError, NotYourTurn, RuleBroken
from headway.games.contract import CHANCE, Move, Outcome, Seat, State
from headway.shallow_copy import shallow_copy


class ArrayState(State):
    """A position whose whole content is in numpy arrays."""

    ARRAYS: ClassVar[tuple[str, ...]]
    """The attributes that hold the arrays, in the order of `dump`; `shared_rows` is the first."""
    TIE_BREAK: ClassVar[str]
    """The catalogue key of what decides between equal totals, after `outcome.`."""
    MOST_MOVES: ClassVar[int]
    """More moves than any seat can have."""
    TURN_RULES: ClassVar[tuple[str, str]]
    """The rule that says whose turn it is, and the one that says that the game is over."""
    shared_rows: np.ndarray
    shared: Any
    """The only row of `shared_rows`: what is common to all seats."""

    def legal(self, seat: Seat) -> list[Move]:
        if seat not in self.actors():
            return []
        if seat == CHANCE:
            return [move for move, _ in self.chance()]
        out = np.empty(self.MOST_MOVES, np.int64)
        return sorted(out[: self.write_moves(seat, out)].tolist())

    def check(self, seat: Seat, move: Move) -> None:
        if seat not in self.actors():
            raise NotYourTurn(self.TURN_RULES[self.finished()], "turn.not_yours", seat=seat)
        if seat == CHANCE and move in self.legal(CHANCE):
            return
        if seat != CHANCE and not self._can_be_written(move):
            raise InputError("format.no_move", move=move)
        if broken := self.why_not(seat, move):
            raise broken

    def _can_be_written(self, move: Move) -> bool:
        """Whether a number is a move in the game's notation, legal or not."""
        try:
            return self.game.parse_move(self.game.move_text(move)) == move
        except (InputError, LookupError):
            return False

    @abstractmethod
    def write_moves(self, seat: Seat, out: np.ndarray) -> int:
        """Writes the legal moves of an actor into `out`; returns their number."""

    @abstractmethod
    def why_not(self, seat: Seat, move: Move) -> RuleBroken | None:
        """Returns the rule that a seat's move breaks, or None; for CHANCE that of a wrong deal."""

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

    def ranking(self) -> tuple[Seat, ...]:
        """Returns the seats, best first."""
        sheets = self.scores()
        return tuple(sorted(range(len(sheets)), key=lambda seat: sheets[seat].rank, reverse=True))

    def reason(self, totals: tuple[int, ...], winners: tuple[Seat, ...]) -> str:
        """Returns the catalogue key that says why these seats have won."""
        if len(winners) > 1:
            return "outcome.shared"
        alone = totals.count(max(totals)) == 1
        return "outcome.highest" if alone else f"outcome.{self.TIE_BREAK}"
