"""Finds bots by name: those shipped with Headway, installed packages, and files.

Each folder here belongs to one game and lists its `BOTS`. Installed packages add bots through entry
points of the group `headway.bots`. Files are loaded only where the caller allows it: local commands
do, the server does not.

A failure of code of users is a sentence and the traceback of the user's own file, without the
frames of Headway.
"""

from __future__ import annotations

import pkgutil
import random
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import headway.bots
from headway.bots.bot import BOTS as BASELINES
from headway.bots.bot import Appraisal, Bot, Budget, Searcher
from headway.dealer import checked_seed
from headway.errors import BotFailedError, HeadwayError, InputError, similar, unknown
from headway.games.contract import Game, Move, Seat, View
from headway.i18n import language, texts
from headway.table import Table

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import ModuleType


LEVELS = ("tourist", "commuter", "driver", "expert")
"""From weakest to strongest; the same names in every game."""
GROUP = "headway.bots"


class Character(NamedTuple):
    """How a bot is presented to people: a title, and a sentence on how it plays."""

    title: str
    what: str


@cache
def _folders() -> tuple[ModuleType, ...]:
    package = headway.bots
    folders = [m.name for m in pkgutil.iter_modules(package.__path__) if m.ispkg]
    return tuple(import_module(f"{package.__name__}.{folder}") for folder in folders)


@cache
def _shipped() -> tuple[type[Bot], ...]:
    bots = [bot for module in _folders() for bot in module.BOTS]
    return (*bots, *BASELINES)


def solo_points(game: str, map_name: str) -> dict[str, int]:
    """Returns the mean total of each bot alone on a map, where it was measured."""
    measured = [getattr(module, "SOLO_POINTS", {}).get(game, {}) for module in _folders()]
    return next((maps[map_name] for maps in measured if map_name in maps), {})


def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # slow to load, and rarely needed

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _plays(bot: type[Bot], game: str) -> bool:
    return not bot.games or game in bot.games


def shipped_bots_of(game: str) -> dict[str, type[Bot]]:
    """Returns the shipped bots of a game by name: levels from weakest to strongest, then others."""
    bots = {bot.name: bot for bot in _shipped() if _plays(bot, game)}
    levels = [name for name in LEVELS if name in bots]
    return {name: bots[name] for name in [*levels, *sorted(set(bots) - set(levels))]}


def bots_of(game: str) -> dict[str, type[Bot]]:
    """Returns all bots of a game by name: levels from weakest to strongest, then the others."""
    bots = shipped_bots_of(game)
    for name, entry in sorted(_installed().items()):
        try:
            bot = _load(entry)
        except InputError:  # reported when the bot is asked for by name
            continue
        if _plays(bot, game):
            bots.setdefault(name, bot)
    return bots


def levels_of(game: str) -> list[str]:
    """Returns the names of a game's levels, weakest first."""
    return [name for name in shipped_bots_of(game) if name in LEVELS]


def find_bot(name: str, game: str, *, files: bool = False) -> type[Bot]:
    """Returns the bot class with this name if it plays the game; raises `InputError` otherwise.

    With `files`, `./mybot.py:MyBot` names a class in a file. The file is executed, so allow this
    only for callers who may run code here anyway.
    """
    bot = _bot_in_file(name) if files and in_file(name) else _named(name, game)
    if not _plays(bot, game):
        raise InputError("format.bot_game", bot=name, games=", ".join(bot.games))
    return bot


def is_rated(name: str, game: str) -> bool:
    """Tells whether beating a bot says anything about a player; a bot that is gone is not rated."""
    try:
        return find_bot(name, game).rated
    except InputError:
        return False


def _named(name: str, game: str) -> type[Bot]:
    if bot := shipped_bots_of(game).get(name):
        return bot
    if entry := _installed().get(name):
        return _load(entry)
    for bot in _shipped():
        if bot.name == name:
            return bot
    raise unknown("format.unknown_bot", bots_of(game), bot=name)


def _load(entry: EntryPoint) -> type[Bot]:
    try:
        loaded = entry.load()
    except Exception as error:
        raise failure("format.bot_broken", error, "", bot=entry.name) from error
    return _bot_class(entry.name, loaded)


@cache
def _bot_in_file(bot_spec: str) -> type[Bot]:
    path, _, name = bot_spec.rpartition(":")
    try:
        names = run_file(path)
    except Exception as error:
        raise failure("format.bot_broken", error, path, bot=path) from error
    if name not in names:
        known = ", ".join(similar(name, filter(str.isidentifier, names)))
        raise InputError("format.bot_class", file=path, bot=name, similar=known)
    return _bot_class(bot_spec, names[name])


def _bot_class(bot_spec: str, thing: object) -> type[Bot]:
    if not (isinstance(thing, type) and issubclass(thing, Bot)):
        raise InputError("format.no_bot", bot=bot_spec)
    return thing


def split(bot_spec: str) -> tuple[str, Budget | None]:
    """Splits `expert@0.1s` into the bot's name and its budget, which may be missing."""
    name, at, budget = bot_spec.rpartition("@")
    return (name, Budget.parse(budget)) if at else (bot_spec, None)


def make_bot(bot_spec: str, game: Game, seed: int, *, files: bool = False) -> Bot:
    """Creates a bot from a spec, `greedy` or with a budget `expert@0.1s`, and a seed.

    `files` has the same meaning as in `find_bot`.
    """
    name, budget = split(str(bot_spec))
    bot = find_bot(name, game.box.name, files=files)
    if budget is not None and bot.budget is None:
        raise InputError("format.no_budget", bot=name)
    try:
        return bot(game, random.Random(checked_seed(seed)), budget)
    except HeadwayError:
        raise
    except Exception as error:
        raise bot_failure(name, bot, error) from error


def searcher_of(game: str) -> type[Searcher]:
    """Returns the strongest level of a game that can appraise moves."""
    for bot in reversed(bots_of(game).values()):
        if issubclass(bot, Searcher) and bot.name in LEVELS:
            return bot
    raise InputError("format.no_searcher", game=game)


def luck_teller(game: Game) -> Searcher | None:
    """Creates a bot that can measure the luck of a card in this game; None if there is none."""
    bot = searcher_of(game.box.name)(game, random.Random(0))
    return bot if bot.tells_luck else None


def explain(
    game: Game, view: View, legal: list[Move], budget: Budget | None = None, seed: int = 0
) -> list[Appraisal]:
    """Returns the strongest bot's estimates for a position, best move first.

    The bot sees only the view. A budget in simulations and a seed make the result reproducible.
    """
    bot = searcher_of(game.box.name)(game, random.Random(seed))
    return bot.appraise(view, legal, bot.budget if budget is None else budget)


def character(bot: type[Bot], game: str, lang: str | None = None) -> Character:
    """Returns how a bot is presented; a bot that is not shipped uses its name and docstring."""
    catalogue = texts(lang or language())
    title = catalogue.get(f"bot.title.{bot.name}", bot.name)
    what = catalogue.get(f"bot.{game}.{bot.name}")
    if what is None or bot not in _shipped():
        return Character(bot.name, (bot.__doc__ or "").strip().partition("\n")[0])
    return Character(title, what)


def each_bot(game: str, lang: str | None = None) -> Iterator[tuple[str, Character, bool]]:
    """Yields each bot of a game: its name, its character, and whether it is a level."""
    for name, bot in bots_of(game).items():
        yield name, character(bot, game, lang), name in levels_of(game)


# Code of users


def in_file(bot_spec: str) -> bool:
    """Tells whether a spec names something in a file: `./mybot.py:MyBot`."""
    return ".py:" in bot_spec


def run_file(path: str) -> dict[str, Any]:
    """Executes a file and returns its names."""
    names: dict[str, Any] = {"__name__": Path(path).stem, "__file__": path}
    exec(compile(Path(path).read_bytes(), path, "exec"), names)
    return names


def failure(key: str, error: Exception, path: str, **values: object) -> BotFailedError:
    """Returns the error for code of a user that failed, with the traceback of its file."""
    reason = f"{type(error).__name__}: {error}".partition("\n")[0]
    failed = BotFailedError(key, reason=reason, **values)
    failed.trace = _trace(error, path)
    return failed


def bot_failure(bot_spec: str, bot: type[Bot], error: Exception) -> BotFailedError:
    """Returns the error for a bot that failed."""
    path = bot_spec.rpartition(":")[0] if in_file(bot_spec) else _module_file(bot)
    return failure("arena.bot_failed", error, path, bot=bot_spec)


def ask(
    bot: Bot, bot_spec: str, view: View, legal: Sequence[Move], clock: float | None = None
) -> Move:
    """Returns a bot's move; raises `BotFailedError` if the bot fails."""
    try:
        return bot.choose(view, legal, clock)
    except BotFailedError:
        raise
    except Exception as error:
        raise bot_failure(bot_spec, type(bot), error) from error


def ask_at(table: Table, seat: Seat, bot: Bot, bot_spec: str) -> tuple[Move, float]:
    """Returns a bot's move and its processor time; an illegal move is a failure of the bot."""
    view, legal = table.view(seat), table.state.legal(seat)
    before = time.process_time()
    move = ask(bot, bot_spec, view, legal)
    seconds = time.process_time() - before
    if move not in legal:
        try:
            table.state.check(seat, move)
        except (HeadwayError, TypeError, ValueError) as error:
            raise BotFailedError("arena.bot_failed", bot=bot_spec, reason=error) from error
    return move, seconds


def _module_file(bot: type[Bot]) -> str:
    return getattr(sys.modules.get(bot.__module__), "__file__", None) or ""


def _trace(error: Exception, path: str) -> str:
    """Returns the traceback of an error without the frames of other files; "" if none is left."""
    whole = traceback.TracebackException.from_exception(error)
    own = isinstance(error, SyntaxError) and error.filename == path
    for part in _chain(whole):
        frames = [frame for frame in part.stack if frame.filename == path]
        part.stack = traceback.StackSummary.from_list(frames)
        own = own or bool(frames)
    return "".join(whole.format()).rstrip() if own else ""


def _chain(error: traceback.TracebackException | None) -> Iterator[traceback.TracebackException]:
    """Yields an error and those that led to it."""
    if error:
        yield error
        yield from _chain(error.__cause__)
        yield from _chain(error.__context__)
