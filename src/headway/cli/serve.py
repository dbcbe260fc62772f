"""`headway serve`, `schema`, `backup`, `restore`: the server, its API and its database."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from headway.cli.options import FILE, Config, Database, N, server_settings
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.i18n import say

commands = Commands()


@commands.command(help=say("cli.serve"), epilog=say("cli.serve_example"))
def serve(
    host: Annotated[
        str | None, typer.Option(help=say("cli.serve_host"), metavar=say("metavar.address"))
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help=say("cli.serve_port"), metavar=say("metavar.port")),
    ] = None,
    socket: Annotated[str | None, typer.Option(help=say("cli.serve_socket"), metavar=FILE)] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=64, help=say("cli.serve_processes"), metavar=N)
    ] = None,
    database: Database = None,
    channels: Annotated[
        str | None, typer.Option(help=say("cli.serve_channels"), metavar=say("metavar.address"))
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help=say("cli.serve_open"))] = False,
    config: Config = None,
) -> None:
    import threading
    import webbrowser

    from headway.server import page_address
    from headway.server.supervisor import supervise, this_child

    listen = {"host": host, "port": None if port is None else str(port), "socket": socket}
    listen["processes"] = None if processes is None else str(processes)
    chosen = server_settings(database=database, channels=channels, **listen)

    def announce(listening: int) -> None:
        url = chosen.socket or page_address(chosen.host, listening)
        typer.echo(say("cli.serve_at", url=url))
        sys.stdout.flush()
        if open_page and not chosen.socket:
            threading.Thread(target=webbrowser.open, args=[url], daemon=True).start()

    if chosen.processes > 1 and not this_child():
        raise typer.Exit(supervise(chosen, announce))
    from headway.server.app import serve as run

    run(chosen, announce)


@commands.command(help=say("cli.schema"), epilog=say("cli.schema_example"))
def schema() -> None:
    from headway.server.app import openapi

    typer.echo(openapi(), nl=False)


@commands.command(help=say("cli.backup"), epilog=say("cli.backup_example"))
def backup(
    file: Annotated[Path, typer.Argument(help=say("cli.backup_file"), metavar=FILE)],
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help=say("cli.backup_force"))] = False,
    config: Config = None,
) -> None:
    import math

    from headway.progress import progress
    from headway.server.backups import backups

    address = server_settings(database=database).database_url
    if file.is_dir() or (file.exists() and not force):
        raise InputError("backup.exists", file=file)
    with progress(say("cli.backup_running")) as show_progress:
        backups.back_up(address, file, show_progress)
    typer.echo(say("backup.made", file=file, size=math.ceil(file.stat().st_size / 1e6)))


@commands.command(help=say("cli.restore"), epilog=say("cli.restore_example"))
def restore(
    file: Annotated[Path, typer.Argument(help=say("cli.restore_file"), metavar=FILE)],
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help=say("cli.restore_force"))] = False,
    config: Config = None,
) -> None:
    from headway.progress import progress
    from headway.server.backups import backups

    address = server_settings(database=database).database_url
    if not force and backups.has_content(address):
        raise InputError("backup.has_content")
    with progress(say("cli.restore_running")) as show_progress:
        kept = backups.restore(address, file, show_progress)
    typer.echo(say("backup.restored", file=file))
    if kept:
        typer.echo(say("backup.kept", file=kept))
