"""A figure: one thing measured, and how it is printed and timed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Figure(NamedTuple):
    """One thing measured: its name, value and unit, and what it should reach."""

    name: str
    value: float
    unit: str
    target: str


Measure = Callable[[], Iterator[Figure]]


def best(times: int, work: Callable[[], Any]) -> float:
    """The shortest of several runs, in seconds."""
    spans = []
    for _ in range(times):
        before = time.perf_counter()
        work()
        spans.append(time.perf_counter() - before)
    return min(spans)
