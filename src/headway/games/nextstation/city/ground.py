"""The plan of a city under its sheet: blocks of houses, avenues, bridges, fibres of paper.

It follows from the city alone, so that the page, pictures and prints draw the same. Path data are
in units of the sheet, `STEP` to a grid step, from its left upper corner.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from headway.games.nextstation.city.city import REACH, City
from headway.svg import Point, polyline

STEP = 60.0
TINTS = 4

Polygon = list[Point]

BLOCK = 0.17  # the area of a block of houses, in square steps
LANE, STREET, AVENUE = 0.016, 0.008, 0.022  # what streets take from each side
RING_WIDTHS = (0.34, 0.42, 0.5)
FRONT = 0.72  # the length of a block along a ring
FIBRES = 30
PATTERN = 140
BRIDGE = 15.0  # half the length of a bridge, in units of the sheet
ROAD = 6.5  # from its middle to a parapet
WING = 3.0
BRIDGES_APART = 0.9  # in grid steps


class Ground(msgspec.Struct, frozen=True):
    """The plan of a city as path data."""

    blocks: tuple[str, ...]
    """Blocks of houses by the tint of their district."""
    parks: str
    avenues: str
    """The borders of districts, inside the sheet."""
    bridges: str
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
    return Ground(
        tuple(map("".join, by_tint)), "".join(parks), _avenues(city), _bridges(city), _fibres()
    )


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


# --- bridges


def _bridges(city: City) -> str:
    """Returns the parapets of bridges: where sections cross the river at a right angle, some."""
    built: list[Point] = []
    drawn = []
    for section in city.sections:
        for place, way in _crossings(section.path, city.river):
            if all(math.dist(place, other) > BRIDGES_APART for other in built):
                built.append(place)
                drawn.append(_parapets(place, way))
    return "".join(drawn)


def _crossings(path: Sequence[Point], river: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """Yields where a path crosses the river at a right angle, and its direction there."""
    for p, q in pairwise(path):
        for a, b in pairwise(river):
            way, flow = (q[0] - p[0], q[1] - p[1]), (b[0] - a[0], b[1] - a[1])
            across = way[0] * flow[1] - way[1] * flow[0]
            if not across or way[0] * flow[0] + way[1] * flow[1]:
                continue
            away = a[0] - p[0], a[1] - p[1]
            on_path = (away[0] * flow[1] - away[1] * flow[0]) / across
            on_river = (away[0] * way[1] - away[1] * way[0]) / across
            if 0 < on_path < 1 and 0 < on_river < 1:
                yield (p[0] + on_path * way[0], p[1] + on_path * way[1]), way


def _parapets(place: Point, way: Point) -> str:
    """Returns two lines with spread ends, beside the middle of a bridge."""
    x, y = (place[0] + REACH) * STEP, (place[1] + REACH) * STEP
    cos, sin = way[0] / math.hypot(*way), way[1] / math.hypot(*way)
    along = ((-BRIDGE - WING, ROAD + WING), (-BRIDGE, ROAD), (BRIDGE, ROAD),
             (BRIDGE + WING, ROAD + WING))  # fmt: skip
    return "".join(
        polyline([(x + u * cos - side * v * sin, y + u * sin + side * v * cos) for u, v in along])
        for side in (-1, 1)
    )
