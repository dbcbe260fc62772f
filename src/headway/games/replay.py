"""Replays of records in compiled code: what the games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from headway.errors import InputError
from headway.games.contract import CHANCE, Game, Move, RecordReader, Seat, State
from headway.games.kernel import compiled, kernel

MOVE_TEXTS = 1 << 16
"""The number of different texts whose moves a replayer remembers."""


class Dealer(Protocol):
    """Deals a game from its seed; `headway.dealer` explains how."""

    def deal(self, state: State) -> Move:
        """Returns what the seed deals in this state."""

    def below(self, name: str, n: int) -> int:
        """Returns the number from 0 to n - 1 that the seed deals under a name."""


class FinalTotals(NamedTuple):
    """The totals of a finished game by seat, and the winning seats."""

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]


class Replayer(ABC):
    """Plays records of one game in compiled code; for one thread, because it keeps scratch."""

    def __init__(self, game: Game) -> None:
        self.kernels = compiled(game.engine)
        self.work = game.engine.new_workspace(game)
        self._parse = lru_cache(MOVE_TEXTS)(game.parse_move)

    @abstractmethod
    def play(self, deal: Any | None, moves: Any, dealer: Dealer | None) -> FinalTotals | None:
        """Plays the `deal` (or what a dealer deals) and `moves` of a record, and checks them all.

        With both, what was dealt must be what the dealer deals. Returns None, or raises a
        `HeadwayError`, if anything is wrong. The interpreted replay then says what it is.
        """

    def numbers(self, texts: Iterable[str]) -> np.ndarray:
        """Returns the moves for texts; raises `InputError` for one that means none."""
        return np.array(list(map(self._parse, texts)), np.int64)

    def totals(self) -> FinalTotals:
        """Returns the totals and winners of the game that was just played."""
        ranks = self.work.ranks.tolist()
        best = max(ranks)
        winners = tuple([seat for seat, rank in enumerate(ranks) if rank == best])
        return FinalTotals(tuple([total for total, _ in ranks]), winners)


class DealParts:
    """Reads the parts of a record's `deal`; refuses what is missing or of another shape."""

    def __init__(self, deal: Any) -> None:
        if not isinstance(deal, dict):
            raise InputError("format.deal").inside("deal")
        self.deal = deal

    def part(self, name: str, kind: type = object) -> Any:
        """Returns a part of this kind."""
        if name not in self.deal:
            raise InputError("format.deal_missing", part=name).inside("deal")
        self.require(name, isinstance(self.deal[name], kind))
        return self.deal[name]

    def require(self, name: str, fits: bool) -> None:
        """Refuses a part that does not fit."""
        if not fits:
            raise InputError("format.deal_part", part=name).inside("deal", name)

    def numbers(self, part: str, names: list[Any], known: Mapping[str, int]) -> list[int]:
        """Returns the numbers of the names in a part; refuses the first that is not known."""
        try:
            return list(map(known.__getitem__, names))
        except (KeyError, TypeError):  # something that is no name
            pass
        for number, name in enumerate(names):
            if not isinstance(name, str) or name not in known:
                error = InputError("format.deal_name", part=part, name=str(name))
                raise error.inside("deal", part, number)
        raise AssertionError("all names are known")


def deal_next(state: State, reader: RecordReader, deal: Any | None, dealer: Dealer | None) -> None:
    """Deals what the record's `deal` and the dealer deal in this state.

    One of them may be missing; raises `InputError` if they differ.
    """
    written = None if deal is None else reader.chance_move(state)
    move = dealer.deal(state) if dealer else written
    if move is None or written not in (None, move):
        raise InputError("format.other_deal")
    state.apply(CHANCE, move)


NOT_DEALT = -1


def agreed(written: Sequence[int] | None, dealt: Sequence[int] | None) -> np.ndarray:
    """Returns cards that a record says, or those that its seed deals; one may be missing.

    Where they differ the card is NOT_DEALT.
    """
    if written is None or dealt is None:
        return np.array(written if dealt is None else dealt, np.int64)
    pairs = zip(written, dealt, strict=False)
    return np.array([card if card == other else NOT_DEALT for card, other in pairs], np.int64)


@kernel
def among(moves: Any, n: int, move: int) -> bool:
    """Whether a move is one of the first n."""
    for i in range(n):  # noqa: SIM110 (compiled code has no generators)
        if moves[i] == move:
            return True
    return False
