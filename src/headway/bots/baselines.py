"""Simple bots for every game that serve as a fixed standard, and oversights of weaker levels."""

from __future__ import annotations

import random
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


def overlook(legal: Sequence[Move], share: float, generator: random.Random) -> list[Move]:
    """Returns the legal moves without a random share of them; the first move always stays.

    The first legal move is the plainest one: a pass, or a card from the pile.
    """
    return [legal[0], *(move for move in legal[1:] if generator.random() >= share)]
