"""Turns: claims, set-up, cards, tickets, the end (TR-03, TR-05 to TR-16).

`legal_moves` and `play` are for seats; `deal_first`, `deal_card` and `deal_ticket` are for chance.
Each of them continues until a seat or chance has to act.
"""

from __future__ import annotations

from typing import Any

from headway.games.kernel import BIT, NONE, ONE, Mask, count, kernel, lowest
from headway.games.tickettoride.board.board import MOST_LENGTH
from headway.games.tickettoride.moves import claim_parts, keep_mask
from headway.games.tickettoride.rules.arrays import (
    BLIND,
    BUS,
    CLAIM_MOVE,
    DEAL_HAND,
    DEAL_TICKET,
    DRAW_TICKET,
    GAP,
    GREY,
    KEEP,
    KEEP_MOVE,
    KIND_AT,
    LAY,
    NOBODY,
    NOT_YET,
    OPENING,
    OVER,
    PASS,
    PASS_MOVE,
    ROUTE_AT,
    TAKE_MOVE,
    TAKE_PILE,
    TICKETS,
    TICKETS_MOVE,
    TO_NEXT_SEAT,
    TO_SECOND_CARD,
    TO_TICKETS,
    TURN,
    WHAT_AT,
    BoardRecord,
    PlayerRecord,
    SharedRecord,
)
from headway.games.tickettoride.rules.supply import (
    discard,
    draw,
    open_pile,
    settle,
    slot_of,
    supply,
)


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


# Moves of chance


@kernel
def deal_first(shared: SharedRecord, seat: int) -> None:
    """Sets the seat that begins (TR-06)."""
    shared["first"] = seat
    shared["seat"] = seat
    shared["phase"] = DEAL_HAND


@kernel
def deal_card(board: BoardRecord, shared: SharedRecord, players: Any, kind: int) -> None:
    """Draws a Transport card of this kind; the phase says where it goes."""
    phase = shared["phase"]
    draw(shared, kind)
    if phase == LAY:
        shared["display"][slot_of(board, shared, GAP)] = kind
    elif phase == BLIND:
        players[int(shared["seat"])]["hand"][kind] += 1
        if shared["look"] == 0:
            after_display(board, shared, players)
            return
    else:
        drawn, hand_size = int(shared["drawn"]), int(board["hand"])
        players[(drawn - 1) // hand_size]["hand"][kind] += 1
        if drawn < hand_size * int(shared["seats"]):
            return
        shared["after"] = TO_TICKETS
    check_display(board, shared, players)


@kernel
def deal_ticket(board: BoardRecord, shared: SharedRecord, ticket: int) -> None:
    """Draws this ticket from the pile (TR-05, TR-14)."""
    shared["ticket_pile"] &= ~BIT[ticket]
    seen = int(shared["tickets_seen"])
    shared["tickets_seen"] = seen + 1
    if shared["phase"] == DRAW_TICKET:
        offer(shared, int(shared["seat"]), ticket)
        offer_more(board, shared)
        return
    offer(shared, seen // int(board["tickets_dealt"]), ticket)
    if seen + 1 == int(board["tickets_dealt"]) * int(shared["seats"]):
        shared["phase"] = OPENING


# Completing the display


@kernel
def check_display(board: BoardRecord, shared: SharedRecord, players: Any) -> None:
    """Checks the display after a change (TR-04, TR-09); continues when it is complete."""
    if settle(board, shared):
        after_display(board, shared, players)


@kernel
def after_display(board: BoardRecord, shared: SharedRecord, players: Any) -> None:
    """Continues with what comes after the display is complete."""
    after = shared["after"]
    if after == TO_TICKETS:
        shared["phase"] = DEAL_TICKET
    elif after == TO_SECOND_CARD and (shared["taken"] < board["take"] and card_left(board, shared)):
        shared["phase"] = TURN
    else:
        end_turn(board, shared, players)


@kernel
def card_left(board: BoardRecord, shared: SharedRecord) -> bool:
    """Whether a later card of a turn may be taken (TR-08, TR-09)."""
    if supply(shared) > 0:
        return True
    display = shared["display"]
    for slot in range(int(board["display"])):  # noqa: SIM110 (compiled code has no generators)
        if display[slot] > BUS:
            return True
    return False


# Turns


@kernel
def end_turn(board: BoardRecord, shared: SharedRecord, players: Any) -> None:
    """Moves on to the next seat, or ends the game (TR-16)."""
    seats, seat = int(shared["seats"]), int(shared["seat"])
    shared["taken"] = 0
    if shared["turns_left"] > 0:
        shared["turns_left"] -= 1
    elif players[seat]["buses"] <= board["end_at"]:
        shared["turns_left"] = seats
    # Once all seats have passed in a row, nothing can change any more.
    if shared["turns_left"] == 0 or shared["passed"] == seats:
        shared["phase"] = OVER
        return
    shared["seat"] = (seat + 1) % seats
    shared["phase"] = TURN


@kernel
def take(board: BoardRecord, shared: SharedRecord, players: Any, kind: int) -> None:
    """Takes a card: the kind + 1 of a face-up one, or TAKE_PILE (TR-07 to TR-09)."""
    shared["taken"] += 1
    shared["after"] = TO_SECOND_CARD
    if kind == TAKE_PILE:
        open_pile(board, shared)
        shared["phase"] = BLIND
        return
    player = players[int(shared["seat"])]
    player["hand"][kind - 1] += 1
    player["open"][kind - 1] += 1
    shared["display"][slot_of(board, shared, kind - 1)] = GAP
    if kind - 1 == BUS:
        shared["after"] = TO_NEXT_SEAT
    check_display(board, shared, players)


# Tickets


@kernel
def tickets_left(shared: SharedRecord) -> int:
    """Returns the number of tickets in the pile, including those put back under it."""
    return count(shared["ticket_pile"]) + int(shared["under_size"])


@kernel
def offer(shared: SharedRecord, seat: int, ticket: int) -> None:
    """Offers a ticket to a seat."""
    shared["offered"][seat, int(shared["offers"][seat])] = ticket
    shared["offers"][seat] += 1


@kernel
def draw_from_under(shared: SharedRecord) -> int:
    """Takes the first of the tickets under the pile; the others move up (TR-14)."""
    under, by, last = shared["under"], shared["under_by"], int(shared["under_size"]) - 1
    ticket = int(under[0])
    for place in range(last):
        under[place] = under[place + 1]
        by[place] = by[place + 1]
    under[last], by[last] = NOT_YET, NOBODY
    shared["under_size"] = last
    return ticket


@kernel
def offer_more(board: BoardRecord, shared: SharedRecord) -> None:
    """Offers tickets until the seat has all to choose from; chance deals those not seen yet."""
    seat = int(shared["seat"])
    while shared["offers"][seat] < board["tickets_drawn"] and tickets_left(shared) > 0:
        if shared["ticket_pile"] != NONE:
            shared["phase"] = DRAW_TICKET
            return
        offer(shared, seat, draw_from_under(shared))
    shared["phase"] = KEEP


@kernel
def least_kept(board: BoardRecord, shared: SharedRecord, seat: int) -> int:
    """Returns the number of offered tickets that must be kept (TR-05, TR-14)."""
    return min(int(board["tickets_kept"]), int(shared["offers"][seat]))


@kernel
def keep(shared: SharedRecord, players: Any, seat: int, mask: int) -> None:
    """Keeps the tickets of a mask; the others go under the pile."""
    offered = shared["offered"][seat]
    for i in range(int(shared["offers"][seat])):
        ticket = int(offered[i])
        offered[i] = NOT_YET
        if (mask >> i) & 1 == 1:
            players[seat]["tickets"] |= BIT[ticket]
        else:
            place = int(shared["under_size"])
            shared["under"][place] = ticket
            shared["under_by"][place] = seat
            shared["under_size"] = place + 1
    shared["offers"][seat] = 0


@kernel
def choose_opening(shared: SharedRecord, players: Any, seat: int, mask: int) -> None:
    """Stores a seat's opening choice; applies all choices by seat when all have chosen (TR-05)."""
    players[seat]["choice"] = mask
    for other in range(int(shared["seats"])):
        if players[other]["choice"] == 0:
            return
    for other in range(int(shared["seats"])):
        keep(shared, players, other, int(players[other]["choice"]))
        players[other]["choice"] = 0
    shared["phase"] = TURN


# Moves of seats


@kernel
def keep_moves(board: BoardRecord, shared: SharedRecord, seat: int, out: Any) -> int:
    """Writes all choices among the offered tickets into `out`; returns their number."""
    n = 0
    least = least_kept(board, shared, seat)
    for mask in range(1, 1 << int(shared["offers"][seat])):
        kept = 0
        for i in range(int(shared["offers"][seat])):
            kept += (mask >> i) & 1
        if kept >= least:
            out[n] = (KEEP_MOVE << WHAT_AT) | mask
            n += 1
    return n


@kernel
def take_moves(board: BoardRecord, shared: SharedRecord, out: Any) -> int:
    """Writes all cards that may be taken now into `out`; returns their number (TR-07 to TR-09)."""
    n = 0
    if supply(shared) > 0:
        out[0] = TAKE_PILE
        n = 1
    first = BUS if shared["taken"] == 0 else BUS + 1
    seen = 0
    for slot in range(int(board["display"])):
        kind = int(shared["display"][slot])
        if kind >= 0:
            seen |= 1 << kind
    for kind in range(first, int(board["kinds"])):
        if (seen >> kind) & 1 == 1:
            out[n] = kind + 1
            n += 1
    return n


@kernel
def legal_moves(board: BoardRecord, shared: SharedRecord, players: Any, seat: int, out: Any) -> int:
    """Writes all legal moves of a seat that has to act into `out`, sorted; returns their number.

    Who can do nothing else passes (TR-15).
    """
    if shared["phase"] != TURN:
        return keep_moves(board, shared, seat, out)
    n = take_moves(board, shared, out)
    if shared["taken"] > 0:
        return n
    n = claim_moves(board, shared, players[seat], out, n)
    if tickets_left(shared) > 0:
        out[n] = TICKETS
        n += 1
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@kernel
def play(board: BoardRecord, shared: SharedRecord, players: Any, seat: int, move: int) -> None:
    """Makes a legal move."""
    if shared["phase"] == OPENING:
        choose_opening(shared, players, seat, keep_mask(move))
        return
    what = move >> WHAT_AT
    shared["passed"] = shared["passed"] + 1 if what == PASS_MOVE else 0
    if what == TAKE_MOVE:
        take(board, shared, players, move)
        return
    if what == TICKETS_MOVE:
        offer_more(board, shared)
        return
    shared["after"] = TO_NEXT_SEAT
    if what == CLAIM_MOVE:
        claim(board, shared, players[seat], move)
        check_display(board, shared, players)
        return
    if what == KEEP_MOVE:
        keep(shared, players, seat, keep_mask(move))
    after_display(board, shared, players)
