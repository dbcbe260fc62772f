"""The bots that others are measured against: simple, for every game, the same for ever."""

from __future__ import annotations

from collections.abc import Sequence

from headway.bots.bot import Bot
from headway.games.contract import Move, View


class RandomBot(Bot):
    """Any legal move, all equally likely."""

    name = "random"

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        return self.generator.choice(legal)


class GreedyBot(Bot):
    """The move after which the score would be highest if the game ended there.

    Among equals the first one that does something; so nothing is spent in vain.
    """

    name = "greedy"

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        world = self.game.resample(view, self.generator)
        return max(legal, key=lambda move: (world.score_after(view.seat, move), move != legal[0]))


BOTS: tuple[type[Bot], ...] = (RandomBot, GreedyBot)
