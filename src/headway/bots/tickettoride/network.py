"""The value network: a seat's share of the victory and its lead in points, from its features."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from headway.bots.tickettoride.features import FEATURES
from headway.bots.value_net import Head, Network, network_for, output_of, think
from headway.games.kernel import kernel
from headway.games.tickettoride.game import TicketToRide

WIDTH, DEPTH, OUTPUTS = 64, 16, 2
POINTS_PER_UNIT = 20.0
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
def head_of(net: Network) -> Head:
    """Returns the last layers."""
    return Head(net.second, net.second_bias, net.third, net.third_bias)


@kernel
def output(net: Network, sums: Any, hidden: Any) -> tuple[float, float]:
    """Returns the share of the victory and the lead in points; `hidden` is scratch memory."""
    head = head_of(net)
    think(head, sums, hidden, DEPTH)
    share, lead = output_of(head, 0, hidden, DEPTH), output_of(head, 1, hidden, DEPTH)
    return 1.0 / (1.0 + np.exp(-float(share))), float(lead) * POINTS_PER_UNIT


def shapes(_: int) -> Network:
    """Returns the shape of each layer; all networks have the same width."""
    return SHAPES


def file_name(map_name: str, seats: int) -> str:
    """Returns the file name of a board's network; there is one for each number of seats."""
    return f"{Path(map_name).stem}-{seats}-seats.npz"


def network_of(game: TicketToRide) -> Network | None:
    """Returns the network for a board and number of seats, if there is one."""
    name = file_name(game.map, game.seats)
    trained = network_for(__package__, name, game.map_hash, shapes)
    return trained.network if trained else None
