"""`headway backup` and `headway restore`: the server's database in one file, and its way back."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from headway.cli.options import FILE, Database, Lang, server_settings
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.i18n import say

commands = Commands()


@commands.command(help=say("cli.backup"), epilog=say("cli.backup_example"))
def backup(
    file: Annotated[Path, typer.Argument(help=say("cli.backup_file"), metavar=FILE)],
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help=say("cli.backup_force"))] = False,
    lang: Lang = None,
) -> None:
    from headway.progress import progress
    from headway.server.backups import backups

    address = server_settings(database=database).database_url
    if file.is_dir() or (file.exists() and not force):
        raise InputError("backup.exists", file=file)
    with progress(say("cli.backup_running", lang), lang=lang) as show_progress:
        backups.back_up(address, file, show_progress)
    typer.echo(say("backup.made", lang, file=file, size=math.ceil(file.stat().st_size / 1e6)))


@commands.command(help=say("cli.restore"), epilog=say("cli.restore_example"))
def restore(
    file: Annotated[Path, typer.Argument(help=say("cli.restore_file"), metavar=FILE)],
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help=say("cli.restore_force"))] = False,
    lang: Lang = None,
) -> None:
    from headway.progress import progress
    from headway.server.backups import backups

    address = server_settings(database=database).database_url
    if not force and backups.has_content(address):
        raise InputError("backup.has_content")
    with progress(say("cli.restore_running", lang), lang=lang) as show_progress:
        kept = backups.restore(address, file, show_progress)
    typer.echo(say("backup.restored", lang, file=file))
    if kept:
        typer.echo(say("backup.kept", lang, file=kept))
