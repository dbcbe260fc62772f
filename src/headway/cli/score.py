"""`headway score`: an agent on the fixed deals of the results page."""

from __future__ import annotations

from contextlib import ExitStack
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
    typer.echo(run(benchmark, agent, process, observation, games, name))


def run(
    benchmark_name: str, agent: str, process: bool, observation: str, games: int, name: str
) -> str:
    """Returns the row of an agent; shows the progress."""
    from headway.bots.user_code import in_file
    from headway.envs import agents
    from headway.progress import track

    chosen, guest = agents.benchmark(benchmark_name), None
    games = games or chosen.games
    with ExitStack() as stack:
        if process or in_file(agent):
            encoding = agents.encoding_for(chosen, observation)
            asked = (
                stack.enter_context(agents.ProcessAgent(agent))
                if process
                else agents.load_agent(agent)
            )
            guest = agents.AgentBot(encoding, asked)
        played = track(agents.results(chosen, agent, games, guest), say("agent.title"), games)
        return agents.score(chosen, name or agent, played).row()
