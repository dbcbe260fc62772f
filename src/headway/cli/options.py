"""Options and output that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headway import i18n, settings
from headway.errors import InputError
from headway.games import boxes
from headway.i18n import say

if TYPE_CHECKING:
    from headway.games.contract import Game

WRONG = 2
"""The exit code for wrong input."""

Lang = Annotated[i18n.Lang | None, typer.Option(help=say("cli.lang"))]
RecordFiles = Annotated[list[Path], typer.Argument(help=say("cli.files"), metavar="FILE…")]
MapName = Annotated[str, typer.Argument(help=say("cli.word"), metavar="MAP")]

MODULES = ", ".join(dict.fromkeys(o.replace("_", "-") for box in boxes() for o in box.options))

Modules = Annotated[str, typer.Option("--with", help=say("cli.with", known=MODULES))]
Choose = Annotated[list[str] | None, typer.Option(metavar="PART=VALUE", help=say("cli.choose"))]


def complain(sentence: str) -> None:
    """Prints a sentence on standard error."""
    typer.echo(sentence, err=True)


def server_settings(**chosen: str | None) -> settings.ServerSettings:
    """Returns the settings of the server; explains a variable with an impossible value."""
    try:
        return settings.server(**chosen)
    except settings.WrongSettingError as error:
        key, variable, value = error.args
        raise InputError(key, variable=variable, value=value) from None


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
