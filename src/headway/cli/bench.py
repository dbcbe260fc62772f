"""`headway bench`: measurements on this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from headway.cli.options import FILE, Lang, complain
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.i18n import say

commands = Commands()


@commands.command(help=say("cli.bench"), epilog=say("cli.bench_example"))
def bench(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help=say("cli.bench_output"), metavar=FILE)
    ] = None,
    history: Annotated[
        Path | None, typer.Option("--history", help=say("cli.bench_history"), metavar=FILE)
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help=say("cli.bench_quick"))] = False,
    server: Annotated[bool, typer.Option("--server", help=say("cli.bench_server"))] = False,
    page: Annotated[bool, typer.Option("--page", help=say("cli.bench_page"))] = False,
    attacks: Annotated[bool, typer.Option("--attacks", help=say("cli.bench_attacks"))] = False,
    faults: Annotated[bool, typer.Option("--faults", help=say("cli.bench_faults"))] = False,
    hidden: Annotated[bool, typer.Option("--hidden", help=say("cli.bench_hidden"))] = False,
    envs: Annotated[bool, typer.Option("--envs", help=say("cli.bench_envs"))] = False,
    yes: Annotated[bool, typer.Option("--yes", help=say("cli.bench_yes"))] = False,
    review: Annotated[bool, typer.Option("--review", help=say("cli.bench_review"))] = False,
    games: Annotated[
        Path | None, typer.Option("--games", help=say("cli.bench_games"), metavar=FILE)
    ] = None,
    lang: Lang = None,
) -> None:
    if faults and not yes:
        _ask_first()
    from headway.bench.run import run

    chosen = {"server": server, "page": page, "attacks": attacks, "faults": faults}
    chosen |= {"hidden": hidden, "envs": envs, "review": review}
    run(quick=quick, output=output, history=history, games=games, **chosen)


def _ask_first() -> None:
    """Ends the command unless somebody at a terminal agrees to what `--faults` does."""
    if not sys.stdin.isatty():
        raise InputError("bench.faults_unasked")
    typer.echo(say("bench.faults_ask"), nl=False, err=True)
    if sys.stdin.readline().strip().lower() not in say("bench.agreed").split():
        complain(say("bench.nothing_done"))
        raise typer.Exit
