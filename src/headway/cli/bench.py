"""`headway bench`: measurements on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from headway.i18n import say

commands = typer.Typer()


@commands.command(help=say("cli.bench"), epilog=say("cli.bench_example"))
def bench(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help=say("cli.bench_output"))
    ] = None,
    history: Annotated[
        Path | None, typer.Option("--history", help=say("cli.bench_history"))
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help=say("cli.bench_quick"))] = False,
    server: Annotated[bool, typer.Option("--server", help=say("cli.bench_server"))] = False,
    page: Annotated[bool, typer.Option("--page", help=say("cli.bench_page"))] = False,
    attacks: Annotated[bool, typer.Option("--attacks", help=say("cli.bench_attacks"))] = False,
    faults: Annotated[bool, typer.Option("--faults", help=say("cli.bench_faults"))] = False,
    hidden: Annotated[bool, typer.Option("--hidden", help=say("cli.bench_hidden"))] = False,
    envs: Annotated[bool, typer.Option("--envs", help=say("cli.bench_envs"))] = False,
    review: Annotated[bool, typer.Option("--review", help=say("cli.bench_review"))] = False,
    games: Annotated[Path | None, typer.Option("--games", help=say("cli.bench_games"))] = None,
) -> None:
    from headway.bench.run import run

    chosen = {"server": server, "page": page, "attacks": attacks, "faults": faults}
    chosen |= {"hidden": hidden, "envs": envs, "review": review}
    run(quick=quick, output=output, history=history, games=games, **chosen)
