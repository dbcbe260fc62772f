"""Measures the page in a real browser with Playwright."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from benchmarks.figure import Figure
from benchmarks.page import browser, home, page_weight, replay, scenes

FRAME_MS = 17
NO_BROWSER = "The page is not measured: no browser found (Chromium, driven by Playwright).\n"


def figures(quick: bool) -> Iterator[Figure]:
    """Yields what a player waits for in a browser; prints a sentence if there is none."""
    with browser.stage() as ready:
        if ready is None:
            sys.stderr.write(NO_BROWSER)
            return
        loaded = page_weight.measure(*ready)
        calm = home.measure(*ready)
        seen = browser.measure(*ready, quick)
        looks = list(replay.measure(*ready, quick))
        told = list(scenes.measure(*ready, quick))
    yield Figure("page, client in all, gzipped", loaded.whole, "KB", "< 200")
    yield Figure("page, first visit of Home", loaded.home, "KB", "< 200")
    for game, size in loaded.tables.items():
        yield Figure(f"page, first visit of a table of {game}", size, "KB", "< 200")
    yield Figure("page, files of a game that is not opened", len(loaded.early), "loaded", "0")
    yield Figure("page, layout shift of Home on slow 4G", calm.shift, "", "< 0.02")
    yield Figure("page, requests of Home", calm.requests, "", "<= 30")
    yield Figure("page, one core used by Home at rest", calm.busy, "%", "< 1")
    yield Figure(
        "page, usable on the first visit, median", float(np.median(seen.usable)), "ms", "< 1000"
    )
    for game, frames, offered in told:
        first = float(np.median(offered))
        yield Figure(f"page, first move of {game} offered, median", first, "ms", "< 500")
        within = 100 * float(np.mean(np.array(frames) <= FRAME_MS))
        name = f"page, frames of {game}'s scenes within {FRAME_MS} ms, CPU slowed 4 times"
        yield Figure(name, within, "%", "> 95")
    for look in looks:
        name = f"page, replay of {look.map}, {look.moves} moves, opened"
        yield Figure(name, look.opened / 1000, "s", "< 0.5")
    for name, spans, target in (
        ("a section drawn is on the screen", seen.drawn, "< 50"),
        ("a move is confirmed and shown", seen.confirmed, "< 100"),
        *((f"a replay step of {look.map}", look.steps, "< 50") for look in looks),
    ):
        yield Figure(f"page, {name}, median of {len(spans)}", float(np.median(spans)), "ms", "")
        yield Figure(f"page, {name}, 95% within", float(np.percentile(spans, 95)), "ms", target)
