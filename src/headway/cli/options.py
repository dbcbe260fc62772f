"""Options and output that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headway import i18n
from headway.bots.registry import shipped_bots_of
from headway.games import boxes
from headway.i18n import say

WRONG = 2
"""The exit code for wrong input."""

Lang = Annotated[i18n.Lang | None, typer.Option(help=say("cli.lang"))]
RecordFiles = Annotated[list[Path], typer.Argument(help=say("cli.files"), metavar="FILE…")]
MapName = Annotated[str, typer.Argument(help=say("cli.word"), metavar="MAP")]

MODULES = ", ".join(dict.fromkeys(o.replace("_", "-") for box in boxes() for o in box.options))
BOTS = ", ".join(dict.fromkeys(name for box in boxes() for name in shipped_bots_of(box.name)))

Modules = Annotated[str, typer.Option("--with", help=say("cli.with", known=MODULES))]


def complain(sentence: str) -> None:
    """Prints a sentence on standard error."""
    typer.echo(sentence, err=True)


def names(text: str) -> list[str]:
    """Splits a list at its commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def options(modules: str) -> dict[str, bool]:
    """Returns the options that `--with` enables."""
    return {module.replace("-", "_"): True for module in names(modules)}
