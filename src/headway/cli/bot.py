"""`headway bots`, `train` and `bot`: which bots there are, their training, a bot at a web table."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headway.cli.options import FILE, Cores, N, OneBot, complain
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.games import boxes, find
from headway.i18n import say

if TYPE_CHECKING:
    from headway.bots.nextstation.training import SheetPlan, SheetTrainer

commands = Commands()
group = Commands(no_args_is_help=True, help=say("cli.bot_group"))
PROGRESS_SECONDS = 5.0
"""Seconds between two updates of the progress bar and of the files."""


@commands.command(help=say("cli.bots_list"), epilog=say("cli.bots_list_example"))
def bots() -> None:
    from headway.bots.registry import each_bot

    for box in boxes():
        typer.echo(box.name)
        for name, character, level in each_bot(box.name):
            key = "cli.bot_level" if level else "cli.bot_other"
            typer.echo(say(key, bot=name, **character._asdict()))


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
) -> None:
    from headway.bots.nextstation.training import SheetPlan

    path = _train(map_name, SheetPlan(learn, study, modules, seed, cores, width), output)
    typer.echo(say("train.done", file=path))


def _train(map_name: str, plan: SheetPlan, output: Path | None) -> Path:
    """Trains a network, or continues an interrupted training; returns the written file."""
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
    training = SheetTrainer(game, plan)
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


@group.command("connect", help=say("cli.connect"), epilog=say("cli.connect_example"))
def bot_connect(
    url: Annotated[str, typer.Argument(help=say("cli.connect_url"), metavar=say("metavar.url"))],
    token: Annotated[
        str,
        typer.Option(
            help=say("cli.connect_token"), envvar="HEADWAY_TOKEN", metavar=say("metavar.token")
        ),
    ],
    bot: OneBot,
    table_id: Annotated[
        str, typer.Option("--table", help=say("cli.connect_table"), metavar=say("metavar.table"))
    ] = "",
) -> None:
    from headway import bot_client

    def tell(key: str, **values: object) -> None:
        complain(say(key, **values))

    end = bot_client.play(url, token, bot, table_id, tell)
    typer.echo(say("connect.over", totals=", ".join(map(str, end.outcome["totals"]))))


@group.command("compile", help=say("cli.bot_compile"), epilog=say("cli.bot_compile_example"))
def compile_bots() -> None:
    from headway import reviews
    from headway.bots import bots_of
    from headway.progress import track

    bots = [bot for box in boxes() for bot in bots_of(box.name).values() if bot.compiled]
    steps = [bot.warm_up for bot in bots] + [partial(reviews.warm_up, box.name) for box in boxes()]
    for step in track(steps, say("train.compiling"), len(steps)):
        step()
