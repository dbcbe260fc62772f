"""The `headway` command.

Exit codes: 0 success, 2 wrong input (with a sentence on stderr), 130 interrupted by Ctrl-C (0 for
`serve`, which is meant to be ended this way).
"""

from __future__ import annotations

import sys
from typing import Annotated, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from headway import __version__
from headway.cli import arena, backup, bench, bot, data, play, records, score, serve, train
from headway.cli.maps import map_commands
from headway.cli.options import WRONG, complain
from headway.errors import BotFailedError, HeadwayError
from headway.games import boxes
from headway.i18n import say

app = typer.Typer(
    help=say("cli.about"),
    epilog="\b\n" + say("cli.examples"),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    """Runs the command; prints errors for users as a sentence.

    Typer handles wrong arguments (2) and Ctrl-C (130).
    """
    try:
        command()()
    except HeadwayError as error:
        complain(error.explain())
        if isinstance(error, BotFailedError) and error.trace:
            complain(error.trace)
        sys.exit(WRONG)


def command() -> TyperGroup:
    """Returns the `headway` command, whose `--help` options speak the user's language."""
    whole = cast(TyperGroup, get_command(app))
    _describe_help(whole)
    return whole


def _describe_help(group: TyperGroup) -> None:
    """Replaces Typer's English text for `--help` in a group and in all commands below it."""
    for part in (group, *group.commands.values()):
        if option := part.get_help_option(typer.Context(part)):
            option.help = say("cli.help")
        if part is not group and isinstance(part, TyperGroup):
            _describe_help(part)


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"headway {__version__}")
        raise typer.Exit


@app.callback()
def headway(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help=say("cli.version"))
    ] = False,
) -> None:
    """Options of the command itself; its help is in the catalogue."""


for _commands in (records, play, train, bench, score, serve, backup):
    app.add_typer(_commands.commands)
app.add_typer(arena.group, name="arena")
app.add_typer(bot.group, name="bot")
app.add_typer(data.group, name="data")
for _box in boxes():
    app.add_typer(map_commands(_box), name=_box.map_command)
