"""The history of figures: what was measured when, on which commit and under which load.

A figure got worse if it differs from the last run by more than its spread. The spread is what
repeated measurements differ by: within a run, and between the runs before.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from benchmarks.figure import Figure

LEAST_SPREAD = 0.05
"""The spread that every figure may have, as a share of its value."""
RUNS_COMPARED = 5
"""The number of runs before the last one that show how much a figure varies."""
_SMALLER_IS_BETTER = ("s", "ms", "KB", "MB", "GB", "%")


class Entry(msgspec.Struct, frozen=True):
    """A line of the history: a figure and the circumstances of its run."""

    date: str
    commit: str
    load: float
    """The load of the machine in the minute before the run."""
    cores: int
    quick: bool
    name: str
    value: float
    unit: str
    target: str
    spread: float


class Worse(NamedTuple):
    """A figure that got worse: the last run and this one, and the spread that is usual."""

    last: Entry
    current: Entry
    spread: float

    @property
    def change(self) -> float:
        """How much it changed, as a share of the last value."""
        return self.current.value / self.last.value - 1


class Run(NamedTuple):
    """The circumstances of a run."""

    date: str
    commit: str
    load: float
    cores: int
    quick: bool

    def entries(self, figures: Sequence[Figure]) -> list[Entry]:
        """Returns the figures of this run as lines of the history."""
        return [Entry(*self, *figure) for figure in figures]


def begin(quick: bool) -> Run:
    """Returns the circumstances of a run that begins now."""
    date = datetime.now(UTC).isoformat(timespec="seconds")
    return Run(date, _commit(), round(os.getloadavg()[0], 2), os.cpu_count() or 1, quick)


def _commit() -> str:
    """Returns the commit of the source tree, with a + if files differ; empty without git."""
    git = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty=+"]
    try:
        return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def load(path: Path) -> list[Entry]:
    """Returns the history in a file, oldest first; lines that cannot be read are left out."""
    entries = []
    for line in path.read_bytes().splitlines() if path.exists() else []:
        try:
            entries.append(msgspec.json.decode(line, type=Entry))
        except msgspec.DecodeError:
            continue
    return entries


def append(path: Path, entries: Sequence[Entry]) -> None:
    """Adds lines to the history in a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries))


def worse(history: Sequence[Entry], entries: Sequence[Entry]) -> list[Worse]:
    """Returns the figures that got worse than in the last run by more than their spread."""
    worse = []
    for current in entries:
        before = [
            entry
            for entry in history
            if (entry.name, entry.quick, entry.cores)
            == (current.name, current.quick, current.cores)
        ]
        if not before:
            continue
        spread = _spread([*before[-1 - RUNS_COMPARED :], current])
        loss = _loss(before[-1], current)
        if loss > spread:
            worse.append(Worse(before[-1], current, spread))
    return worse


def _loss(last: Entry, current: Entry) -> float:
    """Returns the share by which a figure got worse; 0 if it got better or has no better side."""
    better, worst = (
        (current.value, last.value) if _more_is_better(current) else (last.value, current.value)
    )
    if _more_is_better(current) is None or worst <= better:
        return 0.0
    return worst / better - 1 if better > 0 else float("inf")


def _more_is_better(entry: Entry) -> bool | None:
    """Whether more is better, by target or unit; None if neither says it."""
    if entry.target[:1] in (">", "≥"):
        return True
    if entry.target[:1] in ("<", "0"):
        return False
    if entry.unit.endswith("/s"):
        return True
    return False if entry.unit in _SMALLER_IS_BETTER else None


def _spread(entries: Sequence[Entry]) -> float:
    """Returns the share by which runs differ: the last two in themselves, earlier ones in a row.

    The last entry is the one that is judged, so it does not count among the runs. The median of the
    steps between runs is doubled; so one large step, an improvement, does not count.
    """
    earlier = [entry.value for entry in entries[:-1]]
    steps = [abs(b / a - 1) for a, b in pairwise(earlier) if a > 0]
    between = 2 * median(steps) if steps else 0.0
    return max(LEAST_SPREAD, between, *(entry.spread for entry in entries[-2:]))
