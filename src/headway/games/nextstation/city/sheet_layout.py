"""What a sheet shows of its districts: tints, outlines and the places of stamps.

All of it follows from the city alone. Places are in grid steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from headway.games.nextstation.city.city import City, Point, Segment, segments

STATION_RADIUS = 0.275


def tints(city: City) -> dict[int, int]:
    """Returns a tint for every district that differs from its neighbours'; large ones first."""
    size: dict[int, int] = {}
    touching: dict[int, set[int]] = {}
    for y, row in enumerate(city.district_at):
        for x, d in enumerate(row):
            size[d] = size.get(d, 0) + 1
            beside = {row[min(x + 1, city.width - 1)]}
            beside.add(city.district_at[min(y + 1, city.height - 1)][x])
            for other in beside - {d}:
                touching.setdefault(d, set()).add(other)
                touching.setdefault(other, set()).add(d)
    tints: dict[int, int] = {}
    for d in sorted(size, key=lambda d: (-size[d], d)):
        taken = {tints.get(other) for other in touching.get(d, ())}
        choice = (3, 0, 1, 2) if size[d] == 1 else (0, 1, 2, 3)
        tints[d] = next((tint for tint in choice if tint not in taken), 3)
    return tints


def outline(city: City, district: int) -> list[list[tuple[int, int]]]:
    """Returns the rings around the cells of a district, with the district on the right."""
    cells = set(_cells(city, district))
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for x, y in sorted(cells):
        sides = (
            ((x, y - 1), (x, y), (x + 1, y)),
            ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
            ((x - 1, y), (x, y + 1), (x, y)),
        )
        for beyond, start, end in sides:
            if beyond not in cells:
                after.setdefault(start, []).append(end)
    return _rings(after)


def _rings(after: dict[tuple[int, int], list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Joins steps from corner to corner into closed rings of their turning points."""
    rings = []
    while after:
        here = start = min(after)
        ring = [start]
        while True:
            here = after[here].pop()
            if not after[ring[-1]]:
                del after[ring[-1]]
            if here == start:
                break
            ring.append(here)
        turns = zip([ring[-1], *ring], ring, [*ring[1:], ring[0]], strict=False)
        rings.append([q for p, q, r in turns if not (p[0] == q[0] == r[0] or p[1] == q[1] == r[1])])
    return rings


def stamp_place(city: City, district: int) -> Point:
    """Returns the place in the district that is farthest from all stations and sections.

    Candidates are the centres of the triangles that rows, columns and diagonals cut out of the
    grid, and the edge of the sheet beyond its outermost stations.
    """
    ways = [piece for section in city.sections for piece in segments(section.path)]
    stations = [station.point for station in city.stations]

    def room(place: Point) -> float:
        discs = min(math.dist(place, station) for station in stations) - STATION_RADIUS
        return round(min(discs, *(_distance(place, way) for way in ways)), 6)

    places = [*_free_places(city, district), *_edge_places(city, district)]
    return max(places or [(x + 0.4, y - 0.2) for x, y in _cells(city, district)], key=room)


def _distance(point: Point, way: Segment) -> float:
    """Returns the distance of a point from a segment."""
    (x, y), (dx, dy) = way[0], (way[1][0] - way[0][0], way[1][1] - way[0][1])
    along = ((point[0] - x) * dx + (point[1] - y) * dy) / (dx * dx + dy * dy)
    along = min(max(along, 0.0), 1.0)
    return math.dist(point, (x + along * dx, y + along * dy))


def _cells(city: City, district: int) -> list[tuple[int, int]]:
    rows = enumerate(city.district_at)
    return [(x, y) for y, row in rows for x, d in enumerate(row) if d == district]


def _free_places(city: City, district: int) -> Iterator[Point]:
    cells = _cells(city, district)
    for x, y in cells:
        for away in (-0.21, 0.21):
            if (x + 1, y) in cells:
                yield x + 0.5, y + away
            if (x, y + 1) in cells:
                yield x + away, y + 0.5


def _edge_places(city: City, district: int) -> Iterator[Point]:
    """Returns places beyond the outermost stations: between two cells, and in the corners."""
    beyond_x = {0: -0.42, city.width - 1: 0.42}
    beyond_y = {0: -0.42, city.height - 1: 0.42}
    cells = _cells(city, district)
    for x, y in cells:
        if y in beyond_y and (x + 1, y) in cells:
            yield x + 0.5, y + beyond_y[y]
        if x in beyond_x and (x, y + 1) in cells:
            yield x + beyond_x[x], y + 0.5
        if x in beyond_x and y in beyond_y:
            yield x + beyond_x[x], y + beyond_y[y]
