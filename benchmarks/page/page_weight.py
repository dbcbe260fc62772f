"""Measures what a browser loads of the client, and when: part of `python -m benchmarks --page`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from benchmarks.page.browser import open_page
from benchmarks.web import client_size, size
from headway.games import boxes
from headway.server.content.site import STATIC


class Loaded(NamedTuple):
    """Sizes in KB, gzipped."""

    whole: float
    home: float
    """What the first page loads."""
    games: dict[str, float]
    """What a table of a game loads in addition."""
    early: list[str]
    """Files of a game that were loaded although it was not opened."""


def measure(browser: Any, url: str) -> Loaded:
    """Opens the home page and then a table of each game, each in a fresh browser.

    The service worker is off, because it loads everything in the background.
    """
    home = _asked(browser, url, None)
    early = _foreign(home, "")
    sizes = {}
    for box in boxes():
        files = _asked(browser, url, box.name)
        early += _foreign(files, box.name)
        sizes[box.name] = _sum(files - home)
    return Loaded(client_size(), _sum(home), sizes, early)


def _sum(files: set[str]) -> float:
    return sum(size(STATIC / name) for name in sorted(files))


def _foreign(files: set[str], game: str) -> list[str]:
    """Returns the files of other games; files are named after the folder of their game."""
    folders = [_letters(box.name) for box in boxes() if box.name != game]
    return [n for n in sorted(files) if Path(n).name.startswith(tuple(f"{f}-" for f in folders))]


def _letters(game: str) -> str:
    return "".join(filter(str.isalpha, game))


def _asked(browser: Any, url: str, game: str | None) -> set[str]:
    """Returns the client's files that a visit requests, at home and then perhaps at a table."""
    page = open_page(browser, url, service_workers="block")
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(urlsplit(request.url).path.lstrip("/")))
    page.goto("/")
    page.get_by_test_id("play-map").first.wait_for()
    page.wait_for_load_state("networkidle")
    if game:
        box = next(box for box in boxes() if box.name == game)
        page.get_by_test_id(f"map-{game}-{box.default_map}").get_by_test_id("play-map").click()
        page.get_by_test_id("start").click()
        page.get_by_test_id("play").wait_for()
        page.wait_for_load_state("networkidle")
    page.context.close()
    files = {name or "index.html" for name in asked}
    return {name for name in files if (STATIC / name).is_file()}
