"""`headway arena` and `score`: many games on the same deals, and their report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headway.cli.options import (
    FILE,
    SVG,
    ArenaSeed,
    Cluster,
    Contestants,
    Cores,
    MapOption,
    Modules,
    N,
    Seats,
    names,
    options,
)
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.i18n import say

if TYPE_CHECKING:
    from headway.arena.job import Job, Result, Results

commands = Commands()
group = Commands(help=say("cli.arena"), epilog="\b\n" + say("cli.arena_examples"))

JsonOut = Annotated[bool, typer.Option("--json", help=say("cli.arena_json"))]
Plot = Annotated[Path | None, typer.Option(help=say("cli.arena_plot"), metavar=SVG)]


@dataclass(frozen=True)
class ArenaOptions:
    """What `headway arena` plays, and where the results go."""

    map_name: MapOption = "london"
    bots: Contestants = ""
    games: Annotated[int, typer.Option(min=1, help=say("cli.arena_games"), metavar=N)] = 100
    seats: Seats = 0
    modules: Modules = ""
    seed: ArenaSeed = 0
    cores: Cores = 0
    file: Annotated[
        Path | None, typer.Option("--output", "-o", help=say("cli.arena_file"), metavar=FILE)
    ] = None
    cluster: Cluster = False
    luck: Annotated[bool, typer.Option("--luck", help=say("cli.arena_luck"))] = False
    json: JsonOut = False
    plot: Plot = None


@group.callback(invoke_without_command=True)
def arena(context: typer.Context, chosen: ArenaOptions) -> None:
    if context.invoked_subcommand:
        return
    from headway.arena.job import open_job

    modules = options(chosen.modules)
    job = open_job(
        chosen.map_name,
        names(chosen.bots),
        seats=chosen.seats,
        options=modules,
        seed=chosen.seed,
        luck=chosen.luck,
    )
    results, stopped = _play(job, chosen)
    if results or not stopped:
        _print_report(job, results, chosen.json, chosen.plot)
    if stopped:
        raise KeyboardInterrupt


@group.command("report", help=say("cli.arena_report"), epilog=say("cli.arena_report_example"))
def arena_report(
    file: Annotated[Path, typer.Argument(help=say("cli.arena_results"), metavar=FILE)],
    json: JsonOut = False,
    plot: Plot = None,
) -> None:
    from headway.arena.job import load

    _print_report(*load(file), json, plot)


def _play(job: Job, chosen: ArenaOptions) -> tuple[list[Result], bool]:
    """Plays a job; returns the finished games, and whether Ctrl-C stopped it."""
    from headway.arena import render
    from headway.arena.job import run
    from headway.progress import progress

    games, file = chosen.games, chosen.file
    finished: list[Result] = []
    try:
        with progress(say("arena.progress"), len(job.numbers(games))) as show:

            def on_result(results: Results) -> None:
                finished[:] = results.finished
                often = len(finished) < 100 or len(finished) % 20 == 0
                show(len(finished), note=render.means(finished) if often else "")

            played = run(
                job,
                games,
                cores=chosen.cores,
                file=file,
                cluster=chosen.cluster,
                on_result=on_result,
            )
            return played, False
    except KeyboardInterrupt:
        finished.sort(key=lambda result: result.game)
        typer.echo(say("arena.interrupted", games=len(finished)), err=True)
        if file:
            typer.echo(say("arena.resume", file=file), err=True)
    return finished, True


def _print_report(job: Job, results: Sequence[Result], json: bool, plot: Path | None) -> None:
    """Prints the report of a job's results, and draws them if asked."""
    import sys

    import msgspec
    from rich.console import Console

    from headway.arena import render
    from headway.arena.report import report
    from headway.files import write_whole

    if not results:
        raise InputError("arena.no_results")
    summary = report(job, results)
    if json:
        typer.echo(msgspec.json.encode(summary).decode())
    else:
        console = Console(width=None if sys.stdout.isatty() else 140)
        for grid in render.grids(summary, console.width):
            console.print(grid)
    if plot:
        write_whole(plot, render.picture(summary, results).encode())


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
) -> None:
    typer.echo(score_row(benchmark, agent, process, observation, games, name))


def score_row(
    benchmark_name: str, agent: str, process: bool, observation: str, games: int, name: str
) -> str:
    """Returns the row of an agent; shows the progress."""
    from contextlib import ExitStack

    from headway.bots.registry import in_file
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
