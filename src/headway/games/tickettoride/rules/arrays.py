"""The records that the rules work on, and their constants.

All state is in numpy structured arrays. Masks over locations, routes and tickets are one 64-bit
word each. Cards are counted by kind: BUS is 0, the colours follow. GREY routes have the number of
BUS, which is no colour either.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from headway.games.kernel import BIT
from headway.games.tickettoride.board.board import (
    COLOURS,
    GREY_ROUTE,
    MOST_DISPLAY,
    MOST_DISTRICTS,
    MOST_LENGTH,
    MOST_OFFERED,
    MOST_ROUTES,
    MOST_SEATS,
    MOST_TICKETS,
    Board,
)

# One element of an array of these types: `record["field"]` reads and writes it in place.
BoardRecord = Any
SharedRecord = Any
PlayerRecord = Any
ScoreRecord = Any

BUS = 0
GREY = 0
MOST_KINDS = len(COLOURS) + 1
GAP = -1
NOBODY = -1
NOT_YET = -1

# Phases: what happens next.
FIRST, DEAL_HAND, LAY, DEAL_TICKET, OPENING, TURN, BLIND, DRAW_TICKET, KEEP, OVER = range(10)
PHASES = (
    "first", "hands", "display", "tickets", "opening", "turn", "pile", "draw", "keep", "over",
)  # fmt: skip
# What comes when the display is complete.
TO_TICKETS, TO_SECOND_CARD, TO_NEXT_SEAT = range(3)

# A move is an int: what is done, then route | kind of cards | buses, or kind + 1, or a mask.
TAKE_MOVE, CLAIM_MOVE, TICKETS_MOVE, KEEP_MOVE, PASS_MOVE = range(5)
WHAT_AT, ROUTE_AT, KIND_AT = 20, 8, 4
TAKE_PILE = 0
TICKETS = TICKETS_MOVE << WHAT_AT
PASS = PASS_MOVE << WHAT_AT

MOST_MOVES = MOST_KINDS + 2 + MOST_ROUTES * (MOST_KINDS * MOST_LENGTH + 1)

BOARD = np.dtype(
    [
        ("locations", "i8"),
        ("routes", "i8"),
        ("tickets", "i8"),
        ("districts", "i8"),
        ("kinds", "i8"),
        ("cards", "i8", (MOST_KINDS,)),
        ("all_routes", "u8"),
        ("all_tickets", "u8"),
        ("first_halves", "u8"),  # of doubles; the other half is the next route
        ("up_to", "u8", (MOST_KINDS, MOST_LENGTH + 1)),  # routes of a colour, no longer than
        ("route_a", "i8", (MOST_ROUTES,)),
        ("route_b", "i8", (MOST_ROUTES,)),
        ("colour", "i8", (MOST_ROUTES,)),
        ("length", "i8", (MOST_ROUTES,)),
        ("points", "i8", (MOST_ROUTES,)),
        ("ticket_a", "i8", (MOST_TICKETS,)),
        ("ticket_b", "i8", (MOST_TICKETS,)),
        ("ticket_points", "i8", (MOST_TICKETS,)),
        ("district", "u8", (MOST_DISTRICTS,)),
        ("district_first", "i8", (MOST_DISTRICTS,)),
        ("district_points", "i8", (MOST_DISTRICTS,)),
        ("buses", "i8"),
        ("hand", "i8"),
        ("display", "i8"),
        ("take", "i8"),
        ("redeal_at", "i8"),
        ("redeals", "i8"),
        ("tickets_dealt", "i8"),
        ("tickets_drawn", "i8"),
        ("tickets_kept", "i8"),
        ("end_at", "i8"),
        ("doubles_closed_to", "i8"),
    ],
    align=True,
)

SHARED = np.dtype(
    [
        ("seats", "i8"),
        ("phase", "i8"),
        ("after", "i8"),  # what comes when the display is complete
        ("first", "i8"),
        ("seat", "i8"),  # whose turn it is
        ("taken", "i8"),  # cards taken in this turn
        ("passed", "i8"),  # seats that passed in a row
        ("turns_left", "i8"),  # NOT_YET before the end is triggered (TR-16)
        ("display", "i8", (MOST_DISPLAY,)),  # kinds, or GAP
        ("redealt", "i8"),  # times in a row (TR-04)
        ("look", "i8"),  # the discards changed: check the display again (TR-04)
        ("pile", "i8", (MOST_KINDS,)),  # number of each kind; the order is left to chance
        ("pile_size", "i8"),
        ("discards", "i8", (MOST_KINDS,)),
        ("discards_size", "i8"),
        ("reshuffles", "i8"),
        ("drawn", "i8"),  # cards from this pile
        ("routes", "u8"),  # all that are taken
        ("ticket_pile", "u8"),  # tickets that nobody has seen
        ("tickets_seen", "i8"),  # how many came from there
        ("under", "i8", (MOST_TICKETS,)),  # tickets put back, in their order under the pile
        ("under_by", "i8", (MOST_TICKETS,)),
        ("under_size", "i8"),
        ("offered", "i8", (MOST_SEATS, MOST_OFFERED)),
        ("offers", "i8", (MOST_SEATS,)),
    ],
    align=True,
)

PLAYER = np.dtype(
    [
        ("hand", "i8", (MOST_KINDS,)),
        ("open", "i8", (MOST_KINDS,)),  # cards of the hand that were taken face up
        ("buses", "i8"),
        ("points", "i8"),  # on the score track (TR-12)
        ("routes", "u8"),
        ("tickets", "u8"),
        ("choice", "i8"),  # tickets kept at the opening, as a mask; 0 before the seat has chosen
    ],
    align=True,
)

SCORE = np.dtype(
    [
        ("routes", "i8"),
        ("tickets", "i8"),
        ("districts", "i8"),
        ("total", "i8"),
        ("completed", "i8"),
        ("completed_tickets", "u8"),
        ("joined_districts", "u8"),
    ],
    align=True,
)


@cache
def board_record(board: Board) -> BoardRecord:
    """Returns the board as the rules see it: lookup tables and masks."""
    record = np.zeros(1, BOARD)[0]
    record["locations"], record["routes"] = len(board.locations), len(board.routes)
    record["tickets"], record["districts"] = len(board.tickets), len(board.districts)
    record["kinds"] = len(board.kinds)
    record["cards"][: len(board.kinds)] = [board.cards[kind] for kind in board.kinds]
    for name in vars(board.play):
        record[name] = getattr(board.play, name)
    _routes(board, record)
    for i, ticket in enumerate(board.tickets):
        record["all_tickets"] |= BIT[i]
        record["ticket_a"][i], record["ticket_b"][i] = ticket.a, ticket.b
        record["ticket_points"][i] = ticket.points
    for i, district in enumerate(board.districts):
        number, places = district.number, enumerate(board.locations)
        members = [k for k, place in places if place.district == number]
        for k in members:
            record["district"][i] |= BIT[k]
        record["district_first"][i], record["district_points"][i] = members[0], district.points
    return record


def _routes(board: Board, record: BoardRecord) -> None:
    for i, route in enumerate(board.routes):
        colour = GREY if route.colour == GREY_ROUTE else board.kinds.index(route.colour)
        record["all_routes"] |= BIT[i]
        record["route_a"][i], record["route_b"][i] = route.a, route.b
        record["colour"][i], record["length"][i] = colour, route.length
        record["points"][i] = board.scoring[route.length - 1]
        for length in range(route.length, MOST_LENGTH + 1):
            record["up_to"][colour, length] |= BIT[i]
        if route.half == 1:
            record["first_halves"] |= BIT[i]


@cache
def blank_shared(board: Board, seats: int) -> np.ndarray:
    """Returns the shared record before anything is dealt, as an array of one element."""
    shared = np.zeros(1, SHARED)
    record = board_record(board)
    shared["seats"] = seats
    shared["turns_left"] = shared["first"] = NOT_YET
    shared["display"], shared["under"], shared["under_by"] = GAP, NOT_YET, NOBODY
    shared["offered"] = NOT_YET
    shared["pile"] = record["cards"]
    shared["pile_size"] = record["cards"].sum()
    shared["ticket_pile"] = record["all_tickets"]
    return shared


@cache
def blank_players(board: Board, seats: int) -> np.ndarray:
    """Returns players with all their buses and nothing else (TR-01)."""
    players = np.zeros(seats, PLAYER)
    players["buses"] = board.play.buses
    return players
