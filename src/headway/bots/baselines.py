"""Simple bots for every game that serve as a fixed standard of comparison."""

from __future__ import annotations

from collections.abc import Sequence

from headway.bots.bot import Bot
from headway.games.contract import Move, View


class RandomBot(Bot):
    """Chooses among all legal moves with equal probability."""

    name = "random"
    rated = False

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        return self.generator.choice(legal)


class GreedyBot(Bot):
    """Chooses the move with the highest score if the game ended after it.

    Among equal moves it takes the first one that is not the first legal move, which is often a
    pass.
    """

    name = "greedy"

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        sampled = self.game.resample(view, self.generator)
        return max(legal, key=lambda move: (sampled.score_after(view.seat, move), move != legal[0]))


BOTS: tuple[type[Bot], ...] = (RandomBot, GreedyBot)
