"""Measures the page in a real browser with Playwright."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from benchmarks.figure import Figure
from benchmarks.page import browser, home, page_weight, replay, scenes

FRAME_MS = 17
NO_BROWSER = "The page is not measured: no browser found (Chromium, driven by Playwright).\n"


def figures(quick: bool) -> Iterator[Figure]:
    """Yields what a player waits for in a browser; prints a sentence if there is none.

    Each figure is printed as soon as it is measured: a busy machine takes its time. How busy it
    was stands at the end.
    """
    with browser.stage() as ready:
        if ready is None:
            sys.stderr.write(NO_BROWSER)
            return
        loads = [_load()]
        parts = _scenes, _weight, _home, _visits, _replays
        for figure in chain.from_iterable(part(*ready, quick) for part in parts):
            loads.append(_load())
            sys.stderr.write(f"{figure.name}: {figure.value:.4g} {figure.unit}\n")
            sys.stderr.flush()
            yield figure
    yield Figure("page, load of a core while this was measured", max(loads), "", "< 0.5")


def _load() -> float:
    """Returns how many processes wanted a core in the last minute, for each core."""
    return os.getloadavg()[0] / (os.cpu_count() or 1)


def _scenes(browser: Any, url: str, quick: bool) -> Iterator[Figure]:
    for game, frames, offered in scenes.measure(browser, url, quick):
        first = float(np.median(offered))
        yield Figure(f"page, first move of {game} offered, median", first, "ms", "< 500")
        within = 100 * float(np.mean(np.array(frames) <= FRAME_MS))
        name = f"page, frames of {game}'s scenes within {FRAME_MS} ms, CPU slowed 4 times"
        yield Figure(name, within, "%", "> 95")


def _weight(browser: Any, url: str, _: bool) -> Iterator[Figure]:
    loaded = page_weight.measure(browser, url)
    yield Figure("page, client in all, gzipped", loaded.whole, "KB", "< 200")
    yield Figure("page, first visit of Home", loaded.home, "KB", "< 200")
    for game, size in loaded.tables.items():
        yield Figure(f"page, first visit of a table of {game}", size, "KB", "< 200")
    yield Figure("page, files of a game that is not opened", len(loaded.early), "loaded", "0")


def _home(browser: Any, url: str, quick: bool) -> Iterator[Figure]:
    calm = home.measure(browser, url, quick)
    yield Figure("page, layout shift of Home on slow 4G", calm.shift, "", "< 0.02")
    yield Figure("page, requests of Home", calm.requests, "", "<= 30")
    yield Figure("page, one core used by Home at rest", calm.busy, "%", "< 1")


def _visits(driven: Any, url: str, quick: bool) -> Iterator[Figure]:
    seen = browser.measure(driven, url, quick)
    usable = float(np.median(seen.usable))
    yield Figure("page, usable on the first visit, median", usable, "ms", "< 1000")
    yield from _spans("a section drawn is on the screen", seen.drawn, "< 50")
    yield from _spans("a move is confirmed and shown", seen.confirmed, "< 100")


def _replays(browser: Any, url: str, quick: bool) -> Iterator[Figure]:
    for look in replay.measure(browser, url, quick):
        name = f"page, replay of {look.map}, {look.moves} moves, opened"
        yield Figure(name, look.opened / 1000, "s", "< 0.5")
        yield from _spans(f"a replay step of {look.map}", look.steps, "< 50")


def _spans(name: str, spans: list[float], target: str) -> Iterator[Figure]:
    yield Figure(f"page, {name}, median of {len(spans)}", float(np.median(spans)), "ms", "")
    yield Figure(f"page, {name}, 95% within", float(np.percentile(spans, 95)), "ms", target)
