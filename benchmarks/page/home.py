"""Measures how calmly Home loads on a slow phone, and what it costs when nobody touches it."""

from __future__ import annotations

from typing import Any, NamedTuple

from benchmarks.page.browser import open_page

SLOW_4G = {"latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
SLOW_CPU = 4
SIZES = ((360, 740), (1280, 800))
REST_SECONDS = 8
"""How long the maps may move before they have to stand still."""
IDLE_SECONDS = 4

_SHIFT_SCRIPT = """
window.shift = 0
const add = (list) => { for (const entry of list.getEntries()) shift += entry.value }
new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
"""


class HomeFigures(NamedTuple):
    """The worst of the sizes."""

    shift: float
    requests: int
    busy: float
    """Share of one core that the page uses when its maps stand still, in %."""


def measure(browser: Any, url: str, quick: bool) -> HomeFigures:
    """Opens Home in every size, in a short run on a phone alone, each in a fresh browser."""
    sizes = SIZES[:1] if quick else SIZES
    figures = [_visit(browser, url, width, height) for width, height in sizes]
    return HomeFigures(*(max(column) for column in zip(*figures, strict=True)))


def _visit(browser: Any, url: str, width: int, height: int) -> HomeFigures:
    page = open_page(browser, url, _SHIFT_SCRIPT)
    page.set_viewport_size({"width": width, "height": height})
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"offline": False, **SLOW_4G})
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})
    session.send("Performance.enable")
    requests: list[Any] = []
    page.on("request", lambda request: requests.append(request))
    page.goto("/")
    page.get_by_test_id("play-map").last.wait_for()
    page.wait_for_load_state("networkidle")
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    page.wait_for_timeout(1000 * REST_SECONDS)
    before = _task_seconds(session)
    page.wait_for_timeout(1000 * IDLE_SECONDS)
    busy = 100 * (_task_seconds(session) - before) / IDLE_SECONDS
    figures = HomeFigures(page.evaluate("shift"), len(requests), busy)
    page.context.close()
    return figures


def _task_seconds(session: Any) -> float:
    """Returns how long the page's main thread has worked."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    seconds: float = next(m["value"] for m in metrics if m["name"] == "TaskDuration")
    return seconds
