"""A city as plain data, for clients that draw the sheet, and what lies on a sheet.

Tints, outlines and the places of stamps follow from the city alone, so that the page, pictures and
prints draw the same. Places are in grid steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from headway.games.contract import MapData
from headway.games.nextstation.city.city import (
    City,
    Landmark,
    Name,
    Objective,
    Scoring,
    Segment,
    Skyline,
    Station,
    skyline,
)
from headway.games.nextstation.city.ground import Ground, ground
from headway.games.nextstation.rules.arrays import CARDS, OBJECTIVES_DRAWN, ROUNDS
from headway.svg import Point

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation


STATION_RADIUS = 0.275


class SectionData(msgspec.Struct, frozen=True):
    """A printed connection from station `a` to `b` along a path of grid points.

    `crosses` are the indices of the sections that it crosses: of two that cross, only one can be
    drawn (NS-17).
    """

    a: str
    b: str
    path: tuple[tuple[float, float], ...]
    loop: bool
    over_river: bool
    crosses: tuple[int, ...]


class DistrictData(msgspec.Struct, frozen=True):
    """A district; `stamp` is the value of its stamp, 0 without one."""

    key: str
    name: dict[str, str]
    stamp: int
    tint: int
    """The colour of its ground, from 0 to 3."""
    outline: tuple[tuple[tuple[int, int], ...], ...]
    """The rings around it as corners between cells; corner (x, y) is left above cell (x, y)."""
    stamp_at: tuple[float, float] | None


class CityData(MapData, frozen=True, kw_only=True):
    """A city with everything that is printed on its sheet."""

    city: dict[str, str]
    """The city's name, by language."""
    width: int
    height: int
    stations: tuple[Station, ...]
    sections: tuple[SectionData, ...]
    districts: tuple[DistrictData, ...]
    district_at: tuple[tuple[int, ...], ...]
    river: tuple[tuple[float, float], ...]
    river_name: dict[str, str]
    loop_colour: str
    colours: tuple[str, ...]
    double_track_jokers: bool
    scoring: Scoring
    objectives: tuple[Objective, ...]
    objectives_drawn: int
    """How many of the objectives count in a game that is played with them."""
    rounds: int
    cards: tuple[str, ...]
    palette: str
    """The section of the palette with the city's colours."""
    ground: Ground
    names: tuple[Name, ...]
    """The names of districts on the sheet."""
    landmarks: tuple[Landmark, ...]
    skyline: Skyline


def city_data(game: NextStation) -> CityData:
    """Returns the data of a game's city."""
    city = game.city
    return CityData.of(
        game,
        city,
        city=city.title,
        sections=_sections(city),
        districts=_districts(city),
        objectives_drawn=OBJECTIVES_DRAWN,
        rounds=ROUNDS,
        cards=CARDS,
        palette=city.drawing.palette,
        ground=plan(city),
        names=city.drawing.names,
        landmarks=city.drawing.landmarks,
        skyline=skyline(city.drawing.palette),
    )


def _sections(city: City) -> tuple[SectionData, ...]:
    names = [station.name for station in city.stations]
    crossed: list[list[int]] = [[] for _ in city.sections]
    for i, j in city.crossings:
        crossed[i].append(j)
        crossed[j].append(i)
    return tuple(
        SectionData(names[s.a], names[s.b], s.path, s.loop, s.over_river, tuple(crossed[i]))
        for i, s in enumerate(city.sections)
    )


def _districts(city: City) -> tuple[DistrictData, ...]:
    tint_of = tints(city)
    return tuple(
        DistrictData(
            key=district.key,
            name=district.name,
            stamp=district.stamp,
            tint=tint_of[d],
            outline=tuple(tuple(ring) for ring in outline(city, d)),
            stamp_at=stamp_place(city, d) if district.stamp else None,
        )
        for d, district in enumerate(city.districts)
    )


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


def plan(city: City) -> Ground:
    """Returns the plan of the city under its sheet."""
    tint_of = tints(city)
    return ground(city, tuple(tint_of.get(d, 0) for d in range(len(city.districts))))


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
    ways = [piece for section in city.sections for piece in pairwise(section.path)]
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
