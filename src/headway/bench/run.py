"""Runs measurements, prints their figures as a table and stores them in a file."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table as Grid

from headway.bench import attacks as attack_figures
from headway.bench import (
    hidden_cards,
    perfect_information,
    reviews,
    rules,
    server_capacity,
    server_load,
    web,
)
from headway.bench import history as past
from headway.bench.faults.measure import figures as fault_figures
from headway.bench.figure import Figure, Measure
from headway.bots import Budget
from headway.errors import InputError
from headway.files import write_whole
from headway.i18n import say
from headway.progress import track


def run(
    *,
    quick: bool,
    output: Path | None,
    history: Path | None = None,
    server: bool = False,
    page: bool = False,
    faults: bool = False,
    hidden: bool = False,
    attacks: bool = False,
    envs: bool = False,
    review: bool = False,
    games: Path | None = None,
) -> list[Figure]:
    """Measures rules and bots, or what is asked for; prints and stores the figures.

    The file `output` keeps its figures that are not measured again. The file `history` gets a line
    for each figure; what got worse than in its last run is printed. The file `games` keeps the
    games that were reviewed, and is continued.
    """
    this_run = past.begin(quick)
    figures: list[Figure] = []
    chosen = {"server": server, "page": page, "attacks": attacks, "faults": faults}
    measures = _chosen(quick, **chosen, hidden=hidden, envs=envs, review=review, games=games)
    for measure in track(measures, say("bench.title"), len(measures)):
        figures.extend(measure())
    grid = Grid(title=say("bench.title"))
    for column in ("figure", "value", "target"):
        grid.add_column(say(f"bench.{column}"))
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
    grid = Grid(title=say("bench.worse" if worse else "bench.none_worse"))
    for column in ("figure", "last", "value", "change", "spread", "last_run", "load"):
        grid.add_column(say(f"bench.{column}"))
    for figure in worse:
        last, current = figure.last, figure.current
        grid.add_row(
            current.name,
            f"{_digits(last.value)} {current.unit}", f"{_digits(current.value)} {current.unit}",
            f"{figure.change:+.0%}", f"{figure.spread:.0%}", f"{last.date} {last.commit}",
            f"{last.load} → {current.load}",
        )  # fmt: skip
    Console().print(grid if worse else grid.title)
    past.append(history, entries)


def _chosen(
    quick: bool,
    *,
    server: bool,
    page: bool,
    attacks: bool,
    faults: bool,
    hidden: bool,
    envs: bool,
    review: bool,
    games: Path | None,
) -> list[Measure]:
    if not (server or page or attacks or faults or hidden or envs or review):
        return [*rules.measures(10 if quick else 1), web.figures]
    chosen: list[Measure] = []
    if server:
        chosen += [partial(server_load.figures, quick), partial(server_capacity.figures, quick)]
    if attacks:
        chosen += attack_figures.measures(quick)
    if page:
        chosen.append(partial(_page(), quick))
    if faults:
        chosen.append(partial(fault_figures, quick))
    if hidden:
        deals = 10 if quick else 500
        chosen.append(partial(hidden_cards.figures, deals, Budget(simulations=1000)))
        chosen += perfect_information.measures(quick)
    if review:
        chosen += reviews.measures(quick, games)
    if envs:
        # They need the extra `research`.
        from headway.bench import environments

        chosen += environments.measures(quick)
    return chosen


def _page() -> Callable[[bool], Iterator[Figure]]:
    """Returns the measurements in a browser, which the installed package does not have."""
    try:
        from headway.bench import page
    except ModuleNotFoundError:
        raise InputError("bench.no_page") from None
    return page.figures


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
