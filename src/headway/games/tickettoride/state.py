"""A position of Ticket to Ride: the shared record and the players, without cards to come.

The rule that an illegal move breaks is found here too, with the functions of the rules.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from headway.errors import RuleBroken
from headway.games.array_state import ArrayState
from headway.games.contract import CHANCE, Move, Seat, Stage
from headway.games.kernel import BIT, NONE
from headway.games.tickettoride.board.board import Board
from headway.games.tickettoride.moves import Claim, claim_move, claim_parts, keep_mask, what
from headway.games.tickettoride.rules.arrays import (
    BUS,
    DEAL_TICKET,
    DRAW_TICKET,
    FIRST,
    GREY,
    KEEP,
    KEEP_MOVE,
    MOST_MOVES,
    OPENING,
    OVER,
    PASS,
    PASS_MOVE,
    SHARED,
    TAKE_MOVE,
    TAKE_PILE,
    TICKETS,
    TICKETS_MOVE,
    TURN,
    PlayerRecord,
    SharedRecord,
    blank_players,
    blank_shared,
    board_record,
)
from headway.games.tickettoride.rules.engine import take_dealt
from headway.games.tickettoride.rules.scoring import TicketToRideScore, score_sheet
from headway.games.tickettoride.rules.supply import card_name, slot_of, supply, ticket_name
from headway.games.tickettoride.rules.turns import (
    closed,
    least_kept,
    legal_moves,
    play,
    tickets_left,
)
from headway.games.tickettoride.view import TicketToRideView, make_view

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
        pile = int(self.shared["ticket_pile"]).bit_count()
        reached = max(0, self.game.board.play.tickets_drawn - pile)
        drawn = self.shared["under_by"][: min(reached, int(self.shared["under_size"]))]
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


# Why a move is illegal. The order of the checks decides which id is named where a move breaks
# several rules (`docs/records.md`).

Broken = RuleBroken | None


def why_not(board: Board, shared: SharedRecord, players: Any, seat: Seat, move: Move) -> Broken:
    """Returns the rule that a move of an actor breaks, or None if it is legal."""
    if shared["phase"] != TURN:
        return _keeping(board, shared, seat, move)
    if what(move) == TAKE_MOVE:
        return _taking(board, shared, move)
    if what(move) == PASS_MOVE:
        out = np.empty(MOST_MOVES, np.int64)
        n = legal_moves(board_record(board), shared, players, seat, out)
        return None if PASS in out[:n] else RuleBroken("TR-15", "broken.TR-15")
    if what(move) == KEEP_MOVE:
        return RuleBroken("TR-14", "broken.nothing_offered")
    if shared["taken"] > 0:
        return RuleBroken("TR-07", "broken.second_card")
    if what(move) == TICKETS_MOVE:
        return None if tickets_left(shared) > 0 else RuleBroken("TR-14", "broken.no_tickets")
    return _claiming(board, shared, players[seat], move)


def _keeping(board: Board, shared: SharedRecord, seat: Seat, move: Move) -> Broken:
    rule = "TR-05" if shared["phase"] == OPENING else "TR-14"
    if what(move) != KEEP_MOVE:
        return RuleBroken(rule, "broken.keep_first")
    mask, offers = keep_mask(move), int(shared["offers"][seat])
    if mask >> offers:
        return RuleBroken(rule, "broken.keep_wrong", offers=offers)
    if mask.bit_count() < least_kept(board_record(board), shared, seat):
        return RuleBroken(rule, "broken.keep_none", least=board.play.tickets_kept)
    return None


def _taking(board: Board, shared: SharedRecord, move: Move) -> Broken:
    if move == TAKE_PILE:
        return None if supply(shared) > 0 else RuleBroken("TR-09", "broken.TR-09")
    kind = move - 1
    if slot_of(board_record(board), shared, kind) < 0:
        return RuleBroken("TR-07", "broken.not_displayed", card=board.kinds[kind])
    if kind == BUS and shared["taken"] > 0:
        return RuleBroken("TR-08", "broken.TR-08")
    return None


def _claiming(board: Board, shared: SharedRecord, player: PlayerRecord, move: Move) -> Broken:
    route, kind, buses = claim_parts(move)
    record = board_record(board)
    one, bit = board.routes[route], BIT[route]
    name = board.route_title(one)
    if shared["routes"] & bit != NONE:
        return RuleBroken("TR-10", "broken.route_taken", route=name)
    if closed(record, shared, player) & bit != NONE:
        return RuleBroken("TR-13", "broken.TR-13", route=name)
    if kind != BUS and int(record["colour"][route]) not in (GREY, kind):
        return RuleBroken("TR-10", "broken.wrong_colour", route=name)
    held, wild = int(player["hand"][kind]), int(player["hand"][BUS])
    if buses > wild or (kind != BUS and one.length - buses > held):
        key = "broken.and_buses" if kind != BUS and wild else "broken.TR-10"
        need = {"length": one.length, "card": board.kinds[kind]}
        return RuleBroken("TR-10", key, **need, held=held, buses=wild)
    if int(player["buses"]) < one.length:
        left = int(player["buses"])
        return RuleBroken("TR-11", "broken.TR-11", route=name, length=one.length, buses=left)
    return None


def nearest_claim(board: Board, player: PlayerRecord, route: int) -> Move:
    """Returns the claim of a route whose payment the player's hand comes nearest to (TR-10)."""
    length, colour = board.routes[route].length, int(board_record(board)["colour"][route])
    hand = player["hand"].tolist()
    kinds = range(1, len(board.kinds)) if colour == GREY else (colour,)
    kind = max(kinds, key=lambda kind: hand[kind])
    buses = min(hand[BUS], max(0, length - hand[kind]))
    return claim_move(Claim(route, BUS if buses == length else kind, buses))
