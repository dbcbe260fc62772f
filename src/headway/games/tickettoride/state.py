"""A position of Ticket to Ride: the shared record and the players, without cards to come."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from headway.errors import RuleBroken
from headway.games.array_state import ArrayState
from headway.games.contract import CHANCE, Move, Seat, Stage
from headway.games.kernel import BIT, NONE
from headway.games.tickettoride.rules.arrays import (
    DEAL_TICKET,
    DRAW_TICKET,
    FIRST,
    KEEP,
    MOST_MOVES,
    OPENING,
    OVER,
    SHARED,
    TICKETS,
    TURN,
    blank_players,
    blank_shared,
    board_record,
)
from headway.games.tickettoride.rules.engine import take_dealt
from headway.games.tickettoride.rules.scoring import TicketToRideScore, score_sheet
from headway.games.tickettoride.rules.supply import card_name, ticket_name
from headway.games.tickettoride.rules.turns import legal_moves, play
from headway.games.tickettoride.view import TicketToRideView, make_view
from headway.games.tickettoride.why_not import why_not

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide

MANY_TICKETS = 4
"""Kept tickets of which somebody who completes all of them can be proud."""


class TicketToRideState(ArrayState):
    """A position: `shared` is common to all seats, `players` has one per seat."""

    ARRAYS = ("shared_rows", "players")
    TIE_BREAK = "more_tickets"
    MOST_MOVES = MOST_MOVES
    TURN_RULES = ("TR-06", "TR-16")
    game: TicketToRide

    def __init__(self, game: TicketToRide) -> None:
        self.game = game
        # Bytes are copied faster than fields.
        blank = blank_shared(game.board, game.seats)
        self.shared_rows = blank.view(np.uint8).copy().view(SHARED)
        self.shared = self.shared_rows[0]
        self.players = blank_players(game.board, game.seats).copy()

    @property
    def phase(self) -> int:
        """What happens next: a phase of `rules/arrays.py`."""
        return int(self.shared["phase"])

    # Actors and legal moves

    def actors(self) -> frozenset[Seat]:
        phase = self.phase
        if phase == OVER:
            return frozenset()
        if phase == OPENING:
            return frozenset(np.flatnonzero(self.players["choice"] == 0).tolist())
        if phase in (TURN, KEEP):
            return frozenset((int(self.shared["seat"]),))
        return frozenset((CHANCE,))

    def write_moves(self, seat: Seat, out: np.ndarray) -> int:
        return legal_moves(board_record(self.game.board), self.shared, self.players, seat, out)

    def why_not(self, seat: Seat, move: Move) -> RuleBroken | None:
        if seat == CHANCE:
            rules = {"first": "TR-06", "tickets": "TR-05", "transport": "TR-02"}
            rule = rules.get(self.chance_name().split()[0], "TR-09")
            return RuleBroken(rule, "broken.dealt", deal=move)
        return why_not(self.game.board, self.shared, self.players, seat, move)

    def advance(self, seat: Seat, move: Move) -> None:
        board = board_record(self.game.board)
        if seat != CHANCE:
            play(board, self.shared, self.players, seat, move)
        else:
            take_dealt(board, self.shared, self.players, move)

    # Chance

    def chance(self) -> list[tuple[Move, Fraction]]:
        if CHANCE not in self.actors():
            return []
        if self.phase == FIRST:
            seats = self.game.fixed.get("first") or range(self.game.seats)
            counts = dict.fromkeys(seats, 1)
        elif self.phase in (DEAL_TICKET, DRAW_TICKET):
            pile = self.shared["ticket_pile"]
            tickets = range(len(self.game.board.tickets))
            counts = {ticket: 1 for ticket in tickets if pile & BIT[ticket] != NONE}
        else:
            counts = {kind: n for kind, n in enumerate(self.shared["pile"].tolist()) if n}
        whole = sum(counts.values())
        return [(move, Fraction(n, whole)) for move, n in counts.items()]

    def chance_name(self) -> str:
        if self.phase == FIRST:
            return "first"
        if self.phase in (DEAL_TICKET, DRAW_TICKET):
            return ticket_name(int(self.shared["tickets_seen"]))
        return card_name(int(self.shared["reshuffles"]), int(self.shared["drawn"]))

    # Views and scores

    def stage(self) -> Stage:
        buses = self.players["buses"].tolist()
        fewest, most = min(buses), self.game.board.play.buses
        if fewest == max(buses):
            return Stage("tickettoride.stage_even", fewest, most)
        return Stage("tickettoride.stage", fewest, most, buses.index(fewest))

    def view(self, seat: Seat) -> TicketToRideView:
        return make_view(self, seat)

    def mid_turn(self) -> bool:
        return self.phase == KEEP or (self.phase == TURN and int(self.shared["taken"]) > 0)

    def reveals(self, seat: Seat, move: Move) -> bool:
        """Tells whether the move uncovers the opening choices or tickets that others put back."""
        if self.phase == OPENING:
            return self.game.seats > 1 and self.actors() == {seat}
        return move == TICKETS and self._draws_unknown_from_under(seat)

    def _draws_unknown_from_under(self, seat: Seat) -> bool:
        """Tells whether drawing tickets reaches those under the pile, and others put them there."""
        pile, first = int(self.shared["ticket_pile"]).bit_count(), int(self.shared["under_from"])
        last = first + max(0, self.game.board.play.tickets_drawn - pile)
        drawn = self.shared["under_by"][first : min(last, int(self.shared["under_to"]))]
        return bool((drawn != seat).any())

    def scores(self) -> list[TicketToRideScore]:
        return [score_sheet(self.game.board, player) for player in self.players]

    def feats(self, seat: Seat) -> list[str]:
        routes, mine = self.game.board.routes, self.players[seat]["routes"]
        longest = max(route.length for route in routes)
        owned = [route for k, route in enumerate(routes) if mine & BIT[k] != NONE]
        score = self.scores()[seat]
        tickets = len(score.each_ticket)
        told = {
            "longest_route": any(route.length == longest for route in owned),
            "every_ticket": tickets >= MANY_TICKETS and score.completed == tickets,
        }
        return [name for name, earned in told.items() if earned]

    def score_after(self, seat: Seat, move: Move) -> int:
        after = self.copy()
        board = board_record(self.game.board)
        if self.phase == OPENING:
            # The score of an opening choice does not depend on what the others keep.
            for other in after.actors() - {seat}:
                play(board, after.shared, after.players, other, after.legal(other)[0])
        play(board, after.shared, after.players, seat, move)
        return score_sheet(self.game.board, after.players[seat]).total
