"""Reads, writes and replays the `deal` and `moves` of a record (`docs/records.md`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from headway.errors import HeadwayError, InputError, Place, RuleBroken
from headway.games.contract import CHANCE, Event, Move, Seat
from headway.games.kernel import BIT, NONE
from headway.games.replay import Dealer, DealParts, FinalTotals, Replayer, agreed, deal_next
from headway.games.tickettoride.rules.arrays import FIRST, OPENING, SharedRecord
from headway.games.tickettoride.rules.engine import NEEDS_CARDS, WRONG, BoardScript, begin
from headway.games.tickettoride.rules.scoring import TicketToRideScore
from headway.games.tickettoride.rules.supply import card_name, ticket_name
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
    """Returns a score as `headway replay --json` prints it (`docs/records.md`)."""
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
        tickets = self.numbers("tickets", names, indexes)
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
        return self.numbers(part, names, self.board.kind_named)


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


PORTION = 32
"""Cards of a pile that are dealt from a seed at a time; nobody knows how many the moves take."""


class TicketToRideReplayer(Replayer):
    """Plays records of one board."""

    def __init__(self, game: TicketToRide) -> None:
        super().__init__(game)
        self.game = game
        self.state = game.start()
        self.work = self.work._replace(shared=self.state.shared_rows, players=self.state.players)

    def play(self, deal: Any | None, moves: Any, dealer: Dealer | None) -> FinalTotals | None:
        reader = TicketToRideRecordReader(self.game, deal, moves)
        state = self.state
        begin(self.work)
        deal_next(state, reader, deal, dealer)
        numbers, read = self.numbers(reader.moves), np.zeros(3, np.int64)
        tickets = self._tickets(reader, dealer)
        status = NEEDS_CARDS
        while status == NEEDS_CARDS:
            read[1], read[2] = state.shared["reshuffles"], state.shared["drawn"]
            cards = _cards(reader, dealer, state.shared)
            status = self.kernels.replay(self.work, BoardScript(numbers, cards, tickets, read))
        if status == WRONG:
            return None
        reader.read = int(read[0])
        reader.finish(state)
        return self.totals()

    def _tickets(self, reader: TicketToRideRecordReader, dealer: Dealer | None) -> np.ndarray:
        """Returns all tickets from the top of the pile."""
        dealt = None
        if dealer:
            left = list(range(len(self.game.board.tickets)))
            names = map(ticket_name, range(len(left)))
            dealt = [left.pop(dealer.below(name, len(left))) for name in names]
        return agreed(reader.deal.tickets if reader.deal else None, dealt)


replayer = TicketToRideReplayer


def _cards(
    reader: TicketToRideRecordReader, dealer: Dealer | None, shared: SharedRecord
) -> np.ndarray:
    """Returns the next cards of the present pile."""
    dealt = _from_seed(dealer, shared) if dealer else None
    return agreed(reader.deal.pile(shared)[int(shared["drawn"]) :] if reader.deal else None, dealt)


def _from_seed(dealer: Dealer, shared: SharedRecord) -> list[int]:
    """Returns a portion of the cards that a seed deals from the present pile."""
    pile, drawn, left = int(shared["reshuffles"]), int(shared["drawn"]), shared["pile"].tolist()
    size, cards = sum(left), []
    for k in range(min(size, PORTION)):
        step = gcd(*left)  # the dealer's probabilities are reduced fractions
        number = step * dealer.below(card_name(pile, drawn + k), (size - k) // step)
        kind = 0
        while number >= left[kind]:
            number -= left[kind]
            kind += 1
        left[kind] -= 1
        cards.append(kind)
    return cards
