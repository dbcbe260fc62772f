"""`headway score`: an agent on the fixed deals of the results page."""

from __future__ import annotations

from typing import Annotated

import typer

from headway.i18n import say

commands = typer.Typer()


@commands.command(help=say("cli.score"), epilog="\b\n" + say("cli.score_examples"))
def score(
    benchmark: Annotated[str, typer.Argument(help=say("cli.score_benchmark"), metavar="NAME")],
    agent: Annotated[str, typer.Argument(help=say("cli.score_agent"), metavar="AGENT")],
    process: Annotated[bool, typer.Option("--process", help=say("cli.score_process"))] = False,
    observation: Annotated[str, typer.Option(help=say("cli.score_observation"))] = "board",
    games: Annotated[int, typer.Option(min=0, help=say("cli.score_games"))] = 0,
    name: Annotated[str, typer.Option(help=say("cli.score_name"))] = "",
) -> None:
    from headway.cli.score_run import run

    typer.echo(run(benchmark, agent, process, observation, games, name))
