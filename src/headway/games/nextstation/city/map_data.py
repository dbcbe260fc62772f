"""A city as plain data, for clients that draw the sheet, and what lies on and under a sheet.

Tints, outlines, the places of stamps and the plan (blocks of houses, avenues, fibres of paper)
follow from the city alone, so that the page, pictures and prints draw the same. Places are in grid
steps; path data are in units of the sheet, `STEP` to a grid step, from its left upper corner.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from headway.games.contract import MapData
from headway.games.nextstation.city.city import (
    REACH,
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


# The plan under a sheet


STEP = 60.0
TINTS = 4

Polygon = list[Point]

BLOCK = 0.17  # the area of a block of houses, in square steps
LANE, STREET, AVENUE = 0.016, 0.008, 0.022  # what streets take from each side
RING_WIDTHS = (0.34, 0.42, 0.5)
FRONT = 0.72  # the length of a block along a ring
FIBRES = 30
PATTERN = 140


class Ground(msgspec.Struct, frozen=True):
    """The plan of a city as path data."""

    blocks: tuple[str, ...]
    """Blocks of houses by the tint of their district."""
    parks: str
    avenues: str
    """The borders of districts, inside the sheet."""
    fibres: str
    """A pattern of `PATTERN` by `PATTERN` units."""


class _Dice:
    """A small generator that is the same everywhere: rules and maps import no randomness."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def between(self, low: float, high: float) -> float:
        self._state = (self._state * 1664525 + 1013904223) % 2**32
        return low + (high - low) * self._state / 2**32


@lru_cache(64)
def ground(city: City, tints: tuple[int, ...]) -> Ground:
    """Returns the plan of a city whose districts have these tints."""
    dice = _Dice(12)
    rings = city.drawing.streets == "rings"
    polygons = _ring_blocks(city, dice) if rings else _towns(city, dice)
    by_tint: list[list[str]] = [[] for _ in range(TINTS)]
    parks: list[str] = []
    for polygon in polygons:
        middle = _middle(polygon)
        green = any(math.dist(middle, p.place) < p.radius for p in city.drawing.parks)
        kind = parks if green else by_tint[tints[_district(city, middle)]]
        kind.append(_path(polygon))
    return Ground(tuple(map("".join, by_tint)), "".join(parks), _avenues(city), _fibres())


def _district(city: City, place: Point) -> int:
    x = min(max(round(place[0]), 0), city.width - 1)
    y = min(max(round(place[1]), 0), city.height - 1)
    return city.district_at[y][x]


# --- blocks


def _towns(city: City, dice: _Dice) -> Iterator[Polygon]:
    """Yields the blocks of towns that grew together: each rectangle of a district is one."""
    for left, top, right, bottom in _rectangles(city):
        x0 = -REACH if left == 0 else left - 0.5
        y0 = -REACH if top == 0 else top - 0.5
        x1 = city.width - 1 + REACH if right == city.width else right - 0.5
        y1 = city.height - 1 + REACH if bottom == city.height else bottom - 0.5
        yield from _grow([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dice, 0)


def _rectangles(city: City) -> Iterator[tuple[int, int, int, int]]:
    """Yields rectangles of cells that cover every district: left, top, right, bottom."""
    free = {(x, y) for y in range(city.height) for x in range(city.width)}
    for y in range(city.height):
        for x in range(city.width):
            if (x, y) not in free:
                continue
            d, right, bottom = city.district_at[y][x], x, y
            while (right, y) in free and city.district_at[y][right] == d:
                right += 1
            while bottom < city.height and all(
                (k, bottom) in free and city.district_at[bottom][k] == d for k in range(x, right)
            ):
                bottom += 1
            free -= {(k, j) for k in range(x, right) for j in range(y, bottom)}
            yield x, y, right, bottom


def _grow(polygon: Polygon, dice: _Dice, depth: int) -> Iterator[Polygon]:
    """Cuts across the longest side again and again: first avenues, then streets, then lanes."""
    if _area(polygon) < BLOCK * dice.between(0.7, 1.7):
        if block := _inset(polygon, LANE):
            yield block
        return
    (ax, ay), (bx, by) = max(_sides(polygon), key=lambda side: math.dist(*side))
    along, turn = dice.between(0.38, 0.62), dice.between(-0.2, 0.2)
    way = math.atan2(by - ay, bx - ax) + turn
    place = ax + (bx - ax) * along, ay + (by - ay) * along
    for part in _cut(polygon, place, (math.cos(way), math.sin(way))):
        wide = AVENUE if depth == 1 else STREET if depth < 3 else 0.0
        if len(part) > 2 and (inner := _inset(part, wide)):
            yield from _grow(inner, dice, depth + 1)


def _ring_blocks(city: City, dice: _Dice) -> Iterator[Polygon]:
    """Yields blocks in rings around the centre."""
    centre = city.drawing.centre or ((city.width - 1) / 2, (city.height - 1) / 2)
    radius, farthest = 0.0, math.hypot(city.width, city.height) / 2 + 1
    while radius < farthest:
        wide = RING_WIDTHS[int(dice.between(0, len(RING_WIDTHS)))]
        count = max(4, round(math.tau * (radius + wide / 2) / FRONT))
        cuts = sorted((k + dice.between(-0.3, 0.3)) / count for k in range(count))
        for start, end in pairwise([*cuts, cuts[0] + 1]):
            yield from _ring_block(city, centre, (radius, radius + wide), (start, end))
        radius += wide


def _ring_block(
    city: City, centre: Point, radii: tuple[float, float], turns: tuple[float, float]
) -> Iterator[Polygon]:
    def at(turn: float, radius: float) -> Point:
        x = centre[0] + radius * math.cos(math.tau * turn)
        return x, centre[1] + radius * math.sin(math.tau * turn)

    (inner, outer), (start, end) = radii, turns
    front = [at(turn, outer) for turn in (start, (start + end) / 2, end)]
    back = [at(turn, inner) for turn in (end, start)] if inner else [centre]
    block = _inset(front + back, AVENUE)
    wide, high = city.width - 1 + REACH, city.height - 1 + REACH
    for place, way in (
        ((-REACH, 0.0), (-1.0, 0.0)), ((wide, 0.0), (1.0, 0.0)),
        ((0.0, -REACH), (0.0, -1.0)), ((0.0, high), (0.0, 1.0)),
    ):  # fmt: skip
        block = _cut(block, place, way)[0] if block else []
    if len(block) > 2:
        yield block


# --- polygons


def _sides(polygon: Polygon) -> list[tuple[Point, Point]]:
    return list(pairwise([*polygon, polygon[0]]))


def _middle(polygon: Polygon) -> Point:
    xs, ys = zip(*polygon, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def _area(polygon: Polygon) -> float:
    return abs(sum(p[0] * q[1] - q[0] * p[1] for p, q in _sides(polygon))) / 2


def _inset(polygon: Polygon, by: float) -> Polygon:
    """Returns a convex polygon with every side moved inwards; empty if nothing is left."""
    middle, left = _middle(polygon), polygon
    for (ax, ay), (bx, by_) in _sides(polygon):
        length = math.dist((ax, ay), (bx, by_))
        if not length or not by:
            continue
        nx, ny = (by_ - ay) / length, (ax - bx) / length
        if (middle[0] - ax) * nx + (middle[1] - ay) * ny > 0:
            nx, ny = -nx, -ny
        left = _cut(left, (ax - nx * by, ay - ny * by), (nx, ny))[0]
        if len(left) < 3:
            return []
    return left


def _cut(polygon: Polygon, place: Point, normal: Point) -> tuple[Polygon, Polygon]:
    """Returns the parts of a polygon behind and before the line through a place."""
    parts: tuple[Polygon, Polygon] = ([], [])

    def ahead(p: Point) -> float:
        return (p[0] - place[0]) * normal[0] + (p[1] - place[1]) * normal[1]

    for p, q in _sides(polygon):
        here, there = ahead(p), ahead(q)
        parts[here > 0].append(p)
        if here * there < 0:
            share = here / (here - there)
            crossing = p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share
            parts[0].append(crossing)
            parts[1].append(crossing)
    return parts


# --- path data


def _path(points: Sequence[Point]) -> str:
    """Returns a closed path in whole units, each point as seen from the one before."""
    places = [(round((x + REACH) * STEP), round((y + REACH) * STEP)) for x, y in points]
    steps = [f"{q[0] - p[0]} {q[1] - p[1]}" for p, q in pairwise(places)]
    return f"M{places[0][0]} {places[0][1]}l{' '.join(steps)}z".replace(" -", "-")


def _avenues(city: City) -> str:
    """Returns the borders between districts; the outermost reach the edge of the sheet."""

    def far(cell: int, cells: int) -> float:
        # The corner before a cell; the first and the last one are the edge of the sheet.
        return (
            0
            if cell == 0
            else (cells - 1 + 2 * REACH) * STEP
            if cell == cells
            else ((cell - 0.5 + REACH) * STEP)
        )

    drawn = []
    for y in range(city.height):
        for x in range(city.width):
            here = city.district_at[y][x]
            if x + 1 < city.width and city.district_at[y][x + 1] != here:
                across = far(x + 1, city.width)
                top, bottom = far(y, city.height), far(y + 1, city.height)
                drawn.append(f"M{across:g} {top:g}V{bottom:g}")
            if y + 1 < city.height and city.district_at[y + 1][x] != here:
                down = far(y + 1, city.height)
                left, right = far(x, city.width), far(x + 1, city.width)
                drawn.append(f"M{left:g} {down:g}H{right:g}")
    return "".join(drawn)


@lru_cache(1)
def _fibres() -> str:
    dice, drawn = _Dice(3), []
    for _ in range(FIBRES):
        x, y, turn = dice.between(0, PATTERN), dice.between(0, PATTERN), dice.between(0, math.tau)
        long, bend = dice.between(3, 12), dice.between(-5, 5)
        dx, dy = long * math.cos(turn), long * math.sin(turn)
        drawn.append(f"M{x:.0f} {y:.0f}q{dx / 2 + bend:.0f} {dy / 2 - bend:.0f} {dx:.0f} {dy:.0f}")
    return "".join(drawn)
