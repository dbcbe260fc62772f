"""`headway serve` and `headway schema`: the server, and the description of its API."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from headway.cli.options import server_settings
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
def schema() -> None:
    from headway.server.app import openapi

    typer.echo(openapi(), nl=False)
