"""The server, its API and its database, whether it is well and how it is set.

`headway serve`, `schema`, `backup`, `restore`, `doctor`, `config`, `health`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headway.cli.admin.acts import Columns, Json, tell_json, tell_rows
from headway.cli.options import (
    FILE,
    Config,
    Database,
    N,
    complain,
    explained_settings,
    server_settings,
)
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.i18n import say

if TYPE_CHECKING:
    from headway.progress import Show
    from headway.server.doctor import Finding
    from headway.settings import ServerSettings, Setting

commands = Commands()
ILL = 1
"""The exit code if something is wrong, and that of a server that is not ready."""
HIDDEN = "***"
ADDRESSES = ("database", "channels")
"""Secret settings of which all but the password may be read."""
SECONDS = 5.0
"""How long a server may take to answer whether it is ready."""


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


@commands.command(help=say("cli.doctor"), epilog=say("cli.doctor_example"))
def doctor(
    quick: Annotated[bool, typer.Option("--quick", help=say("cli.doctor_quick"))] = False,
    as_json: Json = False,
    database: Database = None,
    config: Config = None,
) -> None:
    import asyncio

    from headway.progress import progress

    chosen = server_settings(database=database)
    with progress(say("cli.doctor_replaying")) as show:
        found = asyncio.run(_examined(chosen, quick, show, as_json))
    ill = sum(one.level == "wrong" for one in found)
    if as_json:
        tell_json(found)
    else:
        typer.echo(say("doctor.ill", n=ill) if ill else say("doctor.well"))
    if ill:
        raise typer.Exit(ILL)


async def _examined(
    settings: ServerSettings, quick: bool, show: Show, silent: bool
) -> list[Finding]:
    """Returns all findings; tells each as soon as it is there, as the last ones take long."""
    from headway.server.doctor import findings

    found = []
    async for one in findings(settings, quick, show):
        found.append(one)
        if not silent:
            mark = say(f"doctor.level.{one.level}")
            typer.echo(f"{mark}  {say(one.key, **one.values)}")
    return found


@commands.command("config", help=say("cli.config"), epilog=say("cli.config_example"))
def show_config(as_json: Json = False, database: Database = None, config: Config = None) -> None:
    from headway import settings

    with explained_settings():
        found = settings.in_force(database=database)
    columns: Columns = {
        "variable": lambda one: one.variable,
        "value": _shown,
        "source": lambda one: one.source if as_json else say(f"config.source.{one.source}"),
        "place": lambda one: one.place,
    }
    if as_json:
        tell_json([{name: cell(one) for name, cell in columns.items()} for one in found])
    else:
        tell_rows(found, columns, as_json)


def _shown(one: Setting) -> str:
    """Returns a value as it may be read; of an address only the password is hidden."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    if isinstance(one.value, tuple):
        return ",".join(map(str, one.value))
    text = str(one.value)
    if not one.secret or not text:
        return text
    try:
        return make_url(text).render_as_string() if one.name in ADDRESSES else HIDDEN
    except ArgumentError:
        return HIDDEN


@commands.command(help=say("cli.health"), epilog=say("cli.health_example"))
def health(
    url: Annotated[str, typer.Option(help=say("cli.health_url"), metavar=say("metavar.url"))] = "",
    config: Config = None,
) -> None:
    status, said = _asked(url)
    if status != 200:
        complain(said)
        raise typer.Exit(ILL)
    typer.echo(say("health.ready"))


def _asked(url: str) -> tuple[int, str]:
    """Returns the status with which a server says whether it is ready, and why not."""
    import http.client
    import json

    try:
        connection = _connection(url)
        connection.request("GET", "/health/ready", headers={"Accept-Language": "en"})
        answer = connection.getresponse()
        content = answer.read()
    except (OSError, http.client.HTTPException) as error:
        return 0, say("health.silent", reason=str(error) or type(error).__name__)
    if answer.status == 200:
        return 200, ""
    try:
        sentence = json.loads(content)["error"]["sentence"]
    except (ValueError, KeyError, TypeError):
        sentence = str(answer.status)
    return answer.status, say("health.not_ready", reason=sentence)


def _connection(url: str) -> Any:
    """Returns a connection to the server that is named, or to that of the settings."""
    import http.client
    import socket
    from urllib.parse import urlsplit

    if url:
        parts = urlsplit(url)
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        if parts.scheme not in kinds or not parts.hostname:
            raise InputError("connect.address", url=url)
        return kinds[parts.scheme](parts.hostname, parts.port, timeout=SECONDS)
    chosen = server_settings()
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}
    connection = http.client.HTTPConnection(
        everywhere.get(chosen.host, chosen.host), chosen.port, timeout=SECONDS
    )
    if chosen.socket:
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(SECONDS)
        connection.sock.connect(chosen.socket)
    return connection
