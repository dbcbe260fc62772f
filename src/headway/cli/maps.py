"""Commands for the maps of a game: `headway city check`, `headway board show`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from headway.cli.options import (
    FILE,
    WRONG,
    MapName,
    Modules,
    complain,
    options,
)
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.files import read_text, write_whole
from headway.games.box import Box
from headway.i18n import language, say
from headway.svg import pdf


def map_commands(box: Box) -> typer.Typer:
    """Returns the commands for the maps of one game: `headway city check`, `headway city show`."""
    group = Commands(no_args_is_help=True, help=say("cli.map_group", game=box.name))

    @group.command(help=say("cli.check"), epilog=say("cli.check_example", word=box.map_command))
    def check(
        files: Annotated[
            list[Path], typer.Argument(help=say("cli.map_files"), metavar=say("metavar.files"))
        ],
    ) -> None:
        wrong = False
        for file in files:
            problems = box.check_map(read_text(file))
            for problem in problems:
                sentence = problem.sentence()
                complain(say("cli.problem", file=file, line=problem.line, sentence=sentence))
            wrong |= bool(problems)
            if not problems:
                typer.echo(say("cli.good", file=file))
                typer.echo("\n".join(box.map_facts(str(file))[1:]))
        raise typer.Exit(WRONG if wrong else 0)

    @group.command(
        help=say("cli.show"),
        epilog=say("cli.show_example", word=box.map_command, map=box.default_map),
    )
    def show(
        name: MapName,
    ) -> None:
        typer.echo("\n".join(box.map_facts(name)))

    if box.on_paper:
        group.command(
            "print",
            help=say("cli.print"),
            epilog=say("cli.print_example", word=box.map_command, map=box.default_map),
        )(_print_command(box))
    return group


def _print_command(box: Box) -> Callable[..., None]:
    """Returns the command that prints the empty sheet of a map."""

    def print_sheet(
        name: MapName,
        output: Annotated[
            Path, typer.Option("--output", "-o", help=say("cli.print_output"), metavar=FILE)
        ],
        modules: Modules = "",
    ) -> None:
        if output.suffix not in (".svg", ".pdf"):
            raise InputError("cli.print_ending", file=output)
        game = box.open(name, box.seats.start, options(modules))
        page = game.presentation.blank_sheet(game)
        is_pdf = output.suffix == ".pdf"
        write_whole(output, pdf(page, game.title(), language()) if is_pdf else page.encode())

    return print_sheet
