"""Options and output that several commands share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headway import settings
from headway.bots.registry import LEVELS
from headway.errors import InputError
from headway.games import boxes
from headway.i18n import say

if TYPE_CHECKING:
    from headway.games.contract import Game

WRONG = 2
"""The exit code for wrong input."""
FILE, FOLDER, N, SVG = (say(f"metavar.{name}") for name in ("file", "folder", "n", "svg"))


def _maps(incomplete: str) -> list[str]:
    """Returns the maps and games that complete a word."""
    return sorted({name for box in boxes() for name in (*box.maps, box.name)})


def _bots(incomplete: str) -> list[str]:
    """Returns the lists of bots that complete a list of bots."""
    from headway.bots import bots_of

    before = incomplete[: incomplete.rfind(",") + 1]
    known = dict.fromkeys(name for box in boxes() for name in bots_of(box.name))
    return [before + name for name in known]


RecordFiles = Annotated[
    list[Path], typer.Argument(help=say("cli.files"), metavar=say("metavar.files"))
]
MapName = Annotated[
    str,
    typer.Argument(help=say("cli.word"), metavar=say("metavar.map"), autocompletion=_maps),
]
MapOption = Annotated[
    str,
    typer.Option("--map", help=say("cli.word"), metavar=say("metavar.map"), autocompletion=_maps),
]
Contestants = Annotated[
    str,
    typer.Option(help=say("cli.arena_bots"), metavar=say("metavar.bots"), autocompletion=_bots),
]
Opponents = Annotated[
    str,
    typer.Option(
        help=say("cli.bots", known=", ".join(LEVELS)),
        metavar=say("metavar.bots"),
        autocompletion=_bots,
    ),
]
OneBot = Annotated[
    str,
    typer.Option(help=say("cli.connect_bot"), metavar=say("metavar.bot"), autocompletion=_bots),
]
Seats = Annotated[
    int, typer.Option(min=0, help=say("cli.arena_seats"), metavar=N, show_default=False)
]
ArenaSeed = Annotated[int, typer.Option(min=0, help=say("cli.arena_seed"), metavar=N)]
Cores = Annotated[
    int,
    typer.Option(
        min=0,
        help=say("cli.arena_cores"),
        metavar=N,
        callback=lambda cores: cores or os.cpu_count() or 1,
    ),
]
Cluster = Annotated[bool, typer.Option("--cluster", help=say("cli.arena_cluster"))]
Config = Annotated[Path | None, typer.Option("--config", help=say("cli.config_file"), metavar=FILE)]
"""Commands only show it: `headway.__main__` reads it, before settings are needed."""
Database = Annotated[
    str | None, typer.Option(help=say("cli.serve_database"), metavar=say("metavar.address"))
]

MODULES = ", ".join(dict.fromkeys(o.replace("_", "-") for box in boxes() for o in box.options))

Modules = Annotated[
    str,
    typer.Option("--with", help=say("cli.with", known=MODULES), metavar=say("metavar.modules")),
]
Choose = Annotated[
    list[str] | None, typer.Option(metavar=say("metavar.part"), help=say("cli.choose"))
]


def complain(sentence: str) -> None:
    """Prints a sentence on standard error."""
    typer.echo(sentence, err=True)


def server_settings(**chosen: str | None) -> settings.ServerSettings:
    """Returns the settings of the server; explains one with an impossible value."""
    with explained_settings():
        return settings.server(**chosen)


@contextmanager
def explained_settings() -> Iterator[None]:
    """Says in a sentence what is wrong with a setting that the block reads."""
    try:
        yield
    except settings.WrongSettingError as error:
        key, variable, value, *more = error.args
        more_of_it = more[0] if more else ""
        raise InputError(key, variable=variable, value=value, more=more_of_it) from None


def names(text: str) -> list[str]:
    """Splits a list at its commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def options(modules: str) -> dict[str, bool]:
    """Returns the options that `--with` enables."""
    return {module.replace("-", "_"): True for module in names(modules)}


def chosen(game: Game, texts: list[str]) -> dict[str, Any]:
    """Returns what `--choose` says, as `Game.choose` takes it; `-` leaves a seat to chance."""
    each_seat = {choice.name for choice in game.choices() if choice.each_seat}
    parts: dict[str, Any] = {}
    for text in texts:
        part, _, value = text.partition("=")
        values = [_value(one) for one in names(value)]
        if not values:
            raise InputError("choice.form", text=text)
        parts[part.strip()] = values if part.strip() in each_seat else values[0]
    return parts


def _value(text: str) -> int | str | None:
    return int(text) if text.isdecimal() else None if text == "-" else text
