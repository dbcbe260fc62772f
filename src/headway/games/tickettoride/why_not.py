"""Finds the rule that an illegal move breaks, with the functions of the rules.

The order of the checks decides which id is named where a move breaks several rules (specification,
section 5).
"""

from __future__ import annotations

from typing import Any

from headway.errors import RuleBroken
from headway.games.contract import Move, Seat
from headway.games.kernel import BIT, NONE
from headway.games.tickettoride.board.board import Board
from headway.games.tickettoride.moves import Claim, claim_move, claim_parts, keep_mask, what
from headway.games.tickettoride.rules.arrays import (
    BUS,
    GREY,
    KEEP_MOVE,
    OPENING,
    PASS_MOVE,
    TAKE_MOVE,
    TAKE_PILE,
    TICKETS_MOVE,
    TURN,
    PlayerRecord,
    SharedRecord,
    board_record,
)
from headway.games.tickettoride.rules.claims import closed
from headway.games.tickettoride.rules.supply import slot_of, supply
from headway.games.tickettoride.rules.turns import least_kept, may_pass, tickets_left

Broken = RuleBroken | None


def why_not(board: Board, shared: SharedRecord, players: Any, seat: Seat, move: Move) -> Broken:
    """Returns the rule that a move of an actor breaks, or None if it is legal."""
    if shared["phase"] != TURN:
        return _keeping(board, shared, seat, move)
    if what(move) == TAKE_MOVE:
        return _taking(board, shared, move)
    if what(move) == PASS_MOVE:
        if shared["taken"] == 0 and may_pass(board_record(board), shared, players[seat]):
            return None
        return RuleBroken("TR-15", "broken.TR-15")
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
