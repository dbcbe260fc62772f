"""The `headway` command.

Exit codes: 0 success, 2 wrong input (with a sentence on stderr), 130 interrupted by Ctrl-C (0 for
`serve`, which is meant to be ended this way).
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Literal, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from headway import __version__
from headway.cli import admin, arena, bot, data, records, serve
from headway.cli.maps import map_commands
from headway.cli.options import WRONG, complain
from headway.cli.usage import Commands, explain
from headway.errors import BotFailedError, HeadwayError
from headway.games import boxes
from headway.i18n import say

COMPLETE = "_HEADWAY_COMPLETE"
"""The variable by which the script of a shell asks Typer what completes a line."""

app = Commands(
    help=say("cli.about"),
    epilog="\b\n" + say("cli.examples"),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Runs the command; prints errors for users as a sentence, in their language."""
    if COMPLETE in os.environ:
        _know_shells()
    try:
        code = command()(prog_name="headway", complete_var=COMPLETE, standalone_mode=False)
    except HeadwayError as error:
        complain(error.message())
        if isinstance(error, BotFailedError) and error.trace:
            complain(error.trace)
        code = WRONG
    except typer.TyperException as error:
        complain(explain(error))
        code = error.exit_code
    except typer.Abort:
        code = WRONG
    sys.exit(code)


def command() -> TyperGroup:
    """Returns the `headway` command."""
    return cast(TyperGroup, get_command(app))


def _know_shells() -> None:
    """Registers the shells with Typer, which otherwise happens only with its own options."""
    from typer.completion import get_completion_inspect_parameters  # slow to load

    get_completion_inspect_parameters()


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


for _commands in (records, bot, arena, serve):
    app.add_typer(_commands.commands)
app.add_typer(admin.group, name="admin")
app.add_typer(arena.group, name="arena")
app.add_typer(bot.group, name="bot")
app.add_typer(data.group, name="data")
for _box in boxes():
    app.add_typer(map_commands(_box), name=_box.map_command)


_completion = Commands()


@_completion.command(help=say("cli.completion"), epilog="\b\n" + say("cli.completion_examples"))
def completion(
    shell: Annotated[
        Literal["bash", "zsh", "fish"],
        typer.Argument(help=say("cli.shell"), metavar="bash|zsh|fish"),
    ],
) -> None:
    from typer.completion import shell_complete

    _know_shells()
    shell_complete(command(), {}, "headway", COMPLETE, f"source_{shell}")


app.add_typer(_completion)
