"""Curves and areas of a drawn board. Clients compute the same in `board/layout.ts`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from headway.svg import Point

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
