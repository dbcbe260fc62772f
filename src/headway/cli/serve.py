"""`headway serve` and `headway schema`: the server, and the description of its API."""

from __future__ import annotations

from typing import Annotated

import typer

from headway.errors import InputError
from headway.i18n import say

commands = typer.Typer()


@commands.command(help=say("cli.serve"), epilog=say("cli.serve_example"))
def serve(
    host: Annotated[str, typer.Option(help=say("cli.serve_host"))] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help=say("cli.serve_port"))] = 8000,
    database: Annotated[str | None, typer.Option(help=say("cli.serve_database"))] = None,
    channels: Annotated[str | None, typer.Option(help=say("cli.serve_channels"))] = None,
    open_page: Annotated[bool, typer.Option("--open", help=say("cli.serve_open"))] = False,
) -> None:
    from headway import server, settings
    from headway.server.app import serve as run

    try:
        chosen = settings.server(database=database, channels=channels)
    except settings.NotANumberError as error:
        variable, value = error.args
        raise InputError("cli.serve_number", variable=variable, value=value) from None
    typer.echo(say("cli.serve_at", url=server.page_address(host, port)))
    if open_page:
        server.open_when_ready(host, port)
    run(chosen, host, port)


@commands.command(help=say("cli.schema"), epilog=say("cli.schema_example"))
def schema() -> None:
    from headway.server.app import openapi

    typer.echo(openapi(), nl=False)
