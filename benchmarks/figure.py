"""A measured figure, and timing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, NamedTuple


class Figure(NamedTuple):
    """One measurement: its name, value and unit, its target, and its spread.

    The spread is the share by which repeated runs differ; 0 if it was measured once.
    """

    name: str
    value: float
    unit: str
    target: str
    spread: float = 0.0


Measure = Callable[[], Iterator[Figure]]


class CannotMeasureError(Exception):
    """This machine lacks what a measurement needs; the message says what."""


def best(
    times: int, work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter
) -> float:
    """Returns the shortest of several runs, in seconds of a clock."""
    return timed(times, work, clock)[0]


def timed(
    times: int, work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter
) -> tuple[float, float]:
    """Returns the shortest of several runs, and the share by which half of them are longer."""
    spans = []
    for _ in range(times):
        before = clock()
        work()
        spans.append(clock() - before)
    return min(spans), median(spans) / min(spans) - 1
