"""Draws a Ticket to Ride board as SVG; `headway.render` makes a PNG of it.

Layers from the paper up: parks and river, the rows of spaces, buses on claimed routes, places and
their names; below the board the seats, and the cards and tickets of the viewing seat. Every card
colour has a pattern and every seat a number of windows, so no information is in the hue alone.
Coordinates are in the units of the board file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from headway.games.tickettoride.board.board import (
    BUS_CARD,
    BUS_COLOURS,
    GREY_ROUTE,
    Board,
    Location,
    Route,
)
from headway.svg import (
    BOLD,
    DARK,
    LIGHT,
    Palette,
    Point,
    Theme,
    colours,
    document,
    element,
    label,
    number,
)

SPACE, DEPTH = 82.0, 25.0  # the largest length and the depth of a drawn space
BETWEEN = 9.0  # from a space to the next, or to a place
DISC = 21.0
RIM = 5.0
NAME = 25.0
LEADING = 27.0
MARGIN = 24.0
HEADER = 62.0
ROW = 62.0

OWN_LIGHT, OWN_DARK = colours("ticket-to-ride")

# One cell of each colour's pattern, around its middle; a space has three of them in a row.
PATTERN: Mapping[str, str] = {
    "blue": "M-7 0H7",
    "green": "M-5 5L0 -5L5 5",
    "black": "M0 -6V6M-6 0H6",
    "pink": "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0",
    "yellow": "M-5 -5L5 5M-5 5L5 -5",
    "orange": "M-6 -4H6M-6 4H6",
    "red": "M0 -6L6 5H-6Z",
    "purple": "M-5 -5H5V5H-5Z",
    "teal": "M-4 -6V6M4 -6V6",
}
CELLS = (-1, 0, 1)
ON_BRIGHT = ("yellow",)
"""Colours on which the pattern is dark."""


@dataclass(frozen=True)
class Holding:
    """A seat below the board: its name, and what is known of it as text."""

    seat: int
    name: str
    facts: str
    active: bool = False


@dataclass(frozen=True)
class TicketSlip:
    """A ticket of the viewing seat."""

    text: str
    points: int
    completed: bool


@dataclass(frozen=True)
class Beside:
    """What is drawn below the board: seats, face-up cards, the viewer's hand and tickets."""

    holdings: Sequence[Holding] = ()
    display_title: str = ""
    display: Sequence[str | None] = ()
    display_note: str = ""
    hand_title: str = ""
    hand: Mapping[str, int] = field(default_factory=dict)
    tickets_title: str = ""
    tickets: Sequence[TicketSlip] = ()


def draw_board(
    board: Board,
    owners: Mapping[int, int],
    *,
    theme: Theme = "light",
    title: str = "",
    beside: Beside | None = None,
    marked: Iterable[int] = (),
    description: str = "",
    bus_colours: Sequence[str] = BUS_COLOURS,
) -> str:
    """Returns a board as a standalone SVG file.

    `owners` maps routes to seats; `marked` are routes to highlight. `description` is for people who
    cannot see the picture. `bus_colours` has one for each seat. The same arguments
    always give the same text.
    """
    palette = _palette(theme, board, bus_colours)
    width, height = board.size
    top = HEADER if title else MARGIN
    pointed = frozenset(marked)
    body = [
        label(title, MARGIN + 4, 42, 30, font_weight=str(BOLD), fill=palette("ink"))
        if title
        else "",
        element(
            "g",
            _ground(board, palette),
            *(_road(palette, board, route) for route in board.routes),
            *(
                _route(palette, board, route, owners.get(i), i in pointed)
                for i, route in enumerate(board.routes)
            ),
            *(_location(palette, board, place) for place in board.locations),
            transform=f"translate({number(MARGIN)} {number(top)})",
        ),
    ]
    below, bottom = _beside(palette, beside or Beside(), width, top + height + 16)
    return document(
        width + 2 * MARGIN,
        bottom + MARGIN,
        *body,
        element("g", *below, transform=f"translate({number(MARGIN)} 0)"),
        palette=palette,
        title=title,
        description=description,
    )


# Ground


def _ground(board: Board, palette: Palette) -> str:
    width, height = board.size
    clip = element(
        "clipPath", element("rect", width=width, height=height, rx=26), id="headway-board"
    )
    sheet = element("rect", width=width, height=height, fill=palette("sheet"))
    parks = [
        element("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=palette("park"))
        for x, y, rx, ry in board.scenery.parks
    ]
    return clip + element(
        "g", sheet, *parks, _river(board, palette), clip_path="url(#headway-board)", class_="ground"
    )


def _river(board: Board, palette: Palette) -> str:
    if len(board.scenery.river) < 2:
        return ""
    way, wide = smooth_path(board.scenery.river), board.scenery.river_width
    return "".join(
        element("path", d=way, fill="none", stroke=palette(name), stroke_width=wide + more)
        for name, more in (("water-edge", 6), ("water", 0))
    )


def smooth_path(points: Sequence[Point]) -> str:
    """Returns path data of a smooth curve through all points."""
    first, last = points[0], points[-1]
    around = [first, *points, last]
    drawn = [f"M{number(first[0])} {number(first[1])}"]
    for before, start, end, after in zip(around, around[1:], around[2:], around[3:], strict=False):
        one = start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6
        two = end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6
        drawn.append("C" + " ".join(number(v) for p in (one, two, end) for v in p))
    return "".join(drawn)


# Routes


def space_angle(board: Board, route: Route, i: int) -> float:
    """Returns the direction of a space along its row in degrees, so that a bus stands upright."""
    row = route.spaces
    if len(row) == 1:
        ends = board.locations[route.a].at, board.locations[route.b].at
    else:
        ends = row[max(i - 1, 0)], row[min(i + 1, len(row) - 1)]
    (ax, ay), (bx, by) = ends
    angle = math.degrees(math.atan2(by - ay, bx - ax))
    return (angle + 90) % 180 - 90


def space_length(board: Board, route: Route) -> float:
    """Returns the drawn length of a row's spaces, which share the distance between two places."""
    available = math.inf
    for end, space in ((route.a, route.spaces[0]), (route.b, route.spaces[-1])):
        available = min(available, 2 * (math.dist(board.locations[end].at, space) - DISC - RIM))
    for one, other in pairwise(route.spaces):
        available = min(available, math.dist(one, other))
    return min(SPACE, available - BETWEEN)


def _palette(theme: Theme, board: Board, buses: Sequence[str]) -> Palette:
    """Returns the colours of a board; districts have those of every picture."""
    light, dark = (
        {**every, **own}
        | {f"district-{d.colour}": every[d.colour] for d in board.districts}
        | {f"seat-{seat}": own[f"bus-{colour}"] for seat, colour in enumerate(buses)}
        for every, own in ((LIGHT, OWN_LIGHT), (DARK, OWN_DARK))
    )
    return Palette(theme, light, dark)


def _road(palette: Palette, board: Board, route: Route) -> str:
    """Returns the path under a row, a smooth curve from place to place."""
    ends = board.locations[route.a].at, board.locations[route.b].at
    way = smooth_path((ends[0], *route.spaces, ends[1]))
    return element("path", d=way, fill="none", stroke=palette("road"), stroke_width=7)


def _route(palette: Palette, board: Board, route: Route, owner: int | None, marked: bool) -> str:
    drawn = []
    long = space_length(board, route)
    for k, (x, y) in enumerate(route.spaces):
        turn = f"translate({number(x)} {number(y)}) rotate({number(space_angle(board, route, k))})"
        inner = _space(palette, route.colour, long) if owner is None else _bus(palette, owner, long)
        drawn.append(element("g", _halo(palette, long) if marked else "", inner, transform=turn))
    name = "route" if owner is None else "route taken"
    return element("g", *drawn, class_=name, data_route=route.name)


def _halo(palette: Palette, long: float) -> str:
    return _slab(long + 8, DEPTH + 10, 13, fill="none", stroke=palette("ink"), stroke_width=3)


def _slab(width: float, depth: float, round_: float, **drawn: str | float) -> str:
    return element(
        "rect", x=-width / 2, y=-depth / 2, width=width, height=depth, rx=round_, **drawn
    )


def _space(palette: Palette, colour: str, long: float) -> str:
    if colour == GREY_ROUTE:
        return _slab(
            long - 3, DEPTH - 3, 8, fill=palette("grey-space"), stroke=palette("grey"),
            stroke_width=2, stroke_dasharray="7 5",
        )  # fmt: skip
    fill = _slab(long, DEPTH, 8, fill=palette(colour), stroke=palette("rim"), stroke_width=2)
    return fill + "".join(_mark(palette, colour, cell * long * 0.29, 0, 1) for cell in CELLS)


def _mark(palette: Palette, colour: str, x: float, y: float, scale: float) -> str:
    return element(
        "path", d=PATTERN[colour], transform=f"translate({number(x)} {number(y)}) "
        f"scale({number(scale)})", fill="none",
        stroke=palette("dark-mark" if colour in ON_BRIGHT else "mark"), stroke_width=3,
        stroke_linecap="round", stroke_linejoin="round",
    )  # fmt: skip


def _bus(palette: Palette, seat: int, long: float) -> str:
    """Draws a bus from the side; it has as many windows as the seat's number from 1."""
    windows = seat + 1
    width = long - 14
    wide = (width - 5 * (windows - 1)) / windows
    parts = [
        element("circle", cx=side * long * 0.27, cy=12, r=5, fill=palette("ink"))
        for side in (-1, 1)
    ]
    parts.append(
        _slab(
            long, DEPTH, 8, fill=palette(f"seat-{seat}"), stroke=palette("ink"), stroke_width=2.5
        )
    )  # fmt: skip
    parts += [
        element(
            "rect", x=-width / 2 + k * (wide + 5), y=-7.5, width=wide, height=9, rx=2.5,
            fill=palette("mark"),
        )
        for k in range(windows)
    ]  # fmt: skip
    return element("g", *parts, class_="bus")


# Places


def _location(palette: Palette, board: Board, place: Location) -> str:
    district = next(d for d in board.districts if d.number == place.district)
    ring = element(
        "circle",
        r=DISC,
        fill=palette("sheet"),
        stroke=palette(f"district-{district.colour}"),
        stroke_width=7,
    )
    digit = label(
        str(district.number), 0, 7.5, 21, text_anchor="middle", font_weight=str(BOLD),
        fill=palette("ink"),
    )  # fmt: skip
    edge = element("circle", r=DISC + RIM, fill="none", stroke=palette("sheet"), stroke_width=3)
    dx, dy = place.label
    lines = [
        label(
            text, dx, dy + LEADING * k, NAME, text_anchor=place.anchor, font_weight=str(BOLD),
            fill=palette("ink"), stroke=palette("sheet"), stroke_width=5, paint_order="stroke",
            stroke_linejoin="round",
        )
        for k, text in enumerate(place.lines)
    ]  # fmt: skip
    return element(
        "g", edge, ring, digit, *lines, class_="location", data_location=place.id,
        transform=f"translate({number(place.x)} {number(place.y)})",
    )  # fmt: skip


# Beside the board


def _beside(palette: Palette, beside: Beside, width: float, top: float) -> tuple[list[str], float]:
    """Draws all rows below the board; returns them and their bottom."""
    drawn: list[str] = []
    y = top
    for rows in (_seats, _cards, _tickets):
        markup, used = rows(palette, beside, width, y)
        drawn += markup
        y += used
    return drawn, y


def _heading(palette: Palette, text: str, x: float, y: float) -> str:
    return label(text, x, y, 22, fill=palette("muted"), font_weight=str(BOLD))


def _seats(palette: Palette, beside: Beside, width: float, y: float) -> tuple[list[str], float]:
    drawn = []
    for i, held in enumerate(beside.holdings):
        row, column = divmod(i, 2)
        x, base = column * width / 2, y + row * (ROW + 8)
        edge = palette("ink" if held.active else "hair")
        drawn.append(
            element(
                "rect", x=x + 3, y=base, width=width / 2 - 12, height=ROW, rx=16,
                fill=palette("sheet"), stroke=edge, stroke_width=3 if held.active else 2,
            )
        )  # fmt: skip
        place = f"translate({number(x + 58)} {number(base + ROW / 2 - 2)})"
        drawn.append(element("g", _bus(palette, held.seat, 74), transform=place))
        drawn.append(
            label(held.name, x + 108, base + 27, 24, fill=palette("ink"), font_weight=str(BOLD))
        )
        drawn.append(label(held.facts, x + 108, base + 51, 21, fill=palette("muted")))
    return drawn, math.ceil(len(beside.holdings) / 2) * (ROW + 8) + 10


def _cards(palette: Palette, beside: Beside, width: float, y: float) -> tuple[list[str], float]:
    """Draws the face-up cards on the left, the viewer's hand on the right."""
    if not beside.display and not beside.hand:
        return [], 0
    drawn = [
        _heading(palette, beside.display_title, 6, y + 24),
        label(beside.display_note, 6, y + 164, 21, fill=palette("muted")),
    ]
    drawn += [_card(palette, kind, 0, 40 + 76 * k, y + 88) for k, kind in enumerate(beside.display)]
    left = width / 2
    if beside.hand_title:
        drawn.append(_heading(palette, beside.hand_title, left + 6, y + 24))
    step = min(88.0, (width / 2 - 60) / max(len(beside.hand), 1))
    drawn += [
        _card(palette, kind, count, left + 42 + step * k, y + 88)
        for k, (kind, count) in enumerate(beside.hand.items())
    ]
    return drawn, 186


def _card(palette: Palette, kind: str | None, count: int, x: float, y: float) -> str:
    """Draws a Transport card centred at (x, y), with a count above 0 in its corner."""
    if kind is None:
        inner = element(
            "rect", x=-31, y=-44, width=62, height=88, rx=10, fill="none", stroke=palette("grid"),
            stroke_width=2, stroke_dasharray="7 6",
        )  # fmt: skip
    else:
        fill = palette("sheet" if kind == BUS_CARD else kind)
        inner = element(
            "rect", x=-31, y=-44, width=62, height=88, rx=10, fill=fill, stroke=palette("ink"),
            stroke_width=2.5,
        )  # fmt: skip
        inner += _wild(palette) if kind == BUS_CARD else _mark(palette, kind, 0, 0, 2.4)
    if count:
        inner += element("circle", cx=25, cy=-38, r=15, fill=palette("ink"))
        inner += label(
            str(count), 25, -31.5, 19, text_anchor="middle", font_weight=str(BOLD),
            fill=palette("sheet"),
        )  # fmt: skip
    return element(
        "g", inner, transform=f"translate({number(x)} {number(y)})", class_="card", data_card=kind
    )


def _wild(palette: Palette) -> str:
    """Draws the bus card: a bus over stripes of all colours."""
    colours = ("blue", "green", "yellow", "orange", "pink")
    stripes = [
        element("rect", x=-25, y=y, width=50, height=7, rx=3, fill=palette(colour))
        for y, colour in zip((-37, -28, 13, 22, 31), colours, strict=True)
    ]
    wheels = [element("circle", cx=x, cy=9, r=4, fill=palette("ink")) for x in (-11.0, 11.0)]
    body = element("rect", x=-23, y=-15, width=46, height=24, rx=7, fill=palette("bus-red"))
    glass = element("rect", x=-17, y=-10, width=34, height=8, rx=2, fill=palette("mark"))
    return "".join([*stripes, *wheels, body, glass])


def _tickets(palette: Palette, beside: Beside, width: float, y: float) -> tuple[list[str], float]:
    if not beside.tickets:
        return [], 0
    drawn = [_heading(palette, beside.tickets_title, 6, y + 24)]
    for i, slip in enumerate(beside.tickets):
        row, column = divmod(i, 2)
        x, base = column * width / 2, y + 40 + row * 58
        tone = palette("green" if slip.completed else "grid")
        drawn.append(
            element(
                "rect", x=x + 3, y=base, width=width / 2 - 12, height=50, rx=12,
                fill=palette("sheet"), stroke=palette("hair"), stroke_width=2,
            )
        )  # fmt: skip
        drawn.append(element("rect", x=x + 3, y=base, width=10, height=50, rx=5, fill=tone))
        mark = "M-8 0L-2 7L9 -7" if slip.completed else "M-8 0H8"
        drawn.append(
            element(
                "path", d=mark, transform=f"translate({number(x + 36)} {number(base + 25)})",
                fill="none", stroke=palette("ink"), stroke_width=4, stroke_linecap="round",
                stroke_linejoin="round",
            )
        )  # fmt: skip
        drawn.append(label(slip.text, x + 58, base + 33, 23, fill=palette("ink")))
        drawn.append(
            label(
                str(slip.points), x + width / 2 - 26, base + 34, 26, text_anchor="end",
                font_weight=str(BOLD), fill=palette("ink"),
            )
        )  # fmt: skip
    return drawn, 40 + math.ceil(len(beside.tickets) / 2) * 58
