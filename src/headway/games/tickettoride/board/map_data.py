"""A board as plain data, for clients that draw it: where everything stands, areas and curves.

Clients compute the same curves in `board/layout.ts`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from headway.games.contract import MapData
from headway.games.tickettoride.board.board import (
    Board,
    Label,
    Location,
    Route,
    ScoringDistrict,
    Sight,
    Spots,
    Ticket,
    drawings,
)
from headway.svg import Point

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide


class RouteData(msgspec.Struct, frozen=True):
    """A row of spaces from location `a` to `b` (indices); `half` is 1 or 2 of a double."""

    name: str
    a: int
    b: int
    colour: str
    half: int
    points: int
    length: int
    middles: tuple[Point, ...]
    """The points through which it goes between its ends."""
    side: int
    """1 if it lies to the right of the line, -1 to the left, 0 on it."""


class GroundData(msgspec.Struct, frozen=True):
    """What lies under a board; positions in its units."""

    areas: dict[int, tuple[tuple[Point, ...], ...]]
    """The ground of each district, as closed lines."""
    river: tuple[Point, ...]
    """The points through which it flows; empty without a river."""
    river_width: float
    parks: tuple[tuple[float, float, float, float], ...]
    drawings: dict[str, tuple[tuple[str, str], ...]]
    """The parts of each landmark: kind and SVG path."""


class BoardData(MapData, frozen=True, kw_only=True):
    """A board of Ticket to Ride with everything that is printed on it."""

    board: dict[str, str]
    """The board's name, by language."""
    width: float
    height: float
    ground: GroundData
    wide: Shape
    tall: Shape | None
    """Where things stand if the board is as high as wide; None if it has no facts for that."""
    locations: tuple[Location, ...]
    districts: tuple[ScoringDistrict, ...]
    routes: tuple[RouteData, ...]
    tickets: tuple[Ticket, ...]
    kinds: tuple[str, ...]
    """The kinds of cards, the bus first."""
    buses: int
    tickets_kept: int
    """The smallest number of offered tickets that must be kept."""


def board_data(game: TicketToRide) -> BoardData:
    """Returns the data of a game's board."""
    board = game.board
    return BoardData.of(
        game,
        board,
        board=dict(board.title),
        width=board.size[0],
        height=board.size[1],
        ground=_ground(board),
        wide=shape_of(board),
        tall=shape_of(board, tall=True) if board.scenery.tall else None,
        routes=tuple(_route(board, route) for route in board.routes),
        buses=board.play.buses,
        tickets_kept=board.play.tickets_kept,
    )


def _ground(board: Board) -> GroundData:
    places = [(place.at, place.district) for place in board.locations]
    shown = {landmark.name for landmark in board.scenery.spots.landmarks}
    if board.scenery.tall:
        shown |= {landmark.name for landmark in board.scenery.tall.landmarks}
    return GroundData(
        areas={
            district: tuple(tuple((round(x), round(y)) for x, y in ring) for ring in rings)
            for district, rings in areas(places, board.size).items()
        },
        river=board.scenery.river,
        river_width=board.scenery.river_width,
        parks=board.scenery.parks,
        drawings={name: drawings()[name] for name in sorted(shown)},
    )


def _route(board: Board, route: Route) -> RouteData:
    return RouteData(
        name=route.name,
        a=route.a,
        b=route.b,
        colour=route.colour,
        half=route.half,
        points=board.scoring[route.length - 1],
        length=route.length,
        middles=tuple((round(x, 1), round(y, 1)) for x, y in middles(board, route)),
        side=side(board, route),
    )


# Curves and areas


STEPS = 14  # points of a curve from one of its given points to the next
ROUNDINGS = 3
CUT = 0.22  # how much of an edge a rounding cuts off at either end
REACH = 1.5  # how far areas go beyond the board before they are rounded, in boards
BLEED = 0.1  # and how far they go in the end: renderers are slow with what nobody sees
NEAR = 1e-6

Line = Sequence[Point]
Edge = tuple[Point, int | None]
"""A corner of a polygon, and the neighbour across the edge that begins there."""


def curve(points: Line) -> list[Point]:
    """Returns a smooth line through all points."""
    if len(points) == 2:
        (ax, ay), (bx, by) = points
        parts = [k / STEPS for k in range(STEPS + 1)]
        return [(ax + (bx - ax) * t, ay + (by - ay) * t) for t in parts]
    around = [points[0], *points, points[-1]]
    drawn: list[Point] = []
    for a, b, c, d in zip(around, around[1:], around[2:], around[3:], strict=False):
        drawn += [_between(a, b, c, d, k / STEPS) for k in range(STEPS)]
    return [*drawn, points[-1]]


def _between(a: Point, b: Point, c: Point, d: Point, t: float) -> Point:
    """Returns a point of a Catmull-Rom curve from b to c."""
    x, y = (
        0.5
        * (
            2 * b[j]
            + (c[j] - a[j]) * t
            + (2 * a[j] - 5 * b[j] + 4 * c[j] - d[j]) * t * t
            + (3 * b[j] - a[j] - 3 * c[j] + d[j]) * t**3
        )
        for j in (0, 1)
    )
    return x, y


def length(line: Line) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(line))


def along(line: Line, far: float) -> tuple[float, float, float]:
    """Returns the point at a length of a line, and the direction there."""
    for a, b in pairwise(line):
        here = math.dist(a, b)
        if here > 0 and far <= here:
            part = far / here
            direction = math.atan2(b[1] - a[1], b[0] - a[0])
            return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, direction
        far -= here
    (ax, ay), (bx, by) = line[-2:]
    return bx, by, math.atan2(by - ay, bx - ax)


def crossings(line: Line, other: Line) -> list[tuple[Point, Point, Point]]:
    """Returns where two lines cross, with the direction of either there."""
    found = []
    for p, q in pairwise(line):
        for a, b in pairwise(other):
            way, across = (q[0] - p[0], q[1] - p[1]), (b[0] - a[0], b[1] - a[1])
            turn = way[0] * across[1] - way[1] * across[0]
            if abs(turn) < NEAR:
                continue
            t = ((a[0] - p[0]) * across[1] - (a[1] - p[1]) * across[0]) / turn
            u = ((a[0] - p[0]) * way[1] - (a[1] - p[1]) * way[0]) / turn
            if 0 <= t < 1 and 0 <= u < 1:
                found.append(((p[0] + t * way[0], p[1] + t * way[1]), way, across))
    return found


def areas(places: Sequence[tuple[Point, int]], size: Point) -> Mapping[int, list[list[Point]]]:
    """Returns the ground of every district: what is nearer to its places than to all others.

    Each is a list of rings with rounded corners, which reach a little beyond the board.
    """
    edges: dict[int, list[tuple[Point, Point]]] = {}
    for i, (_, district) in enumerate(places):
        cell = _cell(places, i, size)
        for k, (corner, neighbour) in enumerate(cell):
            if neighbour is None or places[neighbour][1] != district:
                edges.setdefault(district, []).append((corner, cell[(k + 1) % len(cell)][0]))
    return {
        district: [_trimmed(_rounded(ring), size) for ring in _rings(some)]
        for district, some in edges.items()
    }


def _cell(places: Sequence[tuple[Point, int]], i: int, size: Point) -> list[Edge]:
    """Returns the Voronoi cell of a place."""
    (px, py), _ = places[i]
    wide, high = size[0] * REACH, size[1] * REACH
    frame = (-wide, -high), (size[0] + wide, -high), (size[0] + wide, size[1] + high)
    cell: list[Edge] = [(corner, None) for corner in (*frame, (-wide, size[1] + high))]
    for j, ((ox, oy), _) in enumerate(places):
        if (ox, oy) == (px, py):
            continue
        cell = _cut(cell, ((px + ox) / 2, (py + oy) / 2), (ox - px, oy - py), j)
    return cell


def _cut(cell: list[Edge], middle: Point, normal: Point, neighbour: int | None) -> list[Edge]:
    """Returns what of a polygon lies on the near side of a line."""

    def side(at: Point) -> float:
        return (at[0] - middle[0]) * normal[0] + (at[1] - middle[1]) * normal[1]

    kept: list[Edge] = []
    for k, (corner, before) in enumerate(cell):
        end = cell[(k + 1) % len(cell)][0]
        here, there = side(corner), side(end)
        if here <= 0:
            kept.append((corner, before))
        if (here <= 0) != (there <= 0):
            t = here / (here - there)
            at = corner[0] + t * (end[0] - corner[0]), corner[1] + t * (end[1] - corner[1])
            kept.append((at, neighbour if here <= 0 else before))
    return kept


def _rings(edges: list[tuple[Point, Point]]) -> list[list[Point]]:
    """Joins edges end to end to closed lines."""
    rings, left = [], list(edges)
    while left:
        first, end = left.pop(0)
        ring = [first]
        while left and math.dist(first, end) > 1:
            nearest = min(range(len(left)), key=lambda k, end=end: math.dist(left[k][0], end))  # type: ignore[misc]
            ring.append(left[nearest][0])
            end = left.pop(nearest)[1]
        rings.append(ring)
    return [ring for ring in rings if len(ring) > 2]


def _rounded(ring: list[Point]) -> list[Point]:
    for _ in range(ROUNDINGS):
        ring = [
            (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)
            for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)
            for part in (CUT, 1 - CUT)
        ]
    return ring


def _trimmed(ring: list[Point], size: Point) -> list[Point]:
    """Returns what of a ring lies on the board and a little around it."""
    wide, high = size[0] * BLEED, size[1] * BLEED
    corners = (-wide, -high), (size[0] + wide, size[1] + high)
    cell: list[Edge] = [(point, None) for point in ring]
    for corner, sign in zip(corners, (-1, 1), strict=True):
        for normal in ((sign, 0), (0, sign)):
            cell = _cut(cell, corner, normal, None)
    return [point for point, _ in cell]


# Where things stand


ACROSS = 0.5  # the sine of the smallest angle at which a route crosses a river on a bridge
SIGN_GRID = 24  # tries for the place of a sign, in each direction


class Sign(msgspec.Struct, frozen=True):
    """The sign of a district: what joining its places is worth."""

    district: int
    x: float
    y: float


class Bridge(msgspec.Struct, frozen=True):
    """Where a route crosses the river; its direction, and that of the river."""

    x: float
    y: float
    way: Point
    river: Point
    double: bool


class Shape(msgspec.Struct, frozen=True):
    """Where everything stands. Positions are in the units of the board."""

    places: tuple[Point, ...]
    labels: tuple[Label | None, ...]
    """Names for this shape alone, in pixels for letters of 12; else `Location.label` holds."""
    signs: tuple[Sign, ...]
    landmarks: tuple[Sight, ...]
    bridges: tuple[Bridge, ...]


def shape_of(board: Board, *, tall: bool = False) -> Shape:
    """Returns where everything stands on a board, `tall` if it is about as high as wide."""
    spots = (board.scenery.tall if tall else None) or board.scenery.spots
    places = tuple(spots.moved.get(place.id, place.at) for place in board.locations)
    return Shape(
        places=places,
        labels=tuple(spots.labels.get(place.id) for place in board.locations),
        signs=tuple(_sign(board, spots, places, d.number) for d in board.districts),
        landmarks=spots.landmarks,
        bridges=tuple(_bridges(board, places)),
    )


def middles(board: Board, route: Route) -> list[Point]:
    """Returns the points through which a route goes between its ends.

    The halves of a double route share them. A single space lies on the straight line.
    """
    twin = (
        board.routes[board.route_named[f"{route.name[:-1]}{3 - route.half}"]]
        if route.half
        else route
    )
    if route.length == 1:
        return []
    return [
        ((ax + bx) / 2, (ay + by) / 2)
        for (ax, ay), (bx, by) in zip(route.spaces, twin.spaces, strict=True)
    ]


def side(board: Board, route: Route) -> int:
    """Returns on which side of the line between its ends the half of a double route lies.

    1 is to the right of the way from `a` to `b`; 0 is for a single route.
    """
    if not route.half:
        return 0
    twin = board.routes[board.route_named[f"{route.name[:-1]}{3 - route.half}"]]
    (ax, ay), (bx, by) = board.locations[route.a].at, board.locations[route.b].at
    (x, y), (ox, oy) = route.spaces[0], twin.spaces[0]
    over = (x - ox) * -(by - ay) + (y - oy) * (bx - ax)
    return 1 if over > 0 else -1


def _sign(board: Board, spots: Spots, places: Sequence[Point], number: int) -> Sign:
    if at := spots.signs.get(number):
        return Sign(number, *at)
    own = [
        at for at, place in zip(places, board.locations, strict=True) if place.district == number
    ]
    taken = [space for route in board.routes for space in route.spaces] + list(places)
    left, right = min(x for x, _ in own), max(x for x, _ in own)
    top, bottom = min(y for _, y in own), max(y for _, y in own)
    tries = [
        (left + (right - left) * i / SIGN_GRID, top + (bottom - top) * j / SIGN_GRID)
        for i in range(SIGN_GRID + 1)
        for j in range(SIGN_GRID + 1)
    ]
    return Sign(number, *max(tries, key=lambda at: min(math.dist(at, other) for other in taken)))


def _bridges(board: Board, places: Sequence[Point]) -> list[Bridge]:
    if len(board.scenery.river) < 2:
        return []
    river = curve(board.scenery.river)
    found = []
    for route in board.routes:
        if route.half == 2:
            continue
        line = curve([places[route.a], *middles(board, route), places[route.b]])
        for (x, y), way, water in crossings(line, river):
            turn = (
                abs(way[0] * water[1] - way[1] * water[0]) / math.hypot(*way) / math.hypot(*water)
            )
            if turn >= ACROSS:
                found.append(Bridge(x, y, way, water, bool(route.half)))
    return found
