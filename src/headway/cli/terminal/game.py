"""Plays a game in the terminal."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from headway.bots import make_bot
from headway.cli.terminal.screen import Screen
from headway.cli.terminal.session import TerminalSession
from headway.errors import InputError
from headway.games.contract import Game
from headway.i18n import say
from headway.table import Table

_BOT_SEEDS = 1 << 63


def play(
    game: Game,
    *,
    people: int,
    bots: Sequence[str],
    seed: int | None,
    names: Sequence[str] = (),
    save: Path | None = None,
    lang: str | None = None,
    console: Console | None = None,
) -> Table:
    """Plays a whole game in the terminal; returns the table in its last state.

    The first seats are people, the others bots by name or file; `names` are the people's. The
    record is written to `save` at the end, also if the game is left early: by `quit`, by the end of
    input, or by Ctrl-C, which is raised to the caller as `KeyboardInterrupt`.
    """
    if people + len(bots) != game.seats:
        raise ValueError(f"{people} people and {len(bots)} bots at a table of {game.seats}")
    if names and len(names) != people:
        raise InputError("format.names", seats=people)
    if save:
        _check_writable(save)
    seats = [*(names or _people(people, lang)), *_numbered(bots)]
    table = Table(game, seed=seed, names=seats)
    players = {
        people + i: make_bot(name, game, (table.seed + people + i) % _BOT_SEEDS, files=True)
        for i, name in enumerate(bots)
    }
    session = TerminalSession(
        table, seats, players, Screen(console or Console(highlight=False)), lang
    )
    try:
        session.play()
    finally:
        if save:
            session.save(save)
    return table


def _people(count: int, lang: str | None) -> list[str]:
    if count == 1:
        return [say("terminal.player", lang)]
    return [say("terminal.player_of_many", lang, n=n + 1) for n in range(count)]


def _numbered(bots: Sequence[str]) -> list[str]:
    """Returns the bots' names; duplicates get a number."""
    before = [bots[:i].count(name) for i, name in enumerate(bots)]
    return [f"{name} {n + 1}" if n else name for name, n in zip(bots, before, strict=True)]


def _check_writable(path: Path) -> None:
    """Raises an error before the game, not after it, if a record cannot be written."""
    if path.is_dir():
        problem = errno.EISDIR
    elif not path.parent.is_dir():
        problem = errno.ENOENT
    elif not os.access(path.parent, os.W_OK):
        problem = errno.EACCES
    else:
        return
    raise InputError("format.not_writable", file=path, reason=os.strerror(problem))
