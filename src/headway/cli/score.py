"""`headway score`: an agent on the fixed deals of the results page."""

from __future__ import annotations

from typing import Annotated

import typer

from headway.cli.options import Lang, N
from headway.cli.usage import Commands
from headway.i18n import say

commands = Commands()


@commands.command(help=say("cli.score"), epilog="\b\n" + say("cli.score_examples"))
def score(
    benchmark: Annotated[
        str, typer.Argument(help=say("cli.score_benchmark"), metavar=say("metavar.name"))
    ],
    agent: Annotated[
        str, typer.Argument(help=say("cli.score_agent"), metavar=say("metavar.agent"))
    ],
    process: Annotated[bool, typer.Option("--process", help=say("cli.score_process"))] = False,
    observation: Annotated[
        str, typer.Option(help=say("cli.score_observation"), metavar=say("metavar.observation"))
    ] = "board",
    games: Annotated[
        int, typer.Option(min=0, help=say("cli.score_games"), metavar=N, show_default=False)
    ] = 0,
    name: Annotated[
        str, typer.Option(help=say("cli.score_name"), metavar=say("metavar.name"))
    ] = "",
    lang: Lang = None,
) -> None:
    from headway.cli.score_run import run

    typer.echo(run(benchmark, agent, process, observation, games, name))
