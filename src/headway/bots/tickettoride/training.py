"""Trains the network of a board for a number of seats, by self-play.

It learns from temporal differences between the values that a seat sees in a game.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from headway.bots.tickettoride.network import (
    DEPTH,
    MOST_ACTIVE,
    MOVER,
    OTHER_SIZE,
    OUTPUTS,
    POINTS_PER_UNIT,
    SHAPES,
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
from headway.bots.tickettoride.playout_policy import result_of
from headway.bots.tickettoride.route_plans import copy_game
from headway.bots.value_net import Network, Trainer, add_back, learn_back, untrained
from headway.games.contract import CHANCE
from headway.games.kernel import compiled, kernel
from headway.games.simulation import below, seeded
from headway.games.tickettoride.board.board import MOST_SEATS
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import (
    BLIND,
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

MOST_DECISIONS = 160
"""More decisions of a seat are not recorded."""
LARGEST_LEAD = 2.0
"""The largest error of the lead that counts, in units of the output."""
LEAD_WEIGHT = 0.5
"""The weight of the lead's error, compared with that of the share."""
GAMES_PER_THREAD = 2
"""Games of a thread between two gradient steps."""
RANDOM_MOVE_EVERY = 40


def trajectory_of(most: int, *more: Any) -> np.dtype[Any]:
    """Returns what is recorded of a game, with scratch memory: up to `most` positions of a seat."""
    fields = [
        ("active", "i4", (MOST_SEATS, most, MOST_ACTIVE)),
        ("lengths", "i8", (MOST_SEATS, most)),
        ("positions", "i8", (MOST_SEATS,)),
        ("values", "f8", (MOST_SEATS, most, 2)),  # share and lead of the best move
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
    ]
    return np.dtype([*fields, *more], align=True)


BEST = "best", "i8", (MOST_SEATS, MOST_DECISIONS)  # 1 if the best move was played
TRAJECTORY = trajectory_of(MOST_DECISIONS, BEST)
"""The decisions of each seat in a game, with scratch memory."""
TrajectoryRecord = Any


class Games(NamedTuple):
    """The games that a thread plays between two gradient steps."""

    blank_shared: Any
    blank_players: Any
    trace: float
    """The weight of later values in a target."""


@kernel
def decide(
    valuer: Valuer, players: Any, seat: int, trajectory: TrajectoryRecord, generator: Any
) -> None:
    """Chooses a move of a seat, mostly the best one, and makes it."""
    shared, t = trajectory["shared"][0], int(trajectory["positions"][seat])
    prepare(valuer, shared, players, seat)
    n, total = candidates(valuer, seat)
    best = value_moves(valuer, shared, players, seat, n)
    chosen = best if below(generator, RANDOM_MOVE_EVERY) > 0 else below(generator, total)
    trajectory["best"][seat, t] = 1 if chosen == best else 0
    trajectory["values"][seat, t, 0] = valuer.values[best, 0]
    trajectory["values"][seat, t, 1] = valuer.values[best, 1]
    record_move(valuer, players, seat, int(valuer.moves[chosen]), trajectory, generator)


@kernel
def record_move(
    valuer: Valuer,
    players: Any,
    seat: int,
    move: int,
    trajectory: TrajectoryRecord,
    generator: Any,
) -> None:
    """Makes a move of a seat and records what the seat sees after it."""
    board, shared, t = valuer.game.board, trajectory["shared"][0], trajectory["positions"][seat]
    before_players = trajectory["before_players"][: players.shape[0]]
    copy_game(shared, players, trajectory["before"], before_players)
    play(board, shared, players, seat, move)
    kind = 0
    if shared["phase"] == BLIND:
        kind = deal(board, shared, players, generator)
    changed, n = describe(valuer, trajectory["before"][0], before_players, seat, move, kind)
    row, size = trajectory["active"][seat, t], 0
    for i in range(n):
        if not changed or i < valuer.marks[0] or i >= valuer.marks[1]:
            row[size] = valuer.active[i]
            size += 1
    trajectory["lengths"][seat, t] = size
    trajectory["positions"][seat] = min(t + 1, trajectory["lengths"].shape[1] - 1)


@kernel
def play_game(valuer: Valuer, games: Games, trajectory: TrajectoryRecord, generator: Any) -> None:
    """Plays and records a game."""
    seats = games.blank_players.shape[0]
    shared, players = trajectory["shared"][0], trajectory["players"][:seats]
    copy_game(games.blank_shared[0], games.blank_players, trajectory["shared"], players)
    trajectory["positions"][:] = 0
    while shared["phase"] != OVER:
        seat = actor(shared, players)
        if seat == CHANCE:
            deal(valuer.game.board, shared, players, generator)
        else:
            decide(valuer, players, seat, trajectory, generator)


@kernel
def learn_games(
    valuer: Valuer, grad: Network, games: Games, trajectory: TrajectoryRecord, generator: Any
) -> None:
    """Plays games and adds their gradient."""
    seats, trace = games.blank_players.shape[0], games.trace
    players = trajectory["players"][:seats]
    for _ in range(GAMES_PER_THREAD):
        play_game(valuer, games, trajectory, generator)
        for seat in range(seats):
            share, lead = result_of(
                valuer.game.board, players, seat, valuer.game.workspace, trajectory["score"]
            )
            last = int(trajectory["positions"][seat])
            for t in range(last - 1, -1, -1):
                learn(valuer.net, grad, trajectory, seat, t, share, lead)
                best = trajectory["values"][seat, t]
                if trajectory["best"][seat, t] == 0:
                    share, lead = best[0], best[1]
                share = trace * share + (1.0 - trace) * best[0]
                lead = trace * lead + (1.0 - trace) * best[1]


@kernel
def learn(
    net: Network,
    grad: Network,
    trajectory: TrajectoryRecord,
    seat: int,
    t: int,
    share: float,
    lead: float,
) -> tuple[float, float]:
    """Adds the gradient of the error of a recorded position; returns what the network said."""
    active, n = trajectory["active"][seat, t], int(trajectory["lengths"][seat, t])
    add_rows(net, active, 0, n, net.first_bias, trajectory["sums"])
    said_share, said_lead = output(net, trajectory["sums"], trajectory["hidden"])
    x, y = said_share - share, (said_lead - lead) / POINTS_PER_UNIT
    trajectory["tally"][0] += x * x
    trajectory["tally"][1] += (said_lead - lead) ** 2
    trajectory["tally"][2] += 1
    trajectory["slopes"][0] = x
    trajectory["slopes"][1] = LEAD_WEIGHT * min(max(y, -LARGEST_LEAD), LARGEST_LEAD)
    learn_back(head_of(net), head_of(grad), trajectory, DEPTH)
    add_back(grad.first_bias, trajectory["back"])
    for i in range(n):
        add_back(grad.first[int(active[i])], trajectory["back"])
    return said_share, said_lead


GAMES_PER_STAGE = 4000
"""Games with the same rate; a training reports after each stage."""
TRACE = 0.8, 0.6
"""The weight of later values in a target, at the start and at the end."""
LOWEST_RATE = 0.03
"""The learning rate at the end, as a part of the rate at the start."""


class TablePlan(NamedTuple):
    """How many games to learn from, and technical settings; all of them decide the result."""

    games: int
    rate: float = 1e-3
    threads: int = 8
    seed: int = 1


class TableProgress(NamedTuple):
    """The games played so far, and the root mean square errors of the latest ones."""

    games: int
    share_error: float
    lead_error: float


def for_more_seats(net: Network) -> Network:
    """Returns a network in which further opponents count as the first one does.

    A training for more seats that starts with it needs fewer games.
    """
    first = net.first.copy()
    for start in range(OTHER_SIZE, MOVER, OTHER_SIZE):
        first[start : start + OTHER_SIZE] = net.first[:OTHER_SIZE]
    return net._replace(first=first)


class TableTrainer(Trainer):
    """Trains the network of a board for a number of seats; `start` is the network to begin with."""

    plan: TablePlan
    games_per_step = GAMES_PER_THREAD
    trace = TRACE
    shapes = SHAPES
    trajectory = TRAJECTORY
    name = "train"
    """Its generators are named after it."""

    def __init__(self, game: TicketToRide, plan: TablePlan, start: Network | None = None) -> None:
        net = untrained(self.shapes, plan.seed) if start is None else start
        super().__init__(net, plan, game.map_hash)
        self._rate = plan.rate
        self._play: Any = Games(
            blank_shared=blank_shared(game.board, game.seats),
            blank_players=blank_players(game.board, game.seats),
            trace=self.trace[0],
        )
        threads, board = range(plan.threads), board_record(game.board)
        self._valuers = [new_valuer(board, net, game.seats) for _ in threads]
        self._trajectories = [np.zeros(1, self.trajectory)[0] for _ in threads]
        self._generators = [seeded(f"{self.name}|{plan.seed}|{game.seats}|{i}") for i in threads]
        self._learn_games = self.kernel()

    @staticmethod
    def kernel() -> Any:
        """Returns what plays games and learns from them."""
        return compiled(sys.modules[__name__]).learn_games

    @property
    def rate(self) -> float:
        return self._rate

    def run(self) -> Iterator[TableProgress]:
        """Trains; yields the progress after each stage."""
        with ThreadPoolExecutor(self.plan.threads) as pool:
            while self.games < self.plan.games:
                done = self.games / self.plan.games
                self._rate = self.plan.rate * max((1 - done) ** 1.2, LOWEST_RATE)
                trace = self.trace[0] + (self.trace[1] - self.trace[0]) * done
                self._play = self._play._replace(trace=trace)
                stage = min(GAMES_PER_STAGE, self.plan.games - self.games)
                for _ in range(-(-stage // (self.games_per_step * self.plan.threads))):
                    self.step(pool, self.games_per_step)
                yield self._progress()

    def _progress(self) -> TableProgress:
        *errors, decisions = self.sums()
        share, lead = np.sqrt(np.array(errors) / max(decisions, 1))
        return TableProgress(self.games, float(share), float(lead))

    def play(self, thread: int) -> None:
        trajectory, generator = self._trajectories[thread], self._generators[thread]
        valuer, grad = self._valuers[thread], self.grads[thread]
        self._learn_games(valuer, grad, self._play, trajectory, generator)
