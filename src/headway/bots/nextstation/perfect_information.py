"""The best result of a deal whose cards are all known.

A beam keeps the sheets of highest value after each turn. A wider beam comes closer to the true
maximum. Its results are drawn by legal moves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from headway.bots.nextstation.evaluator import Evaluator, Workspace, candidates, value_after
from headway.bots.nextstation.tree import node_key
from headway.games.contract import Move
from headway.games.kernel import Mask, compiled, kernel
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules import engine
from headway.games.nextstation.rules.arrays import OVER, SHEET
from headway.games.nextstation.rules.building import play
from headway.games.nextstation.rules.engine import end_turn


class Beam(NamedTuple):
    """The sheets of a turn, and their possible successors."""

    sheets: Any
    next: Any
    parents: Any
    moves: Any
    values: Any
    keys: Any
    kept: Any
    """By sheet: which successor of the turn before it is."""


def new_beam(width: int) -> Beam:
    """Creates a beam of this width."""
    most = width * 64
    return Beam(
        sheets=np.zeros(width, SHEET),
        next=np.zeros(width, SHEET),
        parents=np.zeros(most, np.int64),
        moves=np.zeros(most, np.int64),
        values=np.zeros(most),
        keys=np.zeros(width, np.uint64),
        kept=np.zeros(width, np.int64),
    )


@kernel
def follow(workspace: Workspace, beam: Beam, n: int) -> int:
    """Lists the possible successors of the first n sheets of the beam; returns their number."""
    n_next, most = 0, beam.values.shape[0]
    for i in range(n):
        workspace.sheets[0] = beam.sheets[i]
        for k in range(candidates(workspace)):
            if n_next < most:
                move = int(workspace.moves[k])
                beam.parents[n_next], beam.moves[n_next] = i, move
                beam.values[n_next] = value_after(workspace, move, k == 0)
                n_next += 1
    return n_next


@kernel
def narrow(workspace: Workspace, beam: Beam, order: Any) -> int:
    """Makes the best successors the new beam, each sheet once; returns their number.

    It also ends the turn: `shared[1]` is the shared record after it.
    """
    kept, width, shared = 0, beam.sheets.shape[0], workspace.shared[0]
    for place in range(order.shape[0]):
        if kept == width:
            break
        i = order[place]
        beam.next[kept] = beam.sheets[beam.parents[i]]
        play(workspace.city, shared, beam.next[kept], int(beam.moves[i]))
        key = node_key(beam.next[kept], shared["shown"], int(shared["round"]))
        if not _known(beam.keys, kept, key):
            beam.keys[kept] = key
            beam.kept[kept] = i
            kept += 1
    for i in range(kept):
        beam.sheets[i] = beam.next[i]
        workspace.shared[1] = shared
        end_turn(workspace.shared[1], beam.sheets[i : i + 1])
    return kept


@kernel
def _known(keys: Any, n: int, key: Mask) -> bool:
    is_known = False
    for i in range(n):
        is_known = is_known or keys[i] == key
    return is_known


class KnownDeal(NamedTuple):
    """A position between two turns with known future cards: shared record, sheet, and decks."""

    shared: np.ndarray
    sheet: np.ndarray
    decks: np.ndarray


class BestLine(NamedTuple):
    """The best total that was found, and the moves that lead to it, one for each turn."""

    total: float
    moves: list[Move]


def best_line(game: NextStation, known_deal: KnownDeal, width: int) -> BestLine:
    """Returns the best line that a beam of this width finds; width 1 does not look ahead."""
    return best_followed(Evaluator(game), known_deal, width, _native().follow)


def best_followed(
    evaluator: Evaluator,
    known_deal: KnownDeal,
    width: int,
    follow: Callable[[Workspace, Beam, int], int],
) -> BestLine:
    """Returns the best line; `follow` lists and values the successors of the beam's sheets."""
    kernels, workspace, beam = _native(), evaluator.new_workspace(), new_beam(width)
    turns: list[tuple[np.ndarray, np.ndarray]] = []
    shared, after = workspace.shared[0], workspace.shared[1]
    workspace.shared[1] = known_deal.shared[0]
    beam.sheets[0], n = known_deal.sheet[0], 1
    while True:
        workspace.shared[0] = after
        drawn = int(after["shown"]).bit_count()
        kernels.reveal_next(shared, known_deal.decks[int(shared["round"])], drawn)
        n_next = follow(workspace, beam, n)
        order = np.argsort(-beam.values[:n_next], kind="stable")
        n = int(kernels.narrow(workspace, beam, order))
        kept = beam.kept[:n]
        turns.append((beam.parents[kept], beam.moves[kept]))
        if after["phase"] == OVER:
            return BestLine(float(beam.values[order[0]]), _back_to_start(turns))


def _back_to_start(turns: list[tuple[np.ndarray, np.ndarray]]) -> list[Move]:
    """Returns the moves of the first sheet of the last turn; a turn has parents and moves."""
    at, moves = 0, []
    for parents, made in reversed(turns):
        moves.append(int(made[at]))
        at = int(parents[at])
    return moves[::-1]


def _native() -> Any:
    return compiled(sys.modules[__name__], engine)
