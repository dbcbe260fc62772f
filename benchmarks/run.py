"""Runs measurements, prints their figures as a table and stores them in a file."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table as Grid

from benchmarks import history as past
from benchmarks.figure import Figure, Measure
from headway.files import write_whole
from headway.progress import track

TITLE = "Speed on this machine"
NONE_WORSE = "No figure is worse than in its last run by more than its spread."


def run(
    measures: Sequence[Measure], *, quick: bool, output: Path | None, history: Path | None
) -> list[Figure]:
    """Measures; prints and stores the figures.

    The file `output` keeps its figures that are not measured again. The file `history` gets a line
    for each figure; what got worse than in its last run is printed.
    """
    this_run = past.begin(quick)
    figures: list[Figure] = []
    for measure in track(measures, TITLE, len(measures)):
        figures.extend(measure())
    grid = Grid("Figure", "Value", "Target", title=TITLE)
    for figure in figures:
        grid.add_row(figure.name, f"{_digits(figure.value)} {figure.unit}", figure.target)
    Console().print(grid)
    if history:
        _remember(history, this_run.entries(figures))
    if output:
        machine = {"python": platform.python_version(), "cores": os.cpu_count()}
        content = {"machine": machine, "figures": _kept(output, figures)}
        write_whole(output, msgspec.json.format(msgspec.json.encode(content)))
    return figures


def _remember(history: Path, entries: list[past.Entry]) -> None:
    """Prints what got worse than in the last run, and adds the figures to the history."""
    worse = past.worse(past.load(history), entries)
    columns = ("Figure", "Last", "Value", "Change", "Spread", "Last run", "Load")
    grid = Grid(*columns, title="Worse than in the last run by more than the spread")
    for figure in worse:
        last, current = figure.last, figure.current
        grid.add_row(
            current.name,
            f"{_digits(last.value)} {current.unit}", f"{_digits(current.value)} {current.unit}",
            f"{figure.change:+.0%}", f"{figure.spread:.0%}", f"{last.date} {last.commit}",
            f"{last.load} → {current.load}",
        )  # fmt: skip
    Console().print(grid if worse else NONE_WORSE)
    past.append(history, entries)


def _kept(output: Path, figures: list[Figure]) -> list[dict[str, Any]]:
    """Returns the file's other figures, followed by these."""
    new = {figure.name for figure in figures}
    stored = msgspec.json.decode(output.read_bytes())["figures"] if output.exists() else []
    return [f for f in stored if f["name"] not in new] + [_stored(f) for f in figures]


def _stored(figure: Figure) -> dict[str, Any]:
    stored = figure._asdict()
    del stored["spread"]  # the history has it
    return stored


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
