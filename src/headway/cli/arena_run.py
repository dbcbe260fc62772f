"""Plays the games of `headway arena` with a progress bar and prints their report."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import typer
from rich.console import Console

from headway.arena import render
from headway.arena.job import Job, open_job
from headway.arena.match import Result
from headway.arena.report import report
from headway.arena.results import Results
from headway.arena.runner import run
from headway.errors import InputError
from headway.files import write_whole
from headway.i18n import say
from headway.progress import progress


def run_arena(
    *,
    map_name: str,
    bots: Sequence[str],
    games: int,
    seats: int,
    options: Sequence[str],
    seed: int,
    cores: int,
    file: Path | None,
    cluster: bool,
    luck: bool,
    json: bool,
    plot: Path | None,
    lang: str | None,
) -> None:
    """Plays a job and prints its report; after Ctrl-C, that of the finished games."""
    job = open_job(map_name, bots, seats=seats, options=options, seed=seed, luck=luck)
    finished: list[Result] = []
    stopped = False
    try:
        with progress(say("arena.progress", lang), len(job.numbers(games)), lang) as show:

            def on_result(results: Results) -> None:
                finished[:] = results.finished
                often = len(finished) < 100 or len(finished) % 20 == 0
                show(len(finished), note=render.means(finished) if often else "")

            finished = run(
                job,
                games,
                cores=cores or os.cpu_count() or 1,
                file=file,
                cluster=cluster,
                on_result=on_result,
            )
    except KeyboardInterrupt:
        stopped = True
        finished.sort(key=lambda result: result.game)
        typer.echo(say("arena.interrupted", lang, games=len(finished)), err=True)
        if file:
            typer.echo(say("arena.resume", lang, file=file), err=True)
    if finished or not stopped:
        print_report(job, finished, json=json, plot=plot, lang=lang)
    if stopped:
        raise KeyboardInterrupt


def print_report(
    job: Job, results: Sequence[Result], *, json: bool, plot: Path | None, lang: str | None
) -> None:
    """Prints the report of a job's results, and draws them if asked."""
    if not results:
        raise InputError("arena.no_results")
    summary = report(job, results)
    if json:
        typer.echo(msgspec.json.encode(summary).decode())
    else:
        console = Console(width=None if sys.stdout.isatty() else 140)
        for grid in render.grids(summary, lang, console.width):
            console.print(grid)
    if plot:
        write_whole(plot, render.picture(summary, results, lang=lang).encode())
