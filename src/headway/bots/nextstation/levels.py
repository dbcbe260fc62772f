"""The levels of Next Station, weakest first."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from headway.bots.bot import Appraisal, Bot, Budget, GreedyBot, Searcher, overlook
from headway.bots.nextstation.analysis import Analyst, analyst_of, special_pairs_before
from headway.bots.nextstation.evaluator import Curve, Evaluator, SoloGame, curve_against, solo_games
from headway.games.contract import Game, Move, Seat, View
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import UNDERGROUNDS
from headway.table import Table

OVERLOOKED_SHARE = 0.3
ENDINGS_PER_SEAT = 128
"""The number of endings sampled per seat in the last round."""
LUCK_SIMULATIONS = 60
"""The number of simulations that measure the luck of a turn."""


class Tourist(GreedyBot):
    """Takes the section that scores most now, but overlooks about one in three."""

    name = "tourist"
    games = ("next-station",)

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        return super().choose(view, overlook(legal, OVERLOOKED_SHARE, self.generator), clock)


class SheetBot(Bot):
    """Values sheets by the network of the city."""

    games = ("next-station",)
    compiled = True

    def __init__(self, game: Game, generator: random.Random, budget: Budget | None = None) -> None:
        super().__init__(game, generator, budget)
        assert isinstance(game, NextStation)
        self.city_game, self.evaluator = game, Evaluator(game)


class Driver(SheetBot):
    """Takes the move with the highest value for the whole game, without searching."""

    name = "driver"
    compile_seconds = 10.0
    overlooked: ClassVar[float] = 0.0

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


class Expert(SheetBot, Searcher):
    """Searches over the coming cards; in a last round with opponents it plays to win.

    With a network it searches a tree; for a city without one it plays games to their end.
    """

    name = "expert"
    compile_seconds = 20.0
    tells_luck = True

    @cached_property
    def analyst(self) -> Analyst:
        """Keeps what it searched from turn to turn."""
        return analyst_of(self.evaluator)

    @cached_property
    def _luck_analyst(self) -> Analyst:
        return analyst_of(self.evaluator, LUCK_SIMULATIONS)

    @classmethod
    def warm_up(cls) -> None:
        table = Table("london", seats=2, seed=1)
        bot = cls(table.game, random.Random(1))
        bot.appraise(table.view(0), table.state.legal(0), Budget(simulations=2))
        bot.rivals(solo_games(bot.city_game, table.view(0), bot.generator), 0)

    def appraise(self, view: View, legal: Sequence[Move], budget: Budget) -> list[Appraisal]:
        games = solo_games(self.city_game, view, self.generator)
        solo_game = games[view.seat]
        curve = self.rivals(games, view.seat) if solo_game.last_round and len(games) > 1 else None
        return self.analyst.appraise(solo_game, legal, budget, curve, self.generator)

    def luck(self, view: View) -> float:
        """Returns the luck of this turn's card, and of special stations dealt before it."""
        solo_game = solo_games(self.city_game, view, self.generator)[view.seat]
        luck = self._luck_analyst.analyse(solo_game).luck
        shared = solo_game.before_card()
        if not shared[0]["use_special"] or shared[0]["turn"] != 0:
            return luck
        pairs, dealt = special_pairs_before(shared)
        values = self._luck_analyst.special(shared, solo_game.sheet, pairs)
        return luck + values[pairs.index(dealt)] - sum(values) / len(values)

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
