"""`headway train`: trains a value network for a city from nothing, by self-play.

First the network learns from fast games, then it studies slower ones (`self_play.py`). The state of
the training is written to a file repeatedly, so that an interrupted training can continue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from headway.bots import adam
from headway.bots.nextstation import rollouts, tree
from headway.bots.nextstation.network.network import WIDTH, save, untrained, zeros
from headway.bots.nextstation.training import self_play
from headway.errors import InputError
from headway.games.kernel import compiled
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import city_record, new_sheets
from headway.games.xorshift import seeded

LEARN_BATCH, STUDY_BATCH = 8, 4
"""Games per thread between two gradient steps."""
LEARN_RATE, STUDY_RATE = 1e-3, 3e-4
WARM_UP_SHARE = 0.02
"""The part of a training in which the learning rate rises; a high rate at the start kills neurons.
"""
RANDOM_MOVE_EVERY = 50
STUDY_MARGIN_POINTS = 5.0
TRACE = 0.9, 0.4
"""The weight of later turns, at the start and at the end of learning."""
STUDY_TRACE = 0.8
PLAIN = [(0, 0, 0)]
MODULES = [c for c in product((0, 1), repeat=3) if any(c) and not (c[1] and c[2])]
"""All combinations of objectives, powers and special stations that may be chosen (PW-07)."""


class Progress(NamedTuple):
    """The games played so far, and the mean score and error of the latest ones."""

    games: int
    mean: float
    error: float


class TrainingPlan(NamedTuple):
    """The games to learn from and to study, with modules or not, and technical settings."""

    learn: int
    study: int
    modules: bool
    seed: int
    threads: int
    width: int = WIDTH


class Training:
    """A training that can be stopped and continued."""

    def __init__(self, game: NextStation, plan: TrainingPlan) -> None:
        self.game, self.plan = game, plan
        self.net = untrained(plan.seed, plan.width)
        self.mean, self.square = zeros(plan.width), zeros(plan.width)
        self.games = 0
        self._city, self._blank = city_record(game.city), new_sheets(game.city, 1)
        self._choices = np.array(MODULES if plan.modules else PLAIN, np.int64)
        count = range(plan.threads)
        self._grads = [zeros(plan.width) for _ in count]
        self._workspaces = [rollouts.new_workspace() for _ in count]
        self._trajectories = [self_play.new_trajectory() for _ in count]
        self._trees = [tree.new_tree(2000) for _ in count]
        self._kernels = compiled(self_play, adam)

    def run(self, every: float, clock: Callable[[], float]) -> Iterator[Progress]:
        """Trains until the plan is done; yields its progress every `every` seconds of `clock`."""
        last = clock()
        with ThreadPoolExecutor(self.plan.threads) as pool:
            while self.games < self.plan.learn + self.plan.study:
                self.step(pool)
                if clock() - last >= every:
                    last = clock()
                    yield self.progress()
        yield self.progress()

    def progress(self) -> Progress:
        """Returns the progress since the last call."""
        tally = sum(trajectory.tally for trajectory in self._trajectories)
        for trajectory in self._trajectories:
            trajectory.tally[:] = 0
        games, sheets = max(tally[2], 1), max(tally[4], 1)
        return Progress(self.games, tally[0] / games, float(np.sqrt(tally[3] / sheets)))

    def step(self, pool: ThreadPoolExecutor) -> None:
        """Plays some games on each thread, then takes one gradient step."""
        before = sum(trajectory.tally[4] for trajectory in self._trajectories)
        learning = self.games < self.plan.learn
        list(pool.map(self._learn if learning else self._study, range(self.plan.threads)))
        batch = LEARN_BATCH if learning else STUDY_BATCH
        self.games += batch * self.plan.threads
        sheets = sum(trajectory.tally[4] for trajectory in self._trajectories) - before
        for grad in self._grads[1:]:
            for total, layer in zip(self._grads[0], grad, strict=True):
                total += layer
                layer[:] = 0
        layers = zip(self.net, self._grads[0], self.mean, self.square, strict=True)
        for layer_group in layers:
            self._kernels.adam(
                *(layer.reshape(-1) for layer in layer_group), self._rate(), 1 / sheets
            )

    def _part(self) -> float:
        """Returns the finished part of the current way of training, from 0 to 1."""
        if self.games < self.plan.learn:
            return self.games / self.plan.learn
        return min((self.games - self.plan.learn) / max(self.plan.study, 1), 1.0)

    def _rate(self) -> float:
        top = LEARN_RATE if self.games < self.plan.learn else STUDY_RATE
        slowly = min(self._part() / WARM_UP_SHARE, 1.0)
        return top * slowly * float(max((1 - self._part()) ** 1.5, 0.02))

    def _generator(self, thread: int) -> np.ndarray:
        """Returns new randomness for each step; a continued training gives the same network."""
        return seeded(f"train|{self.plan.seed}|{self.games}|{thread}")

    def _learn(self, i: int) -> None:
        trace = TRACE[0] + (TRACE[1] - TRACE[0]) * self._part()
        self._kernels.learn_games(
            self._city, self.net, self._grads[i], self._workspaces[i], self._trajectories[i],
            self._blank, self._choices, self._generator(i), LEARN_BATCH, RANDOM_MOVE_EVERY,
            trace,
        )  # fmt: skip

    def _study(self, i: int) -> None:
        self._kernels.study_games(
            self._city, self.net, self._grads[i], self._workspaces[i], self._trajectories[i],
            self._trees[i], self._blank, self._choices, self._generator(i), STUDY_BATCH,
            RANDOM_MOVE_EVERY, STUDY_MARGIN_POINTS, STUDY_TRACE,
        )  # fmt: skip

    # Files

    def store(self, path: Path) -> None:
        """Writes everything needed to continue."""
        layers = {
            f"{part}_{name}": layer
            for part in ("net", "mean", "square")
            for name, layer in getattr(self, part)._asdict().items()
        }
        scratch = path.with_suffix(".part")
        try:
            with scratch.open("wb") as file:
                np.savez(file, games=self.games, plan=self._label(), **layers)
            scratch.replace(path)
        except OSError as error:
            raise InputError("format.not_writable", file=path, reason=error.strerror) from error

    def take_up(self, path: Path) -> None:
        """Continues from what `store` wrote; refuses the state of another plan."""
        try:
            with np.load(path, allow_pickle=False) as data:
                if str(data["plan"]) != self._label():
                    raise InputError("train.another", file=path)
                for part in ("net", "mean", "square"):
                    for name, layer in getattr(self, part)._asdict().items():
                        layer[...] = data[f"{part}_{name}"]
                self.games = int(data["games"])
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise InputError("format.network", file=path, reason=str(error)) from error

    def _label(self) -> str:
        return f"{self.game.map_hash} {self.plan}"

    def finish(self, path: Path, error: float) -> None:
        """Writes the network as bots load it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        # Bits that never came up have learned nothing; zeros compress well. The training keeps
        # their weights, because it may continue and meet these bits.
        came_up = self.square.first.any(axis=1, keepdims=True)
        net = self.net._replace(first=np.where(came_up, self.net.first, 0))
        save(path, net, map_hash=self.game.map_hash, error=error)
