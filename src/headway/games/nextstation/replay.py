"""Replays records of Next Station in compiled code: `Game.replayer`."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from headway.games.contract import MOVE_TEXTS, Dealer, FinalTotals, deal_next, final_totals
from headway.games.digests import digest_words, hashed_name
from headway.games.kernel import compiled
from headway.games.nextstation.notation import parse_move
from headway.games.nextstation.record_format import NextStationRecordReader
from headway.games.nextstation.rules import deals, replays
from headway.games.nextstation.rules.arrays import (
    CARDS,
    CITY,
    MOST_MOVES,
    OVER,
    ROUNDS,
    SCORE,
    SHEET,
    city_record,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headway.games.nextstation.game import NextStation

DECK = len(CARDS)
_CARDS = {name: card for card, name in enumerate(CARDS)}
_NAMES = [[hashed_name(deals.card_name(r, k)) for k in range(DECK)] for r in range(ROUNDS)]
_NO_CARDS = np.zeros(0, np.int64)
_NO_DIGESTS = digest_words(b"")


class NextStationReplayer:
    """Plays records of one game; see `contract.Replayer`."""

    def __init__(self, game: NextStation) -> None:
        self.game = game
        self.city_rows = np.array([city_record(game.city)], CITY)
        self.kernels = compiled(replays)
        self.parse = lru_cache(MOVE_TEXTS)(partial(parse_move, game.city))
        self.trial = np.empty(2, SHEET)
        self.legal = np.empty(MOST_MOVES, np.int64)
        self.score_records = np.empty(1, SCORE)

    def play(self, deal: Any | None, moves: Any, dealer: Dealer | None) -> FinalTotals | None:
        reader = NextStationRecordReader(self.game, deal, moves)
        dealt = _dealt(reader, dealer)
        if len(reader.moves) != ROUNDS or dealt is None:
            return None
        state, parse = self.game.start(), self.parse
        texts = [parse(text) for turns in reader.moves for seats in turns for text in seats]
        numbers = np.array(texts, np.int64).reshape(-1, self.game.seats)
        first_turn = _starts(len(turns) for turns in reader.moves)
        drawn, turns = np.zeros(ROUNDS, np.int64), np.zeros(ROUNDS, np.int64)
        ranks = np.empty((self.game.seats, 2), np.int64)
        while state.shared["phase"] != OVER:
            deal_next(state, reader, dealer, both=deal is not None)
            if not self.kernels.replay_turns(
                self.city_rows, state.shared_rows, state.sheets, self.trial, self.legal,
                *dealt, drawn, first_turn, numbers, turns, self.score_records, ranks,
            ):  # fmt: skip
                return None
        reader.drawn, reader.turns = drawn.tolist(), turns.tolist()
        reader.finish(state)
        return final_totals(ranks.tolist())


def _dealt(
    reader: NextStationRecordReader, dealer: Dealer | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Returns where the cards of each round begin, the cards, and the digests that deal them.

    A round has a card for each turn and at most one more, the switch.
    """
    if not reader.deal:
        assert dealer
        numbers = [min(len(turns) + 1, DECK) for turns in reader.moves]
        return _starts(numbers), _NO_CARDS, _digests(dealer, numbers)
    try:
        rounds = msgspec.convert(reader.deal.cards, list[list[str]])
    except msgspec.ValidationError:
        return None
    if len(rounds) != ROUNDS or max(map(len, rounds)) > DECK:
        return None
    cards = [_CARDS.get(name, replays.NO_CARD) for names in rounds for name in names]
    digests = _digests(dealer, map(len, rounds)) if dealer else _NO_DIGESTS
    return _starts(map(len, rounds)), np.array(cards, np.int64), digests


def _digests(dealer: Dealer, numbers: Iterable[int]) -> np.ndarray:
    """Returns the digests that deal the first cards of each round."""
    names = [name for r, n in enumerate(numbers) for name in _NAMES[r][:n]]
    return digest_words(dealer.digests(names))


def _starts(lengths: Iterable[int]) -> np.ndarray:
    """Returns where each of several parts begins, and where the last one ends."""
    return np.array([0, *accumulate(lengths)], np.int64)
