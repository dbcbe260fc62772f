"""Trains the network of a board for a number of seats by self-play (`self_play.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

from headway.bots import adam
from headway.bots.tickettoride.network.features import MOVER, OTHER_SIZE
from headway.bots.tickettoride.network.network import Network, untrained, zeros
from headway.bots.tickettoride.network.network_file import save
from headway.bots.tickettoride.network.player import new_scratch
from headway.bots.tickettoride.route_plans import HABITS, SENSIBLE, WORKSPACE
from headway.bots.tickettoride.training import self_play
from headway.games.kernel import compiled
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import blank_players, blank_shared, board_record
from headway.games.xorshift import seeded

GAMES_PER_THREAD = 2
"""Games of a thread between two gradient steps."""
GAMES_PER_STAGE = 4000
"""Games with the same rate; a training reports after each stage."""
RANDOM_MOVE_EVERY = 40
TRACE = 0.8, 0.6
"""The weight of later values in a target, at the start and at the end."""
LOWEST_RATE = 0.03
"""The learning rate at the end, as a part of the rate at the start."""


class TrainingPlan(NamedTuple):
    """How many games to learn from, and technical settings; all of them decide the result."""

    games: int
    rate: float = 1e-3
    threads: int = 8
    seed: int = 1


class Progress(NamedTuple):
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


class Training:
    """A training of the network for a game.

    `start` is the network to begin with. `interpreted` runs the kernels as Python, for tests.
    """

    def __init__(
        self,
        game: TicketToRide,
        plan: TrainingPlan,
        start: Network | None = None,
        interpreted: bool = False,
    ) -> None:
        self.game, self.plan, self.games = game, plan, 0
        self.net = untrained(plan.seed) if start is None else start
        self._mean, self._square = zeros(), zeros()
        self._board = board_record(game.board)
        self._blank = blank_shared(game.board, game.seats), blank_players(game.board, game.seats)
        self._habits = np.array([SENSIBLE] * game.seats, HABITS)
        threads = range(plan.threads)
        self._grads = [zeros() for _ in threads]
        self._workspaces = [np.zeros(1, WORKSPACE) for _ in threads]
        self._scratches = [new_scratch() for _ in threads]
        self._trajectories = [self_play.new_trajectory() for _ in threads]
        self._generators = [seeded(f"train|{plan.seed}|{game.seats}|{i}") for i in threads]
        kernels = compiled(self_play, adam)
        self._learn_games = self_play.learn_games if interpreted else kernels.learn_games
        self._adam = adam.adam if interpreted else kernels.adam

    def run(self) -> Iterator[Progress]:
        """Trains; yields the progress after each stage."""
        with ThreadPoolExecutor(self.plan.threads) as pool:
            while self.games < self.plan.games:
                done = self.games / self.plan.games
                rate = self.plan.rate * max((1 - done) ** 1.2, LOWEST_RATE)
                trace = TRACE[0] + (TRACE[1] - TRACE[0]) * done
                stage = min(GAMES_PER_STAGE, self.plan.games - self.games)
                for _ in range(-(-stage // (GAMES_PER_THREAD * self.plan.threads))):
                    self._step(pool, rate, trace)
                yield self._progress()

    def _progress(self) -> Progress:
        tally = np.sum([trajectory.tally for trajectory in self._trajectories], axis=0)
        for trajectory in self._trajectories:
            trajectory.tally[:] = 0
        share, lead = np.sqrt(tally[:2] / max(tally[2], 1))
        return Progress(self.games, float(share), float(lead))

    def _step(self, pool: ThreadPoolExecutor, rate: float, trace: float) -> None:
        """Plays some games on each thread, then takes one gradient step."""
        before = sum(trajectory.tally[2] for trajectory in self._trajectories)
        list(pool.map(lambda thread: self._play(thread, trace), range(self.plan.threads)))
        self.games += GAMES_PER_THREAD * self.plan.threads
        decisions = sum(trajectory.tally[2] for trajectory in self._trajectories) - before
        for grad in self._grads[1:]:
            for total, layer in zip(self._grads[0], grad, strict=True):
                total += layer
                layer[:] = 0
        for layers in zip(self.net, self._grads[0], self._mean, self._square, strict=True):
            weights, grad, mean, square = (layer.reshape(-1) for layer in layers)
            self._adam(weights, grad, mean, square, rate, 1 / decisions)

    def _play(self, thread: int, trace: float) -> None:
        self._learn_games(
            self._board, *self._blank, self.net, self._grads[thread], self._habits,
            self._workspaces[thread][0], self._scratches[thread], self._trajectories[thread],
            self._generators[thread], GAMES_PER_THREAD, RANDOM_MOVE_EVERY, trace,
        )  # fmt: skip

    def finish(self, path: Path) -> None:
        """Writes the network as the expert loads it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        # Features that never came up have learned nothing; zeros compress well.
        came_up = self._square.first.any(axis=1, keepdims=True)
        net = self.net._replace(first=np.where(came_up, self.net.first, 0))
        save(path, net, self.game.map_hash)
