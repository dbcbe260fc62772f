"""Replays records of Ticket to Ride in compiled code: `Game.replayer`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from headway.errors import InputError
from headway.games.digests import digest_words, hashed_name
from headway.games.replay import Dealer, FinalTotals, Replayer
from headway.games.tickettoride.board.board import MOST_TICKETS
from headway.games.tickettoride.record_format import TicketToRideRecordReader
from headway.games.tickettoride.rules.arrays import TICKETS, WHAT_AT, SharedRecord
from headway.games.tickettoride.rules.engine import NEEDS_CARDS, WRONG, BoardScript, begin
from headway.games.tickettoride.rules.supply import card_name, ticket_name
from headway.games.tickettoride.rules.turns import deal_first

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide

_TICKET_NAMES = [hashed_name(ticket_name(k)) for k in range(MOST_TICKETS)]
_NO_CARDS = np.zeros(0, np.int64)
_NO_DIGESTS = digest_words(b"")


class TicketToRideReplayer(Replayer):
    """Plays records of one board."""

    def __init__(self, game: TicketToRide) -> None:
        super().__init__(game)
        self.game = game
        self.pile_size = sum(game.board.cards.values())
        self.state = game.start()
        self.work = self.work._replace(shared=self.state.shared_rows, players=self.state.players)

    def play(self, deal: Any | None, moves: Any, dealer: Dealer | None) -> FinalTotals | None:
        reader = TicketToRideRecordReader(self.game, deal, moves)
        state = self.state
        begin(self.work)
        deal_first(state.shared, self._first(reader, dealer))
        numbers = self.numbers(reader.moves)
        tickets, read = self._tickets(reader, dealer, numbers), np.zeros(3, np.int64)
        status = NEEDS_CARDS
        while status == NEEDS_CARDS:
            read[1], read[2] = state.shared["reshuffles"], state.shared["drawn"]
            cards = self._cards(reader, dealer, state.shared, numbers)
            script = BoardScript(numbers, *cards, *tickets, read)
            status = self.kernels.replay(self.work, script)
        if status == WRONG:
            return None
        reader.read = int(read[0])
        reader.finish(state)
        return self.totals()

    def _first(self, reader: TicketToRideRecordReader, dealer: Dealer | None) -> int:
        """Returns the seat that begins."""
        written = reader.deal.first() if reader.deal else None
        seats = self.game.fixed.get("first") or range(self.game.seats)
        dealt = seats[dealer.below("first", len(seats))] if dealer else written
        if dealt is None or dealt not in seats or written not in (None, dealt):
            raise InputError("format.other_deal")
        return dealt

    def _cards(
        self,
        reader: TicketToRideRecordReader,
        dealer: Dealer | None,
        shared: SharedRecord,
        numbers: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Returns the next cards of the present pile, and the digests that deal them."""
        drawn, left = int(shared["drawn"]), int(shared["pile_size"])
        cards = np.array(reader.deal.pile(shared)[drawn:], np.int64) if reader.deal else _NO_CARDS
        if dealer:
            if drawn == 0:  # the set-up, a card for each that is taken, and a new display
                rules, takes = self.game.board.play, int(np.count_nonzero(numbers < 1 << WHAT_AT))
                left = min(left, rules.hand * self.game.seats + 2 * rules.display + takes)
            pile = int(shared["reshuffles"])
            names = _card_names(pile, self.pile_size)[drawn : drawn + left]
            return cards, digest_words(dealer.digests(names))
        return cards, _NO_DIGESTS

    def _tickets(
        self, reader: TicketToRideRecordReader, dealer: Dealer | None, numbers: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Returns all tickets from the top of the pile, and the digests that deal them."""
        tickets = np.array(reader.deal.tickets, np.int64) if reader.deal else _NO_CARDS
        if dealer:
            rules, times = self.game.board.play, int(np.count_nonzero(numbers == TICKETS))
            most = rules.tickets_dealt * self.game.seats + rules.tickets_drawn * times
            most = min(most, len(self.game.board.tickets))
            return tickets, digest_words(dealer.digests(_TICKET_NAMES[:most]))
        return tickets, _NO_DIGESTS


@lru_cache(16)
def _card_names(pile: int, cards: int) -> list[bytes]:
    return [hashed_name(card_name(pile, k)) for k in range(cards)]
