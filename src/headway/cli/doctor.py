"""`headway doctor`, `config`, `health`: whether a server is well, and how it is set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from headway.cli.admin.acts import Json, tell_json, tell_table
from headway.cli.options import Config, Database, complain, explained_settings, server_settings
from headway.cli.usage import Commands
from headway.i18n import say

if TYPE_CHECKING:
    from headway.server.doctor.findings import Finding
    from headway.settings import ServerSettings

commands = Commands()
ILL = 1
"""The exit code if something is wrong, and that of a server that is not ready."""
HIDDEN = "***"
SECONDS = 5.0


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
    if as_json:
        tell_json(found)
    ill = sum(one.level == "wrong" for one in found)
    if not as_json:
        typer.echo(say("doctor.ill", n=ill) if ill else say("doctor.well"))
    if ill:
        raise typer.Exit(ILL)


async def _examined(
    settings: ServerSettings, quick: bool, show: Any, silent: bool
) -> list[Finding]:
    """Returns all findings; tells each as soon as it is there, as the last ones take long."""
    from headway.server.doctor.examination import findings

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
    rows = [[one.variable, _shown(one), one.source, one.place] for one in found]
    if as_json:
        names = "variable", "value", "source", "place"
        listed = [dict(zip(names, row, strict=True)) for row in rows]
        tell_json(listed)
        return
    cells = [[*row[:2], say(f"config.source.{row[2]}"), row[3]] for row in rows]
    tell_table(("variable", "value", "source", "place"), cells)


def _shown(one: Any) -> str:
    """Returns a value as it may be read; of an address only the password is hidden."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    if isinstance(one.value, tuple):
        return ",".join(map(str, one.value))
    text = str(one.value)
    if not one.secret or not text:
        return text
    try:
        return make_url(text).render_as_string(hide_password=True)
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

    from headway.errors import InputError

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
