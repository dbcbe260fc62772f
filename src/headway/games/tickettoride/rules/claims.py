"""Claiming routes: which are free, which a hand can pay, and paying (TR-10 to TR-13)."""

from __future__ import annotations

from typing import Any

from headway.games.kernel import BIT, NONE, ONE, Mask, kernel, lowest
from headway.games.tickettoride.board.board import MOST_LENGTH
from headway.games.tickettoride.moves import claim_parts
from headway.games.tickettoride.rules.arrays import (
    BUS,
    CLAIM_MOVE,
    GREY,
    KIND_AT,
    ROUTE_AT,
    WHAT_AT,
    BoardRecord,
    PlayerRecord,
    SharedRecord,
)
from headway.games.tickettoride.rules.supply import discard


@kernel
def other_halves(board: BoardRecord, routes: Mask) -> Mask:
    """Returns the other halves of all double routes among these."""
    first = board["first_halves"]
    return ((routes & first) << ONE) | ((routes >> ONE) & first)


@kernel
def closed(board: BoardRecord, shared: SharedRecord, player: PlayerRecord) -> Mask:
    """Returns the routes closed to a player because of a double's other half (TR-13)."""
    if shared["seats"] <= board["doubles_closed_to"]:
        return other_halves(board, shared["routes"])
    return other_halves(board, player["routes"])


@kernel
def payable(board: BoardRecord, player: PlayerRecord) -> Mask:
    """Returns the routes, free or not, that the player has cards and buses for (TR-10, TR-11)."""
    hand, up_to = player["hand"], board["up_to"]
    most = min(int(player["buses"]), MOST_LENGTH)
    wild = int(hand[BUS])
    longest = min(wild, most)
    routes = NONE
    for kind in range(1, int(board["kinds"])):
        length = min(int(hand[kind]) + wild, most)
        routes |= up_to[kind, length]
        longest = max(longest, length)
    return routes | up_to[GREY, longest]


@kernel
def claimable(board: BoardRecord, shared: SharedRecord, player: PlayerRecord) -> Mask:
    """Returns the routes that a player can claim now."""
    shut = shared["routes"] | closed(board, shared, player)
    return payable(board, player) & ~shut


@kernel
def claim_moves(
    board: BoardRecord, shared: SharedRecord, player: PlayerRecord, out: Any, n: int
) -> int:
    """Appends all ways to pay for all claimable routes to `out`, sorted; returns the new length."""
    routes = claimable(board, shared, player)
    hand = player["hand"]
    wild = int(hand[BUS])
    while routes != NONE:
        route = lowest(routes)
        routes &= ~BIT[route]
        length, colour = int(board["length"][route]), int(board["colour"][route])
        move = (CLAIM_MOVE << WHAT_AT) | (route << ROUTE_AT)
        if wild >= length:
            out[n] = move | length
            n += 1
        first, last = colour, colour
        if colour == GREY:
            first, last = 1, int(board["kinds"]) - 1
        for kind in range(first, last + 1):
            for buses in range(max(0, length - int(hand[kind])), min(wild, length - 1) + 1):
                out[n] = move | (kind << KIND_AT) | buses
                n += 1
    return n


@kernel
def spend(shared: SharedRecord, player: PlayerRecord, kind: int, number: int) -> None:
    """Discards cards of a hand; cards that all have seen are counted as spent first."""
    player["hand"][kind] -= number
    player["open"][kind] = max(0, int(player["open"][kind]) - number)
    discard(shared, kind, number)


@kernel
def claim(board: BoardRecord, shared: SharedRecord, player: PlayerRecord, move: int) -> None:
    """Claims a route: pays cards and buses, scores points (TR-10 to TR-12)."""
    route, kind, buses = claim_parts(move)
    length = int(board["length"][route])
    spend(shared, player, BUS, buses)
    if kind != BUS:
        spend(shared, player, kind, length - buses)
    player["buses"] -= length
    player["points"] += board["points"][route]
    player["routes"] |= BIT[route]
    shared["routes"] |= BIT[route]
