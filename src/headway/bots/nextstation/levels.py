"""The levels of Next Station that use an evaluator; `tourist.py` has the fourth one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import ClassVar

from headway.bots.bot import Bot, Budget
from headway.bots.mistakes import overlook
from headway.bots.nextstation.evaluator import Evaluator
from headway.bots.nextstation.solo_game import solo_games
from headway.bots.nextstation.tree_searcher import TreeSearcher
from headway.games.contract import Game, Move, View
from headway.games.nextstation.game import NextStation
from headway.table import Table


class Driver(Bot):
    """Takes the move with the highest value for the whole game, without searching."""

    name = "driver"
    games = ("next-station",)
    compiled = True
    compile_seconds = 10.0
    overlooked: ClassVar[float] = 0.0

    def __init__(self, game: Game, generator: random.Random, budget: Budget | None = None) -> None:
        super().__init__(game, generator, budget)
        assert isinstance(game, NextStation)
        self.city_game, self.evaluator = game, Evaluator(game)

    @classmethod
    def warm_up(cls) -> None:
        table = Table("london", seed=1)
        cls(table.game, random.Random(1)).choose(table.view(0), table.state.legal(0))

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        seen = overlook(legal, self.overlooked, self.generator)
        solo_game = solo_games(self.city_game, view, self.generator)[view.seat]
        values = self.evaluator.values(solo_game, seen)
        # Prefer a move over the first one, often a pass: without a network many values are equal.
        return seen[max(range(len(seen)), key=lambda i: (values[i], i > 0, -i))]


class Commuter(Driver):
    """Plays like the driver, but overlooks about one section in five."""

    name = "commuter"
    overlooked = 0.2


class Expert(TreeSearcher):
    """Searches over the coming cards; in a last round with opponents it plays to win."""

    name = "expert"
