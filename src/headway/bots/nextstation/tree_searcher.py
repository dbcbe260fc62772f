"""The searching bot of Next Station: estimates the moves of a view within a budget."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from headway.bots.bot import Appraisal, Budget, Searcher
from headway.bots.nextstation import tree
from headway.bots.nextstation.evaluator import Evaluator, native
from headway.bots.nextstation.looks import EXPLORATION, Looker, looker, special_pairs_before
from headway.bots.nextstation.solo_game import SoloGame, solo_games
from headway.bots.nextstation.win_curve import SCALE, Curve, curve_against, probability
from headway.games.contract import Game, Move, Seat, View
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import UNDERGROUNDS
from headway.table import Table

TREE_NODES = 30_000
"""The size of a tree; with outcomes and edges it takes about 150 MB."""
ENDINGS_PER_SEAT = 128
"""The number of endings sampled per seat in the last round."""
LUCK_SIMULATIONS = 60
"""The number of simulations that measure the luck of a turn."""
SIMULATIONS_PER_CLOCK_CHECK = 16
"""The number of simulations between two looks at the clock."""


class TreeSearcher(Searcher):
    """Searches over the coming cards; in a last round with opponents it maximizes wins.

    With a network it searches a tree; for a city without one it plays games to their end.
    """

    games = ("next-station",)
    budget = Budget(seconds=1.0)
    compile_seconds = 20.0

    def __init__(self, game: Game, generator: random.Random, budget: Budget | None = None) -> None:
        super().__init__(game, generator, budget)
        assert isinstance(game, NextStation)
        self.city_game, self.evaluator = game, Evaluator(game)
        self._tree: tree.Tree | None = None
        self._looker: Looker | None = None
        self._deal_key = b""

    @classmethod
    def warm_up(cls) -> None:
        table = Table("london", seats=2, seed=1)
        bot = cls(table.game, random.Random(1))
        bot.appraise(table.view(0), table.state.legal(0), Budget(simulations=2))
        bot.rivals(solo_games(bot.city_game, table.view(0), bot.generator), 0)

    @property
    def tree_filled(self) -> list[float]:
        """The used shares of the tree's nodes, outcomes and edges."""
        assert self._tree
        arrays = (self._tree.nodes, self._tree.outcomes, self._tree.edges)
        return [int(n) / len(array) for n, array in zip(self._tree.used, arrays, strict=True)]

    @property
    def tree_nodes(self) -> int:
        """The number of nodes in the tree."""
        return int(self._tree.used[0]) if self._tree else 0

    def appraise(self, view: View, legal: Sequence[Move], budget: Budget) -> list[Appraisal]:
        games = solo_games(self.city_game, view, self.generator)
        solo_game = games[view.seat]
        curve = self.rivals(games, view.seat) if solo_game.last_round and len(games) > 1 else None
        if self.evaluator.trained:
            return self._by_tree(solo_game, budget, curve)
        return self._by_endings(solo_game, legal, budget, curve)

    @property
    def tells_luck(self) -> bool:
        return True

    def luck(self, view: View) -> float:
        """Returns the luck of this turn's card, and of special stations dealt before it."""
        if self._looker is None:
            self._looker = looker(self.city_game, LUCK_SIMULATIONS)
        solo_game = solo_games(self.city_game, view, self.generator)[view.seat]
        luck = self._looker.look(solo_game).luck
        shared = solo_game.before_card()
        if not shared[0]["use_special"] or shared[0]["turn"] != 0:
            return luck
        pairs, dealt = special_pairs_before(shared)
        values = self._looker.special(shared, solo_game.sheet, pairs)
        return luck + values[pairs.index(dealt)] - sum(values) / len(values)

    def _search(
        self, searched: tree.Tree, solo_game: SoloGame, known: bool, simulations: int
    ) -> tuple[int, int]:
        at, done = native().search(
            searched, solo_game.sheet[0], solo_game.before_card()[0], solo_game.card,
            solo_game.switched, known, simulations, EXPLORATION,
        )  # fmt: skip
        return int(at), int(done)

    def rivals(self, games: dict[Seat, SoloGame], seat: Seat) -> Curve:
        """Returns the win curve of a seat against sampled endings of its opponents."""
        key = str(self.generator.random())
        totals = {
            s: self.evaluator.endings(game, None, ENDINGS_PER_SEAT, key)
            for s, game in games.items()
        }
        best = np.max([totals[other] for other in games if other != seat], axis=0)
        left = UNDERGROUNDS - int(games[seat].shared[0]["undergrounds"])
        # The tree counts as a solo game does, which deducts points for modules.
        extra, spread = games[seat].extra, float(totals[seat].std())
        return curve_against(best - extra, spread, float(totals[seat].mean()) - extra, left)

    # With a network: tree search

    def _by_tree(self, solo_game: SoloGame, budget: Budget, curve: Curve | None) -> list[Appraisal]:
        searched = self._prepared(solo_game, curve)
        for share in shares(budget):
            at, done = self._search(searched, solo_game, known=True, simulations=share)
            if done < share:
                break
        outcome = searched.outcomes[at]
        first = int(outcome["first"])
        edges = searched.edges[first : first + int(outcome["edges"])]
        appraisals = [self._appraisal(solo_game, edge, curve) for edge in edges]
        return sorted(appraisals, key=lambda appraisal: (-appraisal.value, appraisal.move))

    def _prepared(self, solo_game: SoloGame, curve: Curve | None) -> tree.Tree:
        """Returns the tree of the turns before if it is valid and has space, else an empty one."""
        deal_key = solo_game.deal_key() if curve is None else b""
        if self._tree is None:
            self._tree = self.evaluator.new_tree(TREE_NODES)
        kept = self._tree
        if not deal_key or deal_key != self._deal_key or tree.half_full(kept):
            tree.clear(kept)
        self._deal_key = deal_key
        return kept._replace(worth=np.zeros((0, 2)) if curve is None else curve.worth)

    def _appraisal(self, solo_game: SoloGame, edge: Any, curve: Curve | None) -> Appraisal:
        visits, value = int(edge["visits"]), float(edge["value"])
        error = self.evaluator.error
        if edge["solved"]:
            error = 0.0
        elif visits > 1:
            variance = edge["squares"] / visits - (edge["sum"] / visits) ** 2
            error = math.sqrt(max(variance, 0.0) / (visits - 1))
        if curve is None:
            return Appraisal(int(edge["move"]), value + solo_game.extra, error, visits, "score")
        win = probability(value, curve)
        return Appraisal(int(edge["move"]), win, min(error / SCALE, 0.5), visits, "win")

    # Without a network: endings

    def _by_endings(
        self, solo_game: SoloGame, legal: Sequence[Move], budget: Budget, curve: Curve | None
    ) -> list[Appraisal]:
        """Plays every move to the end on the same cards; repeatedly drops the worse half."""
        seen: dict[Move, np.ndarray] = {move: np.zeros(0) for move in legal}
        alive, key = list(legal), self.generator.random()
        for number, share in enumerate(shares(budget)):
            games = max(share // len(alive), 1)
            for move in alive:
                new = self.evaluator.endings(solo_game, move, games, f"{key}|{number}")
                worth = new if curve is None else curve.wins(new - solo_game.extra)
                seen[move] = np.concatenate([seen[move], worth])
            alive.sort(key=lambda move: (-seen[move].mean(), move))
            if len(seen[alive[0]]) >= SIMULATIONS_PER_CLOCK_CHECK:
                alive = alive[: max(len(alive) // 2, 2)]
        rest = [move for move in legal if move not in alive]
        rest.sort(key=lambda move: (-seen[move].mean(), move))
        return [
            Appraisal(
                move,
                float(seen[move].mean()),
                float(seen[move].std() / math.sqrt(max(len(seen[move]) - 1, 1))),
                len(seen[move]),
                "score" if curve is None else "win",
            )
            for move in [*alive, *rest]
        ]


def shares(budget: Budget) -> Iterator[int]:
    """Yields the number of simulations to run next, until the budget is spent."""
    start, left = time.perf_counter(), budget.simulations
    while left is None or left > 0:
        share = (
            SIMULATIONS_PER_CLOCK_CHECK if left is None else min(SIMULATIONS_PER_CLOCK_CHECK, left)
        )
        yield share
        if left is not None:
            left -= share
        if budget.seconds is not None and time.perf_counter() - start >= budget.seconds:
            return
