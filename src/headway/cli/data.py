"""`headway data`: data sets of many games, for researchers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headway.cli.options import (
    FILE,
    FOLDER,
    WRONG,
    ArenaSeed,
    Cluster,
    Contestants,
    Cores,
    Database,
    MapOption,
    Modules,
    N,
    Seats,
    complain,
    names,
    options,
    server_settings,
)
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.i18n import plain, say

if TYPE_CHECKING:
    from headway.server.export import Exported

group = Commands(
    no_args_is_help=True, help=say("cli.data"), epilog="\b\n" + say("cli.data_examples")
)

Output = Annotated[Path, typer.Option("--output", "-o", help=say("cli.data_out"), metavar=FOLDER)]
_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


@group.command("export", help=say("cli.data_export"), epilog=say("cli.data_export_example"))
def data_export(
    month: Annotated[str, typer.Option(help=say("cli.data_month"), metavar=say("metavar.month"))],
    output: Output,
    database: Database = None,
) -> None:
    import asyncio

    month = _checked_month(month)
    exported = asyncio.run(_exported(month, output, database))
    typer.echo(say("data.made", n=exported.games, folder=output))
    if exported.private:
        typer.echo(say("data.private", n=exported.private))
    if exported.unreadable:
        typer.echo(say("data.unreadable", n=exported.unreadable))


@group.command("verify", help=say("cli.data_verify"), epilog=say("cli.data_verify_example"))
def data_verify(
    folder: Annotated[Path, typer.Argument(help=say("cli.data_folder"), metavar=FOLDER)],
    cores: Cores = 0,
) -> None:
    from headway.dataset.folder import verify
    from headway.progress import progress

    with progress(say("cli.data_verifying")) as show:
        games, bad = verify(folder, cores=cores, on_checked=show)
    for game in bad:
        complain(say("data.bad_game", file=game.file, game=game.game, what=game.sentence))
    if bad:
        complain(say("data.bad", n=len(bad), games=games))
        raise typer.Exit(WRONG)
    typer.echo(say("data.good", n=games))


@group.command("lines", help=say("cli.data_lines"), epilog=say("cli.data_lines_example"))
def data_lines(
    file: Annotated[Path, typer.Argument(help=say("cli.data_file"), metavar=FILE)],
) -> None:
    from headway.dataset.columns import lines
    from headway.dataset.folder import partition_of

    for line in lines(file, partition_of(file).game):
        typer.echo(plain(line.decode()))


@dataclass(frozen=True)
class DataOptions:
    """Which games `headway data make` plays, and where it writes them."""

    output: Output
    bots: Contestants
    games: Annotated[int, typer.Option(min=1, help=say("cli.data_games"), metavar=N)]
    map_name: MapOption = "london"
    seats: Seats = 0
    modules: Modules = ""
    seed: ArenaSeed = 0
    month: Annotated[
        str, typer.Option(help=say("cli.data_made_month"), metavar=say("metavar.month"))
    ] = ""
    cores: Cores = 0
    cluster: Cluster = False


@group.command("make", help=say("cli.data_make"), epilog="\b\n" + say("cli.data_make_examples"))
def data_make(chosen: DataOptions) -> None:
    import datetime

    from headway.arena.job import open_job
    from headway.dataset.make import Plan, make
    from headway.progress import progress

    bots, modules = names(chosen.bots), options(chosen.modules)
    job = open_job(chosen.map_name, bots, seats=chosen.seats, options=modules, seed=chosen.seed)
    month = _checked_month(chosen.month or datetime.datetime.now(datetime.UTC).strftime("%Y-%m"))
    try:
        with progress(say("cli.data_making"), chosen.games) as show:
            made = make(
                Plan(job, chosen.games, month),
                chosen.output,
                cores=chosen.cores,
                cluster=chosen.cluster,
                on_games=show,
            )
    except KeyboardInterrupt:
        complain(say("data.resume"))
        raise
    typer.echo(say("data.made", n=made, folder=chosen.output))


def _checked_month(text: str) -> str:
    """Returns a month that is written as `2026-11`; refuses any other text."""
    if not _MONTH.fullmatch(text):
        raise InputError("data.no_month", month=text)
    return text


async def _exported(month: str, output: Path, database: str | None) -> Exported:
    """Exports a month of the server's games."""
    from headway.server.core.calendar import Calendar
    from headway.server.core.database import Database as Opened
    from headway.server.core.database import open_engine, prepare, sqlite_file
    from headway.server.core.migrations import upgrade
    from headway.server.export import export

    chosen = server_settings(database=database)
    if file := sqlite_file(chosen.database_url):
        prepare(file)
    opened = Opened(open_engine(chosen.database_url, patient=True))
    try:
        await upgrade(opened.engine)
        return await export(opened, month, output, Calendar(chosen.today))
    finally:
        await opened.close()
