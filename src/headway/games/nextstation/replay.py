"""Replays records of Next Station in compiled code: `Game.replayer`."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from headway.games.digests import digest_words, hashed_name
from headway.games.nextstation.record_format import NextStationRecordReader
from headway.games.nextstation.rules import deals
from headway.games.nextstation.rules.arrays import CARDS, DECK, OVER, ROUNDS
from headway.games.nextstation.rules.engine import NO_CARD, SheetScript, clear
from headway.games.replay import Dealer, FinalTotals, Replayer, deal_next

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headway.games.nextstation.game import NextStation

_CARDS = {name: card for card, name in enumerate(CARDS)}
_NAMES = [[hashed_name(deals.card_name(r, k)) for k in range(DECK)] for r in range(ROUNDS)]
_NO_CARDS = np.zeros(0, np.int64)
_NO_DIGESTS = digest_words(b"")


class NextStationReplayer(Replayer):
    """Plays records of one city."""

    def __init__(self, game: NextStation) -> None:
        super().__init__(game)
        self.game = game

    def play(self, deal: Any | None, moves: Any, dealer: Dealer | None) -> FinalTotals | None:
        reader = NextStationRecordReader(self.game, deal, moves)
        dealt = _dealt(reader, dealer)
        if len(reader.moves) != ROUNDS or dealt is None:
            return None
        numbers = self.numbers(t for turns in reader.moves for seats in turns for t in seats)
        drawn, turns = np.zeros(ROUNDS, np.int64), np.zeros(ROUNDS, np.int64)
        first_turn = _starts(len(turns) for turns in reader.moves)
        script = SheetScript(*dealt, drawn, first_turn, numbers.reshape(-1, self.game.seats), turns)
        state = self.game.start()
        work = self.work._replace(shared=state.shared_rows)
        clear(work)
        while state.shared["phase"] != OVER:
            deal_next(state, reader, dealer, both=deal is not None)
            if not self.kernels.replay(work, script):
                return None
        reader.drawn, reader.turns = drawn.tolist(), turns.tolist()
        reader.finish(state)
        return self.totals()


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
    cards = [_CARDS.get(name, NO_CARD) for names in rounds for name in names]
    digests = _digests(dealer, map(len, rounds)) if dealer else _NO_DIGESTS
    return _starts(map(len, rounds)), np.array(cards, np.int64), digests


def _digests(dealer: Dealer, numbers: Iterable[int]) -> np.ndarray:
    """Returns the digests that deal the first cards of each round."""
    names = [name for r, n in enumerate(numbers) for name in _NAMES[r][:n]]
    return digest_words(dealer.digests(names))


def _starts(lengths: Iterable[int]) -> np.ndarray:
    """Returns where each of several parts begins, and where the last one ends."""
    return np.array([0, *accumulate(lengths)], np.int64)
