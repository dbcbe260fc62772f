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
from rich.progress import track
from rich.table import Table as Grid

from headway.bench import attacks as attack_figures
from headway.bench import hidden_cards, perfect_information, rules, server_load, web
from headway.bench.faults.measure import figures as fault_figures
from headway.bench.figure import Figure, Measure
from headway.bots import Budget
from headway.errors import InputError
from headway.files import write_whole
from headway.i18n import say


def run(
    *,
    quick: bool,
    output: Path | None,
    server: bool = False,
    page: bool = False,
    faults: bool = False,
    hidden: bool = False,
    attacks: bool = False,
) -> list[Figure]:
    """Measures rules and bots, or what is asked for; prints and stores the figures.

    A file keeps its figures that are not measured again.
    """
    figures: list[Figure] = []
    chosen = {"server": server, "page": page, "attacks": attacks, "faults": faults}
    measures = _chosen(quick, **chosen, hidden=hidden)
    for measure in track(measures, say("bench.title"), console=Console(stderr=True)):
        figures.extend(measure())
    grid = Grid(title=say("bench.title"))
    for column in ("figure", "value", "target"):
        grid.add_column(say(f"bench.{column}"))
    for figure in figures:
        grid.add_row(figure.name, f"{_digits(figure.value)} {figure.unit}", figure.target)
    Console().print(grid)
    if output:
        machine = {"python": platform.python_version(), "cores": os.cpu_count()}
        content = {"machine": machine, "figures": _kept(output, figures)}
        write_whole(output, msgspec.json.format(msgspec.json.encode(content)))
    return figures


def _chosen(
    quick: bool, *, server: bool, page: bool, attacks: bool, faults: bool, hidden: bool
) -> list[Measure]:
    if not (server or page or attacks or faults or hidden):
        return [*rules.measures(10 if quick else 1), web.figures]
    chosen: list[Measure] = []
    if server:
        chosen.append(partial(server_load.figures, quick))
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
    return [f for f in stored if f["name"] not in new] + [f._asdict() for f in figures]


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
