"""Players that are programs: they are given a view, never the state."""

from __future__ import annotations

import random
from collections.abc import Sequence

from headway.bots.tickettoride.planner import PlannerBot
from headway.bots.player import Bot
from headway.errors import Unreadable
from headway.games.contract import Game, Move, View
from headway.table import Table

__all__ = [
    "BOTS",
    "Bot",
    "GreedyBot",
    "PlannerBot",
    "RandomBot",
    "bots_of",
    "find_bot",
    "make_bot",
    "play_out",
]


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


def bots_of(game: str) -> dict[str, type[Bot]]:
    """The bots that play a game, by name."""
    return {name: bot for name, bot in BOTS.items() if not bot.games or game in bot.games}


def find_bot(name: str, game: str) -> type[Bot]:
    """A bot that plays a game, by name; a sentence if there is none."""
    if name not in BOTS:
        raise Unreadable("format.unknown_bot", bot=name, known=", ".join(bots_of(game)))
    if name not in bots_of(game):
        raise Unreadable("format.bot_game", bot=name, games=", ".join(BOTS[name].games))
    return BOTS[name]


def make_bot(name: str, game: Game, seed: int) -> Bot:
    """A bot by name, with its randomness from a seed."""
    return find_bot(name, game.box.name)(game, random.Random(seed))


def play_out(table: Table, players: Sequence[Bot]) -> None:
    """Lets the bots play a table to its end, one for each seat."""
    while seats := table.actors():
        for seat in seats:
            choice = players[seat].choose(table.view(seat), table.state.legal(seat))
            table.play(seat, choice)
