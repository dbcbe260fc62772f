"""Runs the commands of `headway data` with their progress bars."""

from __future__ import annotations

import datetime
import os
import re
from pathlib import Path

import typer

from headway.arena.job import Job
from headway.cli.options import WRONG, complain, server_settings
from headway.dataset.make import Plan, make
from headway.dataset.verify import verify
from headway.errors import InputError
from headway.i18n import say
from headway.progress import progress

_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


def run_export(month: str, output: Path, database: str | None, lang: str | None) -> None:
    """Exports a month of the server's games."""
    import asyncio

    from headway.server.core.calendar import Calendar
    from headway.server.core.database import Database, open_engine
    from headway.server.core.migrations import upgrade
    from headway.server.core.sqlite_file import prepare, sqlite_file
    from headway.server.export.export import Exported, export

    chosen = server_settings(database=database)
    month = checked_month(month)
    if file := sqlite_file(chosen.database_url):
        prepare(file)

    async def run() -> Exported:
        opened = Database(open_engine(chosen.database_url, patient=True))
        try:
            await upgrade(opened.engine)
            return await export(opened, month, output, Calendar(chosen.today))
        finally:
            await opened.close()

    exported = asyncio.run(run())
    typer.echo(say("data.made", lang, n=exported.games, folder=output))
    if exported.private:
        typer.echo(say("data.private", lang, n=exported.private))
    if exported.unreadable:
        typer.echo(say("data.unreadable", lang, n=exported.unreadable))


def run_verify(folder: Path, cores: int, lang: str | None) -> None:
    """Verifies a data set and prints every difference."""
    with progress(say("cli.data_verifying", lang), lang=lang) as show:
        games, bad = verify(folder, cores=cores or os.cpu_count() or 1, on_checked=show)
    for game in bad:
        complain(say("data.bad_game", lang, file=game.file, game=game.game, what=game.sentence))
    if bad:
        complain(say("data.bad", lang, n=len(bad), games=games))
        raise typer.Exit(WRONG)
    typer.echo(say("data.good", lang, n=games))


def run_make(
    job: Job,
    games: int,
    month: str,
    output: Path,
    *,
    cores: int,
    cluster: bool,
    lang: str | None,
) -> None:
    """Plays the games of a data set and writes it."""
    month = checked_month(month or datetime.datetime.now(datetime.UTC).strftime("%Y-%m"))
    try:
        with progress(say("cli.data_making", lang), games, lang) as show:
            made = make(
                Plan(job, games, month),
                output,
                cores=cores or os.cpu_count() or 1,
                cluster=cluster,
                on_games=show,
            )
    except KeyboardInterrupt:
        complain(say("data.resume", lang))
        raise
    typer.echo(say("data.made", lang, n=made, folder=output))


def checked_month(text: str) -> str:
    """Returns a month that is written as `2026-11`; refuses any other text."""
    if not _MONTH.fullmatch(text):
        raise InputError("data.no_month", month=text)
    return text
