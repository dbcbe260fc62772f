"""A sheet to draw: the city, the lines, where everything is in units of the viewBox, the ground.

The ground is everything below sections and stations: houses, avenues, river, fibres, names,
landmarks, stamps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from headway.games.nextstation.city.city import LANDMARK_SCALE, REACH, City, Section
from headway.games.nextstation.city.ground import PATTERN, STEP
from headway.games.nextstation.city.map_data import STATION_RADIUS, plan, stamp_place
from headway.games.nextstation.presentation.sheet_text import DrawnLine, lines_at
from headway.i18n import in_language
from headway.svg import (
    BOLD,
    DARK,
    LIGHT,
    Drawn,
    Palette,
    Point,
    Theme,
    colours,
    element,
    label,
    moved,
    number,
    rectangle,
    rounded_path,
)

Side = tuple[int, ...]  # the owners of the tracks of a section, from left to right

MARGIN = 30.0  # paper around the sheet, where letters and digits stand
BEND = 30.0
DISC = STATION_RADIUS * STEP
LOOP = -1  # the owner of the loop's track


def city_palette(city: City, theme: Theme) -> Palette:
    """Returns the colours of a city's sheet."""
    light, dark = colours(city.drawing.palette)
    return Palette(theme, {**LIGHT, **light}, {**DARK, **dark})


@dataclass(frozen=True)
class Sheet:
    """What all layers need: the city, the lines, the colours and coordinates."""

    city: City
    lines: tuple[DrawnLine, ...]
    palette: Palette
    header: float
    lang: str

    @property
    def left(self) -> float:
        return MARGIN

    @property
    def top(self) -> float:
        return MARGIN + self.header

    @property
    def right(self) -> float:
        return self.left + (self.city.width - 1 + 2 * REACH) * STEP

    @property
    def bottom(self) -> float:
        return self.top + (self.city.height - 1 + 2 * REACH) * STEP

    def at(self, point: Point) -> Point:
        """Returns the coordinates of a grid point."""
        return self.left + (point[0] + REACH) * STEP, self.top + (point[1] + REACH) * STEP

    def way(self, section: Section, shift: float = 0.0) -> str:
        """Returns path data along a section, moved sideways by `shift`."""
        return rounded_path([self.at(p) for p in section.path], BEND, shift=shift)

    def colour(self, name: str) -> str:
        """Returns the colour of a pencil; ink for a name that the palette lacks."""
        return self.palette(name if name in self.palette else "ink")

    @cached_property
    def owners(self) -> dict[int, Side]:
        """The owners of the tracks on each section, from left to right, from station a to b."""
        owners: dict[int, Side] = dict.fromkeys(self.city.loop, (LOOP,))
        for owner, line in enumerate(self.lines):
            for i in line.sections:
                owners[i] = (*owners.get(i, ()), owner)
        return _side_by_side(self.city, owners)

    @cached_property
    def stamps(self) -> dict[int, Point]:
        """The position of each district's stamp."""
        districts = enumerate(self.city.districts)
        return {d: stamp_place(self.city, d) for d, district in districts if district.stamp}

    @cached_property
    def lines_at(self) -> Mapping[int, int]:
        return lines_at(self.city, self.lines)


def _side_by_side(city: City, owners_of: Mapping[int, Side]) -> dict[int, Side]:
    """Returns the order of the tracks on every section; a track lies where its line leaves."""
    arranged = dict(owners_of)
    doubled = [i for i, owners in owners_of.items() if len(owners) > 1]
    while doubled:
        chain = _chain(city, owners_of, doubled)
        if sum(_pull(city, owners_of, chain, i) for i in chain) < 0:
            chain = {i: side[::-1] for i, side in chain.items()}
        arranged |= chain
        doubled = [i for i in doubled if i not in chain]
    return arranged


def _chain(city: City, owners_of: Mapping[int, Side], doubled: Sequence[int]) -> dict[int, Side]:
    """Returns the sections that the first two tracks share without a gap, and their order there."""
    chain = {doubled[0]: owners_of[doubled[0]]}
    waiting = [doubled[0]]
    while waiting:
        i = waiting.pop()
        for t in doubled:
            s, r = city.sections[i], city.sections[t]
            if t in chain or set(owners_of[t]) != set(owners_of[i]) or not {s.a, s.b} & {r.a, r.b}:
                continue
            # Left stays left where one section continues the other; two that both start (or
            # both end) at the station have opposite directions there.
            facing = s.a == r.a or s.b == r.b
            chain[t] = chain[i][::-1] if facing else chain[i]
            waiting.append(t)
    return chain


def _pull(city: City, owners_of: Mapping[int, Side], chain: Mapping[int, Side], i: int) -> float:
    """Returns how well the order of a section's tracks fits the sides where the lines leave."""
    s = city.sections[i]
    pull = 0.0
    for station, (p, q) in ((s.a, s.path[:2]), (s.b, s.path[-2:])):
        here = city.stations[station]
        for t, owners in owners_of.items():
            r = city.sections[t]
            if t in chain or station not in (r.a, r.b):
                continue
            ahead = r.path[1] if station == r.a else r.path[-2]
            across = (q[0] - p[0]) * (ahead[1] - here.y) - (q[1] - p[1]) * (ahead[0] - here.x)
            sides = [-1 if owner == chain[i][0] else 1 for owner in owners if owner in chain[i]]
            pull += sum(sides) * ((across > 0) - (across < 0))
    return pull


# The ground


QUAY, BANK, RIVER = 35.5, 26.5, 23.0
AVENUE = 8.2
STAMP = 12.7
TILTS = (-7, 5, -4, 8)


def draw_ground(sheet: Sheet) -> str:
    """Draws what lies under sections and stations, cut off at the edge of the sheet."""
    width, height = sheet.right - sheet.left, sheet.bottom - sheet.top
    paper = rectangle(0, 0, width, height, fill=sheet.palette("map"))
    river_and_bridges = river(sheet.palette, on_sheet(sheet.city.river)) + draw_bridges(sheet)
    ground = cut_to_sheet(
        sheet,
        paper,
        _plan(sheet),
        river_and_bridges,
        _fibres(sheet, width, height),
        draw_names(sheet),
        draw_landmarks(sheet),
    )
    edge: Drawn = {"fill": "none", "stroke": sheet.palette("hair"), "stroke_width": 1}
    return ground + rectangle(sheet.left, sheet.top, width, height, rx=1, **edge)


def cut_to_sheet(sheet: Sheet, *drawn: str) -> str:
    """Returns what is drawn from the left upper corner of the sheet, cut off at its edge."""
    width, height = sheet.right - sheet.left, sheet.bottom - sheet.top
    # A nested viewport cuts without needing an id.
    return element(
        "svg",
        *drawn,
        x=sheet.left,
        y=sheet.top,
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
    )


def on_sheet(points: Sequence[Point]) -> list[Point]:
    """Returns grid points in units of the sheet, from its left upper corner."""
    return [_on(point) for point in points]


def _on(point: Point) -> Point:
    """Returns a grid point in units of the sheet, from its left upper corner."""
    return (point[0] + REACH) * STEP, (point[1] + REACH) * STEP


def _plan(sheet: Sheet) -> str:
    """Draws the blocks of houses by the tint of their district, the parks, and the avenues."""
    ground = plan(sheet.city)
    blocks = [
        element("path", class_="blocks", d=d, fill=sheet.palette(f"tint-{tint}"))
        for tint, d in enumerate(ground.blocks)
        if d
    ]
    if ground.parks:
        blocks.append(element("path", class_="parks", d=ground.parks, fill=sheet.palette("park")))
    avenues = element(
        "path", class_="avenues", d=ground.avenues, fill="none", stroke=sheet.palette("map"),
        stroke_width=AVENUE, stroke_linecap="round",
    )  # fmt: skip
    return "".join([*blocks, avenues])


def _fibres(sheet: Sheet, width: float, height: float) -> str:
    """Draws the fibres of the paper: one piece of them, side by side."""
    d = plan(sheet.city).fibres
    pieces = [
        element("path", d=d, transform=moved(x * PATTERN, y * PATTERN))
        for x in range(math.ceil(width / PATTERN))
        for y in range(math.ceil(height / PATTERN))
    ]
    ink = sheet.palette("ink")
    return element("g", *pieces, fill="none", stroke=ink, stroke_width=0.9, stroke_opacity=0.06)


def draw_bridges(sheet: Sheet) -> str:
    """Draws the parapets where sections cross the river."""
    d = plan(sheet.city).bridges
    ink: Drawn = {"stroke": sheet.palette("muted"), "stroke_width": 1.4}
    round_: Drawn = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return element("path", class_="bridges", d=d, fill="none", **ink, **round_) if d else ""


def draw_names(sheet: Sheet) -> str:
    """Draws the names of districts where the city file places them."""
    drawn = []
    for name in sheet.city.drawing.names:
        text = in_language(name.text, sheet.lang).upper()
        place = f"{moved(*_on(name.at))} rotate({name.turn})"
        drawn.append(element("g", label(text, 0, 0, 13.2), transform=place))
    ink: Drawn = {"font_weight": BOLD, "letter_spacing": 1.85, "fill": sheet.palette("ink")}
    return element("g", *drawn, class_="names", fill_opacity=0.66, **ink) if drawn else ""


def draw_landmarks(sheet: Sheet) -> str:
    """Draws the landmarks beside the tourist sites."""
    return "".join(
        landmark(sheet.palette, mark.areas, mark.lines, _on(mark.at), LANDMARK_SCALE)
        for mark in sheet.city.drawing.landmarks
    )


def landmark(palette: Palette, areas: str, lines: str, place: Point, scale: float) -> str:
    """Draws a landmark around a place."""
    return element(
        "g",
        element("path", d=areas, fill=palette("map")),
        element("path", d=lines),
        class_="landmark",
        fill="none",
        stroke=palette("stamp"),
        stroke_width=2,
        stroke_linecap="round",
        stroke_linejoin="round",
        transform=f"{moved(*place)} scale({number(scale)})",
    )


def river(palette: Palette, points: Sequence[Point]) -> str:
    """Draws a river with its quay, its banks and two rows of ripples; nothing without points."""
    if not points:
        return ""
    way = rounded_path(points, 46)
    wet = [
        element("path", class_="river", d=way, stroke=palette(paint), stroke_width=width)
        for paint, width in (("map", QUAY), ("water-edge", BANK), ("water", RIVER))
    ]
    ripples = [
        element(
            "path", d=rounded_path(points, 46, shift=shift), stroke=palette("ripple"),
            stroke_width=1.6, stroke_dasharray=dashes, stroke_linecap="round",
        )
        for shift, dashes in ((-4.5, "18 47 8 40"), (4.5, "12 55 22 34"))
    ]  # fmt: skip
    return element("g", *wet, *ripples, fill="none")


def draw_stamps(sheet: Sheet) -> str:
    """Draws the seals of all districts."""
    return "".join(_stamp(sheet, d, place) for d, place in sheet.stamps.items())


def _stamp(sheet: Sheet, district: int, place: Point) -> str:
    """Draws the seal of a district: open, or filled once it is won (NT-06)."""
    won = any(
        sheet.lines_at[k] > 1
        for k, station in enumerate(sheet.city.stations)
        if station.district == district
    )
    red, paper = sheet.palette("stamp"), sheet.palette("map")
    ground, ink = (red, paper) if won else (paper, red)
    side = 2 * STAMP
    edge: Drawn = {"fill": ground, "stroke": red, "stroke_width": 1.8}
    seal = rectangle(-STAMP, -STAMP, side, side, rx=4.5, **edge)
    inner: Drawn = {"fill": "none", "stroke": ink, "stroke_width": 0.9}
    frame = rectangle(2.7 - STAMP, 2.7 - STAMP, side - 5.4, side - 5.4, rx=2.7, **inner)
    value = str(sheet.city.districts[district].stamp)
    text = label(value, 0, 5, 13.6, font_weight=BOLD, text_anchor="middle", fill=ink)
    tilt = TILTS[list(sheet.stamps).index(district) % len(TILTS)]
    where = f"{moved(*sheet.at(place))} rotate({tilt})"
    return element("g", seal, frame, text, class_="stamp won" if won else "stamp", transform=where)
