"""`headway serve` and `headway schema`: the server, and the description of its API."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from headway.cli.options import Database, Lang, server_settings
from headway.cli.usage import Commands
from headway.i18n import say

commands = Commands()


@commands.command(help=say("cli.serve"), epilog=say("cli.serve_example"))
def serve(
    host: Annotated[
        str, typer.Option(help=say("cli.serve_host"), metavar=say("metavar.address"))
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(min=0, max=65535, help=say("cli.serve_port"), metavar=say("metavar.port")),
    ] = 8000,
    database: Database = None,
    channels: Annotated[
        str | None, typer.Option(help=say("cli.serve_channels"), metavar=say("metavar.address"))
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help=say("cli.serve_open"))] = False,
    lang: Lang = None,
) -> None:
    import threading
    import webbrowser

    from headway.server import page_address
    from headway.server.app import serve as run

    chosen = server_settings(database=database, channels=channels)

    def announce(listening: int) -> None:
        url = page_address(host, listening)
        typer.echo(say("cli.serve_at", url=url))
        sys.stdout.flush()
        if open_page:
            threading.Thread(target=webbrowser.open, args=[url], daemon=True).start()

    run(chosen, host, port, announce)


@commands.command(help=say("cli.schema"), epilog=say("cli.schema_example"))
def schema(lang: Lang = None) -> None:
    from headway.server.app import openapi

    typer.echo(openapi(), nl=False)
