"""The value network: a seat's share of the victory and its lead in points, from its features."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headway.bots.tickettoride.network.features import FEATURES
from headway.games.kernel import kernel

WIDTH, DEPTH, OUTPUTS = 64, 16, 2
ZERO, FULL = np.float32(0.0), np.float32(1.0)
LEAK = np.float32(0.1)
POINTS_PER_UNIT = 20.0


class Network(NamedTuple):
    """The weights by layer, in single precision."""

    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    third: Any
    third_bias: Any


SHAPES = Network(
    (FEATURES, WIDTH), (WIDTH,), (WIDTH, DEPTH), (DEPTH,), (OUTPUTS, DEPTH), (OUTPUTS,)
)


@kernel
def add_rows(net: Network, active: Any, first: int, last: int, before: Any, sums: Any) -> None:
    """Computes the first layer from sums of other features and further active ones."""
    for k in range(WIDTH):
        sums[k] = before[k]
    i = first
    while i + 4 <= last:  # four at a time, because the sums are in memory
        a, b = net.first[int(active[i])], net.first[int(active[i + 1])]
        c, d = net.first[int(active[i + 2])], net.first[int(active[i + 3])]
        for k in range(WIDTH):
            sums[k] += (a[k] + b[k]) + (c[k] + d[k])
        i += 4
    while i < last:
        row = net.first[int(active[i])]
        for k in range(WIDTH):
            sums[k] += row[k]
        i += 1


@kernel
def output(net: Network, sums: Any, hidden: Any) -> tuple[float, float]:
    """Returns the share of the victory and the lead in points; `hidden` is scratch memory."""
    for j in range(DEPTH):
        hidden[j] = net.second_bias[j]
    for k in range(WIDTH):
        x = sums[k]
        if x > ZERO:
            for j in range(DEPTH):
                hidden[j] += x * net.second[k, j]
    share, lead = net.third_bias[0], net.third_bias[1]
    for j in range(DEPTH):
        x = max(hidden[j], LEAK * hidden[j])
        share += x * net.third[0, j]
        lead += x * net.third[1, j]
    return 1.0 / (1.0 + np.exp(-float(share))), float(lead) * POINTS_PER_UNIT


def zeros() -> Network:
    """Returns a network of zeros, as used for gradients."""
    return Network(*(np.zeros(shape, np.float32) for shape in SHAPES))


def untrained(seed: int) -> Network:
    """Returns a network with random weights."""
    generator, net = np.random.default_rng(seed), zeros()
    net.first[:] = generator.normal(0, 0.08, net.first.shape)
    net.first_bias[:] = 0.1
    net.second[:] = generator.normal(0, (2 / WIDTH) ** 0.5, net.second.shape)
    net.third[:] = generator.normal(0, 0.5 * (1 / DEPTH) ** 0.5, net.third.shape)
    return net
