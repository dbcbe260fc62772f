"""Where everything lies on a drawn board, and the ground under the routes.

The ground is districts, parks, the river, bridges, sights. Clients do the same for a space of any
shape.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from headway.games.tickettoride.board.board import Board, Route, drawings
from headway.games.tickettoride.board.map_data import (
    Shape,
    along,
    areas,
    curve,
    length,
    middles,
    shape_of,
    side,
)
from headway.svg import Palette, Point, element, label, moved, number, polyline, rectangle

LETTER = 0.58  # of a name: how wide a letter is, in sizes
LEADING = 1.04
PARTS = 20  # of the drawn line of a route


class Space(NamedTuple):
    """A space of a route: its middle, its direction in degrees, its length."""

    x: float
    y: float
    angle: float
    long: float


class PlacedName(NamedTuple):
    """A name: the baseline of its first line."""

    x: float
    y: float
    anchor: str
    lines: tuple[str, ...]


class Edges(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


def _clamp(least: float, value: float, most: float) -> float:
    return max(least, min(most, value))


class Layout:
    """A board in a rectangle of this size; `bare` without names, for small pictures."""

    def __init__(self, board: Board, width: float, height: float, *, bare: bool = False) -> None:
        self.board, self.width, self.height, self.bare = board, width, height, bare
        room = math.sqrt(width * height)
        self.deep = _clamp(6 if bare else 10, 4.7 + room * 0.0169, 25)
        """The depth of a space."""
        self.disc = self.deep * 0.8
        """The radius of a place."""
        self.name = _clamp(12, 10.2 + room * 0.0046, 25)
        """The size of names."""
        self.drawing = _clamp(0.35, 0.26 + room * 0.00088, 1.4)
        self.shape: Shape = shape_of(board)
        self._edges = self._room_of_names()
        xs, ys = zip(*self.shape.places, strict=True)
        self._from = min(xs), min(ys)
        edges = self._edges
        self.stretch: Point = (
            (width - edges.left - edges.right) / max(1, max(xs) - min(xs)),
            (height - edges.top - edges.bottom) / max(1, max(ys) - min(ys)),
        )
        """How much longer things are than in the board's file, across and down."""
        self.places = [self.at(place) for place in self.shape.places]

    def at(self, point: Point) -> Point:
        """Returns where a point of the board's file lies."""
        (x, y), (left, top) = point, self._from
        return (
            self._edges.left + (x - left) * self.stretch[0],
            self._edges.top + (y - top) * self.stretch[1],
        )

    # Names

    def _label(self, i: int) -> PlacedName:
        (dx, dy), place = self.board.locations[i].label, self.board.locations[i]
        across, down = self.width / self.board.size[0], self.height / self.board.size[1] * 1.06
        return PlacedName(dx * across, dy * down, place.anchor, place.lines)

    def name_of(self, i: int) -> PlacedName:
        """Returns where the name of a place stands."""
        label, (x, y) = self._label(i), self.places[i]
        up = (len(label.lines) - 1) * self.name * LEADING / 2
        return label._replace(x=x + label.x, y=y + label.y + self.name * 0.35 - up)

    def _room_of_names(self) -> Edges:
        """Returns the room that names need beyond the outermost places."""
        least = self.disc * (1.9 if self.bare else 2.6)
        edges = Edges(least, least, least, least)
        if self.bare:
            return edges
        xs, ys = zip(*self.shape.places, strict=True)
        for i in range(len(self.board.locations)):
            label = self._label(i)
            wide = max(map(len, label.lines)) * self.name * LETTER
            start = label.x - {"start": 0, "middle": wide / 2, "end": wide}[label.anchor]
            high = len(label.lines) * self.name * 0.55
            px, py = _part(xs, i), _part(ys, i)
            edges = Edges(
                max(edges.left, 6 - start - px * self.width * 0.9),
                max(edges.top, 6 + high - label.y - py * self.height * 0.9),
                max(edges.right, 6 + start + wide - (1 - px) * self.width * 0.9),
                max(edges.bottom, 6 + high + label.y - (1 - py) * self.height * 0.9),
            )
        return edges

    # Routes

    def _centre(self, route: Route) -> list[Point]:
        between = [self.at(point) for point in middles(self.board, route)]
        return curve([self.places[route.a], *between, self.places[route.b]])

    def _beside(self, route: Route, line: Sequence[Point], far: float) -> tuple[Point, float]:
        x, y, turn = along(line, far)
        off = side(self.board, route) * (self.deep * 0.6 + 0.7)
        return (x - math.sin(turn) * off, y + math.cos(turn) * off), turn

    def line(self, route: Route) -> list[Point]:
        """Returns the line of a route from place to place."""
        centre = self._centre(route)
        long = length(centre)
        return [self._beside(route, centre, long * k / PARTS)[0] for k in range(PARTS + 1)]

    def spaces(self, route: Route) -> list[Space]:
        """Returns the spaces of a route; a bus on one stands upright."""
        centre = self._centre(route)
        ends = self.disc + self.deep * (0.3 if route.half else 0.2)
        part = (length(centre) - 2 * ends) / route.length
        spaces = []
        for i in range(route.length):
            (x, y), turn = self._beside(route, centre, ends + part * (i + 0.5))
            angle = (math.degrees(turn) + 90) % 180 - 90
            spaces.append(Space(x, y, angle, part - max(1.6, self.deep * 0.17)))
        return spaces


def _part(values: Sequence[float], i: int) -> float:
    low, high = min(values), max(values)
    return (values[i] - low) / max(1, high - low)


# The ground


TURNS = (8, -24, 31, -9, 17)  # of the streets of each district
STREETS = "M0 0H56M0 18H34M34 0V42M0 0V42M14 18V42M34 27H56"
EDGE_POINTS = 26  # of a park
TREES = 9


def draw_ground(layout: Layout, palette: Palette) -> str:
    """Returns the ground; what goes beyond the board is for the caller to cut off."""
    sheet = rectangle(0, 0, layout.width, layout.height, fill=palette("street"))
    parts = (_districts, _parks, _river, _bridges, _sights)
    return sheet + "".join(markup for part in parts for markup in part(layout, palette))


def draw_signs(layout: Layout, palette: Palette, joined: Sequence[int]) -> str:
    """Returns the signs of the districts, with how many places of each are joined."""
    board, size = layout.board, layout.name
    drawn = []
    for sign in layout.shape.signs:
        index = next(i for i, d in enumerate(board.districts) if d.number == sign.district)
        district = board.districts[index]
        count = sum(place.district == sign.district for place in board.locations)
        paint = palette(f"place-{district.colour}")
        words = size * (1.1 + 0.62 * len(str(district.points)))
        left = -(words + count * size * 0.72 + size * 0.9) / 2
        full = joined[index] if joined else 0
        dots = [
            element(
                "circle", cx=left + words + size * (0.6 + k * 0.72), r=size * 0.235,
                fill=paint if k < full else "none", stroke=paint, stroke_width=1.3,
            )
            for k in range(count)
        ]  # fmt: skip
        back = rectangle(
            left, -size * 0.78, -2 * left, size * 1.56, rx=size * 0.78,
            fill=palette("sheet"), fill_opacity=0.86,
        )  # fmt: skip
        text = label(
            f"+{district.points}", left + size * 0.5, size * 0.36, size,
            font_weight="800", fill=paint,
        )  # fmt: skip
        where = moved(*layout.at((sign.x, sign.y)))
        drawn.append(element("g", back, text, *dots, transform=where, class_="sign"))
    return "".join(drawn)


def _districts(layout: Layout, palette: Palette) -> Iterator[str]:
    board = layout.board
    grounds = areas([(p.at, p.district) for p in board.locations], board.size)
    for i, district in enumerate(board.districts):
        name = f"headway-streets-{district.number}"
        turn = f"scale({number(layout.deep / 13)}) rotate({TURNS[i % len(TURNS)]})"
        streets = element(
            "path", d=STREETS, fill="none", stroke=palette("street"), stroke_width=1.5,
            stroke_opacity=0.5,
        )  # fmt: skip
        yield element(
            "pattern", streets, id=name, width=56, height=42, patternUnits="userSpaceOnUse",
            patternTransform=turn,
        )  # fmt: skip
        for ring in grounds.get(district.number, ()):
            way = polyline([layout.at(point) for point in ring], closed=True)
            yield element("path", d=way, fill=palette(f"ground-{district.colour}"))
            yield element(
                "path", d=way, fill=f"url(#{name})", stroke=palette("street"),
                stroke_width=layout.deep * 0.34,
            )  # fmt: skip


def _parks(layout: Layout, palette: Palette) -> Iterator[str]:
    across, down = layout.stretch
    for i, (x, y, wide, high) in enumerate(layout.board.scenery.parks):
        (cx, cy), rx, ry = layout.at((x, y)), wide * across, high * down
        edge = []
        for j in range(EDGE_POINTS):
            turn = 2 * math.pi * j / EDGE_POINTS
            # Uneven, as if drawn by hand.
            uneven = 1 + 0.07 * math.sin(3 * turn + i * 2) + 0.05 * math.cos(5 * turn + i)
            way = math.cos(turn), math.sin(turn)
            dx, dy = (math.copysign(abs(part) ** 0.8, part) * uneven for part in way)
            edge.append((cx + rx * dx, cy + ry * dy))
        yield element(
            "path", d=polyline(curve([*edge, edge[0]]), closed=True), fill=palette("park"),
            stroke=palette("street"), stroke_width=layout.deep * 0.2,
        )  # fmt: skip
        for j in range(TREES):
            turn, far = j * 2.4 + i, 0.25 + 0.62 * (j * 37 % 11) / 11
            yield element(
                "circle", cx=cx + rx * far * math.cos(turn), cy=cy + ry * far * math.sin(turn),
                r=layout.deep * (0.22 + 0.1 * (j % 3)), fill=palette("tree"),
            )  # fmt: skip


def _wide(layout: Layout) -> float:
    across, down = layout.stretch
    return layout.board.scenery.river_width * (across + down) / 2


def _river(layout: Layout, palette: Palette) -> Iterator[str]:
    points = layout.board.scenery.river
    if len(points) < 2:
        return
    river, wide, deep = curve([layout.at(p) for p in points]), _wide(layout), layout.deep
    for name, more in (("street", deep * 0.9), ("bank", 2), ("water", 0)):
        yield element(
            "path", d=polyline(river), fill="none", stroke=palette(name), stroke_width=wide + more,
            stroke_linejoin="round",
        )  # fmt: skip
    long = length(river)
    count = int(long / (deep * 2.6))
    for k in range(count):
        x, y, turn = along(river, (k + 0.5) * long / count)
        aside = (k * 7 % 5 - 2) / 2 * wide * 0.28
        where = moved(x - math.sin(turn) * aside, y + math.cos(turn) * aside)
        yield element(
            "path", d="M-4 0q2 -2 4 0t4 0", fill="none", stroke=palette("wave"),
            stroke_linecap="round", opacity=0.75,
            transform=f"{where} rotate({number(math.degrees(turn))}) scale({number(deep * 0.1)})",
        )  # fmt: skip


def _bridges(layout: Layout, palette: Palette) -> Iterator[str]:
    (across, down), deep, wide = layout.stretch, layout.deep, _wide(layout)
    for bridge in layout.shape.bridges:
        turn = math.atan2(bridge.way[1] * down, bridge.way[0] * across)
        flow = math.atan2(bridge.river[1] * down, bridge.river[0] * across)
        steep = max(0.4, abs(math.sin(turn - flow)))
        half = min(wide / steep / 2 + deep * 0.42, wide)
        edge = deep * (2.75 if bridge.double else 1.55) / 2
        floor = rectangle(-half, -edge, 2 * half, 2 * edge, fill=palette("wall"))
        rails = element(
            "path", d=f"M{number(-half)} {number(-edge)}h{number(2 * half)}"
            f"M{number(-half)} {number(edge)}h{number(2 * half)}",
            stroke=palette("stroke"), stroke_width=max(1.2, deep * 0.1),
        )  # fmt: skip
        lamps = [
            element(
                "circle", cx=x, cy=y, r=deep * 0.15, fill=palette("light"),
                stroke=palette("stroke"),
            )
            for x in (-half, half) for y in (-edge, edge)
        ]  # fmt: skip
        where = moved(*layout.at((bridge.x, bridge.y)))
        turned = f"{where} rotate({number(math.degrees(turn))})"
        yield element("g", floor, rails, *lamps, transform=turned, class_="bridge")


def draw_sight(palette: Palette, name: str, place: str, size: float) -> str:
    """Returns a landmark; `place` moves its base, and lines keep their width."""
    fills = {"wall": palette("wall"), "light": palette("light")}
    parts = [
        element(
            "path", d=way, fill=fills.get(kind, "none"), stroke=palette("stroke"),
            stroke_width=(1.8 if kind == "ring" else 1.15) / size, stroke_linejoin="round",
            stroke_linecap="round",
        )
        for kind, way in drawings()[name]
    ]  # fmt: skip
    return element("g", *parts, transform=f"{place} scale({number(size)})", class_="sight")


def _sights(layout: Layout, palette: Palette) -> Iterator[str]:
    for sight in layout.shape.landmarks:
        place = moved(*layout.at((sight.x, sight.y)))
        yield draw_sight(palette, sight.name, place, sight.size * layout.drawing)
