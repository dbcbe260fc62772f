"""A sheet to draw: the city, the lines, and where everything is in units of the viewBox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from headway.games.nextstation.city.city import City, Section
from headway.games.nextstation.city.drawing import REACH
from headway.games.nextstation.city.ground import STEP
from headway.games.nextstation.city.map_data import STATION_RADIUS, stamp_place
from headway.games.nextstation.presentation.sheet_text import DrawnLine, lines_at
from headway.svg import DARK, LIGHT, Palette, Point, Theme, colours, rounded_path

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
