"""Draws a Ticket to Ride board as SVG; `headway.render` makes a PNG of it.

Layers from the paper up: parks and river, the rows of spaces, buses on claimed routes, places and
their names; below the board the seats, and the cards and tickets of the viewing seat. Every card
colour has a pattern and every seat a number of windows, so no information is in the hue alone.
Coordinates are in the units of the board file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from headway.games.tickettoride.board.board import (
    BUS_CARD,
    BUS_COLOURS,
    GREY_ROUTE,
    Board,
    Location,
    Route,
)
from headway.i18n import say
from headway.svg import (
    BOLD,
    DARK,
    LIGHT,
    Drawn,
    Palette,
    Point,
    Theme,
    colours,
    document,
    element,
    label,
    moved,
    number,
    rectangle,
)

if TYPE_CHECKING:
    from headway.games.tickettoride.view import TicketToRideView

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


class Beside(NamedTuple):
    """What is drawn below the board: the seats, and what the view's seat has and sees."""

    view: TicketToRideView
    names: Sequence[str]
    """Of all seats; empty where a seat goes by its number."""
    lang: str

    def heading(self, part: str) -> str:
        """Returns the words above the seat's hand or tickets."""
        if not self.names or self.view.seat < 0:
            return say(f"tickettoride.{part}", self.lang)
        return say(f"web.tickettoride.{part}_of", self.lang, name=self.names[self.view.seat])

    def holding(self, seat: int) -> tuple[str, str]:
        """Returns a seat's name with its total, and what is known of it."""
        view, lang = self.view, self.lang
        name = self.names[seat] if self.names else say("score.seat", lang, seat=seat)
        if view.finished:
            total, sheet = view.scores[seat].total, view.scores[seat]
            parts = {"routes": sheet.routes, "tickets": sheet.tickets, "districts": sheet.districts}
            facts = say("tickettoride.final", lang, **parts)
        else:
            total, buses, cards = view.points[seat], view.buses[seat], view.hands[seat]
            values = {"buses": buses, "cards": cards, "tickets": view.tickets[seat]}
            facts = say("tickettoride.player", lang, **values)
        return say("score.sheet_of", lang, name=name, total=total), facts


def draw_board(
    board: Board,
    owners: Mapping[int, int],
    *,
    theme: Theme = "light",
    title: str = "",
    beside: Beside | None = None,
    description: str = "",
    bus_colours: Sequence[str] = BUS_COLOURS,
) -> str:
    """Returns a board as a standalone SVG file.

    `owners` maps routes to seats. `description` is for people who cannot see the picture.
    `bus_colours` has one for each seat. The same arguments always give the same text.
    """
    palette = _palette(theme, board, bus_colours)
    width, height = board.size
    top = HEADER if title else MARGIN
    body = [
        _bold(palette, title, MARGIN + 4, 42, 30) if title else "",
        element(
            "g",
            _ground(board, palette),
            *(_road(palette, board, route) for route in board.routes),
            *(_route(palette, board, route, owners.get(i)) for i, route in enumerate(board.routes)),
            *(_location(palette, board, place) for place in board.locations),
            transform=moved(MARGIN, top),
        ),
    ]
    below, bottom = _beside(palette, board, beside, top + height + 16)
    return document(
        width + 2 * MARGIN,
        bottom + MARGIN,
        *body,
        element("g", *below, transform=moved(MARGIN, 0)),
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


def _bold(palette: Palette, text: str, x: float, y: float, size: float, **more: str | float) -> str:
    return label(text, x, y, size, **more, font_weight=BOLD, fill=palette("ink"))


def _route(palette: Palette, board: Board, route: Route, owner: int | None) -> str:
    long = space_length(board, route)
    inner = _space(palette, route.colour, long) if owner is None else _bus(palette, owner, long)
    drawn = []
    for k, (x, y) in enumerate(route.spaces):
        turn = f"{moved(x, y)} rotate({number(space_angle(board, route, k))})"
        drawn.append(element("g", inner, transform=turn))
    name = "route" if owner is None else "route taken"
    return element("g", *drawn, class_=name, data_route=route.name)


def _slab(width: float, depth: float, round_: float, **drawn: str | float) -> str:
    return rectangle(-width / 2, -depth / 2, width, depth, rx=round_, **drawn)


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
        "path", d=PATTERN[colour], transform=f"{moved(x, y)} scale({number(scale)})", fill="none",
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
    paint, edge = palette(f"seat-{seat}"), palette("ink")
    parts.append(_slab(long, DEPTH, 8, fill=paint, stroke=edge, stroke_width=2.5))
    parts += [
        rectangle(-width / 2 + k * (wide + 5), -7.5, wide, 9, rx=2.5, fill=palette("mark"))
        for k in range(windows)
    ]
    return element("g", *parts, class_="bus")


# Places


def _location(palette: Palette, board: Board, place: Location) -> str:
    district = next(d for d in board.districts if d.number == place.district)
    paint = palette(f"district-{district.colour}")
    ring = element("circle", r=DISC, fill=palette("sheet"), stroke=paint, stroke_width=7)
    digit = _bold(palette, str(place.district), 0, 7.5, 21, text_anchor="middle")
    edge = element("circle", r=DISC + RIM, fill="none", stroke=palette("sheet"), stroke_width=3)
    dx, dy = place.label
    lines = [
        label(
            text, dx, dy + LEADING * k, NAME, text_anchor=place.anchor, font_weight=BOLD,
            fill=palette("ink"), stroke=palette("sheet"), stroke_width=5, paint_order="stroke",
            stroke_linejoin="round",
        )
        for k, text in enumerate(place.lines)
    ]  # fmt: skip
    return element(
        "g", edge, ring, digit, *lines, class_="location", data_location=place.id,
        transform=moved(*place.at),
    )  # fmt: skip


# Beside the board


def _beside(
    palette: Palette, board: Board, beside: Beside | None, top: float
) -> tuple[list[str], float]:
    """Draws all rows below the board; returns them and their bottom."""
    drawn: list[str] = []
    if beside is None:
        return drawn, top + 10
    y = top
    for rows in (_seats, _cards, _tickets):
        markup, used = rows(palette, board, beside, y)
        drawn += markup
        y += used
    return drawn, y


def _heading(palette: Palette, text: str, x: float, y: float) -> str:
    return label(text, x, y, 22, fill=palette("muted"), font_weight=BOLD)


def _seats(palette: Palette, board: Board, beside: Beside, y: float) -> tuple[list[str], float]:
    drawn, wide = [], board.size[0] / 2
    for seat in range(beside.view.seats):
        row, column = divmod(seat, 2)
        x, base = column * wide, y + row * (ROW + 8)
        active = seat in beside.view.actors
        drawn.append(
            rectangle(
                x + 3, base, wide - 12, ROW, rx=16, fill=palette("sheet"),
                stroke=palette("ink" if active else "hair"), stroke_width=3 if active else 2,
            )
        )  # fmt: skip
        place = moved(x + 58, base + ROW / 2 - 2)
        drawn.append(element("g", _bus(palette, seat, 74), transform=place))
        name, facts = beside.holding(seat)
        drawn.append(label(name, x + 108, base + 27, 24, fill=palette("ink"), font_weight=BOLD))
        drawn.append(label(facts, x + 108, base + 51, 21, fill=palette("muted")))
    return drawn, math.ceil(beside.view.seats / 2) * (ROW + 8) + 10


def _cards(palette: Palette, board: Board, beside: Beside, y: float) -> tuple[list[str], float]:
    """Draws the face-up cards on the left, the viewer's hand on the right."""
    view, lang, left = beside.view, beside.lang, board.size[0] / 2
    if view.finished:
        return [], 0
    note = say("tickettoride.pile", lang, pile=view.pile, discards=sum(view.discards.values()))
    drawn = [
        _heading(palette, say("tickettoride.display", lang), 6, y + 24),
        label(note, 6, y + 164, 21, fill=palette("muted")),
    ]
    drawn += [_card(palette, kind, 0, 40 + 76 * k, y + 88) for k, kind in enumerate(view.display)]
    if view.seat >= 0:
        drawn.append(_heading(palette, beside.heading("hand"), left + 6, y + 24))
    step = min(88.0, (left - 60) / max(len(view.hand), 1))
    drawn += [
        _card(palette, kind, count, left + 42 + step * k, y + 88)
        for k, (kind, count) in enumerate(view.hand.items())
    ]
    return drawn, 186


def _card(palette: Palette, kind: str | None, count: int, x: float, y: float) -> str:
    """Draws a Transport card centred at (x, y), with a count above 0 in its corner."""
    if kind is None:
        inner = _slab(
            62, 88, 10, fill="none", stroke=palette("grid"), stroke_width=2, stroke_dasharray="7 6"
        )
    else:
        fill = palette("sheet" if kind == BUS_CARD else kind)
        inner = _slab(62, 88, 10, fill=fill, stroke=palette("ink"), stroke_width=2.5)
        inner += _wild(palette) if kind == BUS_CARD else _mark(palette, kind, 0, 0, 2.4)
    if count:
        inner += element("circle", cx=25, cy=-38, r=15, fill=palette("ink"))
        inner += label(
            str(count), 25, -31.5, 19, text_anchor="middle", font_weight=BOLD, fill=palette("sheet")
        )
    return element("g", inner, transform=moved(x, y), class_="card", data_card=kind)


def _wild(palette: Palette) -> str:
    """Draws the bus card: a bus over stripes of all colours."""
    colours = ("blue", "green", "yellow", "orange", "pink")
    stripes = [
        rectangle(-25, y, 50, 7, rx=3, fill=palette(colour))
        for y, colour in zip((-37, -28, 13, 22, 31), colours, strict=True)
    ]
    wheels = [element("circle", cx=x, cy=9, r=4, fill=palette("ink")) for x in (-11.0, 11.0)]
    body = rectangle(-23, -15, 46, 24, rx=7, fill=palette("bus-red"))
    glass = rectangle(-17, -10, 34, 8, rx=2, fill=palette("mark"))
    return "".join([*stripes, *wheels, body, glass])


def _tickets(palette: Palette, board: Board, beside: Beside, y: float) -> tuple[list[str], float]:
    tickets = beside.view.own_score.each_ticket if beside.view.own_score else ()
    if not tickets:
        return [], 0
    drawn, wide = [_heading(palette, beside.heading("tickets"), 6, y + 24)], board.size[0] / 2
    edge: Drawn = {"fill": palette("sheet"), "stroke": palette("hair"), "stroke_width": 2}
    pen: Drawn = {"stroke": palette("ink"), "stroke_width": 4, "stroke_linecap": "round"}
    for i, ticket in enumerate(tickets):
        row, column = divmod(i, 2)
        x, base = column * wide, y + 40 + row * 58
        tone = palette("green" if ticket.completed else "grid")
        mark = "M-8 0L-2 7L9 -7" if ticket.completed else "M-8 0H8"
        place, text = moved(x + 36, base + 25), board.ticket_title(ticket.name)
        drawn += [
            rectangle(x + 3, base, wide - 12, 50, rx=12, **edge),
            rectangle(x + 3, base, 10, 50, rx=5, fill=tone),
            element("path", d=mark, transform=place, fill="none", **pen, stroke_linejoin="round"),
            label(text, x + 58, base + 33, 23, fill=palette("ink")),
            _bold(palette, str(ticket.points), x + wide - 26, base + 34, 26, text_anchor="end"),
        ]
    return drawn, 40 + math.ceil(len(tickets) / 2) * 58
