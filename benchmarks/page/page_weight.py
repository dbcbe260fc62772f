"""Measures what a browser loads for a first visit: part of `python -m benchmarks --page`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from benchmarks.page.browser import new_table, open_page
from benchmarks.web import client_size
from headway.games import boxes


class Loaded(NamedTuple):
    """Sizes in KB."""

    whole: float
    """All files of the client, gzipped."""
    home: float
    """All that comes over the network for home, as it is packed."""
    tables: dict[str, float]
    """The same for a table of a game."""
    early: list[str]
    """Files of a game that were loaded although it was not opened."""


def measure(browser: Any, url: str) -> Loaded:
    """Opens home and a table of each game, each in a fresh browser.

    The service worker is off, because it loads everything in the background.
    """
    files, home = _visit(browser, url, None)
    early, tables = _foreign(files, ""), {}
    for box in boxes():
        files, tables[box.name] = _visit(browser, url, box.name)
        early += _foreign(files, box.name)
    return Loaded(client_size(), home, tables, early)


def _foreign(files: list[str], game: str) -> list[str]:
    """Returns the files of other games; files are named after the folder of their game."""
    folders = [_letters(box.name) for box in boxes() if box.name != game]
    return [n for n in files if Path(n).name.startswith(tuple(f"{f}-" for f in folders))]


def _letters(game: str) -> str:
    return "".join(filter(str.isalpha, game))


def _visit(browser: Any, url: str, game: str | None) -> tuple[list[str], float]:
    """Returns the addresses that a first visit asks for, and the KB that come."""
    page = open_page(browser, url, service_workers="block")
    asked: list[str] = []
    lengths: list[float] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda done: lengths.append(done["encodedDataLength"]))
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.goto(f"/t/{new_table(page, game)}" if game else "/")
    page.wait_for_load_state("networkidle")
    page.context.close()
    return asked, sum(lengths) / 1000
