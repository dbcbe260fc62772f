"""The course of a game: the set-up, turns, tickets, the end (TR-03, TR-05 to TR-09, TR-14 to 16).

`legal_moves` and `play` are for seats; `deal_first`, `deal_card` and `deal_ticket` are what chance
does. Each leaves the table where somebody, or chance, has to act next.
"""

from __future__ import annotations

from typing import Any

from headway.games.kernel import BIT, NONE, Record, count, kernel
from headway.games.tickettoride.rules.arrays import (
    BLIND,
    BUS,
    CLAIM_MOVE,
    DEAL_HAND,
    DEAL_TICKET,
    DRAW_TICKET,
    GAP,
    KEEP,
    KEEP_MOVE,
    LAY,
    NOT_YET,
    OPENING,
    OVER,
    PASS,
    PASS_MOVE,
    TAKE_MOVE,
    TAKE_PILE,
    TICKETS,
    TICKETS_MOVE,
    TO_NEXT_SEAT,
    TO_SECOND_CARD,
    TO_TICKETS,
    TURN,
    WHAT_AT,
)
from headway.games.tickettoride.rules.claims import claim, claim_moves, claimable
from headway.games.tickettoride.rules.supply import draw, open_pile, settle, slot_of, supply

# What chance deals


@kernel
def deal_first(table: Record, seat: int) -> None:
    """Names the seat that begins (TR-06)."""
    table["first"] = seat
    table["seat"] = seat
    table["phase"] = DEAL_HAND


@kernel
def deal_card(board: Record, table: Record, players: Any, kind: int) -> None:
    """The next Transport card is of this kind; the phase says where it goes."""
    phase = table["phase"]
    draw(table, kind)
    if phase == LAY:
        table["display"][slot_of(board, table, GAP)] = kind
    elif phase == BLIND:
        players[int(table["seat"])]["hand"][kind] += 1
        if table["look"] == 0:
            rest(board, table, players)
            return
    else:
        drawn, each = int(table["drawn"]), int(board["hand"])
        players[(drawn - 1) // each]["hand"][kind] += 1
        if drawn < each * int(table["seats"]):
            return
        table["after"] = TO_TICKETS
    look(board, table, players)


@kernel
def deal_ticket(board: Record, table: Record, ticket: int) -> None:
    """The next ticket of the pile is this one (TR-05, TR-14)."""
    table["ticket_pile"] &= ~BIT[ticket]
    seen = int(table["tickets_seen"])
    table["tickets_seen"] = seen + 1
    if table["phase"] == DRAW_TICKET:
        offer(table, int(table["seat"]), ticket)
        offer_more(board, table)
        return
    offer(table, seen // int(board["tickets_dealt"]), ticket)
    if seen + 1 == int(board["tickets_dealt"]) * int(table["seats"]):
        table["phase"] = OPENING


# The display at rest


@kernel
def look(board: Record, table: Record, players: Any) -> None:
    """Looks at the display, which changed (TR-04, TR-09); goes on when it is at rest."""
    if settle(board, table):
        rest(board, table, players)


@kernel
def rest(board: Record, table: Record, players: Any) -> None:
    """Goes on as the table had planned."""
    after = table["after"]
    if after == TO_TICKETS:
        table["phase"] = DEAL_TICKET
    elif after == TO_SECOND_CARD and (
        table["taken"] < board["take"] and card_left(board, table, False)
    ):
        table["phase"] = TURN
    else:
        end_turn(board, table, players)


@kernel
def card_left(board: Record, table: Record, first: bool) -> bool:
    """Whether there is a card that may be taken, as the first or as a later one (TR-08, TR-09)."""
    if supply(table) > 0:
        return True
    display = table["display"]
    for slot in range(int(board["display"])):
        if display[slot] > BUS or (first and display[slot] == BUS):
            return True
    return False


# Turns


@kernel
def end_turn(board: Record, table: Record, players: Any) -> None:
    """Goes on to the next seat, or ends the game (TR-16)."""
    seats, seat = int(table["seats"]), int(table["seat"])
    table["taken"] = 0
    if table["turns_left"] > 0:
        table["turns_left"] -= 1
    elif players[seat]["buses"] <= board["end_at"]:
        table["turns_left"] = seats
    # When all have passed in turn, nothing can ever change again.
    if table["turns_left"] == 0 or table["passed"] == seats:
        table["phase"] = OVER
        return
    table["seat"] = (seat + 1) % seats
    table["phase"] = TURN


@kernel
def take(board: Record, table: Record, players: Any, kind: int) -> None:
    """Takes a card: the kind + 1 of a face-up one, or TAKE_PILE (TR-07 to TR-09)."""
    table["taken"] += 1
    table["after"] = TO_SECOND_CARD
    if kind == TAKE_PILE:
        open_pile(board, table)
        table["phase"] = BLIND
        return
    player = players[int(table["seat"])]
    player["hand"][kind - 1] += 1
    player["open"][kind - 1] += 1
    table["display"][slot_of(board, table, kind - 1)] = GAP
    if kind - 1 == BUS:
        table["after"] = TO_NEXT_SEAT
    look(board, table, players)


# Tickets


@kernel
def tickets_left(table: Record) -> int:
    """The number of tickets in the pile, those put back under it included."""
    return count(table["ticket_pile"]) + int(table["under_to"]) - int(table["under_from"])


@kernel
def offer(table: Record, seat: int, ticket: int) -> None:
    """Shows a seat a ticket that it may keep."""
    table["offered"][seat, int(table["offers"][seat])] = ticket
    table["offers"][seat] += 1


@kernel
def offer_more(board: Record, table: Record) -> None:
    """Goes on until the seat has all tickets to choose from; chance deals those not seen yet."""
    seat = int(table["seat"])
    while table["offers"][seat] < board["tickets_drawn"] and tickets_left(table) > 0:
        if table["ticket_pile"] != NONE:
            table["phase"] = DRAW_TICKET
            return
        place = int(table["under_from"])
        table["under_from"] = place + 1
        offer(table, seat, int(table["under"][place]))
        table["under"][place] = NOT_YET
        table["under_by"][place] = NOT_YET
    table["phase"] = KEEP


@kernel
def least_kept(board: Record, table: Record, seat: int) -> int:
    """How many of the offered tickets have to be kept at least (TR-05, TR-14)."""
    return min(int(board["tickets_kept"]), int(table["offers"][seat]))


@kernel
def keep(table: Record, players: Any, seat: int, mask: int) -> None:
    """Keeps the tickets of a mask; the others go under the pile."""
    offered = table["offered"][seat]
    for i in range(int(table["offers"][seat])):
        ticket = int(offered[i])
        offered[i] = NOT_YET
        if (mask >> i) & 1 == 1:
            players[seat]["tickets"] |= BIT[ticket]
        else:
            place = int(table["under_to"])
            table["under"][place] = ticket
            table["under_by"][place] = seat
            table["under_to"] = place + 1
    table["offers"][seat] = 0


@kernel
def choose_opening(table: Record, players: Any, seat: int, mask: int) -> None:
    """Notes a seat's opening choice; when all have chosen, they take effect by seats (TR-05)."""
    players[seat]["choice"] = mask
    for each in range(int(table["seats"])):
        if players[each]["choice"] == 0:
            return
    for each in range(int(table["seats"])):
        keep(table, players, each, int(players[each]["choice"]))
        players[each]["choice"] = 0
    table["phase"] = TURN


# What seats may do, and doing it


@kernel
def keep_moves(board: Record, table: Record, seat: int, out: Any) -> int:
    """Writes all choices among the offered tickets into `out`; their number."""
    n = 0
    least = least_kept(board, table, seat)
    for mask in range(1, 1 << int(table["offers"][seat])):
        kept = 0
        for i in range(int(table["offers"][seat])):
            kept += (mask >> i) & 1
        if kept >= least:
            out[n] = (KEEP_MOVE << WHAT_AT) | mask
            n += 1
    return n


@kernel
def take_moves(board: Record, table: Record, out: Any) -> int:
    """Writes all cards that may be taken now into `out`; their number (TR-07 to TR-09)."""
    n = 0
    if supply(table) > 0:
        out[0] = TAKE_PILE
        n = 1
    first = BUS if table["taken"] == 0 else BUS + 1
    seen = 0
    for slot in range(int(board["display"])):
        kind = int(table["display"][slot])
        if kind >= 0:
            seen |= 1 << kind
    for kind in range(first, int(board["kinds"])):
        if (seen >> kind) & 1 == 1:
            out[n] = kind + 1
            n += 1
    return n


@kernel
def may_pass(board: Record, table: Record, player: Record) -> bool:
    """Whether a player at the start of a turn can do nothing else (TR-15)."""
    if card_left(board, table, True) or tickets_left(table) > 0:
        return False
    return bool(claimable(board, table, player) == NONE)


@kernel
def legal_moves(board: Record, table: Record, players: Any, seat: int, out: Any) -> int:
    """Writes all legal moves of a seat that has to act into `out`, sorted; their number."""
    if table["phase"] != TURN:
        return keep_moves(board, table, seat, out)
    n = take_moves(board, table, out)
    if table["taken"] > 0:
        return n
    n = claim_moves(board, table, players[seat], out, n)
    if tickets_left(table) > 0:
        out[n] = TICKETS
        n += 1
    if n == 0:
        out[0] = PASS
        n = 1
    return n


@kernel
def play(board: Record, table: Record, players: Any, seat: int, move: int) -> None:
    """Makes a legal move."""
    if table["phase"] == OPENING:
        choose_opening(table, players, seat, move & 255)
        return
    what = move >> WHAT_AT
    table["passed"] = table["passed"] + 1 if what == PASS_MOVE else 0
    if what == TAKE_MOVE:
        take(board, table, players, move)
        return
    if what == TICKETS_MOVE:
        offer_more(board, table)
        return
    table["after"] = TO_NEXT_SEAT
    if what == CLAIM_MOVE:
        claim(board, table, players[seat], move)
        look(board, table, players)
        return
    if what == KEEP_MOVE:
        keep(table, players, seat, move & 255)
    rest(board, table, players)
