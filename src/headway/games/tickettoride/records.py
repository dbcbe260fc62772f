"""Reads, writes and replays the `deal` and `moves` of a record (specification, section 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from headway.errors import HeadwayError, InputError, Place, RuleBroken
from headway.games.contract import CHANCE, Event, Move, Seat
from headway.games.kernel import BIT, NONE
from headway.games.replay import Dealer, DealParts, FinalTotals, Replayer, digest_words, hashed_name
from headway.games.tickettoride.board.board import MOST_TICKETS
from headway.games.tickettoride.rules.arrays import FIRST, OPENING, TICKETS, WHAT_AT, SharedRecord
from headway.games.tickettoride.rules.engine import NEEDS_CARDS, WRONG, BoardScript, begin
from headway.games.tickettoride.rules.scoring import TicketToRideScore
from headway.games.tickettoride.rules.supply import card_name, ticket_name
from headway.games.tickettoride.rules.turns import deal_first
from headway.games.tickettoride.state import TicketToRideState

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide


def legal_count(state: TicketToRideState, seat: Seat) -> int:
    """Returns the number of a seat's legal moves."""
    return len(state.legal(seat))


def nesting(place: Place) -> tuple[int, ...]:
    """Returns the index of a place in a record's `moves`."""
    return (place[0][1] - 1,)


def score_json(game: TicketToRide, sheet: TicketToRideScore) -> dict[str, Any]:
    """Returns a score as `headway replay --json` prints it (specification, section 5)."""
    names = ("routes", "tickets", "districts", "total", "completed")
    return {name: getattr(sheet, name) for name in names}


class TicketToRideRecordReader:
    """Checks the shape of a record's `deal` and `moves`, then reads them step by step."""

    def __init__(self, game: TicketToRide, deal: Any | None, moves: Any) -> None:
        self.game = game
        self.deal = None if deal is None else _Deal(game, deal)
        self.moves = _moves(moves)
        self.read = 0
        self.last: Place = ()

    def chance_move(self, state: TicketToRideState) -> Move:
        assert self.deal
        try:
            return self.deal.chance_move(state)
        except HeadwayError as error:
            raise error.at(self.last) from None

    def seat_move(self, state: TicketToRideState, seat: Seat) -> Move:
        if self.read >= len(self.moves):
            raise RuleBroken("TR-16", "broken.moves_missing", moves=self.read)
        self.last = self.place(state, seat)
        text = self.moves[self.read]
        self.read += 1
        return self.game.parse_move(text)

    def place(self, state: TicketToRideState, seat: Seat) -> Place:
        return (("move", self.read + 1), ("seat", seat))

    def finish(self, state: TicketToRideState) -> None:
        if self.read < len(self.moves):
            error = RuleBroken("TR-16", "broken.moves_surplus", moves=self.read)
            next_seat = (int(state.shared["seat"]) + 1) % self.game.seats
            raise error.at([("move", self.read + 1), ("seat", next_seat)])
        if self.deal:
            self.deal.finish(int(state.shared["reshuffles"]))


read = TicketToRideRecordReader


def _moves(moves: Any) -> list[str]:
    if not isinstance(moves, list):
        raise InputError("format.move_list")
    try:
        return msgspec.convert(moves, list[str])
    except msgspec.ValidationError:
        number = next(n for n, move in enumerate(moves, 1) if not isinstance(move, str))
        raise InputError("format.move").at([("move", number)]) from None


class _Deal(DealParts):
    """Checks a part of the deal when it is needed; refuses what the rules cannot deal."""

    def __init__(self, game: TicketToRide, deal: Any) -> None:
        super().__init__(deal)
        self.board = game.board
        self.seats = game.seats

    def chance_move(self, state: TicketToRideState) -> Move:
        """Returns what the record deals in this state."""
        shared, part = state.shared, state.chance_name().split()[0]
        if state.phase == FIRST:
            return self.first()
        if part == "tickets":
            return self.tickets[int(shared["tickets_seen"])]
        return self.pile(shared)[int(shared["drawn"])]

    def pile(self, shared: SharedRecord) -> list[int]:
        """Returns the cards of the present pile from the top, with those drawn from it."""
        number = int(shared["reshuffles"]) - 1
        if number < 0:
            return self.transport
        if shared["drawn"] == 0:
            self._check_reshuffle(number, shared)
        return self._cards("reshuffles", self.reshuffles[number])

    def first(self) -> Move:
        """Returns the seat that begins (TR-06)."""
        seat: Move = self.part("first", int)
        self.require("first", not isinstance(seat, bool))
        if seat not in range(self.seats):
            error = RuleBroken("TR-06", "broken.TR-06", seat=seat, seats=self.seats)
            raise error.inside("deal", "first")
        return seat

    @cached_property
    def transport(self) -> list[int]:
        """The first pile from the top: all cards (TR-02)."""
        cards = self._cards("transport", self.part("transport", list))
        if sorted(cards) != self.board.sorted_cards:
            error = RuleBroken("TR-02", "broken.TR-02", number=sum(self.board.cards.values()))
            raise error.inside("deal", "transport")
        return cards

    @cached_property
    def tickets(self) -> list[int]:
        """The ticket pile from the top: every ticket once (TR-05)."""
        indexes = self.board.ticket_named
        names = self.part("tickets", list)
        tickets = _numbers("tickets", names, indexes)
        if sorted(tickets) != list(range(len(indexes))):
            error = RuleBroken("TR-05", "broken.tickets_dealt", number=len(indexes))
            raise error.inside("deal", "tickets")
        return tickets

    @cached_property
    def reshuffles(self) -> list[Any]:
        """The later piles, each from the top; the list may be missing if there are none."""
        return self.part("reshuffles", list) if "reshuffles" in self.deal else []

    def _check_reshuffle(self, number: int, shared: SharedRecord) -> None:
        """Checks that the new pile has exactly the cards that were discarded (TR-09)."""
        if number >= len(self.reshuffles):
            error = RuleBroken("TR-09", "broken.reshuffle_missing", number=number + 1)
            raise error.inside("deal", "reshuffles")
        cards = self._cards("reshuffles", self.reshuffles[number])
        if Counter(cards) != +Counter(dict(enumerate(shared["pile"].tolist()))):
            error = RuleBroken("TR-09", "broken.reshuffle_wrong", number=number + 1)
            raise error.inside("deal", "reshuffles", number)

    def finish(self, reshuffles: int) -> None:
        """Checks that there is one order for each time the pile was rebuilt (TR-09)."""
        if len(self.reshuffles) > reshuffles:
            error = RuleBroken("TR-09", "broken.reshuffle_surplus", number=reshuffles)
            raise error.inside("deal", "reshuffles", reshuffles)

    def _cards(self, part: str, names: Any) -> list[int]:
        self.require(part, isinstance(names, list))
        return _numbers(part, names, self.board.kind_named)


def _numbers(part: str, names: list[Any], known: Mapping[str, int]) -> list[int]:
    """Returns the numbers of names in a part of the deal; refuses the first that is not known."""
    try:
        return list(map(known.__getitem__, names))
    except (KeyError, TypeError):  # something that is no name
        pass
    for number, name in enumerate(names):
        if not isinstance(name, str) or name not in known:
            error = InputError("format.deal_name", part=part, name=str(name))
            raise error.inside("deal", part, number)
    raise AssertionError("all names are known")


# Writing


def write(game: TicketToRide, events: Sequence[Event]) -> tuple[dict[str, Any], list[str]]:
    """Returns the deal and moves of these events.

    What was never drawn is written after what was, in the order of the board file; any order would
    do. Opening choices are in the order of seats, and left out while some seats still have to
    choose.
    """
    state = game.start()
    first: list[int] = []
    piles: list[list[str]] = [[]]
    tickets: list[str] = []
    opening: dict[Seat, str] = {}
    moves: list[str] = []
    for seat, move in events:
        if seat == CHANCE:
            part = state.chance_name().split()[0]
            if part == "first":
                first.append(move)
            elif part == "tickets":
                tickets.append(game.board.tickets[move].name)
            else:
                while len(piles) <= int(state.shared["reshuffles"]):
                    piles.append([])
                piles[-1].append(game.board.kinds[move])
        elif state.phase == OPENING:
            opening[seat] = game.move_text(move)
            if len(opening) == game.seats:
                moves += [text for _, text in sorted(opening.items())]
        else:
            moves.append(game.move_text(move))
        state.apply(seat, move)
    return _written(state, first, piles, tickets), moves


def _written(
    state: TicketToRideState, first: list[int], piles: list[list[str]], tickets: list[str]
) -> dict[str, Any]:
    """Returns the deal, with everything that was not drawn after what was."""
    board, shared = state.game.board, state.shared
    # A pile that was just rebuilt may not have given a card yet.
    while len(piles) <= int(shared["reshuffles"]):
        piles.append([])
    rest = zip(board.kinds, shared["pile"].tolist(), strict=False)
    piles[-1] += [kind for kind, number in rest for _ in range(number)]
    unseen = [t.name for i, t in enumerate(board.tickets) if shared["ticket_pile"] & BIT[i] != NONE]
    deal: dict[str, Any] = {"first": first[0]} if first else {}
    return deal | {"transport": piles[0], "reshuffles": piles[1:], "tickets": tickets + unseen}


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


replayer = TicketToRideReplayer


@lru_cache(16)
def _card_names(pile: int, cards: int) -> list[bytes]:
    return [hashed_name(card_name(pile, k)) for k in range(cards)]
