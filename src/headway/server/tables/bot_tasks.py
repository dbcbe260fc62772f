"""What a bot worker does: functions that run in its process, and what they are given."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from headway import reviews
from headway.bots import Appraisal, Bot, Budget, explain, find_bot, make_bot
from headway.games.contract import View
from headway.server.tables.setup import GameChoice, opened

MOST_CACHED_BOTS = 4
"""Bots that a worker keeps with what they know, for the tables that moved last."""
HINT_BUDGET = Budget(seconds=1.0)
REVIEW = "review"
"""What is compiled for reviews, in place of a bot's name."""


class BotSeat(NamedTuple):
    """A bot at a seat of a game.

    `cache_key` is the table and seat since the last undo. After an undo the bot starts fresh.
    """

    bot: str
    choice: GameChoice
    cache_key: tuple[str, int, int]


class BotTask(NamedTuple):
    """Everything that a bot gets for a move: its seat, its view, its legal moves, a seed."""

    seat: BotSeat
    view: View
    legal: list[int]
    seed: int


_bots: OrderedDict[BotSeat, Bot] = OrderedDict()


def prepare(seat: BotSeat, seed: int) -> None:
    """Makes the bot of a seat and loads its code, so that thinking does not wait for either."""
    if seat not in _bots:
        bot = make_bot(seat.bot, opened(seat.choice), seed)
        if bot.compiled:
            bot.warm_up()
        _cache(seat, bot)


def think(task: BotTask) -> str:
    """Returns a bot's choice, in the game's notation."""
    prepare(task.seat, task.seed)
    bot = _bots.pop(task.seat)
    move = bot.choose(task.view, task.legal)
    if move not in task.legal:
        raise ValueError(f"{task.seat.bot} chose {move}, which is not legal")
    _cache(task.seat, bot)
    return opened(task.seat.choice).move_text(move)


def _cache(seat: BotSeat, bot: Bot) -> None:
    _bots[seat] = bot
    if len(_bots) > MOST_CACHED_BOTS:
        _bots.popitem(last=False)


def appraise(task: BotTask) -> list[tuple[str, Appraisal]]:
    """Returns the strongest bot's appraisals of the moves, the best first, each with its text."""
    game = opened(task.seat.choice)
    appraisals = explain(game, task.view, task.legal, HINT_BUDGET, task.seed)
    return [(game.move_text(appraisal.move), appraisal) for appraisal in appraisals]


def compile_bot(game: str, bot: str) -> None:
    """Compiles what a bot's first move or a review needs, or loads it if it is compiled."""
    if bot == REVIEW:
        reviews.warm_up(game)
    else:
        find_bot(bot, game).warm_up()
