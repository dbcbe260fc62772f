"""Plays the games of `headway arena` with a progress bar and prints their report."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from headway.arena import render
from headway.arena.job import Job, open_job
from headway.arena.match import Result
from headway.arena.report import report
from headway.arena.results import Results
from headway.arena.runner import run
from headway.errors import InputError
from headway.files import write_whole
from headway.i18n import say


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
        with _progress(len(job.numbers(games)), lang) as show_progress:

            def on_result(results: Results) -> None:
                finished[:] = results.finished
                show_progress(results)

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


@contextmanager
def _progress(total: int, lang: str | None) -> Iterator[Callable[[Results], None]]:
    """Shows a progress bar with the current means."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[means]}"),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(say("arena.progress", lang), total=total, means="")

        def show_progress(results: Results) -> None:
            finished = results.finished
            if len(finished) < 100 or len(finished) % 20 == 0:
                bar.update(task, means=render.means(finished))
            bar.update(task, completed=len(finished))

        yield show_progress


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
        for grid in render.grids(summary, lang):
            Console(width=None if sys.stdout.isatty() else 140).print(grid)
    if plot:
        write_whole(plot, render.picture(summary, results, lang=lang).encode())
