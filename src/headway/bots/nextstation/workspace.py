"""A solo game in memory: the moves that are worth considering, and their values."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headway.bots.nextstation.network import (
    DEPTH,
    MOST_WIDTH,
    output,
    position_bits,
    refresh,
    update,
)
from headway.bots.value_net import Network
from headway.games.kernel import BIT, NONE, kernel
from headway.games.nextstation.observation import FEATURE_WORDS
from headway.games.nextstation.rules.arrays import (
    CIRCLE_AT,
    DECK,
    MOST_MOVES,
    ROUNDS,
    SCORE,
    SHARED,
    SHEET,
    TO_AT,
    WAY_AT,
    CityRecord,
    SharedRecord,
    SheetRecord,
)
from headway.games.nextstation.rules.building import legal_moves, play
from headway.games.nextstation.rules.engine import end_turn
from headway.games.nextstation.rules.scoring import score
from headway.games.simulation import apart

WAY_BITS = 3 << WAY_AT


class Workspace(NamedTuple):
    """A solo game and memory for playing it: `shared[0]` and `sheets[0]` are the position."""

    city: CityRecord
    net: Network
    trained: bool
    """Whether the network says what a sheet is worth; if not, its current score does."""
    shared: Any
    sheets: Any
    moves: Any
    score: Any
    cards: Any
    bits: Any
    sums: Any
    hidden: Any


def new_workspace(city: CityRecord, net: Network, trained: bool = True) -> Workspace:
    """Creates a workspace that shares no cache line with another thread's."""
    return Workspace(
        city=city,
        net=net,
        trained=trained,
        shared=apart(2, SHARED),
        sheets=apart(2, SHEET),
        moves=apart(MOST_MOVES, np.int64),
        score=apart(1, SCORE),
        cards=apart((ROUNDS + 1) * DECK, np.int64),
        bits=np.zeros((2, FEATURE_WORDS), np.uint64),
        sums=np.zeros((2, MOST_WIDTH), np.float32),
        hidden=apart(DEPTH, np.float32),
    )


# Values


@kernel
def glance(workspace: Workspace) -> tuple[int, int, float]:
    """Returns the number of candidate moves, the index of the best one, and its value.

    The candidates are in `moves`. Among equals the first one is best.
    """
    n, best, most = candidates(workspace), 0, -1.0e9
    for i in range(n):
        value = value_after(workspace, int(workspace.moves[i]), i == 0)
        if value > most:
            best, most = i, value
    return n, best, most


@kernel
def value_after(workspace: Workspace, move: int, first: bool) -> float:
    """Returns the value of the workspace's sheet after a move, `sheets[1]` with `shared[1]`.

    The `first` move of a turn computes the network's first layer in full; later moves update it.
    """
    city, net = workspace.city, workspace.net
    shared, sheets = workspace.shared, workspace.sheets
    sheets[1] = sheets[0]
    shared[1] = shared[0]
    play(city, shared[0], sheets[1], move)
    if not workspace.trained:
        return float(score(city, shared[0], sheets[1], workspace.score[0]))
    end_turn(shared[1], sheets[1:2])
    value = float(
        position_bits(city, shared[1], sheets[1], 0, workspace.score[0], workspace.bits[1])
    )
    r = int(shared[1]["round"])
    if r >= ROUNDS:
        return value
    if first:
        refresh(net, workspace.bits[1], workspace.sums[0])
        for word in range(workspace.bits.shape[1]):
            workspace.bits[0, word] = workspace.bits[1, word]
        return value + output(net, r, workspace.sums[0], workspace.hidden)
    update(net, workspace.bits[0], workspace.sums[0], workspace.bits[1], workspace.sums[1])
    return value + output(net, r, workspace.sums[1], workspace.hidden)


# Candidate moves


@kernel
def candidates(workspace: Workspace) -> int:
    """Writes the legal moves that are worth considering into `moves`; returns their number.

    Two kinds are left out. A power or effect used for a section that the card allows anyway: the
    same move without it is legal. A circle of the power `double` at a station whose district also
    has a station with a lower number on the line, or as the section's target: that one scores the
    same.
    """
    shared, moves = workspace.shared[0], workspace.moves
    n = legal_moves(workspace.city, shared, workspace.sheets, 0, moves)
    if shared["use_powers"] == 0 and shared["use_special"] == 0:
        return n
    kept = 0
    for i in range(n):
        move = int(moves[i])
        if not _beaten(workspace, n, move):
            moves[kept] = move
            kept += 1
    return kept


@kernel
def _beaten(workspace: Workspace, n: int, move: int) -> bool:
    """Whether the first `n` of `moves` or the line have something that scores the same."""
    if move >> WAY_AT != 0:
        bare = move & ~WAY_BITS
        for j in range(n):
            if int(workspace.moves[j]) == bare:
                return True
    shared, circle = workspace.shared[0], (move >> CIRCLE_AT) & 127
    if shared["use_powers"] != 0 and circle != 0:
        return _circled_before(workspace.city, shared, workspace.sheets[0], move, circle - 1)
    return False


@kernel
def _circled_before(
    city: CityRecord, shared: SharedRecord, sheet: SheetRecord, move: int, station: int
) -> bool:
    """Whether the line has a lower-numbered station in the same district; it scores the same."""
    stations = sheet["lines"][shared["round"]]
    to = (move >> TO_AT) & 127
    district = city["district"][city["district_of"][station]]
    lower = BIT[station] - BIT[0]
    if stations & district & lower != NONE:
        return True
    return to != 0 and to - 1 < station and BIT[to - 1] & district != NONE
