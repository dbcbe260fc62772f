"""How a city looks: its palette, its streets, the names of districts and landmarks on the sheet.

Nothing of it matters for play, and all of it is optional. Places are in grid steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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

LANDMARKS: dict[str, tuple[str, str]] = {
    "glasshouse": (
        "M-18 16V6C-18 0-13-4-9-4H-7C-7-13-3-17 0-17S7-13 7-4H9C13-4 18 0 18 6V16Z",
        "M-18 6H18M-7-4H7M0-17V16M-11-3.6V16M11-3.6V16M0-17v-3",
    ),
    "clock": (
        "M-6 16V-9H6V16ZM-8-9H8L0-21ZM-4.2-2a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0-8.4 0",
        "M0-4.4V-2L1.8-.6M-6 7H6M-11 16H11",
    ),
    "dome": (
        "M-17 16V5H17V16ZM-12 5C-12-7-6-11 0-11S12-7 12 5ZM-3-11V-16H3V-11Z",
        "M-11 16V9M-5.5 16V9M0 16V9M5.5 16V9M11 16V9M0-16v-4",
    ),
    "bridge": (
        "M-13 16V-11L-9.5-17-6-11V16ZM6 16V-11L9.5-17 13-11V16Z",
        "M-19 8H19M-6-5H6M-6-1H6M-13-11h7M6-11h7M-19 2C-17 5-15 6-13 7M19 2C17 5 15 6 13 7",
    ),
    "wheel": (
        "M-13.5-3a13.5 13.5 0 1 0 27 0a13.5 13.5 0 1 0-27 0",
        "M-8 16 0-3 8 16M-12 16H12M0-16.5V10.5M-13.5-3H13.5M-9.5-12.5 9.5 6.5M9.5-12.5-9.5 6.5",
    ),
    "pagoda": (
        "M-6 16V9H6V16ZM-5 9V2H5V9ZM-4 2V-5H4V2ZM-17 10C-10 9-8 7-6 5H6C8 7 10 9 17 10Z"
        "M-14 2.5C-8 2-6 0-5-2H5C6 0 8 2 14 2.5ZM-11-5C-6-5.5-3-9 0-11 3-9 6-5.5 11-5Z",
        "M0-11v-7M-10 16H10",
    ),
    "tower": (
        "M-10 16C-5 6-3-4-2-14H2C3-4 5 6 10 16H5C4 11 2 9 0 9S-4 11-5 16Z",
        "M-5.5 4H5.5M-3.4-5H3.4M0-14v-7M-14 16H14",
    ),
    "gate": (
        "M-13 16V-6H-9V16ZM9 16V-6H13V16ZM-12-1H12V3H-12Z"
        "M-19-12C-12-9 12-9 19-12L17-6C12-5-12-5-17-6Z",
        "M0-1V-6",
    ),
}
"""Our own drawings of buildings, around a point at half their height; 40 units are high."""
LANDMARK_SCALE = 0.75
"""Units of the sheet to a unit of these drawings."""


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
    steps = max(1, math.ceil(math.hypot(bx - ax, by - ay) / 0.04))
    return any(
        _to_box((ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps), box) < TRACK
        for k in range(steps + 1)
    )
