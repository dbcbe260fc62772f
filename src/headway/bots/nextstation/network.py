"""The value network of a city: estimates the points that a sheet will still make.

The bits of a sheet (`observation.py` of the game) go through a wide layer, a layer of `DEPTH`
neurons and an output; each round has its own last two layers. The first layer is an accumulator
that is updated by the bits that changed, as in chess engines (NNUE).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from headway.bots import value_net
from headway.bots.value_net import Head, Network, Trained, network_for, output_of, think
from headway.games.kernel import NONE, ONE, kernel, lowest
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.observation import (
    FEATURE_WORDS,
    board_bits,
    lines_to_come,
    look_ahead,
)
from headway.games.nextstation.rules.arrays import (
    ROUNDS,
    CityRecord,
    ScoreRecord,
    SharedRecord,
    SheetRecord,
)
from headway.games.nextstation.rules.scoring import score

WIDTH, MOST_WIDTH = 128, 512
"""The default width of the first layer, and the largest allowed."""
DEPTH = 32
FEATURES = 64 * FEATURE_WORDS
POINTS_PER_UNIT = np.float32(20.0)
"""Points per unit of the network's output."""
UNTRAINED_OUTPUT = (6.5, 5.0, 3.3, 1.7)
"""The output of an untrained network at the start of each round: what beginners still make."""


def shapes(width: int) -> Network:
    """Returns the shape of each layer; wider networks than `MOST_WIDTH` do not fit."""
    width = min(width, MOST_WIDTH)
    return Network(
        (FEATURES, width),
        (width,),
        (ROUNDS, width, DEPTH),
        (ROUNDS, DEPTH),
        (ROUNDS, DEPTH),
        (ROUNDS,),
    )


@kernel
def position_bits(
    city: CityRecord,
    shared: SharedRecord,
    sheet: SheetRecord,
    seat: int,
    score_record: ScoreRecord,
    bits: Any,
) -> int:
    """Writes the bits of a seat's sheet before the next card; returns its current score.

    `shared` is between two turns or before the first turn of a round (after `turns.end_turn`).
    """
    total = score(city, shared, sheet, score_record)
    for word in range(FEATURE_WORDS):
        bits[word] = NONE
    if int(shared["round"]) >= ROUNDS:
        return total
    way, others = board_bits(city, shared, sheet, seat, score_record, bits)
    look_ahead(city, shared, sheet, way, others, score_record, bits)
    lines_to_come(city, shared, sheet, seat, bits)
    return total


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
def head_of(net: Network, r: int) -> Head:
    """Returns the last layers of a round."""
    return Head(net.second[r], net.second_bias[r], net.third[r : r + 1], net.third_bias[r : r + 1])


@kernel
def output(net: Network, r: int, sums: Any, hidden: Any) -> float:
    """Returns the points still to come, from the first layer's sums; `hidden` is scratch memory."""
    head = head_of(net, r)
    think(head, sums, hidden, DEPTH)
    return float(output_of(head, 0, hidden, DEPTH) * POINTS_PER_UNIT)


def untrained(seed: int, width: int = WIDTH) -> Network:
    """Returns a network with random weights."""
    net = value_net.untrained(shapes(width), seed)
    net.third_bias[:] = UNTRAINED_OUTPUT
    return net


def network_of(game: NextStation) -> Trained | None:
    """Returns the network for a game's city, if there is one."""
    kind = "modules" if any(game.options.values()) else "plain"
    return network_for(__package__, file_name(game.map, kind), game.map_hash, shapes)


def file_name(map_name: str, kind: str) -> str:
    """Returns the file name of a city's network; there is one with modules and one without."""
    return f"{Path(map_name).stem}-{kind}.npz"
