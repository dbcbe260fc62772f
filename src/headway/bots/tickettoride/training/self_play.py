"""Learning by self-play: temporal differences between the values that a seat sees in a game."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headway.bots.tickettoride.network.features import MOST_ACTIVE
from headway.bots.tickettoride.network.network import (
    DEPTH,
    FULL,
    LEAK,
    POINTS_PER_UNIT,
    WIDTH,
    ZERO,
    Network,
    add_rows,
    output,
)
from headway.bots.tickettoride.network.player import (
    Scratch,
    candidates,
    describe,
    prepare,
    value_moves,
)
from headway.bots.tickettoride.route_plans import WorkspaceRecord
from headway.bots.tickettoride.trials import TALLY, result
from headway.games.kernel import kernel
from headway.games.tickettoride.board.board import MOST_SEATS
from headway.games.tickettoride.rules.arrays import (
    BLIND,
    KEEP,
    OPENING,
    OVER,
    PLAYER,
    SCORE,
    SHARED,
    TURN,
    BoardRecord,
)
from headway.games.tickettoride.rules.engine import deal
from headway.games.tickettoride.rules.turns import play
from headway.games.xorshift import below

MOST_DECISIONS = 160
"""More decisions of a seat are not recorded."""
LARGEST_LEAD = 2.0
"""The largest error of the lead that counts, in units of the output."""
LEAD_WEIGHT = 0.5
"""The weight of the lead's error, compared with that of the share."""


class Trajectory(NamedTuple):
    """The decisions of each seat in a game, with scratch memory."""

    active: Any
    lengths: Any
    decisions: Any
    values: Any
    """Share and lead of the best move, by seat and decision."""
    best: Any
    """1 if the best move was played."""
    shared: Any
    players: Any
    before: Any
    before_players: Any
    scores: Any
    outcomes: Any
    sums: Any
    back: Any
    hidden: Any
    tally: Any
    """Sums: squared errors of shares and of leads; decisions."""


def new_trajectory() -> Trajectory:
    """Creates an empty trajectory."""
    return Trajectory(
        active=np.zeros((MOST_SEATS, MOST_DECISIONS, MOST_ACTIVE), np.int32),
        lengths=np.zeros((MOST_SEATS, MOST_DECISIONS), np.int64),
        decisions=np.zeros(MOST_SEATS, np.int64),
        values=np.zeros((MOST_SEATS, MOST_DECISIONS, 2)),
        best=np.zeros((MOST_SEATS, MOST_DECISIONS), np.int64),
        shared=np.zeros(1, SHARED),
        players=np.zeros(MOST_SEATS, PLAYER),
        before=np.zeros(1, SHARED),
        before_players=np.zeros(MOST_SEATS, PLAYER),
        scores=np.zeros(1, SCORE),
        outcomes=np.zeros(1, TALLY),
        sums=np.zeros(WIDTH, np.float32),
        back=np.zeros(WIDTH, np.float32),
        hidden=np.zeros(DEPTH, np.float32),
        tally=np.zeros(3),
    )


@kernel
def decide(
    board: BoardRecord,
    players: Any,
    seat: int,
    net: Network,
    habits: Any,
    workspace: WorkspaceRecord,
    scratch: Scratch,
    trajectory: Trajectory,
    generator: Any,
    explore: int,
) -> None:
    """Makes a move of a seat and records what the seat sees after it."""
    shared, t = trajectory.shared[0], int(trajectory.decisions[seat])
    before_players = trajectory.before_players[: players.shape[0]]
    prepare(board, shared, players, seat, net, habits[seat], workspace, scratch)
    n, total = candidates(board, shared, players, seat, scratch)
    best = value_moves(board, shared, players, seat, n, net, habits[seat], workspace, scratch)
    chosen = best if below(generator, explore) > 0 else below(generator, total)
    trajectory.best[seat, t] = 1 if chosen == best else 0
    move = int(scratch.moves[chosen])
    trajectory.values[seat, t, 0] = scratch.values[best, 0]
    trajectory.values[seat, t, 1] = scratch.values[best, 1]
    trajectory.before[0] = shared
    for player in range(players.shape[0]):
        before_players[player] = players[player]
    play(board, shared, players, seat, move)
    kind = 0
    if shared["phase"] == BLIND:
        kind = deal(board, shared, players, generator)
    changed, n = describe(
        board,
        trajectory.before[0],
        before_players,
        seat,
        move,
        kind,
        habits[seat],
        workspace,
        scratch,
    )
    row, size = trajectory.active[seat, t], 0
    for i in range(n):
        if not changed or i < scratch.marks[0] or i >= scratch.marks[1]:
            row[size] = scratch.active[i]
            size += 1
    trajectory.lengths[seat, t] = size
    trajectory.decisions[seat] = min(t + 1, MOST_DECISIONS - 1)


@kernel
def play_game(
    board: BoardRecord,
    blank_shared: Any,
    blank_players: Any,
    net: Network,
    habits: Any,
    workspace: WorkspaceRecord,
    scratch: Scratch,
    trajectory: Trajectory,
    generator: Any,
    explore: int,
) -> None:
    """Plays and records a game."""
    seats = blank_players.shape[0]
    players = trajectory.players[:seats]
    trajectory.shared[0] = blank_shared[0]
    for seat in range(seats):
        players[seat] = blank_players[seat]
        trajectory.decisions[seat] = 0
    shared = trajectory.shared[0]
    while shared["phase"] != OVER:
        phase = shared["phase"]
        if phase in (TURN, KEEP):
            decide(
                board, players, int(shared["seat"]), net, habits, workspace, scratch, trajectory,
                generator, explore,
            )  # fmt: skip
        elif phase == OPENING:
            for seat in range(seats):
                decide(
                    board, players, seat, net, habits, workspace, scratch, trajectory, generator,
                    explore,
                )  # fmt: skip
        else:
            deal(board, shared, players, generator)


@kernel
def learn_games(
    board: BoardRecord,
    blank_shared: Any,
    blank_players: Any,
    net: Network,
    grad: Network,
    habits: Any,
    workspace: WorkspaceRecord,
    scratch: Scratch,
    trajectory: Trajectory,
    generator: Any,
    games: int,
    explore: int,
    trace: float,
) -> None:
    """Plays games and adds their gradient; `trace` is the weight of later values in a target."""
    seats = blank_players.shape[0]
    outcome = trajectory.outcomes[0]
    for _ in range(games):
        play_game(
            board, blank_shared, blank_players, net, habits, workspace, scratch, trajectory,
            generator, explore,
        )  # fmt: skip
        for seat in range(seats):
            outcome["wins"], outcome["margin"] = 0.0, 0.0
            result(board, trajectory.players[:seats], seat, workspace, trajectory.scores, outcome)
            share, lead = float(outcome["wins"]), float(outcome["margin"])
            last = int(trajectory.decisions[seat])
            for t in range(last - 1, -1, -1):
                learn(net, grad, trajectory, seat, t, share, lead)
                best_share, best_lead = trajectory.values[seat, t, 0], trajectory.values[seat, t, 1]
                if trajectory.best[seat, t] == 0:
                    share, lead = best_share, best_lead
                share = trace * share + (1.0 - trace) * best_share
                lead = trace * lead + (1.0 - trace) * best_lead


@kernel
def learn(
    net: Network,
    grad: Network,
    trajectory: Trajectory,
    seat: int,
    t: int,
    share: float,
    lead: float,
) -> None:
    """Adds the gradient of the error of a recorded decision."""
    active, n = trajectory.active[seat, t], int(trajectory.lengths[seat, t])
    sums, hidden, back = trajectory.sums, trajectory.hidden, trajectory.back
    add_rows(net, active, 0, n, net.first_bias, sums)
    said_share, said_lead = output(net, sums, hidden)
    x, y = said_share - share, (said_lead - lead) / POINTS_PER_UNIT
    trajectory.tally[0] += x * x
    trajectory.tally[1] += (said_lead - lead) ** 2
    trajectory.tally[2] += 1
    slope = np.float32(x)
    slope_lead = np.float32(LEAD_WEIGHT * min(max(y, -LARGEST_LEAD), LARGEST_LEAD))
    grad.third_bias[0] += slope
    grad.third_bias[1] += slope_lead
    for j in range(DEPTH):
        through = FULL if hidden[j] > ZERO else LEAK
        grad.third[0, j] += slope * through * hidden[j]
        grad.third[1, j] += slope_lead * through * hidden[j]
        hidden[j] = through * (slope * net.third[0, j] + slope_lead * net.third[1, j])
        grad.second_bias[j] += hidden[j]
    for k in range(WIDTH):
        back[k] = ZERO
        z = sums[k]
        if z > ZERO:
            total = ZERO
            for j in range(DEPTH):
                grad.second[k, j] += z * hidden[j]
                total += net.second[k, j] * hidden[j]
            back[k] = total
        grad.first_bias[k] += back[k]
    for i in range(n):
        row = grad.first[int(active[i])]
        for k in range(WIDTH):
            row[k] += back[k]
