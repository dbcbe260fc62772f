"""What the pictures of all games share: boards of characters with styles, and frames of posters.

A poster is the one picture of a finished game, to keep, to share and for links. Each game draws its
own in `presentation/poster.py`. A poster is a print: it has no dark theme. Coordinates are units of
540 by 675, or 540 by 540.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

import msgspec

from headway.i18n import say
from headway.svg import BOLD, MEDIUM, Palette, document, element, fitting, label, moved, rectangle

# Boards of characters

# Of medium brightness, readable on dark and light terminals.
TERMINAL = {
    "black": "#6b7280",
    "blue": "#2b8fdb",
    "brown": "#a9743f",
    "bus": "#d64545",
    "green": "#35a853",
    "grey": "",
    "orange": "#e0751f",
    "pink": "#e84a92",
    "purple": "#8f63d6",
    "red": "#d64545",
    "teal": "#1f9e98",
    "yellow": "#c79a10",
}


class Cell(NamedTuple):
    """One character and its style in a terminal."""

    char: str
    style: str = ""


Canvas = dict[tuple[int, int], Cell]
"""Cells by column and row."""


def rows_of(canvas: Canvas, columns: int, rows: int) -> Iterator[list[Cell]]:
    """Yields the rows of a canvas; missing cells are spaces."""
    for row in range(rows):
        yield [canvas.get((column, row), Cell(" ")) for column in range(columns)]


def markup(row: Sequence[Cell]) -> str:
    """Returns a row in rich's markup, without spaces at its end."""
    parts = []
    for style, cells in groupby(row, key=lambda cell: cell.style):
        text = "".join(cell.char for cell in cells)
        parts.append(f"[{style}]{text}[/]" if style else text)
    return "".join(parts).rstrip()


# Posters

Shape = Literal["portrait", "square"]
WIDE = 540.0
HIGH = {"portrait": 675.0, "square": 540.0}
EDGE = 24.0
BRAND_ROOM = 310.0
HEAVY = 800
MOST_LUCK = 20
"""Where the bar of luck ends to both sides, in points or per cent."""


class LuckSkill(msgspec.Struct, frozen=True):
    """What the review of a seat's game tells in two whole numbers."""

    luck: int
    """In points, or in per cent of a victory."""
    skill: int
    """In per cent; a few games exceed 100."""
    victory: bool
    """Whether luck is measured in victories."""


class Poster(NamedTuple):
    """What a poster tells besides the game: whose it is, when, and where it was played."""

    seat: int
    names: tuple[str, ...]
    """Of all seats."""
    date: str
    """In words."""
    site: str
    """The server's name, or its address; empty if it has none that others could reach."""
    shape: Shape
    lang: str
    review: LuckSkill | None = None
    """Of the seat, once the game has been reviewed."""

    @property
    def height(self) -> float:
        return HIGH[self.shape]


def frame(
    poster: Poster, palette: Palette, title: str, description: str, *body: str, dark: bool = False
) -> str:
    """Returns a poster as a standalone SVG file around the drawings of its game.

    The line on top names Headway and the game; it is light with a `dark` ground.
    """
    ink = palette("on-deep" if dark else "ink")
    place = f" · {poster.site}" if poster.site else ""
    text = f"Headway{place}"
    brand = words(text, EDGE + 40, 38, 17, BRAND_ROOM, ink)
    room = WIDE - 2 * EDGE - 56 - min(9.6 * len(text), BRAND_ROOM)
    name = words(
        title.upper(), WIDE - EDGE, 37, 12, room / 1.3, ink, font_weight=str(BOLD),
        text_anchor="end", letter_spacing="0.96",
    )  # fmt: skip
    top = _mark(palette, ink) + brand + name
    return document(
        WIDE, poster.height, *body, top, palette=palette, title=title, description=description
    )


def _mark(palette: Palette, ink: str) -> str:
    """Draws the mark: an interchange of three lines."""
    lines = [
        element("path", d=d, stroke=palette(paint))
        for d, paint in (("M13 12 4 4", "pink"), ("M13 12 5 21", "blue"), ("M13 12H31", "blue"))
    ]
    hub = element(
        "circle", cx=13, cy=12, r=5.2, fill=palette("sheet"), stroke=ink, stroke_width=2.8
    )
    ways = element("g", *lines, fill="none", stroke_width=4.6, stroke_linecap="round")
    return element("g", ways, hub, transform=moved(EDGE, 20))


def figures(number: str, y: float, size: float, fill: str) -> tuple[str, float]:
    """Returns the number of a poster with its baseline at `y`, and where it ends."""
    drawn = label(
        number, EDGE, y, size, font_weight=HEAVY, letter_spacing=-0.04 * size, fill=fill
    )  # fmt: skip
    return drawn, EDGE + 0.6 * size * len(number)


def words(text: str, x: float, y: float, size: float, width: float, fill: str, **how: str) -> str:
    """Returns a line of text, smaller where it would not fit its width."""
    weight = {"font_weight": str(BOLD if size > 15 else MEDIUM), **how}
    return label(text, x, y, fitting(text, size, width), fill=fill, **weight)


def luck_and_skill(poster: Poster, y: float, inks: tuple[str, str, str]) -> Iterator[str]:
    """Draws both bars with their names and numbers above them, the bars at `y`.

    `inks` are the colours of the text, of a bar's ground and of luck. Draws nothing before there
    is a review.
    """
    if poster.review is None:
        return
    luck, skill = poster.review.luck, poster.review.skill
    ink, ground, hot = inks
    wide = (WIDE - 3 * EDGE) / 2
    lucky = f"{'−' if luck < 0 else '+' if luck else ''}{abs(luck)}"
    said = percent(lucky, poster.lang) if poster.review.victory else lucky
    reach = wide / 2 * min(abs(luck), MOST_LUCK) / MOST_LUCK
    middle = EDGE + wide / 2
    begin = middle - reach if luck < 0 else middle
    left = EDGE + wide + EDGE
    for x, key, value in ((EDGE, "luck", said), (left, "skill", percent(f"{skill}", poster.lang))):
        yield label(say(f"poster.{key}", poster.lang), x, y - 9, 14, fill=ink)
        end = x + wide
        yield label(value, end, y - 9, 14, text_anchor="end", font_weight=BOLD, fill=ink)
        yield rectangle(x, y, wide, 6, rx=3, fill=ground, fill_opacity=0.34)
    yield rectangle(begin, y, reach, 6, rx=3, fill=hot, data_bar="luck")
    yield rectangle(middle - 1, y - 2, 2, 10, fill=ink)
    done = wide * min(max(skill, 0), 100) / 100
    yield rectangle(left, y, done, 6, rx=3, fill=ink, data_bar="skill")


def percent(number: str, lang: str) -> str:
    """Returns a number with the sign for per cent, as the language writes it."""
    return say("poster.percent", lang, n=number)
