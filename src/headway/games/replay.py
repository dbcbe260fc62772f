"""Replays of records in compiled code: what the games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from headway.errors import InputError
from headway.games.contract import CHANCE, Game, Move, RecordReader, Seat, State
from headway.games.kernel import compiled, kernel
from headway.games.xorshift import LOW_32, SHIFT_32

MOVE_TEXTS = 1 << 16
"""The number of different texts whose moves a replayer remembers."""


class Dealer(Protocol):
    """Deals a game from its seed; `headway.dealer` explains how."""

    def deal(self, state: State) -> Move:
        """Returns what the seed deals in this state."""

    def below(self, name: str, n: int) -> int:
        """Returns the number from 0 to n - 1 that the seed deals under a name."""

    def digests(self, names: Iterable[bytes]) -> bytes:
        """Returns the first SHA-256 digest for each of these `hashed_name`."""


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


def deal_next(
    state: State, reader: RecordReader, dealer: Dealer | None, *, both: bool = False
) -> None:
    """Deals what the dealer, or without one the record, deals in this state.

    With `both`, raises `InputError` if they differ.
    """
    if dealer:
        move = dealer.deal(state)
        if both and reader.chance_move(state) != move:
            raise InputError("format.other_deal")
        state.advance(CHANCE, move)
    else:
        state.apply(CHANCE, reader.chance_move(state))


WORDS = 4
ALL_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


def hashed_name(name: str) -> bytes:
    """Returns the end of the first text that the dealer hashes for a deal; the seed precedes it."""
    return f"{name}|0".encode()


def digest_words(digests: bytes) -> np.ndarray:
    """Returns SHA-256 digests as rows of four words, the most significant word first."""
    return np.frombuffer(digests, ">u8").astype(np.uint64).reshape(-1, WORDS)


@kernel
def is_decisive(words: Any, row: int) -> bool:
    """Whether a digest is surely one that the dealer accepts; it hashes again for a huge one."""
    return bool(words[row, 0] != ALL_ONES)


@kernel
def digest_below(words: Any, row: int, n: int) -> int:
    """Returns a digest modulo n, which is below 2**31."""
    divisor = np.uint64(n)
    rest = np.uint64(0)
    for i in range(WORDS):
        word = words[row, i]
        rest = ((rest << SHIFT_32) | (word >> SHIFT_32)) % divisor
        rest = ((rest << SHIFT_32) | (word & LOW_32)) % divisor
    return int(np.int64(rest))


@kernel
def among(moves: Any, n: int, move: int) -> bool:
    """Whether a move is one of the first n."""
    for i in range(n):  # noqa: SIM110 (compiled code has no generators)
        if moves[i] == move:
            return True
    return False
