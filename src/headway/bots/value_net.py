"""Value networks: their layers, how they learn, their files, and their training on several threads.

The features that a position has add up in a wide first layer. A second layer of few neurons and the
outputs follow. Each game says what its features and outputs are, and how it adds them up.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headway import settings
from headway.errors import InputError
from headway.files import write_whole
from headway.games.kernel import compiled, kernel

ZERO, FULL = np.float32(0.0), np.float32(1.0)
LEAK = np.float32(0.1)
"""The slope of the second layer for negative inputs; with 0 most of its neurons die early."""


class Network(NamedTuple):
    """The weights by layer, in single precision."""

    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    third: Any
    third_bias: Any


class Head(NamedTuple):
    """The layers after the first one; a network may have several of them."""

    second: Any
    second_bias: Any
    third: Any
    third_bias: Any


# Values


@kernel
def think(head: Head, sums: Any, hidden: Any, depth: int) -> None:
    """Computes the second layer, of `depth` neurons, from the sums of the first one."""
    for j in range(depth):
        hidden[j] = head.second_bias[j]
    for k in range(head.second.shape[0]):
        x = sums[k]
        if x > ZERO:
            for j in range(depth):
                hidden[j] += x * head.second[k, j]


@kernel
def output_of(head: Head, place: int, hidden: Any, depth: int) -> Any:
    """Returns an output from the second layer."""
    value = head.third_bias[place]
    for j in range(depth):
        value += max(hidden[j], LEAK * hidden[j]) * head.third[place, j]
    return value


# Learning


@kernel
def learn_back(head: Head, grad: Head, memory: Any, depth: int) -> None:
    """Adds the gradient of the layers after the first one; writes that of the sums to `back`.

    `memory` has `slopes`, those of the error by output, and the layers `sums` and `hidden`; it
    loses `hidden`.
    """
    sums, hidden, back, slopes = memory["sums"], memory["hidden"], memory["back"], memory["slopes"]
    outputs = head.third_bias.shape[0]
    for place in range(outputs):
        grad.third_bias[place] += slopes[place]
    for j in range(depth):
        through = FULL if hidden[j] > ZERO else LEAK
        slope = ZERO
        for place in range(outputs):
            grad.third[place, j] += slopes[place] * through * hidden[j]
            slope += slopes[place] * through * head.third[place, j]
        hidden[j] = slope
        grad.second_bias[j] += slope
    for k in range(head.second.shape[0]):
        back[k] = ZERO
        x = sums[k]
        if x > ZERO:
            total = ZERO
            for j in range(depth):
                grad.second[k, j] += x * hidden[j]
                total += head.second[k, j] * hidden[j]
            back[k] = total


@kernel
def add_back(row: Any, back: Any) -> None:
    """Adds the gradient of the sums to that of the bias, or of a feature that is present."""
    for k in range(row.shape[0]):
        row[k] += back[k]


@kernel
def adam(weights: Any, grad: Any, mean: Any, square: Any, rate: float, scale: float) -> None:
    """Takes an Adam step over flat layers, the gradient times `scale`; clears the gradient."""
    keep_mean, keep_square = np.float32(0.9), np.float32(0.999)
    new_mean, new_square = np.float32(0.1), np.float32(0.001)
    step, factor, tiny = np.float32(rate), np.float32(scale), np.float32(1e-8)
    for i in range(weights.shape[0]):
        g = grad[i] * factor
        grad[i] = ZERO
        mean[i] = keep_mean * mean[i] + new_mean * g
        square[i] = keep_square * square[i] + new_square * g * g
        weights[i] -= step * mean[i] / (np.sqrt(square[i]) + tiny)


def zeros(shapes: Network) -> Network:
    """Returns a network of zeros, as used for gradients."""
    return Network(*(np.zeros(shape, np.float32) for shape in shapes))


def untrained(shapes: Network, seed: int) -> Network:
    """Returns a network with random weights, whose outputs have no bias."""
    generator, net = np.random.default_rng(seed), zeros(shapes)
    *_, width, depth = net.second.shape
    net.first[:] = generator.normal(0, 0.08, net.first.shape)
    net.first_bias[:] = 0.1
    net.second[:] = generator.normal(0, (2 / width) ** 0.5, net.second.shape)
    net.third[:] = generator.normal(0, 0.5 * (1 / depth) ** 0.5, net.third.shape)
    return net


# Files


class Trained(NamedTuple):
    """A network that was trained for a map."""

    network: Network
    map_hash: str
    error: float
    """The root mean square error of its value, in points; 0 if the file does not tell."""


def save(path: Path, net: Network, map_hash: str, error: float | None = None) -> None:
    """Writes a network to a file, in half precision."""
    buffer = BytesIO()
    parts: dict[str, Any] = {k: layer.astype(np.float16) for k, layer in net._asdict().items()}
    if error is not None:
        parts["error"] = np.array(error)
    np.savez_compressed(buffer, map_hash=np.array(map_hash), **parts)
    write_whole(path, buffer.getvalue())


def load(path: Path, shapes: Callable[[int], Network]) -> Trained:
    """Reads a network from a file; `shapes` returns those of its layers from its width."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            net = Network(*(np.ascontiguousarray(data[k], np.float32) for k in Network._fields))
            map_hash, error = str(data["map_hash"]), float(data.get("error", 0.0))
    except (OSError, ValueError, KeyError, EOFError) as problem:
        raise InputError("format.network", file=path, reason=str(problem)) from problem
    if [layer.shape for layer in net] != list(shapes(net.first_bias.size)):
        raise InputError("format.network_shape", file=path)
    return Trained(net, map_hash, error)


@cache
def network_for(
    package: str, file_name: str, map_hash: str, shapes: Callable[[int], Network]
) -> Trained | None:
    """Returns a stored network; the user's (`headway train`) before that of a game's bots.

    Returns None if there is none, or only for another version of the map.
    """
    for folder in (settings.data_dir() / "networks", Path(str(files(package))) / "networks"):
        path = folder / file_name
        if path.exists():
            trained = load(path, shapes)
            if trained.map_hash == map_hash:
                return trained
    return None


# Training


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
        self._adam = compiled(sys.modules[__name__]).adam

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
