"""Results with all cards known: upper bounds for any player, and the best of a deal for reviews.

`best_known` searches for the best result of a deal whose cards are all known, with a beam of the
sheets of highest value. A wider beam comes closer to the true maximum. Its results are drawn by
legal moves.

`best_fair` is a closer bound: it deducts luck. The luck of a card is the value of the sheet once
the card is known, minus the mean of this value over all cards that might have come. For a player
who cannot see the cards, expected luck is zero whatever the evaluator's errors. So no player's mean
exceeds the mean of the best results minus luck. (J. Brown, J. Smith, P. Sun: Information
relaxations and duality, 2010.)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from headway.bots.nextstation.analysis import EXPLORATION
from headway.bots.nextstation.candidates import candidates
from headway.bots.nextstation.evaluator import Evaluator, Workspace, value_after
from headway.bots.nextstation.tree import Tree, clear, node_key, search
from headway.games.contract import Move
from headway.games.kernel import Mask, compiled, kernel
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules import engine
from headway.games.nextstation.rules.arrays import (
    DECK,
    OVER,
    ROUNDS,
    SHEET,
    new_sheets,
)
from headway.games.nextstation.rules.building import legal_moves, play
from headway.games.nextstation.rules.engine import end_turn
from headway.games.xorshift import seeded


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
    luck: Any
    """By sheet: the luck of all its cards, and of this turn's card."""
    next_luck: Any


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
        luck=np.zeros((width, 2)),
        next_luck=np.zeros(width),
    )


@kernel
def follow(workspace: Workspace, beam: Beam, n: int) -> int:
    """Lists the possible successors of the first n sheets of the beam; returns their number."""
    city, n_next, most = workspace.city, 0, beam.values.shape[0]
    for i in range(n):
        workspace.sheets[0] = beam.sheets[i]
        count = legal_moves(city, workspace.shared[0], workspace.sheets, 0, workspace.moves)
        count = candidates(city, workspace.shared[0], workspace.sheets[0], workspace.moves, count)
        for k in range(count):
            if n_next < most:
                move = int(workspace.moves[k])
                beam.parents[n_next], beam.moves[n_next] = i, move
                beam.values[n_next] = value_after(workspace, move, k == 0)
                n_next += 1
    return n_next


@kernel
def follow_fairly(workspace: Workspace, tree: Tree, beam: Beam, n: int, simulations: int) -> int:
    """Lists successors like `follow`, with searched values and without the luck of the card."""
    n_next, most, shared = 0, beam.values.shape[0], workspace.shared[0]
    for i in range(n):
        card, switched = int(shared["card_id"]), int(shared["switched"])
        clear(tree)
        at, _ = search(
            tree, beam.sheets[i], workspace.shared[1], card, switched, False, simulations,
            EXPLORATION,
        )  # fmt: skip
        outcome, luck = tree.outcomes[at], beam.luck[i]
        luck[1] = outcome["value"] - tree.nodes[0]["value"]
        for e in range(int(outcome["first"]), int(outcome["first"]) + int(outcome["edges"])):
            if n_next < most:
                beam.parents[n_next], beam.moves[n_next] = i, tree.edges[e]["move"]
                beam.values[n_next] = tree.edges[e]["value"] - luck[0] - luck[1]
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
        i, parent = order[place], beam.parents[order[place]]
        beam.next[kept] = beam.sheets[parent]
        play(workspace.city, shared, beam.next[kept], int(beam.moves[i]))
        key = node_key(beam.next[kept], shared["shown"], int(shared["round"]))
        if not _known(beam.keys, kept, key):
            beam.keys[kept] = key
            beam.kept[kept] = i
            beam.next_luck[kept] = beam.luck[parent, 0] + beam.luck[parent, 1]
            kept += 1
    for i in range(kept):
        beam.sheets[i], beam.luck[i, 0] = beam.next[i], beam.next_luck[i]
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


def numbered_deal(game: NextStation, number: int) -> KnownDeal:
    """Returns the deal with this number, from the start of a game."""
    kernels, generator = _native(), seeded(f"hindsight|{game.map}|{number}")
    shared = np.zeros(1, game.start().shared.dtype)
    shared[0] = game.start().shared
    scratch = np.zeros(16, np.int64)
    kernels.deal_setup(Evaluator(game).city, shared[0], generator, scratch)
    decks = np.zeros((ROUNDS, DECK), np.int64)
    for deck in decks:
        kernels.shuffled(deck, DECK, generator)
    return KnownDeal(shared, new_sheets(game.city, 1), decks)


class BestLine(NamedTuple):
    """The best total that was found, and the moves that lead to it, one for each turn."""

    total: float
    moves: list[Move]


def best_line(game: NextStation, known_deal: KnownDeal, width: int) -> BestLine:
    """Returns the best line that a beam of this width finds; width 1 does not look ahead."""
    return _best(Evaluator(game), known_deal, width, _native().follow)


def best_known(game: NextStation, known_deal: KnownDeal, width: int) -> int:
    """Returns the total of the best line."""
    return round(best_line(game, known_deal, width).total)


def best_fair(game: NextStation, known_deal: KnownDeal, width: int, simulations: int) -> float:
    """Returns the best total minus luck, as a search with this many simulations measures luck."""
    evaluator = Evaluator(game)
    tree = evaluator.new_tree(2 * simulations + 64)

    def follow(workspace: Workspace, beam: Beam, n: int) -> int:
        return int(_native().follow_fairly(workspace, tree, beam, n, simulations))

    return _best(evaluator, known_deal, width, follow).total


def _best(
    evaluator: Evaluator,
    known_deal: KnownDeal,
    width: int,
    follow: Callable[[Workspace, Beam, int], int],
) -> BestLine:
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
