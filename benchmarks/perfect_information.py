"""Measures the value of future cards: the best results with all cards known, and without luck."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from benchmarks.figure import Figure, Measure
from headway.bots.nextstation.perfect_information import best_fair, best_known, numbered_deal
from headway.games import box
from headway.games.nextstation.game import NextStation


def measures(quick: bool) -> list[Measure]:
    """Returns measurements that take minutes."""
    deals = 10 if quick else 200
    steps: list[Measure] = []
    for city in ("london", "tokyo"):
        steps += [partial(_known, city, deals, width) for width in (1, 100, 1000)]
        steps += [partial(_fair, city, deals // 5, width) for width in (1, 10, 100)]
    return steps


def _known(city: str, deals: int, width: int) -> Iterator[Figure]:
    """Yields the best results with all cards of a deal known; a beam of one does not look ahead."""
    game = _city(city)
    totals = _each(deals, lambda number: best_known(game, numbered_deal(game, number), width))
    yield from _spread(f"next-station {city}, {deals} deals, all cards known, beam {width}", totals)


def _fair(city: str, deals: int, width: int, simulations: int = 60) -> Iterator[Figure]:
    """Yields the same without luck: a beam of one is a player, a wide one an upper bound."""
    game = _city(city)
    totals = _each(
        deals, lambda number: best_fair(game, numbered_deal(game, number), width, simulations)
    )
    name = f"next-station {city}, {deals} deals, without luck, {simulations} simulations"
    yield from _spread(f"{name}, beam {width}", totals)


def _city(name: str) -> NextStation:
    game = box("next-station").open(name)
    assert isinstance(game, NextStation)
    return game


def _each(deals: int, best: Callable[[int], float]) -> list[float]:
    """Returns the best of each deal, computed on all cores."""
    best(0)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(best, range(deals)))


def _spread(name: str, totals: list[float]) -> Iterator[Figure]:
    yield Figure(f"{name}: mean", float(np.mean(totals)), "points", "")
    error = float(np.std(totals, ddof=1) / len(totals) ** 0.5)
    yield Figure(f"{name}: standard error", error, "points", "")
