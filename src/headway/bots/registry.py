"""Which bots there are: those that come with Headway, installed ones, and files of one's own.

Every folder here is a game's, with its `BOTS`. An installed package adds bots by entry points of
the group `headway.bots`. A file is loaded only where the caller says so: local commands do, the
server never does.
"""

from __future__ import annotations

import pkgutil
import random
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import headway.bots
from headway.bots.baselines import BOTS as REFERENCE
from headway.bots.bot import Appraisal, Bot, Budget, Searcher
from headway.errors import InputError
from headway.games.contract import Game, Move, View
from headway.i18n import language, texts

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

LEVELS = ("tourist", "commuter", "driver", "expert")
"""From the weakest to the strongest, the same names in every game."""
GROUP = "headway.bots"


class Character(NamedTuple):
    """A bot for people: its name, and in a sentence how it plays and how well."""

    title: str
    what: str


@cache
def _shipped() -> tuple[type[Bot], ...]:
    package = headway.bots
    folders = [m.name for m in pkgutil.iter_modules(package.__path__) if m.ispkg]
    modules = [import_module(f"{package.__name__}.{folder}") for folder in folders]
    bots = [bot for module in modules for bot in module.BOTS]
    return (*bots, *REFERENCE)


def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # slow to load, and seldom needed

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _plays(bot: type[Bot], game: str) -> bool:
    return not bot.games or game in bot.games


def shipped_bots_of(game: str) -> dict[str, type[Bot]]:
    """The bots that come with Headway for a game: levels, the weakest first, then the others."""
    bots = {bot.name: bot for bot in _shipped() if _plays(bot, game)}
    levels = [name for name in LEVELS if name in bots]
    return {name: bots[name] for name in [*levels, *sorted(set(bots) - set(levels))]}


def bots_of(game: str) -> dict[str, type[Bot]]:
    """The bots that play a game, by name: levels, the weakest first, then the others."""
    bots = shipped_bots_of(game)
    for name, entry in sorted(_installed().items()):
        try:
            bot = _load(entry)
        except InputError:  # said to whoever asks for it by name
            continue
        if _plays(bot, game):
            bots.setdefault(name, bot)
    return bots


def levels_of(game: str) -> list[str]:
    """The names of a game's levels, the weakest first."""
    return [name for name in shipped_bots_of(game) if name in LEVELS]


def find_bot(name: str, game: str, *, files: bool = False) -> type[Bot]:
    """A bot that plays a game, by name; a sentence if there is none.

    With `files`, `./mybot.py:MyBot` is the class of that name in that file: the file is run, so
    allow it only where whoever names it could run it anyway.
    """
    bot = _bot_in_file(name) if files and ".py:" in name else _named(name, game)
    if not _plays(bot, game):
        raise InputError("format.bot_game", bot=name, games=", ".join(bot.games))
    return bot


def _named(name: str, game: str) -> type[Bot]:
    if bot := shipped_bots_of(game).get(name):
        return bot
    if entry := _installed().get(name):
        return _load(entry)
    for bot in _shipped():
        if bot.name == name:
            return bot
    raise InputError("format.unknown_bot", bot=name, known=", ".join(bots_of(game)))


def _load(entry: EntryPoint) -> type[Bot]:
    try:
        loaded = entry.load()
    except Exception as error:
        raise InputError("format.bot_broken", bot=entry.name, reason=_reason(error)) from error
    return _bot_class(entry.name, loaded)


@cache
def _bot_in_file(bot_spec: str) -> type[Bot]:
    path, _, name = bot_spec.rpartition(":")
    space: dict[str, Any] = {"__name__": Path(path).stem, "__file__": path}
    try:
        exec(compile(Path(path).read_bytes(), path, "exec"), space)
    except Exception as error:
        raise InputError("format.bot_broken", bot=path, reason=_reason(error)) from error
    if name not in space:
        raise InputError("format.bot_class", file=path, bot=name)
    return _bot_class(bot_spec, space[name])


def _bot_class(bot_spec: str, thing: object) -> type[Bot]:
    if not (isinstance(thing, type) and issubclass(thing, Bot)):
        raise InputError("format.no_bot", bot=bot_spec)
    return thing


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def split(bot_spec: str) -> tuple[str, Budget | None]:
    """A bot's name and the budget behind its @: `expert@0.1s`."""
    name, at, budget = bot_spec.rpartition("@")
    return (name, Budget.parse(budget)) if at else (bot_spec, None)


def make_bot(bot_spec: str, game: Game, seed: int, *, files: bool = False) -> Bot:
    """A bot by name, `greedy` or with a budget `expert@0.1s`, its randomness from a seed.

    `files` as for `find_bot`.
    """
    name, budget = split(bot_spec)
    bot = find_bot(name, game.box.name, files=files)
    if budget is not None and bot.budget is None:
        raise InputError("format.no_budget", bot=name)
    return bot(game, random.Random(seed), budget)


def searcher_of(game: str) -> type[Searcher]:
    """The strongest bot of a game that can tell what it thinks of a move."""
    for bot in reversed(bots_of(game).values()):
        if issubclass(bot, Searcher) and bot.name in LEVELS:
            return bot
    raise InputError("format.no_searcher", game=game)


def luck_teller(game: Game) -> Searcher | None:
    """A bot that can say what chance brought to a seat of a game, if there is one."""
    bot = searcher_of(game.box.name)(game, random.Random(0))
    return bot if bot.tells_luck else None


def explain(
    game: Game, view: View, legal: list[Move], budget: Budget | None = None, seed: int = 0
) -> list[Appraisal]:
    """What the strongest bot thinks of a position, the best move first; hints and reviews ask it.

    It knows what the seat of the view knows. A budget in simulations and a seed give the same
    answer each time.
    """
    bot = searcher_of(game.box.name)(game, random.Random(seed))
    return bot.appraise(view, legal, bot.budget if budget is None else budget)


def character(bot: type[Bot], game: str, lang: str | None = None) -> Character:
    """What people are told of a bot; one of somebody's own speaks by name and docstring."""
    catalogue = texts(lang or language())
    title = catalogue.get(f"bot.title.{bot.name}", bot.name)
    what = catalogue.get(f"bot.{game}.{bot.name}")
    if what is None or bot not in _shipped():
        return Character(bot.name, (bot.__doc__ or "").strip().partition("\n")[0])
    return Character(title, what)


def each_bot(game: str, lang: str | None = None) -> Iterator[tuple[str, Character, bool]]:
    """Every bot of a game: its name, its character, and whether it is a level."""
    for name, bot in bots_of(game).items():
        yield name, character(bot, game, lang), name in levels_of(game)
