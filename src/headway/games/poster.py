"""The frame of a poster: the one picture of a finished game, to keep, to share and for links.

Each game draws its own in `presentation/poster.py`; what all have in common is here. A poster is a
print: it has no dark theme. Coordinates are units of 540 by 675, or 540 by 540.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from headway.svg import BOLD, MEDIUM, Palette, document, element, label, moved

Shape = Literal["portrait", "square"]
WIDE = 540.0
HIGH = {"portrait": 675.0, "square": 540.0}
EDGE = 24.0
HEAVY = 800


class Poster(NamedTuple):
    """What a poster tells besides the game: whose it is, when, and where it was played."""

    seat: int
    names: tuple[str, ...]
    """Of all seats."""
    date: str
    """In words."""
    site: str
    """The server's name; empty if it has none that others could reach."""
    shape: Shape
    lang: str

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
    brand = label(f"Headway{place}", EDGE + 40, 38, 17, font_weight=BOLD, fill=ink)
    room = WIDE - 2 * EDGE - 56 - 9.6 * len(f"Headway{place}")
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
    # Letters are a little over half as wide as they are high.
    fitting = min(size, width / (0.56 * max(1, len(text))))
    weight = {"font_weight": str(BOLD if size > 15 else MEDIUM), **how}
    return label(text, x, y, fitting, fill=fill, **weight)
