"""Where everything lies on a drawn board. Clients do the same for a space of any shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from headway.games.tickettoride.board import geometry
from headway.games.tickettoride.board.board import Board, Route
from headway.games.tickettoride.board.shape import Shape, middles, shape_of, side
from headway.svg import Point

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
        return geometry.curve([self.places[route.a], *between, self.places[route.b]])

    def _beside(self, route: Route, line: Sequence[Point], far: float) -> tuple[Point, float]:
        x, y, turn = geometry.along(line, far)
        off = side(self.board, route) * (self.deep * 0.6 + 0.7)
        return (x - math.sin(turn) * off, y + math.cos(turn) * off), turn

    def line(self, route: Route) -> list[Point]:
        """Returns the line of a route from place to place."""
        centre = self._centre(route)
        long = geometry.length(centre)
        return [self._beside(route, centre, long * k / PARTS)[0] for k in range(PARTS + 1)]

    def spaces(self, route: Route) -> list[Space]:
        """Returns the spaces of a route; a bus on one stands upright."""
        centre = self._centre(route)
        ends = self.disc + self.deep * (0.3 if route.half else 0.2)
        part = (geometry.length(centre) - 2 * ends) / route.length
        spaces = []
        for i in range(route.length):
            (x, y), turn = self._beside(route, centre, ends + part * (i + 0.5))
            angle = (math.degrees(turn) + 90) % 180 - 90
            spaces.append(Space(x, y, angle, part - max(1.6, self.deep * 0.17)))
        return spaces


def _part(values: Sequence[float], i: int) -> float:
    low, high = min(values), max(values)
    return (values[i] - low) / max(1, high - low)
