"""Trials with the network: plays moves some turns ahead in many determinizations and values them.

As in `headway.bots.tickettoride.trials`, all moves get the same cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.bots.tickettoride.determinization import weigh_tickets
from headway.bots.tickettoride.player import (
    Scratch,
    candidates,
    prepare,
    value_moves,
)
from headway.bots.tickettoride.route_plans import WorkspaceRecord
from headway.bots.tickettoride.trials import STIR, deal_world, result
from headway.bots.value_net import Network
from headway.games.kernel import kernel
from headway.games.tickettoride.rules.arrays import KEEP, OPENING, OVER, TURN, BoardRecord
from headway.games.tickettoride.rules.engine import deal
from headway.games.tickettoride.rules.turns import play


@kernel
def add_value(scratch: Scratch, move: int, tally: Any) -> None:
    """Adds the network's value of a move to a tally."""
    share, lead = scratch.values[move, 0], scratch.values[move, 1]
    tally["trials"] += 1
    tally["wins"] += share
    tally["squares"] += share * share
    tally["margin"] += lead


@kernel
def play_ahead(
    board: BoardRecord,
    shared: Any,
    players: Any,
    seat: int,
    turns: int,
    net: Network,
    habits: Any,
    workspace: WorkspaceRecord,
    scratch: Scratch,
    score_records: Any,
    tally: Any,
    generator: Any,
) -> None:
    """Plays until the seat has had this many turns, and adds its value at the next to a tally."""
    left = turns
    while shared["phase"] != OVER:
        phase, mover = shared["phase"], int(shared["seat"])
        if phase not in (TURN, KEEP, OPENING):
            deal(board, shared, players, generator)
            continue
        if phase == OPENING:
            mover = 0
            while players[mover]["choice"] != 0:
                mover += 1
        prepare(board, shared, players, mover, net, habits[mover], workspace, scratch)
        n, _ = candidates(board, shared, players, mover, scratch)
        best = value_moves(board, shared, players, mover, n, net, habits[mover], workspace, scratch)
        if mover == seat and phase == TURN and shared["taken"] == 0:
            if left == 0:
                add_value(scratch, best, tally)
                return
            left -= 1
        play(board, shared, players, mover, int(scratch.moves[best]))
    result(board, players, seat, workspace, score_records, tally)


@kernel
def look(
    board: BoardRecord,
    shared: Any,
    players: Any,
    seat: int,
    net: Network,
    habits: Any,
    workspace: WorkspaceRecord,
    scratch: Scratch,
    tallies: Any,
) -> None:
    """Adds the value of the seat after each move to its tally, without playing on."""
    n = tallies.shape[0]
    prepare(board, shared, players, seat, net, habits[seat], workspace, scratch)
    for i in range(n):
        scratch.moves[i] = tallies[i]["move"]
    value_moves(board, shared, players, seat, n, net, habits[seat], workspace, scratch)
    for i in range(n):
        add_value(scratch, i, tallies[i])


@kernel
def try_moves_ahead(
    board: BoardRecord,
    shared_rows: Any,
    players: Any,
    seat: int,
    samples: int,
    hidden: bool,
    trust: float,
    fits: Any,
    turns: int,
    net: Network,
    habits: Any,
    workspaces: Any,
    scratch: Scratch,
    score_records: Any,
    cards: Any,
    tallies: Any,
    generator: Any,
    dealer: Any,
) -> None:
    """Tries all remaining moves in `samples` new determinizations, as `try_moves` does.

    With no samples it prepares them: weighs the tickets of others and lets the network value every
    move where it stands. All this is one kernel because each kernel that Python calls is compiled
    with everything that it uses.
    """
    workspace = workspaces[0]
    if samples == 0:
        shared, position = shared_rows[0], players[0]
        weigh_tickets(board, shared, position, seat, trust, workspace, fits)
        look(board, shared, position, seat, net, habits, workspace, scratch, tallies)
    for _ in range(samples):
        seed = deal_world(board, shared_rows, players, seat, hidden, fits, cards, generator)
        for i in range(tallies.shape[0]):
            if tallies[i]["remaining"] == 0:
                continue
            shared_rows[2] = shared_rows[1]
            for player in range(players.shape[1]):
                players[2, player] = players[1, player]
            dealer[0] = STIR ^ np.uint64(seed)
            play(board, shared_rows[2], players[2], seat, int(tallies[i]["move"]))
            play_ahead(
                board, shared_rows[2], players[2], seat, turns, net, habits, workspace, scratch,
                score_records, tallies[i], dealer,
            )  # fmt: skip
