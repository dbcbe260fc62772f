"""Code of users: loads bots and agents from files, asks them for moves, and tells how they failed.

A failure is a sentence and the traceback of the user's own file, without the frames of Headway.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from headway.bots.bot import Bot
from headway.errors import BotFailedError, HeadwayError
from headway.games.contract import Move, Seat, View
from headway.table import Table


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
