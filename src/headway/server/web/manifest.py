"""Headway as an app to install: its name, colours, icons and shortcuts, as browsers want them."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any, Literal

from headway.games import boxes
from headway.i18n import say
from headway.render import png
from headway.server.tables.view import title_of
from headway.svg import DARK, LIGHT

Shape = Literal["any", "maskable"]
ICONS: tuple[tuple[Shape, int], ...] = (
    ("any", 192),
    ("any", 512),
    ("maskable", 192),
    ("maskable", 512),
)
TOUCH: tuple[Shape, int] = ("maskable", 180)
"""For Apple's devices, which round the corners themselves."""

# Two lines that meet at a station. A mask may leave only a circle four fifths as wide as the icon,
# so the mark is smaller there and the background fills everything.
_MARK = (
    '<g fill="none" stroke-width="5" stroke-linecap="round">'
    f'<path d="M8 23 15 16H25" stroke="{DARK["blue"]}"/>'
    f'<path d="M8 9 15 16" stroke="{DARK["pink"]}"/></g>'
    f'<circle cx="16" cy="16" r="4.4" fill="{LIGHT["sheet"]}"'
    f' stroke="{LIGHT["ink"]}" stroke-width="2.4"/>'
)
_VIEW_BOX = {"any": "0 0 32 32", "maskable": "-4 -4 40 40"}
_BACKGROUND = {
    "any": f'<rect width="32" height="32" rx="8" fill="{LIGHT["ink"]}"/>',
    "maskable": f'<rect x="-4" y="-4" width="40" height="40" fill="{LIGHT["ink"]}"/>',
}


def _svg(shape: Shape) -> str:
    """Returns the icon: with round corners, or to be cut out in any shape."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_VIEW_BOX[shape]}">'
    return f"{head}{_BACKGROUND[shape]}{_MARK}</svg>"


@cache
def icons() -> dict[str, bytes]:
    """Returns all icons by file name."""
    pixels = {f"{shape}-{size}.png": png(_svg(shape), size) for shape, size in (*ICONS, TOUCH)}
    return {"any.svg": _svg("any").encode(), **pixels}


@cache
def favicon() -> bytes:
    """Returns the icon as an ICO file with one PNG in it, of 32 pixels."""
    size = 32
    picture = png(_svg("any"), size)
    head = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(picture), len(head) + 16)
    return head + entry + picture


def manifest(lang: str) -> dict[str, Any]:
    """Returns the web app manifest in a language."""
    icons = [
        {"src": "/icons/any.svg", "type": "image/svg+xml", "sizes": "any", "purpose": "any"},
        *(
            {
                "src": f"/icons/{shape}-{size}.png",
                "type": "image/png",
                "sizes": f"{size}x{size}",
                "purpose": shape,
            }
            for shape, size in ICONS
        ),
    ]
    return {
        "id": "/",
        "name": "Headway",
        "short_name": "Headway",
        "description": say("web.hero_more", lang),
        "lang": lang,
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": LIGHT["paper"],
        "theme_color": LIGHT["paper"],
        "categories": ["games"],
        "icons": icons,
        "shortcuts": _shortcuts(lang),
    }


@cache
def _shortcuts(lang: str) -> list[dict[str, str]]:
    """Returns a shortcut to a new table for each map."""
    return [
        {
            "name": title_of(game_box.open(name, game_box.seats.start))[lang],
            "url": f"/new/{game_box.name}/{name}",
        }
        for game_box in boxes()
        for name in game_box.maps
    ]
