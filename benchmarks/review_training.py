"""Trains the networks of reviews: the value of one-turn-ahead play of all seats, for every seat.

A game starts with some moves of weaker players, so that positions of weaker games are known too.
From then on every seat makes the move that the network values highest, and only these positions are
learned, each from the values that its seat sees later in the game. Nobody tries random moves there,
so a value is that of the network's own play.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from headway.bots.tickettoride.network import FEATURES
from headway.bots.tickettoride.player import (
    Valuer,
    candidates,
    prepare,
    value_moves,
)
from headway.bots.tickettoride.playout_policy import result_of, sensible
from headway.bots.tickettoride.route_plans import copy_game
from headway.bots.tickettoride.training import (
    Games,
    TableTrainer,
    TrajectoryRecord,
    learn,
    record_move,
    trajectory_of,
)
from headway.bots.value_net import Network, untrained
from headway.games.contract import CHANCE
from headway.games.kernel import compiled, kernel
from headway.games.simulation import below
from headway.games.tickettoride.board.board import MOST_SEATS
from headway.games.tickettoride.rules.arrays import (
    OPENING,
    OVER,
)
from headway.games.tickettoride.rules.engine import actor, deal
from headway.games.tickettoride.rules.turns import play
from headway.reviews.tickettoride.worth import AT_END, SHAPES, describe_wait, doing

GAMES_PER_STEP = 12
"""Games of a thread between two gradient steps."""
MOST_POSITIONS = 360
"""More positions of a seat are not recorded."""
WEAK_EVERY = 2
"""Every second game starts with moves of weaker players."""
MOST_WEAK = 110
"""The most moves that they make, all seats together."""
STYLES = 4
RANDOM_EVERY = 8
"""How often a player with random moves makes one."""
TRACE = 0.94, 0.97
"""The weight of later values in a target, at the start and at the end."""

DECIDED = "decided", "i8", (MOST_SEATS, MOST_POSITIONS)  # 1 after a decision of the seat
TRAJECTORY = trajectory_of(MOST_POSITIONS, DECIDED, ("styles", "i8", (MOST_SEATS,)))
"""The positions of each seat in a game, with scratch memory."""


@kernel
def weak_move(valuer: Valuer, shared: Any, players: Any, seat: int, style: int, dice: Any) -> int:
    """Returns the move of a player by its style: the driver, or one with random moves."""
    if style == 1:
        copy_game(shared, players, valuer.shared, valuer.game.players)
        valuer.game.plans[seat]["made"] = 0
        return int(sensible(valuer.game, seat))
    prepare(valuer, shared, players, seat)
    n, total = candidates(valuer, seat)
    if style >= 2 and below(dice, RANDOM_EVERY // (style - 1)) == 0:
        return int(valuer.moves[below(dice, total)])
    return int(valuer.moves[value_moves(valuer, shared, players, seat, n)])


@kernel
def record_wait(valuer: Valuer, players: Any, seat: int, what: int, game: Any) -> None:
    """Records what a seat knows while another one is about to act, or at the end."""
    t = int(game["positions"][seat])
    if t >= MOST_POSITIONS - 1:
        return
    n = describe_wait(valuer, game["shared"][0], players, seat, what)
    row = game["active"][seat, t]
    for i in range(n):
        row[i] = valuer.active[i]
    game["lengths"][seat, t] = n
    game["decided"][seat, t] = 0
    game["positions"][seat] = t + 1


@kernel
def decide(valuer: Valuer, players: Any, seat: int, game: TrajectoryRecord, dice: Any) -> None:
    """Makes the best move of a seat and records what the seat knows after it."""
    shared, t = game["shared"][0], int(game["positions"][seat])
    prepare(valuer, shared, players, seat)
    n, _ = candidates(valuer, seat)
    best = value_moves(valuer, shared, players, seat, n)
    game["values"][seat, t, 0] = valuer.values[best, 0]
    game["values"][seat, t, 1] = valuer.values[best, 1]
    game["decided"][seat, t] = 1
    record_move(valuer, players, seat, int(valuer.moves[best]), game, dice)


@kernel
def play_after_weak_moves(valuer: Valuer, plan: Games, game: TrajectoryRecord, dice: Any) -> None:
    """Plays a game and records its positions after the weak beginning."""
    board, seats = valuer.game.board, plan.blank_players.shape[0]
    shared, players = game["shared"][0], game["players"][:seats]
    copy_game(plan.blank_shared[0], plan.blank_players, game["shared"], players)
    game["positions"][:] = 0
    weak = 0
    if below(dice, WEAK_EVERY) == 0:
        weak = below(dice, MOST_WEAK)
        for seat in range(seats):
            game["styles"][seat] = below(dice, STYLES)
    while shared["phase"] != OVER:
        seat = actor(shared, players)
        if seat == CHANCE:
            deal(board, shared, players, dice)
        elif weak > 0:
            weak -= 1
            style = int(game["styles"][seat])
            move = weak_move(valuer, shared, players, seat, style, dice)
            play(board, shared, players, seat, move)
        else:
            if shared["phase"] != OPENING:
                waits = (seat + 1 + below(dice, seats - 1)) % seats
                record_wait(valuer, players, waits, doing(shared), game)
            decide(valuer, players, seat, game, dice)
    if weak == 0:
        for seat in range(seats):
            record_wait(valuer, players, seat, AT_END, game)


@kernel
def learn_self_play(
    valuer: Valuer, grad: Network, plan: Games, game: TrajectoryRecord, dice: Any
) -> None:
    """Plays games and adds their gradient."""
    seats, trace = plan.blank_players.shape[0], plan.trace
    players, workspace = game["players"][:seats], valuer.game.workspace
    for _ in range(GAMES_PER_STEP):
        play_after_weak_moves(valuer, plan, game, dice)
        for seat in range(seats):
            share, lead = result_of(valuer.game.board, players, seat, workspace, game["score"])
            for t in range(int(game["positions"][seat]) - 1, -1, -1):
                seen = learn(valuer.net, grad, game, seat, t, share, lead)
                if game["decided"][seat, t] == 1:
                    seen = game["values"][seat, t, 0], game["values"][seat, t, 1]
                share = trace * share + (1.0 - trace) * seen[0]
                lead = trace * lead + (1.0 - trace) * seen[1]


def widened(net: Network, seed: int) -> Network:
    """Returns a network of the bots as one of reviews, with new weights after its first layer.

    Two of them are trained apart, so what they have in common has to be forgotten.
    """
    fresh = untrained(SHAPES, seed)
    first = fresh.first
    first[:FEATURES] = net.first + np.float32(0.3) * first[:FEATURES]
    first[FEATURES:] = 0
    return fresh._replace(first_bias=net.first_bias.copy())


class ReviewTrainer(TableTrainer):
    """Trains one of the two networks of a board for a number of seats."""

    games_per_step = GAMES_PER_STEP
    trace = TRACE
    shapes = SHAPES
    trajectory = TRAJECTORY
    name = "review"

    @staticmethod
    def kernel() -> Any:
        return compiled(sys.modules[__name__]).learn_self_play
