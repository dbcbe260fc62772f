"""Draws a Ticket to Ride board as SVG; `headway.svg` makes a PNG of it.

Layers from the paper up: parks and river, the rows of spaces, buses on claimed routes, places and
their names; below the board the seats, and the cards and tickets of the viewing seat. Every card
colour has a pattern and every seat a number of windows, so no information is in the hue alone.
Coordinates are in the units of the board file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from headway.games.tickettoride.board.board import (
    BUS_CARD,
    BUS_COLOURS,
    GREY_ROUTE,
    Board,
    Route,
)
from headway.games.tickettoride.presentation.layout import (
    LEADING,
    Layout,
    draw_ground,
    draw_signs,
)
from headway.i18n import say
from headway.svg import (
    BOLD,
    DARK,
    LIGHT,
    Drawn,
    Palette,
    Theme,
    colours,
    document,
    element,
    label,
    moved,
    number,
    polyline,
    rectangle,
)

if TYPE_CHECKING:
    from headway.games.tickettoride.view import TicketToRideView

RADIUS = 22.0  # of the corners of a board
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
    palette = palette_of(theme, bus_colours)
    width, height = board.size
    top = HEADER if title else MARGIN
    joined = beside.view.joined if beside else ()
    body = [
        _bold(palette, title, MARGIN + 4, 42, 30) if title else "",
        element(
            "g",
            draw_map(Layout(board, width, height), palette, owners, joined=joined),
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


# Routes


def palette_of(theme: Theme, buses: Sequence[str]) -> Palette:
    """Returns the colours of a board with buses of these colours, by seat."""
    light, dark = (
        {**every, **own}
        | {f"seat-{seat}": own[f"bus-{colour}"] for seat, colour in enumerate(buses)}
        for every, own in ((LIGHT, OWN_LIGHT), (DARK, OWN_DARK))
    )
    return Palette(theme, light, dark)


def draw_map(
    layout: Layout,
    palette: Palette,
    owners: Mapping[int, int],
    *,
    joined: Sequence[int] = (),
    only: int | None = None,
) -> str:
    """Returns the board itself; `only` is a seat whose net is lit while all others step back."""
    board = layout.board
    clip = element(
        "clipPath",
        element("rect", width=layout.width, height=layout.height, rx=RADIUS),
        id="headway-board",
    )
    signs = draw_signs(layout, palette, joined) if only is None and not layout.bare else ""
    inside = element(
        "g",
        draw_ground(layout, palette),
        signs,
        *(
            _route(palette, layout, route, owners.get(i), only)
            for i, route in enumerate(board.routes)
        ),
        *(_location(palette, layout, i) for i in range(len(board.locations))),
        *(() if layout.bare else (_name(palette, layout, i) for i in range(len(board.locations)))),
        clip_path="url(#headway-board)",
    )
    return clip + inside


def _bold(palette: Palette, text: str, x: float, y: float, size: float, **more: str | float) -> str:
    return label(text, x, y, size, **more, font_weight=BOLD, fill=palette("ink"))


def _route(
    palette: Palette, layout: Layout, route: Route, owner: int | None, only: int | None
) -> str:
    deep, drawn = layout.deep, []
    way = polyline(layout.line(route))
    if owner is not None:
        if owner == only:
            drawn.append(
                element(
                    "path", d=way, fill="none", stroke=palette("amber"), stroke_width=deep * 1.9,
                    stroke_linecap="round", opacity=0.6,
                )
            )  # fmt: skip
        paint = palette(f"seat-{owner}")
        drawn.append(element("path", d=way, fill="none", stroke=paint, stroke_width=deep / 2))
    for space in layout.spaces(route):
        inner = (
            _space(palette, route.colour, space.long, deep * 0.82, marks=not layout.bare)
            if owner is None
            else _bus(palette, owner, space.long, deep * 1.12)
        )
        turn = f"{moved(space.x, space.y)} rotate({number(space.angle)})"
        drawn.append(element("g", inner, transform=turn))
    name = "route" if owner is None else "route taken"
    faint = 0.3 if only is not None and owner != only else None
    return element("g", *drawn, class_=name, data_route=route.name, opacity=faint)


def _slab(width: float, depth: float, round_: float, **drawn: str | float) -> str:
    return rectangle(-width / 2, -depth / 2, width, depth, rx=round_, **drawn)


def _space(palette: Palette, colour: str, long: float, high: float, *, marks: bool = True) -> str:
    edge = palette("muted" if colour == GREY_ROUTE else f"edge-{colour}")
    tint = palette("street" if colour == GREY_ROUTE else f"tint-{colour}")
    slab = _slab(long, high, high * 0.34, fill=tint, stroke=edge, stroke_width=max(1.1, high / 8))
    if colour == GREY_ROUTE or not marks:
        return slab
    few = (0.0,) if long < high * 2.1 else (-0.62, 0.62)
    cells = (-1.0, 0.0, 1.0) if long > high * 3.7 else few
    return slab + "".join(_mark(edge, colour, cell * long * 0.28, 0, high / 19) for cell in cells)


def _mark(paint: str, colour: str, x: float, y: float, scale: float) -> str:
    return element(
        "path", d=PATTERN[colour], transform=f"{moved(x, y)} scale({number(scale)})", fill="none",
        stroke=paint, stroke_width=3, stroke_linecap="round", stroke_linejoin="round",
    )  # fmt: skip


def _bus(palette: Palette, seat: int, long: float, deep: float = 25.0) -> str:
    """Draws a bus from the side; it has as many windows as the seat's number from 1."""
    windows, end = seat + 1, long / 2
    room, gap = long - deep * 0.56, max(1.1, deep * 0.12)
    wide = (room - gap * (windows - 1)) / windows
    shade = rectangle(
        -end + deep * 0.04, -deep * 0.28, long, deep, rx=deep * 0.32, fill=palette("shade")
    )
    body = _slab(
        long, deep, deep * 0.3, fill=palette(f"seat-{seat}"), stroke=palette("rim"),
        stroke_width=max(1, deep * 0.085),
    )  # fmt: skip
    gloss = element(
        "path",
        d=polyline([(-end + deep * 0.34, -deep * 0.375), (end - deep * 0.34, -deep * 0.375)]),
        stroke=palette("gloss"), stroke_width=deep * 0.07, stroke_linecap="round",
    )  # fmt: skip
    panes = [
        rectangle(
            -room / 2 + k * (wide + gap), -deep * 0.27, wide, deep * 0.4, rx=deep * 0.1,
            fill=palette("window"),
        )
        for k in range(windows)
    ]  # fmt: skip
    skirt = element(
        "path", d=polyline([(-end + deep * 0.3, deep * 0.31), (end - deep * 0.3, deep * 0.31)]),
        stroke=palette("skirt"), stroke_width=deep * 0.1,
    )  # fmt: skip
    return element("g", shade, body, gloss, *panes, skirt, class_="bus")


# Places


def _location(palette: Palette, layout: Layout, i: int) -> str:
    place, disc = layout.board.locations[i], layout.disc
    district = next(d for d in layout.board.districts if d.number == place.district)
    paint = palette(f"place-{district.colour}")
    ring = element("circle", r=disc, fill=palette("sheet"), stroke=paint, stroke_width=disc * 0.3)
    digit = label(
        str(place.district), 0, disc * 0.4, disc * 1.14, text_anchor="middle", font_weight="800",
        fill=paint,
    )  # fmt: skip
    return element(
        "g", ring, digit, class_="location", data_location=place.id,
        transform=moved(*layout.places[i]),
    )  # fmt: skip


def _name(palette: Palette, layout: Layout, i: int) -> str:
    name, size = layout.name_of(i), layout.name
    return "".join(
        label(
            line, name.x, name.y + size * LEADING * k, size, text_anchor=name.anchor,
            font_weight=BOLD, fill=palette("ink"), stroke=palette("street"),
            stroke_width=size * 0.34, paint_order="stroke", stroke_linejoin="round",
        )
        for k, line in enumerate(name.lines)
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


def _on(kind: str) -> str:
    """Returns the name of the colour of a mark on a card."""
    return "dark-mark" if kind in ON_BRIGHT else "mark"


def _card(palette: Palette, kind: str | None, count: int, x: float, y: float) -> str:
    """Draws a Transport card centred at (x, y), with a count above 0 in its corner."""
    if kind is None:
        inner = _slab(
            62, 88, 10, fill="none", stroke=palette("grid"), stroke_width=2, stroke_dasharray="7 6"
        )
    else:
        fill = palette("sheet" if kind == BUS_CARD else kind)
        inner = _slab(62, 88, 10, fill=fill, stroke=palette("ink"), stroke_width=2.5)
        inner += _wild(palette) if kind == BUS_CARD else _mark(palette(_on(kind)), kind, 0, 0, 2.4)
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
