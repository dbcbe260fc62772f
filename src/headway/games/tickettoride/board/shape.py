"""Where everything stands on a board of one shape: wide, or about as high as wide."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from headway.games.tickettoride.board import geometry
from headway.games.tickettoride.board.board import Board, Label, Landmark, Route, Spots
from headway.svg import Point

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
    landmarks: tuple[Landmark, ...]
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
    river = geometry.curve(board.scenery.river)
    found = []
    for route in board.routes:
        if route.half == 2:
            continue
        line = geometry.curve([places[route.a], *middles(board, route), places[route.b]])
        for (x, y), way, water in geometry.crossings(line, river):
            turn = (
                abs(way[0] * water[1] - way[1] * water[0]) / math.hypot(*way) / math.hypot(*water)
            )
            if turn >= ACROSS:
                found.append(Bridge(x, y, way, water, bool(route.half)))
    return found
