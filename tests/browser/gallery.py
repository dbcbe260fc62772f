"""Takes pictures of the main screens in all sizes, themes and languages: `make pictures`.

It checks nothing, so it is not among the tests that always run. A person opens `index.html`.
"""

from __future__ import annotations

import sys
import time
from html import escape
from pathlib import Path
from typing import Any

import pytest
from browser.person import quick
from browser.player import NewPage
from browser.steps import PASSWORD, show_page_to
from server.services import Guest, Server

FOLDER = Path(__file__).parents[2] / "gallery"
SIZES = ((360, 740), (390, 844), (740, 360), (1280, 800), (1920, 1080))
THEMES = ("light", "dark")
LOCALES = {"en": "en-GB", "fr": "fr-FR"}
SETTLED_MS = 400
"""How long a page takes to draw itself in another size."""


@pytest.mark.timeout(3600)
def test_take_the_gallery(server: Server, new_page: NewPage) -> None:
    newcomer, ada = server.guest(), server.guest("Ada")
    screens = screens_of(ada)
    FOLDER.mkdir(exist_ok=True)
    files: dict[str, list[str]] = {name: [] for name in screens}
    most = len(screens) * len(SIZES) * len(THEMES) * len(LOCALES)
    for theme in THEMES:
        for lang, locale in LOCALES.items():
            for guest, names in ((newcomer, ["home"]), (ada, [n for n in screens if n != "home"])):
                page = new_page(server, color_scheme=theme, locale=locale)
                show_page_to(guest, page)
                for name in names:
                    page.goto(screens[name])
                    page.wait_for_load_state("networkidle")
                    for width, height in SIZES:
                        page.set_viewport_size({"width": width, "height": height})
                        page.wait_for_timeout(SETTLED_MS)
                        file = f"{name}-{width}x{height}-{theme}-{lang}.png"
                        page.screenshot(path=FOLDER / file)
                        files[name].append(file)
                        done = sum(map(len, files.values()))
                        say(f"{done} of {most}: {file}")
                page.context.close()
    for name, table in posters_of(screens).items():
        picture = ada.http.get(f"/api/tables/{table}/poster.png", params={"width": 1080})
        (FOLDER / f"{name}.png").write_bytes(picture.content)
        files[name] = [f"{name}.png"]
    (FOLDER / "index.html").write_text(index(files), "utf-8")
    say(f"Open {FOLDER / 'index.html'}")


def say(line: str) -> None:
    """Says at once how far it is."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def screens_of(ada: Guest) -> dict[str, str]:
    """Plays what the pictures show; returns the address of each screen."""
    rider: dict[str, Any] = {"game": "ticket-to-ride"}
    london = ada.set_up("me", "greedy", options={"objectives": True})
    tokyo = ada.set_up("me", map="tokyo")
    buses = ada.set_up("me", "greedy", "greedy", **rider)
    tickets = ada.set_up("me", "greedy", **rider)
    ends = [ada.set_up("me", "greedy", **more) for more in ({}, rider)]
    for table, moves in ((london, 24), (tokyo, 30), (buses, 22)):
        play_on(ada, table, moves)
    for end in ends:
        play_on(ada, end)
    waiting = ada.set_up("me", "open", "open", **rider)
    assert ada.post("account", name="Ada", password=PASSWORD).is_success
    tables = {
        "next-station-london": london,
        "next-station-tokyo": tokyo,
        "ticket-to-ride": buses,
        "ticket-choice": tickets,
        "finale-next-station": ends[0],
        "finale-ticket-to-ride": ends[1],
        "waiting-room": waiting,
    }
    return {
        "home": "/",
        "home-regular": "/?regular",
        **{name: f"/t/{table}" for name, table in tables.items()},
        "review": f"/t/{ends[0]}/review",
        "practice": "/practice",
        "today": "/today",
        "account": "/account",
        "ladder": "/ladder/next-station",
        "about": "/about",
        "print": "/print",
        "nowhere": "/no/such/page",
    }


def play_on(guest: Guest, table: str, moves: int = 1000) -> None:
    """Plays so many moves, or to the end of the game."""
    while moves and not (seen := guest.see(table))["finished"]:
        if legal := seen["legal"].get("0"):
            drawn = [move for move in legal if move[0] in "abcdefghij"]
            guest.move(table, 0, drawn[len(drawn) // 2] if drawn else quick(legal))
            moves -= 1
        else:
            time.sleep(0.05)  # others are to move


def posters_of(screens: dict[str, str]) -> dict[str, str]:
    """Returns the table of each poster."""
    ends = {name: path for name, path in screens.items() if name.startswith("finale-")}
    return {name.replace("finale", "poster"): path.split("/")[-1] for name, path in ends.items()}


def index(files: dict[str, list[str]]) -> str:
    """Returns a page with all pictures, a row for each screen, theme and language."""
    rows = "".join(
        f"<h2>{escape(name)}</h2><p>"
        + "".join(f'<a href="{f}"><img src="{f}" title="{f}" loading="lazy"></a>' for f in of_it)
        for name, of_it in files.items()
    )
    style = "body{font-family:sans-serif;background:#888}img{height:360px;margin:4px}"
    return f"<!doctype html><meta charset=utf-8><title>Headway</title><style>{style}</style>{rows}"
