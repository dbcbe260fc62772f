"""`headway arena`: many games on the same deals, and their report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.options import (
    FILE,
    SVG,
    ArenaSeed,
    Cluster,
    Contestants,
    Cores,
    Lang,
    MapOption,
    Modules,
    N,
    Seats,
    names,
    options,
)
from headway.cli.usage import Commands
from headway.i18n import say

group = Commands(help=say("cli.arena"), epilog="\b\n" + say("cli.arena_examples"))

JsonOut = Annotated[bool, typer.Option("--json", help=say("cli.arena_json"))]
Plot = Annotated[Path | None, typer.Option(help=say("cli.arena_plot"), metavar=SVG)]


@group.callback(invoke_without_command=True)
def arena(
    context: typer.Context,
    map_name: MapOption = "london",
    bots: Contestants = "",
    games: Annotated[int, typer.Option(min=1, help=say("cli.arena_games"), metavar=N)] = 100,
    seats: Seats = 0,
    modules: Modules = "",
    seed: ArenaSeed = 0,
    cores: Cores = 0,
    file: Annotated[
        Path | None, typer.Option("--output", "-o", help=say("cli.arena_file"), metavar=FILE)
    ] = None,
    cluster: Cluster = False,
    luck: Annotated[bool, typer.Option("--luck", help=say("cli.arena_luck"))] = False,
    json: JsonOut = False,
    plot: Plot = None,
    lang: Lang = None,
) -> None:
    if context.invoked_subcommand:
        return
    from headway.cli.arena_run import run_arena

    run_arena(
        map_name=map_name,
        bots=names(bots),
        games=games,
        seats=seats,
        options=list(options(modules)),
        seed=seed,
        cores=cores,
        file=file,
        cluster=cluster,
        luck=luck,
        json=json,
        plot=plot,
        lang=lang,
    )


@group.command("report", help=say("cli.arena_report"), epilog=say("cli.arena_report_example"))
def arena_report(
    file: Annotated[Path, typer.Argument(help=say("cli.arena_results"), metavar=FILE)],
    json: JsonOut = False,
    plot: Plot = None,
    lang: Lang = None,
) -> None:
    from headway.arena.results import load
    from headway.cli.arena_run import print_report

    print_report(*load(file), json=json, plot=plot, lang=lang)
