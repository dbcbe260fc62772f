"""The actions of Ticket to Ride as an environment, and what it shows a seat.

Each possible move of a board has a number, in this order: take the top card of the pile, take a
face-up card of each kind, draw tickets, pass, keep a choice of the offered tickets, and claim a
route with a payment (buses alone, or a colour with a number of buses). A turn of two cards is two
actions.

An observation is the open table, the seat's hand and its tickets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.envs.encoding import Field
from headway.envs.episodes import ScratchRecord, SetupRecord
from headway.games.kernel import BIT, NONE, Mask, count, kernel
from headway.games.tickettoride.board.board import GREY_ROUTE, MOST_OFFERED, MOST_ROUTES, Board
from headway.games.tickettoride.moves import Claim, claim_move, keep_move
from headway.games.tickettoride.rules.arrays import (
    BUS,
    KEEP,
    MOST_KINDS,
    MOST_MOVES,
    OPENING,
    PASS,
    ROUTE_AT,
    TICKETS,
    TURN,
    WHAT_AT,
    BoardRecord,
    PlayerRecord,
    SharedRecord,
)
from headway.games.tickettoride.rules.scoring import score
from headway.games.tickettoride.rules.turns import closed, tickets_left

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


VERSION = 1
"""Raise it with every change of an observation."""
HIGHEST = 127
PRIVATE = frozenset(("hand", "score", "own_tickets", "completed", "put_back", "offered"))
"""The fields that only the observer knows."""


def offers(board: Board) -> int:
    """Returns the most tickets that a seat has to choose from."""
    return max(board.play.tickets_dealt, board.play.tickets_drawn)


def fields(board: Board, seats: int) -> tuple[Field, ...]:
    """Returns the fields of an observation, in the order in which `observe` writes them."""
    kinds, routes, tickets = len(board.kinds), len(board.routes), len(board.tickets)
    sizes = [
        ("decision", 4, "opening tickets, first action of a turn, second card, drawn tickets"),
        ("hand", kinds, "own cards of each kind"),
        ("display", kinds, "face-up cards of each kind"),
        ("discards", kinds, "discarded cards of each kind"),
        ("piles", 2, "cards in the pile, tickets in theirs"),
        ("ending", 1, "turns left plus one once the end is near, else 0"),
        ("score", 1, "own total if the game ended now, at least 0"),
        ("own_tickets", tickets, "tickets kept"),
        ("completed", tickets, "those of them that are connected"),
        ("put_back", tickets, "tickets that the seat has put under the pile and nobody has drawn"),
        ("offered", offers(board) * tickets, "the tickets to choose from, one after the other"),
        ("districts", len(board.districts), "districts that the seat has connected"),
        ("closed", routes, "free routes that are closed because of their other half"),
    ]
    for i in range(seats):
        who = "own" if i == 0 else f"other_{i}"
        sizes += [
            (f"{who}_routes", routes, "routes claimed"),
            (f"{who}_numbers", 4, "buses left, points of routes, cards in hand, tickets"),
            (f"{who}_open", kinds, "cards of the hand that were taken face up"),
        ]
    fields, start = [], 0
    for name, size, meaning in sizes:
        fields.append(Field(name, start, start + size, meaning))
        start += size
    return tuple(fields)


@kernel
def put_mask(out: Any, at: int, mask: Mask, n: int) -> int:
    """Writes the first bits of a mask; returns the place after them."""
    for i in range(n):
        out[at + i] = 1 if mask & BIT[i] != NONE else 0
    return at + n


@kernel
def put_counts(out: Any, at: int, counts: Any, n: int) -> int:
    """Writes the first numbers of an array, at most HIGHEST; returns the place after them."""
    for i in range(n):
        out[at + i] = min(int(counts[i]), HIGHEST)
    return at + n


@kernel
def observe(
    setup: SetupRecord,
    scratch: ScratchRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    out: Any,
) -> int:
    """Writes a seat's observation; returns its total if the game ended now."""
    board, score_record, player = setup["board"], scratch["score"], players[seat]
    kinds, tickets = int(board["kinds"]), int(board["tickets"])
    total = score(board, player, scratch["reach"], score_record)
    for i in range(4):
        out[i] = 0
    out[_decision(shared)] = 1
    at = put_counts(out, 4, player["hand"], kinds)
    for i in range(kinds):
        out[at + i] = 0
    for slot in range(int(board["display"])):
        if shared["display"][slot] >= 0:
            out[at + int(shared["display"][slot])] += 1
    at = put_counts(out, at + kinds, shared["discards"], kinds)
    out[at] = min(int(shared["pile_size"]), HIGHEST)
    out[at + 1] = tickets_left(shared)
    out[at + 2] = int(shared["turns_left"]) + 1
    out[at + 3] = min(max(total, 0), HIGHEST)
    at = put_mask(out, at + 4, player["tickets"], tickets)
    at = put_mask(out, at, score_record["completed_tickets"], tickets)
    at = put_mask(out, at, _put_back(shared, seat), tickets)
    for i in range(int(setup["offers"])):
        offered = NONE
        if i < shared["offers"][seat]:
            offered = BIT[int(shared["offered"][seat, i])]
        at = put_mask(out, at, offered, tickets)
    at = put_mask(out, at, score_record["joined_districts"], int(board["districts"]))
    shut = closed(board, shared, player) & ~shared["routes"]
    at = put_mask(out, at, shut, int(board["routes"]))
    for i in range(players.shape[0]):
        at = _player(board, players[(seat + i) % players.shape[0]], out, at)
    return total


@kernel
def _decision(shared: SharedRecord) -> int:
    phase = shared["phase"]
    if phase == OPENING:
        return 0
    if phase == KEEP:
        return 3
    return 2 if phase == TURN and shared["taken"] > 0 else 1


@kernel
def _put_back(shared: SharedRecord, seat: int) -> Mask:
    mask = NONE
    for i in range(int(shared["under_size"])):
        if shared["under_by"][i] == seat:
            mask |= BIT[int(shared["under"][i])]
    return mask


@kernel
def _player(board: BoardRecord, player: PlayerRecord, out: Any, at: int) -> int:
    """Writes what everybody sees of a player; returns the place after it."""
    at = put_mask(out, at, player["routes"], int(board["routes"]))
    cards = 0
    for kind in range(int(board["kinds"])):
        cards += int(player["hand"][kind])
    out[at] = min(int(player["buses"]), HIGHEST)
    out[at + 1] = min(int(player["points"]), HIGHEST)
    out[at + 2] = min(cards, HIGHEST)
    out[at + 3] = count(player["tickets"])
    return put_counts(out, at + 4, player["open"], int(board["kinds"]))
