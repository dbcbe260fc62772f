"""`headway train`: trains the network that strong bots need for a city."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headway.cli.options import FILE, Cores, Lang, N
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.games import find
from headway.i18n import say

if TYPE_CHECKING:
    from headway.bots.nextstation.training import SheetPlan, SheetTrainer

commands = Commands()
PROGRESS_SECONDS = 5.0
"""Seconds between two updates of the progress bar and of the files."""


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
    from headway.bots.nextstation.training import SheetPlan

    path = _train(map_name, SheetPlan(learn, study, modules, seed, cores, width), output)
    typer.echo(say("train.done", file=path))


def _train(map_name: str, plan: SheetPlan, output: Path | None) -> Path:
    """Trains a network, or continues an interrupted training; returns the written file.

    A plan with no threads gets one for each core.
    """
    import os

    from headway import settings
    from headway.bots.nextstation.network import file_name
    from headway.bots.nextstation.training import SheetTrainer
    from headway.games.nextstation.game import NextStation

    box, name = find(map_name)
    if box.name != NextStation.box.name:
        raise InputError("train.no_city", word=map_name)
    game = box.open(name)
    assert isinstance(game, NextStation)
    kind = "modules" if plan.modules else "plain"
    path = output or settings.data_dir() / "networks" / file_name(game.map, kind)
    path.parent.mkdir(parents=True, exist_ok=True)
    state = path.with_suffix(".state")
    training = SheetTrainer(game, plan._replace(threads=plan.threads or os.cpu_count() or 1))
    if state.exists():
        training.take_up(state)
    _run(training, state, path)
    state.unlink(missing_ok=True)
    return path


def _run(training: SheetTrainer, state: Path, path: Path) -> None:
    import time

    from headway.progress import progress

    whole = training.plan.learn + training.plan.study
    with progress(say("train.compiling"), whole) as show:
        show(training.games)
        for learned in training.run(PROGRESS_SECONDS, time.monotonic):
            mean, error = f"{learned.mean:.1f}", f"{learned.error:.2f}"
            show(learned.games, title=say("train.going", mean=mean, error=error))
            training.store(state)
            training.finish(path, learned.error)
