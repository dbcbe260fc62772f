"""The value network: how many points a sheet will still make.

Bits (`features.py`) → a layer of `WIDTH` → one of `DEPTH` → a number; the last two layers are
apart for each round. The first one is kept as an accumulator and brought up to date by the bits
that differ, as chess engines do it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.games.kernel import BIT, NONE, ONE, kernel, lowest
from headway.bots.nextstation.features import FEATURE_WORDS
from headway.games.nextstation.layout import ROUNDS

WIDTH, DEPTH = 64, 32
FEATURES = 64 * FEATURE_WORDS
POINTS = np.float32(20.0)
"""Points in one unit of the network's output."""
ZERO = np.float32(0.0)

NETWORK = np.dtype(
    [
        ("first", "f4", (FEATURES, WIDTH)),
        ("first_bias", "f4", (WIDTH,)),
        ("second", "f4", (ROUNDS, WIDTH, DEPTH)),
        ("second_bias", "f4", (ROUNDS, DEPTH)),
        ("third", "f4", (ROUNDS, DEPTH)),
        ("third_bias", "f4", (ROUNDS,)),
    ],
    align=True,
)


@kernel
def refresh(first: Any, bias: Any, bits: Any, sums: Any) -> None:
    """The first layer of a position from nothing."""
    for k in range(WIDTH):
        sums[k] = bias[k]
    for word in range(FEATURE_WORDS):
        rest = bits[word]
        while rest != NONE:
            row = first[64 * word + lowest(rest)]
            rest &= rest - ONE
            for k in range(WIDTH):
                sums[k] += row[k]


@kernel
def update(first: Any, before: Any, sums: Any, bits: Any, out: Any) -> None:
    """The first layer of a position from that of another: `sums` belongs to the bits `before`."""
    for k in range(WIDTH):
        out[k] = sums[k]
    for word in range(FEATURE_WORDS):
        rest = bits[word] & ~before[word]
        while rest != NONE:
            row = first[64 * word + lowest(rest)]
            rest &= rest - ONE
            for k in range(WIDTH):
                out[k] += row[k]
        rest = before[word] & ~bits[word]
        while rest != NONE:
            row = first[64 * word + lowest(rest)]
            rest &= rest - ONE
            for k in range(WIDTH):
                out[k] -= row[k]


@kernel
def output(second: Any, second_bias: Any, third: Any, third_bias: Any, r: int, sums: Any, hidden: Any) -> float:
    """The points still to come, from the first layer's sums; `hidden` is room for the second."""
    weights = second[r]
    for j in range(DEPTH):
        hidden[j] = second_bias[r, j]
    for k in range(WIDTH):
        x = sums[k]
        if x > ZERO:
            row = weights[k]
            for j in range(DEPTH):
                hidden[j] += x * row[j]
    value = third_bias[r]
    for j in range(DEPTH):
        if hidden[j] > ZERO:
            value += hidden[j] * third[r, j]
    return value * POINTS


def fresh(seed: int) -> np.ndarray:
    """An untrained network."""
    generator = np.random.default_rng(seed)
    net = np.zeros(1, NETWORK)
    net["first"][0] = generator.normal(0, 0.08, (FEATURES, WIDTH))
    net["first_bias"][0] = 0.1
    net["second"][0] = generator.normal(0, (2 / WIDTH) ** 0.5, (ROUNDS, WIDTH, DEPTH))
    net["third"][0] = generator.normal(0, (1 / DEPTH) ** 0.5, (ROUNDS, DEPTH)) * 0.5
    net["third_bias"][0] = 1.0
    return net
