"""Trains value networks by self-play, on several threads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from headway.bots import value_net
from headway.bots.value_net import Network, save
from headway.errors import InputError
from headway.games.kernel import compiled

PARTS = ("net", "mean", "square")
"""What a training consists of, beside the number of games."""


class Trainer(ABC):
    """A training that can be stopped and continued.

    Only one with the same plan for the same map can continue it.
    """

    _trajectories: Sequence[Any]
    """By thread; each has a `tally` of sums, the last of which counts positions."""

    def __init__(self, net: Network, plan: Any, map_hash: str) -> None:
        self.net, self.plan, self.map_hash, self.games = net, plan, map_hash, 0
        self.label = f"{map_hash} {plan}"
        self.mean, self.square, *self.grads = (
            Network(*map(np.zeros_like, net)) for _ in range(2 + plan.threads)
        )
        self._adam = compiled(value_net).adam

    @property
    @abstractmethod
    def rate(self) -> float:
        """The learning rate of the next gradient step."""

    @abstractmethod
    def play(self, thread: int) -> None:
        """Plays games on a thread and adds to its gradient and tally."""

    def step(self, pool: ThreadPoolExecutor, games: int) -> None:
        """Plays this many games on each thread, then takes one gradient step."""
        before = sum(trajectory["tally"][-1] for trajectory in self._trajectories)
        list(pool.map(self.play, range(self.plan.threads)))
        positions = sum(trajectory["tally"][-1] for trajectory in self._trajectories) - before
        self.games += games * self.plan.threads
        for grad in self.grads[1:]:
            for total, layer in zip(self.grads[0], grad, strict=True):
                total += layer
                layer[:] = 0
        for layers in zip(self.net, self.grads[0], self.mean, self.square, strict=True):
            weights, grad, mean, square = (layer.reshape(-1) for layer in layers)
            self._adam(weights, grad, mean, square, self.rate, 1 / max(positions, 1))

    def sums(self) -> Any:
        """Returns the sums of all threads since the last call."""
        total = sum(trajectory["tally"] for trajectory in self._trajectories)
        for trajectory in self._trajectories:
            trajectory["tally"][:] = 0
        return total

    def store(self, path: Path) -> None:
        """Writes everything needed to continue."""
        layers = {
            f"{part}_{name}": layer
            for part in PARTS
            for name, layer in getattr(self, part)._asdict().items()
        }
        scratch = path.with_suffix(".part")
        try:
            with scratch.open("wb") as file:
                np.savez(file, games=self.games, plan=self.label, **layers)
            scratch.replace(path)
        except OSError as error:
            raise InputError("format.not_writable", file=path, reason=error.strerror) from error

    def take_up(self, path: Path) -> None:
        """Continues from what `store` wrote; refuses the state of another training."""
        try:
            with np.load(path, allow_pickle=False) as data:
                if str(data["plan"]) != self.label:
                    raise InputError("train.another", file=path)
                for part in PARTS:
                    for name, layer in getattr(self, part)._asdict().items():
                        layer[...] = data[f"{part}_{name}"]
                self.games = int(data["games"])
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise InputError("format.network", file=path, reason=str(error)) from error

    def finish(self, path: Path, error: float | None = None) -> None:
        """Writes the network as bots load it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        # Features that never came up have learned nothing; zeros compress well. The training keeps
        # their weights, because it may continue and meet these features.
        came_up = self.square.first.any(axis=1, keepdims=True)
        net = self.net._replace(first=np.where(came_up, self.net.first, 0))
        save(path, net, self.map_hash, error)
