"""Trials: plays every remaining move to the end of the game in many determinizations.

In one determinization all moves get the same cards (common random numbers), so that differences
between moves show early.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.bots.tickettoride.determinization import FINE, redeal_cards, redeal_tickets
from headway.bots.tickettoride.playout_policy import finish
from headway.bots.tickettoride.route_plans import WorkspaceRecord
from headway.games.kernel import kernel
from headway.games.tickettoride.rules.arrays import BoardRecord
from headway.games.tickettoride.rules.scoring import score
from headway.games.tickettoride.rules.turns import play
from headway.games.xorshift import below

TALLY = np.dtype(
    [
        ("move", "i8"),
        ("remaining", "i8"),
        ("trials", "i8"),
        ("wins", "f8"),  # a shared victory counts by its share
        ("squares", "f8"),
        ("margin", "f8"),  # points ahead of the best other
    ],
    align=True,
)
"""A move and the results of its trials."""

STIR = np.uint64(0x9E3779B97F4A7C15)


@kernel
def result(
    board: BoardRecord,
    players: Any,
    seat: int,
    workspace: WorkspaceRecord,
    score_records: Any,
    tally: Any,
) -> None:
    """Adds the result of a finished game for a seat to its tally (TR-19)."""
    rank_of_seat, best, equals = 0, -1000000, 1
    for player in range(players.shape[0]):
        total = score(board, players[player], workspace["reach"], score_records[0])
        rank = 100 * total + int(score_records[0]["completed"])
        if player == seat:
            rank_of_seat = rank
        elif rank > best:
            best, equals = rank, 1
        elif rank == best:
            equals += 1
    win = 0.0
    if rank_of_seat > best:
        win = 1.0
    elif rank_of_seat == best:
        win = 1.0 / (equals + 1)
    margin = (rank_of_seat - best) / 100.0
    tally["trials"] += 1
    tally["wins"] += win
    tally["squares"] += win * win
    tally["margin"] += margin


@kernel
def deal_world(
    board: BoardRecord,
    shared_rows: Any,
    players: Any,
    seat: int,
    hidden: bool,
    fits: Any,
    cards: Any,
    generator: Any,
) -> int:
    """Deals a new determinization of row 0 into row 1; returns the seed of its later cards.

    If nothing is hidden, it is the real position.
    """
    shared_rows[1] = shared_rows[0]
    for player in range(players.shape[1]):
        players[1, player] = players[0, player]
    if hidden:
        redeal_cards(board, shared_rows[1], players[1], seat, cards, generator)
        redeal_tickets(shared_rows[1], players[1], seat, fits, generator)
    return (below(generator, FINE) * FINE) + below(generator, FINE)


@kernel
def try_moves(
    board: BoardRecord,
    shared_rows: Any,
    players: Any,
    seat: int,
    samples: int,
    hidden: bool,
    fits: Any,
    plans: Any,
    habits: Any,
    workspaces: Any,
    score_records: Any,
    cards: Any,
    tallies: Any,
    generator: Any,
    dealer: Any,
) -> None:
    """Tries all remaining moves in `samples` new determinizations.

    Rows of `shared_rows` and `players` are the position, the determinization, and the
    determinization after a move.
    """
    workspace = workspaces[0]
    for _ in range(samples):
        seed = deal_world(board, shared_rows, players, seat, hidden, fits, cards, generator)
        for i in range(tallies.shape[0]):
            if tallies[i]["remaining"] == 0:
                continue
            shared_rows[2] = shared_rows[1]
            for player in range(players.shape[1]):
                players[2, player] = players[1, player]
                plans[player]["made"] = 0
            dealer[0] = STIR ^ np.uint64(seed)
            play(board, shared_rows[2], players[2], seat, int(tallies[i]["move"]))
            finish(board, shared_rows[2], players[2], plans, habits, workspace, dealer)
            result(board, players[2], seat, workspace, score_records, tallies[i])
