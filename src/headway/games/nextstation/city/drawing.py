"""How a city looks: its palette, its streets, the names of districts and landmarks on the sheet.

Nothing of it matters for play, and all of it is optional. Places are in grid steps.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

Point = tuple[float, float]

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
