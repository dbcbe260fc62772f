"""Players that are programs: they are given a view, never the state."""

from __future__ import annotations

import random
from collections.abc import Sequence

from headway.bots.planner import PlannerBot
from headway.bots.player import Bot
from headway.errors import Unreadable
from headway.games.contract import Game, Move, View
from headway.table import Table

__all__ = ["BOTS", "Bot", "GreedyBot", "PlannerBot", "RandomBot", "make_bot", "play_out"]


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


BOTS: dict[str, type[Bot]] = {bot.name: bot for bot in (RandomBot, GreedyBot, PlannerBot)}


def make_bot(name: str, game: Game, seed: int) -> Bot:
    """A bot by name, with its randomness from a seed."""
    if name not in BOTS:
        raise Unreadable("format.unknown_bot", bot=name, known=", ".join(BOTS))
    bot = BOTS[name]
    if bot.games and game.box.name not in bot.games:
        raise Unreadable("format.bot_game", bot=name, games=", ".join(bot.games))
    return bot(game, random.Random(seed))


def play_out(table: Table, players: Sequence[Bot]) -> None:
    """Lets the bots play a table to its end, one for each seat."""
    while seats := table.actors():
        for seat in seats:
            choice = players[seat].choose(table.view(seat), table.state.legal(seat))
            table.play(seat, choice)
