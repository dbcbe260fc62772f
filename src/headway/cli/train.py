"""`headway train`: trains the network that strong bots need for a city."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headway.cli.options import FILE, Cores, Lang, N
from headway.cli.usage import Commands
from headway.i18n import say

commands = Commands()


@commands.command(help=say("cli.train"), epilog="\b\n" + say("cli.train_examples"))
def train(
    map_name: Annotated[
        str, typer.Option("--map", help=say("cli.train_map"), metavar=say("metavar.map"))
    ] = "london",
    modules: Annotated[bool, typer.Option("--modules", help=say("cli.train_modules"))] = False,
    learn: Annotated[int, typer.Option(min=0, help=say("cli.train_learn"), metavar=N)] = 2_000_000,
    study: Annotated[int, typer.Option(min=0, help=say("cli.train_study"), metavar=N)] = 100_000,
    width: Annotated[
        int, typer.Option(min=8, max=512, help=say("cli.train_width"), metavar=N)
    ] = 128,
    seed: Annotated[int, typer.Option(min=0, help=say("cli.train_seed"), metavar=N)] = 1,
    cores: Cores = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help=say("cli.train_file"), metavar=FILE)
    ] = None,
    lang: Lang = None,
) -> None:
    from headway.bots.nextstation.training.training import TrainingPlan
    from headway.cli.train_run import train as run

    path = run(map_name, TrainingPlan(learn, study, modules, seed, cores, width), output)
    typer.echo(say("train.done", file=path))
