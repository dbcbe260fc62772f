"""The value network: estimates the points that a sheet will still make.

Feature bits (`position.py`) go through a wide layer, a layer of `DEPTH` neurons and an output; each
round has its own last two layers. The first layer is an accumulator that is updated by the bits
that changed, as in chess engines (NNUE).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headway import settings
from headway.errors import InputError
from headway.files import write_whole
from headway.games.kernel import NONE, ONE, kernel, lowest
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.observation.layout import FEATURE_WORDS
from headway.games.nextstation.rules.arrays import ROUNDS

WIDTH, MOST_WIDTH = 128, 512
"""The default width of the first layer, and the largest allowed."""
DEPTH = 32
FEATURES = 64 * FEATURE_WORDS
POINTS_PER_UNIT = np.float32(20.0)
"""Points per unit of the network's output."""
ZERO = np.float32(0.0)
LEAK = np.float32(0.1)
"""The slope of the second layer for negative inputs; with 0 most of its neurons die early."""
UNTRAINED_OUTPUT = (6.5, 5.0, 3.3, 1.7)
"""The output of an untrained network at the start of each round: what beginners still make."""


class Network(NamedTuple):
    """The weights by layer, in single precision."""

    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    third: Any
    third_bias: Any


def shapes(width: int) -> Network:
    """Returns the shape of each layer."""
    return Network(
        (FEATURES, width),
        (width,),
        (ROUNDS, width, DEPTH),
        (ROUNDS, DEPTH),
        (ROUNDS, DEPTH),
        (ROUNDS,),
    )


@kernel
def refresh(net: Network, bits: Any, sums: Any) -> None:
    """Computes the first layer of a position from its bits."""
    width = net.first_bias.shape[0]
    for k in range(width):
        sums[k] = net.first_bias[k]
    for word in range(FEATURE_WORDS):
        rest = bits[word]
        while rest != NONE:
            row = net.first[64 * word + lowest(rest)]
            rest &= rest - ONE
            for k in range(width):
                sums[k] += row[k]


@kernel
def update(net: Network, before: Any, sums: Any, bits: Any, out: Any) -> None:
    """Computes the first layer of a position from that of another; `sums` belongs to `before`."""
    width = net.first_bias.shape[0]
    for k in range(width):
        out[k] = sums[k]
    for word in range(FEATURE_WORDS):
        rest = bits[word] & ~before[word]
        while rest != NONE:
            row = net.first[64 * word + lowest(rest)]
            rest &= rest - ONE
            for k in range(width):
                out[k] += row[k]
        rest = before[word] & ~bits[word]
        while rest != NONE:
            row = net.first[64 * word + lowest(rest)]
            rest &= rest - ONE
            for k in range(width):
                out[k] -= row[k]


@kernel
def output(net: Network, r: int, sums: Any, hidden: Any) -> float:
    """Returns the points still to come, from the first layer's sums; `hidden` is scratch memory."""
    weights = net.second[r]
    for j in range(DEPTH):
        hidden[j] = net.second_bias[r, j]
    for k in range(net.first_bias.shape[0]):
        x = sums[k]
        if x > ZERO:
            for j in range(DEPTH):
                hidden[j] += x * weights[k, j]
    value = net.third_bias[r]
    for j in range(DEPTH):
        value += max(hidden[j], LEAK * hidden[j]) * net.third[r, j]
    return float(value * POINTS_PER_UNIT)


def zeros(width: int = WIDTH) -> Network:
    """Returns a network of zeros, as used for gradients."""
    return Network(*(np.zeros(shape, np.float32) for shape in shapes(width)))


def untrained(seed: int, width: int = WIDTH) -> Network:
    """Returns a network with random weights."""
    generator, net = np.random.default_rng(seed), zeros(width)
    net.first[:] = generator.normal(0, 0.08, net.first.shape)
    net.first_bias[:] = 0.1
    net.second[:] = generator.normal(0, (2 / width) ** 0.5, net.second.shape)
    net.third[:] = generator.normal(0, 0.5 * (1 / DEPTH) ** 0.5, net.third.shape)
    net.third_bias[:] = UNTRAINED_OUTPUT
    return net


class Trained(NamedTuple):
    """A network that was trained for a city."""

    network: Network
    error: float
    """The root mean square error of its value, in points."""


def save(path: Path, net: Network, *, map_hash: str, error: float) -> None:
    """Writes a network to a file, in half precision."""
    buffer = BytesIO()
    halves = {name: layer.astype(np.float16) for name, layer in net._asdict().items()}
    np.savez_compressed(buffer, map_hash=np.array(map_hash), error=np.array(error), **halves)
    write_whole(path, buffer.getvalue())


def load(path: Path) -> tuple[Trained, str]:
    """Reads a network from a file; also returns the hash of the map that it was trained for."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            layers = [np.ascontiguousarray(data[name], np.float32) for name in Network._fields]
            map_hash, error = str(data["map_hash"]), float(data["error"])
    except (OSError, ValueError, KeyError, EOFError) as problem:
        raise InputError("format.network", file=path, reason=str(problem)) from problem
    width = layers[1].size
    if width > MOST_WIDTH or [layer.shape for layer in layers] != list(shapes(width)):
        raise InputError("format.network_shape", file=path)
    return Trained(Network(*layers), error), map_hash


def network_of(game: NextStation) -> Trained | None:
    """Returns the network for a game's city; the user's (`headway train`) before the shipped one.

    Returns None if there is none, or only for another version of the map.
    """
    kind = "modules" if any(game.options.values()) else "plain"
    return _network_of(game.map, game.map_hash, kind)


def file_name(map_name: str, kind: str) -> str:
    """Returns the file name of a city's network; there is one with modules and one without."""
    return f"{Path(map_name).stem}-{kind}.npz"


@cache
def _network_of(map_name: str, map_hash: str, kind: str) -> Trained | None:
    shipped = Path(str(files("headway.bots.nextstation.network")))
    for folder in (settings.data_dir() / "networks", shipped):
        path = folder / file_name(map_name, kind)
        if path.exists():
            trained, trained_for = load(path)
            if trained_for == map_hash:
                return trained
    return None
