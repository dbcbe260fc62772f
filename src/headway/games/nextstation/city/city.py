"""A city: stations, sections, districts, river or loop, and the numbers of its scoring.

A city is read from a file (`city_file.py`). What follows from the file, such as sections and
crossings, is derived here once. How a city looks, its `Drawing`, is optional and does not matter
for play. Places are in grid steps.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from headway.svg import Point

PALETTES = ("neutral", "london", "tokyo")
"""Sections of `palette.toml`; the first is the default."""
STREETS = ("towns", "rings")
"""How blocks of houses lie: in towns that grew together, or in rings around a centre."""
TURNS = (0, 90, -90)
LETTER, HEIGHT = 0.185, 0.16
"""The width of a letter of a name on the sheet, and its height."""
RADIUS, TOURIST_RADIUS = 0.29, 0.48
"""How far a station reaches, and a tourist site with its rose."""
REACH = 0.7
"""How far the sheet goes beyond its outermost stations."""


class Name(msgspec.Struct, frozen=True):
    """The name of a district on the sheet: where it begins, and how it is turned in degrees."""

    text: dict[str, str]
    at: Point
    turn: int

    def box(self) -> tuple[Point, Point]:
        """Returns two corners of the space that the longest translation takes."""
        (x, y), long = self.at, LETTER * max(len(text) for text in self.text.values())
        if self.turn == 90:
            return (x, y), (x + HEIGHT, y + long)
        if self.turn == -90:
            return (x - HEIGHT, y - long), (x, y)
        return (x, y - HEIGHT), (x + long, y)


class Landmark(msgspec.Struct, frozen=True):
    """A small drawing beside a station: areas and lines as path data around its place."""

    station: str
    at: Point
    areas: str
    lines: str


class Park(NamedTuple):
    """A place whose blocks are green, up to a distance."""

    place: Point
    radius: float


@dataclass(frozen=True)
class Drawing:
    """What a city file says about looks."""

    palette: str = PALETTES[0]
    streets: str = STREETS[0]
    centre: Point | None = None
    parks: tuple[Park, ...] = ()
    names: tuple[Name, ...] = ()
    landmarks: tuple[Landmark, ...] = ()


PLAIN = Drawing()

LANDMARK_SCALE = 0.75
"""Units of the sheet to a unit of these drawings."""


class Skyline(msgspec.Struct, frozen=True):
    """Roofs as path data: areas behind and in front, lines in front, and lit windows."""

    back: str
    front: str
    lines: str
    windows: str


@cache
def _drawings() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    path = Path(__file__).parents[1] / "drawings.toml"
    return tomllib.loads(path.read_text("utf-8"))


def landmarks() -> Mapping[str, tuple[str, str]]:
    """Returns the areas and lines of all buildings that a city can show, by name."""
    return {name: (one["areas"], one["lines"]) for name, one in _drawings()["landmarks"].items()}


def skyline(palette: str) -> Skyline:
    """Returns the skyline of a palette."""
    skylines = _drawings()["skylines"]
    return Skyline(**{"back": skylines["london"]["back"], **skylines[palette]})


def obstacles(
    name: Name, stations: Iterable[tuple[str, Point, float]], ways: Iterable[tuple[Point, Point]]
) -> Iterator[str]:
    """Yields what a name lies over: the names of stations, or "" for a section.

    A station has a name, a place and a radius.
    """
    box = name.box()
    for station, place, radius in stations:
        if _to_box(place, box) < radius:
            yield station
    for way in ways:
        if _near(way, box):
            yield ""


def _to_box(point: Point, box: tuple[Point, Point]) -> float:
    (left, top), (right, bottom) = box
    across = max(left - point[0], 0.0, point[0] - right)
    down = max(top - point[1], 0.0, point[1] - bottom)
    return math.hypot(across, down)


TRACK = 0.1
"""Half the width of a line, with its edge."""


def _near(way: tuple[Point, Point], box: tuple[Point, Point]) -> bool:
    """Whether a straight way comes nearer to a box than half the width of a line."""
    (ax, ay), (bx, by) = way
    (left, top), (right, bottom) = box
    if max(ax, bx) < left - TRACK or min(ax, bx) > right + TRACK:
        return False  # so are most: no need to walk along them
    if max(ay, by) < top - TRACK or min(ay, by) > bottom + TRACK:
        return False
    steps = max(1, math.ceil(math.hypot(bx - ax, by - ay) / 0.04))
    return any(
        _to_box((ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps), box) < TRACK
        for k in range(steps + 1)
    )


SYMBOLS = ("circle", "triangle", "square", "pentagon")
WILD = "wild"
PENCILS = ("purple", "blue", "pink", "green", "brown", "orange")
COLUMNS = "abcdefghij"
ROWS = "0123456789"
MOST_STATIONS = 64
MOST_SECTIONS = 256
MOST_DISTRICTS = 32
MOST_OBJECTIVES = 16
OBJECTIVE_POINTS = 10


class Station(msgspec.Struct, frozen=True):
    """A station; `departure` is the colour of the line that starts there."""

    name: str
    """Its notation: column letter and row digit, `d2`."""
    x: int
    y: int
    symbol: str
    district: int
    """The index of its district."""
    departure: str | None
    tourist: bool

    @property
    def point(self) -> Point:
        return (self.x, self.y)


class Section(NamedTuple):
    """A printed connection between two stations, `a < b`; a piece of the loop may have bends."""

    a: int
    b: int
    path: tuple[Point, ...]
    loop: bool
    over_river: bool


class District(NamedTuple):
    """A district; `stamp` is the value of its stamp, 0 without one (NT-06)."""

    key: str
    name: dict[str, str]
    stamp: int


class Objective(msgspec.Struct, frozen=True):
    """A shared objective: its kind (OB-02 to OB-11) and how many it needs.

    `district` is an index that has a meaning for the kind `district` only.
    """

    id: str
    needs: str
    needed: int
    district: int


class Scoring(msgspec.Struct, frozen=True):
    """The numbers of the scoring; parts that the city does not have are empty or 0."""

    river: int
    tourist: tuple[int, ...]
    interchanges: dict[int, int]
    """Points of a station by the number of lines."""
    loop: int
    objective: int
    verdicts: tuple[int, ...]
    verdicts_note: dict[str, str]
    """What players are told about these limits, by language; empty texts for nothing."""
    judge: str


@dataclass(frozen=True, eq=False)
class City:
    """A city with everything derived from its file. Stations and sections have indices."""

    name: str
    title: dict[str, str]
    note: dict[str, str]
    width: int
    height: int
    stations: tuple[Station, ...]
    sections: tuple[Section, ...]
    districts: tuple[District, ...]
    district_at: tuple[tuple[int, ...], ...]
    river: tuple[Point, ...]
    river_name: dict[str, str]
    loop: tuple[int, ...]
    loop_colour: str
    cut_by_loop: frozenset[tuple[int, int]]
    colours: tuple[str, ...]
    double_track_jokers: bool
    scoring: Scoring
    objectives: tuple[Objective, ...]
    drawing: Drawing
    hash: str

    @cached_property
    def station_named(self) -> Mapping[str, int]:
        """Station indices by notation."""
        return {station.name: i for i, station in enumerate(self.stations)}

    @cached_property
    def section_between(self) -> Mapping[tuple[int, int], int]:
        """Section indices by their two stations, in both orders."""
        pairs = {(s.a, s.b): i for i, s in enumerate(self.sections)}
        return pairs | {(b, a): i for (a, b), i in pairs.items()}

    @cached_property
    def departures(self) -> tuple[int, ...]:
        """The departure station of each colour, in the order of `colours`."""
        by_colour = {s.departure: i for i, s in enumerate(self.stations)}
        return tuple(by_colour[colour] for colour in self.colours)

    @cached_property
    def crossings(self) -> tuple[tuple[int, int], ...]:
        """The pairs of ordinary sections that cross each other (NS-17)."""
        ordinary = [(i, s, bounds(s.path)) for i, s in enumerate(self.sections) if not s.loop]
        return tuple(
            (i, j)
            for (i, s, (left, top, right, bottom)), (j, t, other) in combinations(ordinary, 2)
            # Most pairs are far apart; looking at their bounds first takes a tenth of the time.
            if left <= other[2] and other[0] <= right and top <= other[3] and other[1] <= bottom
            if self._cross(s, t)
        )

    def _cross(self, s: Section, t: Section) -> bool:
        shared = {s.a, s.b} & {t.a, t.b}
        return meet(s.path, t.path, [self.stations[k].point for k in shared])

    def onward(self, start: int, end: int) -> int | None:
        """Returns the section straight on beyond `end`, coming from `start` (SP-05)."""
        came = self.section_between[start, end]
        dx, dy = self._direction(end, start)
        for i, s in enumerate(self.sections):
            if end in (s.a, s.b) and i != came and len(s.path) == 2:
                other = s.a if s.b == end else s.b
                if self._direction(end, other) == (-dx, -dy):
                    return i
        return None

    def _direction(self, start: int, end: int) -> tuple[int, int]:
        p, q = self.stations[start], self.stations[end]
        return (q.x > p.x) - (q.x < p.x), (q.y > p.y) - (q.y < p.y)


def aligned_pairs(stations: Sequence[Station]) -> list[tuple[int, int]]:
    """Returns all pairs of stations in a straight line of the grid with none between (NS-12)."""
    at = {(s.x, s.y): i for i, s in enumerate(stations)}
    pairs = []
    for i, s in enumerate(stations):
        for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            steps = ((s.x + dx * k, s.y + dy * k) for k in range(1, len(COLUMNS)))
            neighbour = next((at[step] for step in steps if step in at), None)
            if neighbour is not None:
                pairs.append((min(i, neighbour), max(i, neighbour)))
    return sorted(pairs)


def lay_sections(
    stations: Sequence[Station], river: Sequence[Point], loop: Sequence[Point]
) -> tuple[list[Section], frozenset[tuple[int, int]]]:
    """Returns the printed sections, loop last, and the aligned pairs that the loop cuts.

    Neighbours on the loop are connected by the loop's track only. A section that would cross the
    loop is not printed (NT-02).
    """
    pieces = loop_pieces(stations, loop)
    tracks = {(min(a, b), max(a, b)) for a, b, _ in pieces}
    sections, cut = [], set()
    for a, b in aligned_pairs(stations):
        straight = (stations[a].point, stations[b].point)
        if (a, b) in tracks:
            continue
        if any(meet(straight, way, straight) for _, _, way in pieces):
            cut.add((a, b))
        else:
            sections.append(Section(a, b, straight, False, _over(straight, river)))
    for a, b, way in pieces:
        path = way if a < b else way[::-1]
        sections.append(Section(min(a, b), max(a, b), path, True, _over(way, river)))
    return sections, frozenset(cut)


def loop_pieces(
    stations: Sequence[Station], loop: Sequence[Point]
) -> list[tuple[int, int, tuple[Point, ...]]]:
    """Returns the loop cut at its stations: (from, to, path) in order."""
    at = {station.point: i for i, station in enumerate(stations)}
    stops = [k for k, point in enumerate(loop) if point in at]
    return [(at[loop[i]], at[loop[j]], tuple(loop[i : j + 1])) for i, j in pairwise(stops)]


def _over(path: Sequence[Point], river: Sequence[Point]) -> bool:
    return bool(river) and meet(path, river, ())


Segment = tuple[Point, Point]

# Coordinates in city files are multiples of this; scaled to integers, all tests are exact.
FINENESS = 1000


def bounds(path: Sequence[Point]) -> tuple[float, float, float, float]:
    """Returns the left, top, right and bottom end of a polyline."""
    across, down = [p[0] for p in path], [p[1] for p in path]
    return min(across), min(down), max(across), max(down)


def meet(first: Sequence[Point], second: Sequence[Point], apart_from: Iterable[Point]) -> bool:
    """Whether two polylines share a point other than the given ones."""
    allowed = {_whole(p) for p in apart_from}
    return any(
        _boxes_touch(a, b) and any(p not in allowed for p in _shared(a, b))
        for a in _pieces(tuple(first))
        for b in _pieces(tuple(second))
    )


IntPoint = tuple[int, int]
Piece = tuple[IntPoint, IntPoint]


def _whole(p: Point) -> IntPoint:
    return round(p[0] * FINENESS), round(p[1] * FINENESS)


@lru_cache(256)
def _pieces(path: tuple[Point, ...]) -> list[Piece]:
    return [(_whole(p), _whole(q)) for p, q in pairwise(path)]


def _boxes_touch(a: Piece, b: Piece) -> bool:
    return all(
        max(min(a[0][i], a[1][i]), min(b[0][i], b[1][i]))
        <= min(max(a[0][i], a[1][i]), max(b[0][i], b[1][i]))
        for i in (0, 1)
    )


def _side(p: IntPoint, q: IntPoint, r: IntPoint) -> int:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def _shared(a: Piece, b: Piece) -> Iterator[IntPoint | None]:
    """Returns shared points of two segments: the intersection, or three points of an overlap.

    None stands for a point with coordinates that are not whole.
    """
    c, d = _side(*a, b[0]), _side(*a, b[1])
    e, f = _side(*b, a[0]), _side(*b, a[1])
    if c == d == 0:
        low, high = sorted((*a, *b))[1:3]
        yield low
        yield high
        yield _divided((low[0] + high[0], low[1] + high[1]), 2)
    elif c * d <= 0 and e * f <= 0:
        (ax, ay), (bx, by) = a
        yield _divided((bx * e - ax * f, by * e - ay * f), e - f)


def _divided(p: IntPoint, by: int) -> IntPoint | None:
    return None if p[0] % by or p[1] % by else (p[0] // by, p[1] // by)
