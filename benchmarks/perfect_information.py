"""Measures the value of future cards: the best results with all cards known, and without luck.

Both are upper bounds for any player. The closer one deducts luck. The luck of a card is the value
of the sheet once the card is known, minus the mean of this value over all cards that might have
come. For a player who cannot see the cards, expected luck is zero whatever the evaluator's errors.
So no player's mean exceeds the mean of the best results minus luck. (J. Brown, J. Smith, P. Sun:
Information relaxations and duality, 2010.)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from benchmarks.figure import Figure, Measure
from headway.bots.nextstation.evaluator import Evaluator, Workspace
from headway.bots.nextstation.perfect_information import Beam, KnownDeal, best_followed, best_line
from headway.bots.nextstation.tree import Tree, clear, new_tree, search
from headway.games import box
from headway.games.kernel import compiled, kernel
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules import engine
from headway.games.nextstation.rules.arrays import DECK, ROUNDS, new_sheets
from headway.games.simulation import seeded


def measures(quick: bool) -> list[Measure]:
    """Returns measurements that take minutes."""
    deals = 10 if quick else 200
    steps: list[Measure] = []
    for city in ("london", "tokyo"):
        steps += [partial(_known, city, deals, width) for width in (1, 100, 1000)]
        steps += [partial(_fair, city, deals // 5, width) for width in (1, 10, 100)]
    return steps


def _known(city: str, deals: int, width: int) -> Iterator[Figure]:
    """Yields the best results with all cards of a deal known; a beam of one does not look ahead."""
    game = _city(city)
    totals = _each(deals, lambda number: best_known(game, numbered_deal(game, number), width))
    yield from _spread(f"next-station {city}, {deals} deals, all cards known, beam {width}", totals)


def _fair(city: str, deals: int, width: int, simulations: int = 60) -> Iterator[Figure]:
    """Yields the same without luck: a beam of one is a player, a wide one an upper bound."""
    game = _city(city)
    totals = _each(
        deals, lambda number: best_fair(game, numbered_deal(game, number), width, simulations)
    )
    name = f"next-station {city}, {deals} deals, without luck, {simulations} simulations"
    yield from _spread(f"{name}, beam {width}", totals)


def numbered_deal(game: NextStation, number: int) -> KnownDeal:
    """Returns the deal with this number, from the start of a game."""
    kernels: Any = compiled(engine)
    generator = seeded(f"hindsight|{game.map}|{number}")
    shared = np.zeros(1, game.start().shared.dtype)
    shared[0] = game.start().shared
    scratch = np.zeros(16, np.int64)
    kernels.deal_setup(Evaluator(game).city, shared[0], generator, scratch)
    decks = np.zeros((ROUNDS, DECK), np.int64)
    for deck in decks:
        kernels.shuffled(deck, DECK, generator)
    return KnownDeal(shared, new_sheets(game.city, 1), decks)


def best_known(game: NextStation, known_deal: KnownDeal, width: int) -> int:
    """Returns the best total with all cards known; a beam of one does not look ahead."""
    return round(best_line(game, known_deal, width).total)


@kernel
def follow_fairly(
    workspace: Workspace, tree: Tree, beam: Beam, lucks: Any, n: int, simulations: int
) -> int:
    """Lists successors with searched values, without the luck of the cards; returns their number.

    `lucks` has for each sheet the luck of the cards before, and gets that of this turn's card.
    """
    n_next, most, shared = 0, beam.values.shape[0], workspace.shared[0]
    for i in range(n):
        card, switched = int(shared["card_id"]), int(shared["switched"])
        clear(tree)
        _, at, _ = search(
            tree, beam.sheets[i], workspace.shared[1], card, switched, False, simulations
        )
        outcome, luck = tree.outcomes[at], lucks[i]
        luck[1] = outcome["value"] - tree.nodes[0]["value"]
        for e in range(int(outcome["first"]), int(outcome["first"]) + int(outcome["edges"])):
            if n_next < most:
                beam.parents[n_next], beam.moves[n_next] = i, tree.edges[e]["move"]
                beam.values[n_next] = tree.edges[e]["value"] - luck[0] - luck[1]
                n_next += 1
    return n_next


def best_fair(game: NextStation, known_deal: KnownDeal, width: int, simulations: int) -> float:
    """Returns the best total minus luck, as a search with this many simulations measures luck."""
    evaluator, kernels = Evaluator(game), compiled(sys.modules[__name__])
    tree = new_tree(evaluator.new_workspace(), 2 * simulations + 64)
    lucks = np.zeros((width, 2))

    def follow(workspace: Workspace, beam: Beam, n: int) -> int:
        lucks[:n, 0] = lucks[beam.parents[beam.kept[:n]]].sum(axis=1)
        return int(kernels.follow_fairly(workspace, tree, beam, lucks, n, simulations))

    return best_followed(evaluator, known_deal, width, follow).total


def _city(name: str) -> NextStation:
    game = box("next-station").open(name)
    assert isinstance(game, NextStation)
    return game


def _each(deals: int, best: Callable[[int], float]) -> list[float]:
    """Returns the best of each deal, computed on all cores."""
    best(0)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(best, range(deals)))


def _spread(name: str, totals: list[float]) -> Iterator[Figure]:
    yield Figure(f"{name}: mean", float(np.mean(totals)), "points", "")
    error = float(np.std(totals, ddof=1) / len(totals) ** 0.5)
    yield Figure(f"{name}: standard error", error, "points", "")
