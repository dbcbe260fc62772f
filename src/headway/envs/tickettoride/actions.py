"""Moves of Ticket to Ride as actions: each possible move of a board has a number.

In this order: take the top card of the pile, take a face-up card of each kind, draw tickets, pass,
keep a choice of the offered tickets, and claim a route with a payment (buses alone, or a colour
with a number of buses). A turn of two cards is two actions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.games.kernel import kernel
from headway.games.tickettoride.board.board import GREY_ROUTE, MOST_OFFERED, MOST_ROUTES, Board
from headway.games.tickettoride.moves import Claim, claim_move, keep_move
from headway.games.tickettoride.rules.arrays import (
    BUS,
    MOST_KINDS,
    MOST_MOVES,
    PASS,
    ROUTE_AT,
    TICKETS,
    WHAT_AT,
)

KINDS_OF_MOVES = 5
DETAILS = MOST_ROUTES << ROUTE_AT
"""Numbers below the bits that say what a move does."""
MOST_PLACES = KINDS_OF_MOVES * DETAILS
MOST_ACTIONS = MOST_KINDS + 3 + (1 << MOST_OFFERED) + MOST_MOVES


def all_moves(board: Board) -> np.ndarray:
    """Returns the move of each action."""
    offered = max(board.play.tickets_dealt, board.play.tickets_drawn)
    moves = [*range(len(board.kinds) + 1), TICKETS, PASS]
    moves += [keep_move(mask) for mask in range(1, 1 << offered)]
    for i, route in enumerate(board.routes):
        moves.append(claim_move(Claim(i, BUS, route.length)))
        grey = route.colour == GREY_ROUTE
        kinds = range(1, len(board.kinds)) if grey else [board.kinds.index(route.colour)]
        moves += [claim_move(Claim(i, k, buses)) for k in kinds for buses in range(route.length)]
    return np.array(moves, np.int64)


def numbers(moves: np.ndarray) -> np.ndarray:
    """Returns the inverse of `all_moves`: the action of each move, by its `place`."""
    table = np.full(MOST_PLACES, -1, np.int16)
    for action, move in enumerate(moves.tolist()):
        table[place(move)] = action
    return table


@kernel
def place(move: int) -> int:
    """Returns where a move is in the table of `numbers`."""
    return (move >> WHAT_AT) * DETAILS + (move & (DETAILS - 1))


@kernel
def write_mask(table: Any, moves: Any, n: int, mask: Any) -> None:
    """Writes 1 for the action of each legal move."""
    mask[:] = 0
    for i in range(n):
        mask[int(table[place(int(moves[i]))])] = 1


@kernel
def lowest_action(table: Any, moves: Any, n: int) -> int:
    """Returns the lowest action of the legal moves."""
    lowest = int(table[place(int(moves[0]))])
    for i in range(1, n):
        lowest = min(lowest, int(table[place(int(moves[i]))]))
    return lowest
