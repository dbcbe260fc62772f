"""`headway data`: data sets of many games, for researchers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.options import (
    FOLDER,
    ArenaSeed,
    Cluster,
    Contestants,
    Cores,
    Database,
    Lang,
    MapOption,
    Modules,
    N,
    Seats,
    names,
    options,
    take_language,
)
from headway.cli.usage import Commands
from headway.i18n import say

group = Commands(
    no_args_is_help=True, help=say("cli.data"), epilog="\b\n" + say("cli.data_examples")
)
group.callback()(take_language)

Output = Annotated[Path, typer.Option("--output", "-o", help=say("cli.data_out"), metavar=FOLDER)]


@group.command("export", help=say("cli.data_export"), epilog=say("cli.data_export_example"))
def data_export(
    month: Annotated[str, typer.Option(help=say("cli.data_month"), metavar=say("metavar.month"))],
    output: Output,
    database: Database = None,
    lang: Lang = None,
) -> None:
    from headway.cli.data_run import run_export

    run_export(month, output, database, lang)


@group.command("verify", help=say("cli.data_verify"), epilog=say("cli.data_verify_example"))
def data_verify(
    folder: Annotated[Path, typer.Argument(help=say("cli.data_folder"), metavar=FOLDER)],
    cores: Cores = 0,
    lang: Lang = None,
) -> None:
    from headway.cli.data_run import run_verify

    run_verify(folder, cores, lang)


@group.command("make", help=say("cli.data_make"), epilog="\b\n" + say("cli.data_make_examples"))
def data_make(
    output: Output,
    bots: Contestants,
    games: Annotated[int, typer.Option(min=1, help=say("cli.data_games"), metavar=N)],
    map_name: MapOption = "london",
    seats: Seats = 0,
    modules: Modules = "",
    seed: ArenaSeed = 0,
    month: Annotated[
        str, typer.Option(help=say("cli.data_made_month"), metavar=say("metavar.month"))
    ] = "",
    cores: Cores = 0,
    cluster: Cluster = False,
    lang: Lang = None,
) -> None:
    from headway.arena.job import open_job
    from headway.cli.data_run import run_make

    job = open_job(map_name, names(bots), seats=seats, options=options(modules), seed=seed)
    run_make(job, games, month, output, cores=cores, cluster=cluster, lang=lang)
