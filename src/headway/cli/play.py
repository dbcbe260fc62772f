"""`headway play`: a game in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.options import (
    FILE,
    Choose,
    MapName,
    Modules,
    N,
    Opponents,
    chosen,
    names,
    options,
)
from headway.cli.usage import Commands
from headway.games import find
from headway.i18n import say

commands = Commands()


@commands.command(help=say("cli.play"), epilog=say("cli.play_example"))
def play(
    map_name: MapName = "london",
    people: Annotated[int, typer.Option(min=1, help=say("cli.people"), metavar=N)] = 1,
    bots: Opponents = "",
    people_names: Annotated[
        str, typer.Option("--names", help=say("cli.names"), metavar=say("metavar.names"))
    ] = "",
    seed: Annotated[int | None, typer.Option(help=say("cli.seed"), metavar=N)] = None,
    save: Annotated[Path | None, typer.Option(help=say("cli.save"), metavar=FILE)] = None,
    modules: Modules = "",
    choose: Choose = None,
) -> None:
    from headway.cli.session import play as play_in_terminal

    box, name = find(map_name)
    opponents = names(bots)
    opponents += [box.opponent] * (box.seats.start - people - len(opponents))
    game = box.open(name, people + len(opponents), options(modules))
    if choose:
        game = game.choose(chosen(game, choose))
    play_in_terminal(
        game,
        people=people,
        bots=opponents,
        names=names(people_names),
        seed=seed,
        save=save,
    )
