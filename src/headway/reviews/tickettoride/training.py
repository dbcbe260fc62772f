"""Trains the networks of reviews: the value of one-turn-ahead play of all seats, for every seat.

A game starts with some moves of weaker players, so that positions of weaker games are known too.
From then on every seat makes the move that the network values highest, and only these positions are
learned, each from the values that its seat sees later in the game. Nobody tries random moves there,
so a value is that of the network's own play.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from headway.bots.tickettoride.features import FEATURES, MOST_ACTIVE
from headway.bots.tickettoride.network import (
    DEPTH,
    OUTPUTS,
    POINTS_PER_UNIT,
    WIDTH,
    add_rows,
    head_of,
    output,
)
from headway.bots.tickettoride.player import (
    Valuer,
    candidates,
    describe,
    new_valuer,
    prepare,
    value_moves,
)
from headway.bots.tickettoride.playout_policy import result_of, sensible
from headway.bots.tickettoride.route_plans import copy_game
from headway.bots.tickettoride.training import (
    LARGEST_LEAD,
    LEAD_WEIGHT,
    TablePlan,
    TableTrainer,
)
from headway.bots.trainer import Trainer
from headway.bots.value_net import Network, add_back, learn_back, untrained
from headway.games.contract import CHANCE
from headway.games.kernel import compiled, kernel
from headway.games.tickettoride.board.board import MOST_SEATS
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import (
    BLIND,
    OPENING,
    OVER,
    PLAYER,
    SCORE,
    SHARED,
    blank_players,
    blank_shared,
    board_record,
)
from headway.games.tickettoride.rules.engine import actor, deal
from headway.games.tickettoride.rules.turns import play
from headway.games.xorshift import below, seeded
from headway.reviews.tickettoride.features import AT_END, SHAPES, describe_wait, doing

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

TRAJECTORY = np.dtype(
    [
        ("active", "i4", (MOST_SEATS, MOST_POSITIONS, MOST_ACTIVE)),
        ("lengths", "i8", (MOST_SEATS, MOST_POSITIONS)),
        ("positions", "i8", (MOST_SEATS,)),
        ("decided", "i8", (MOST_SEATS, MOST_POSITIONS)),  # 1 after a decision of the seat
        ("values", "f8", (MOST_SEATS, MOST_POSITIONS, 2)),  # of the move that was decided
        ("styles", "i8", (MOST_SEATS,)),
        ("shared", SHARED, (1,)),
        ("players", PLAYER, (MOST_SEATS,)),
        ("before", SHARED, (1,)),
        ("before_players", PLAYER, (MOST_SEATS,)),
        ("score", SCORE),
        ("sums", "f4", (WIDTH,)),
        ("back", "f4", (WIDTH,)),
        ("hidden", "f4", (DEPTH,)),
        ("slopes", "f4", (OUTPUTS,)),
        ("tally", "f8", (3,)),  # sums: squared errors of shares and of leads; positions
    ],
    align=True,
)
"""The positions of each seat in a game, with scratch memory."""
TrajectoryRecord = Any


class SelfPlay(NamedTuple):
    """How games begin, and the weight of later values in a target."""

    blank_shared: Any
    blank_players: Any
    trace: float


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
def decide(valuer: Valuer, players: Any, seat: int, game: Any, dice: Any) -> None:
    """Makes the best move of a seat and records what the seat knows after it."""
    board, shared, t = valuer.game.board, game["shared"][0], int(game["positions"][seat])
    before_players = game["before_players"][: players.shape[0]]
    prepare(valuer, shared, players, seat)
    n, _ = candidates(valuer, seat)
    best = value_moves(valuer, shared, players, seat, n)
    move = int(valuer.moves[best])
    game["values"][seat, t, 0] = valuer.values[best, 0]
    game["values"][seat, t, 1] = valuer.values[best, 1]
    game["decided"][seat, t] = 1
    copy_game(shared, players, game["before"], before_players)
    play(board, shared, players, seat, move)
    kind = 0
    if shared["phase"] == BLIND:
        kind = deal(board, shared, players, dice)
    changed, n = describe(valuer, game["before"][0], before_players, seat, move, kind)
    row, size = game["active"][seat, t], 0
    for i in range(n):
        if not changed or i < valuer.marks[0] or i >= valuer.marks[1]:
            row[size] = valuer.active[i]
            size += 1
    game["lengths"][seat, t] = size
    game["positions"][seat] = min(t + 1, MOST_POSITIONS - 1)


@kernel
def play_game(valuer: Valuer, plan: SelfPlay, game: Any, dice: Any) -> None:
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
def learn_position(
    net: Network, grad: Network, game: Any, seat: int, t: int, share: float, lead: float
) -> tuple[float, float]:
    """Adds the gradient of the error of a position; returns what the network said."""
    active, n = game["active"][seat, t], int(game["lengths"][seat, t])
    add_rows(net, active, 0, n, net.first_bias, game["sums"])
    said_share, said_lead = output(net, game["sums"], game["hidden"])
    x, y = said_share - share, (said_lead - lead) / POINTS_PER_UNIT
    game["tally"][0] += x * x
    game["tally"][1] += (said_lead - lead) ** 2
    game["tally"][2] += 1
    game["slopes"][0] = x
    game["slopes"][1] = LEAD_WEIGHT * min(max(y, -LARGEST_LEAD), LARGEST_LEAD)
    learn_back(head_of(net), head_of(grad), game, DEPTH)
    add_back(grad.first_bias, game["back"])
    for i in range(n):
        add_back(grad.first[int(active[i])], game["back"])
    return said_share, said_lead


@kernel
def learn_self_play(valuer: Valuer, grad: Network, plan: SelfPlay, game: Any, dice: Any) -> None:
    """Plays games and adds their gradient."""
    seats, trace = plan.blank_players.shape[0], plan.trace
    players, workspace = game["players"][:seats], valuer.game.workspace
    for _ in range(GAMES_PER_STEP):
        play_game(valuer, plan, game, dice)
        for seat in range(seats):
            share, lead = result_of(valuer.game.board, players, seat, workspace, game["score"])
            for t in range(int(game["positions"][seat]) - 1, -1, -1):
                seen = learn_position(valuer.net, grad, game, seat, t, share, lead)
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

    def __init__(self, game: TicketToRide, plan: TablePlan, start: Network | None = None) -> None:
        net = untrained(SHAPES, plan.seed) if start is None else start
        Trainer.__init__(self, net, plan, game.map_hash)
        self._rate = plan.rate
        self._play: Any = SelfPlay(
            blank_shared=blank_shared(game.board, game.seats),
            blank_players=blank_players(game.board, game.seats),
            trace=TRACE[0],
        )
        threads, board = range(plan.threads), board_record(game.board)
        self._valuers = [new_valuer(board, net, game.seats) for _ in threads]
        self._trajectories = [np.zeros(1, TRAJECTORY)[0] for _ in threads]
        self._generators = [seeded(f"review|{plan.seed}|{game.seats}|{i}") for i in threads]
        self._learn_games = compiled(sys.modules[__name__]).learn_self_play
