"""A measured figure, and timing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Figure(NamedTuple):
    """One measurement: its name, value and unit, and its target."""

    name: str
    value: float
    unit: str
    target: str


Measure = Callable[[], Iterator[Figure]]


def best(
    times: int, work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter
) -> float:
    """Returns the shortest of several runs, in seconds of a clock."""
    spans = []
    for _ in range(times):
        before = clock()
        work()
        spans.append(clock() - before)
    return min(spans)
