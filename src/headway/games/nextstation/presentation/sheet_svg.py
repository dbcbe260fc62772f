"""Draws a Next Station sheet as SVG; `headway.render` makes a PNG of it.

Layers from the paper up: blocks of houses, avenues, river, fibres, names, landmarks, printed
sections, stamps, tracks, reachable sections, stations. The page draws the same ones
(`client/src/games/nextstation/board`). Coordinates are in units of the viewBox; a grid step is
`STEP` units.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from headway.games.nextstation.city.city import COLUMNS, ROWS, City, Section, Station
from headway.games.nextstation.city.drawing import LANDMARK_SCALE, REACH
from headway.games.nextstation.city.ground import PATTERN, STEP
from headway.games.nextstation.city.map_data import STATION_RADIUS, outline, plan, stamp_place
from headway.games.nextstation.presentation.sheet_text import DrawnLine, lines_at, text_board
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
    document,
    element,
    label,
    moved,
    number,
    rectangle,
    rounded_path,
)

Side = tuple[int, ...]  # the owners of the tracks of a section, from left to right

MARGIN = 30.0  # paper around the sheet, where letters and digits stand
HEADER = 50.0

CASING, BORDER, TRACK = 17.0, 12.3, 9.2  # the widths of a line from the paper up
SHADE = 0.24  # how dark the border is
BESIDE = 6.2  # from the middle of a section to each of its two tracks
BEND = 30.0
QUAY, BANK, RIVER = 35.5, 26.5, 23.0
AVENUE = 8.2
DISC = STATION_RADIUS * STEP
STAMP = 12.7
TILTS = (-7, 5, -4, 8)
LOOP = -1  # the owner of the loop's track

# Besides its hue every pencil has a pattern, drawn along the middle of the track.
STRIPES: tuple[Drawn, ...] = (
    {},
    {"stroke_width": 2.7},
    {"stroke_width": 3.1, "stroke_dasharray": "6.4 8.2", "stroke_linecap": "round"},
    {"stroke_width": 4.2, "stroke_dasharray": "0.01 9.5", "stroke_linecap": "round"},
)
LOOP_STRIPE: Drawn = {
    "stroke_width": 3.7,
    "stroke_dasharray": "12.7 11.8",
    "stroke_linecap": "round",
}

# Where the number of lines may stand beside a station, best place first.
AROUND: tuple[Point, ...] = (
    (1, -1), (1, 1), (-1, -1), (-1, 1), (1, 0), (0, -1), (0, 1), (-1, 0),
)  # fmt: skip


def draw_sheet(
    city: City,
    lines: Sequence[DrawnLine],
    *,
    theme: Theme = "light",
    lang: str = "en",
    title: str = "",
    footer: Sequence[str] = (),
    targets: Iterable[tuple[int, int]] = (),
    pencil: str = "",
) -> str:
    """Returns a sheet as a standalone SVG file.

    `title` stands above the sheet and `footer` below it; the city's note, if any, ends the footer.
    `targets` are pairs of stations, from and to, that can be drawn now with `pencil` (by default
    the colour of the last line). The description for people who cannot see the picture is the text
    board. The theme "auto" follows the reader's setting. The same arguments always give the same
    text.
    """
    ways = tuple(targets)
    palette = city_palette(city, theme)
    sheet = Sheet(city, tuple(lines), palette, HEADER if title else 0.0, lang)
    pencil = pencil or (lines[-1].colour if lines else "ink")
    body = [
        _header(sheet, title) if title else "",
        edge_labels(sheet),
        _ground(sheet),
        printed_sections(sheet),
        _stamps(sheet),
        all_tracks(sheet),
        _ways_to_targets(sheet, ways, pencil),
        _stations(sheet, ways),
    ]
    footnotes = [(text, "ink") for text in footer]
    if note := in_language(city.note, lang):
        footnotes.append((note, "muted"))
    below, bottom = _footer(sheet, footnotes)
    return document(
        sheet.right + MARGIN,
        bottom,
        *body,
        below,
        palette=palette,
        title=title or in_language(city.title, lang),
        description=text_board(city, lines, lang=lang),
    )


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


# --- around the sheet


def _header(sheet: Sheet, title: str) -> str:
    """Draws the title, smaller if it is long, and a key to the lines with their patterns."""
    base = MARGIN + 17
    key = []
    for place, line in enumerate(reversed(sheet.lines)):
        right = sheet.right - 4 - place * 50
        key.append(_track(sheet, line.colour, [f"M{number(right - 34)} {number(base - 7)}h34"]))
    width = sheet.right - sheet.left - 50 * len(key) - 10
    # Bold letters are a little over half as wide as they are high.
    size = min(23.0, max(11.0, width / (0.57 * len(title))))
    longest = int(width / (0.57 * size))
    caption = title if len(title) <= longest else title[: longest - 1].rstrip(" ,.;:&-") + "…"
    ink = sheet.palette("ink")
    bold: Drawn = {"font_weight": BOLD, "fill": ink, "letter_spacing": -0.3}
    heading = label(caption, sheet.left, base, size, **bold)
    return element("g", heading, *reversed(key), class_="header")


def edge_labels(sheet: Sheet) -> str:
    """Draws column letters and row digits."""
    written = []
    for x in range(sheet.city.width):
        column = sheet.at((x, 0))[0]
        for y in (sheet.top - 10, sheet.bottom + 20):
            written.append(label(COLUMNS[x], column, y, 14))
    for y in range(sheet.city.height):
        row = sheet.at((0, y))[1] + 5
        for column in (sheet.left - 15, sheet.right + 15):
            written.append(label(ROWS[y], column, row, 14))
    muted = sheet.palette("muted")
    return element("g", *written, class_="edge", fill=muted, text_anchor="middle")


def _footer(sheet: Sheet, footnotes: Sequence[tuple[str, str]]) -> tuple[str, float]:
    """Draws the lines below the sheet; returns them and the bottom of the drawing."""
    y = sheet.bottom + MARGIN
    if not footnotes:
        return "", y
    columns = int((sheet.right - sheet.left) / 8.6)
    written = []
    for text, ink in footnotes:
        for part in textwrap.wrap(text, columns) or [""]:
            y += 22
            written.append(label(part, sheet.left, y, 16, fill=sheet.palette(ink)))
    return element("g", *written, class_="footer"), y + 20


# --- the ground: plan, river, names, landmarks, stamps


def _ground(sheet: Sheet) -> str:
    width, height = sheet.right - sheet.left, sheet.bottom - sheet.top
    paper = rectangle(0, 0, width, height, fill=sheet.palette("map"))
    drawn = paper + _plan(sheet) + _river(sheet) + _fibres(sheet, width, height)
    # A nested viewport cuts everything at the edge of the sheet without needing an id.
    ground = element(
        "svg",
        drawn,
        _names(sheet),
        _landmarks(sheet),
        x=sheet.left,
        y=sheet.top,
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
    )
    edge: Drawn = {"fill": "none", "stroke": sheet.palette("hair"), "stroke_width": 1}
    return ground + rectangle(sheet.left, sheet.top, width, height, rx=1, **edge)


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


def _names(sheet: Sheet) -> str:
    """Draws the names of districts where the city file places them."""
    drawn = []
    for name in sheet.city.drawing.names:
        text = in_language(name.text, sheet.lang).upper()
        place = f"{moved(*_on(name.at))} rotate({name.turn})"
        drawn.append(label(text, 0, 0, 13.2, transform=place))
    ink: Drawn = {"font_weight": BOLD, "letter_spacing": 1.85, "fill": sheet.palette("ink")}
    return element("g", *drawn, class_="names", fill_opacity=0.66, **ink) if drawn else ""


def _landmarks(sheet: Sheet) -> str:
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


def district_path(sheet: Sheet, district: int, inside: float) -> str:
    """Returns path data around a district, inset from its border."""
    return "".join(
        rounded_path([_corner(sheet, c) for c in ring], 14, shift=inside, closed=True)
        for ring in outline(sheet.city, district)
    )


def _corner(sheet: Sheet, corner: tuple[int, int]) -> Point:
    """Returns the position of a corner between cells; the outermost lie on the sheet's edge."""
    x, y = sheet.at((corner[0] - 0.5, corner[1] - 0.5))
    if corner[0] in (0, sheet.city.width):
        x = sheet.left + 2 if corner[0] == 0 else sheet.right - 2
    if corner[1] in (0, sheet.city.height):
        y = sheet.top + 2 if corner[1] == 0 else sheet.bottom - 2
    return x, y


def _river(sheet: Sheet) -> str:
    return river(sheet.palette, [_on(p) for p in sheet.city.river])


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


def _stamps(sheet: Sheet) -> str:
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


# --- sections and tracks


def printed_sections(sheet: Sheet) -> str:
    """Draws the sections as printed: faint dots, until a track covers them."""
    dots = [
        element("path", class_="section", d=sheet.way(section))
        for i, section in enumerate(sheet.city.sections)
        if i not in sheet.owners
    ]
    return element(
        "g", *dots, fill="none", stroke=sheet.palette("grid"), stroke_width=1.8,
        stroke_linecap="round", stroke_dasharray="0.01 6.4",
    )  # fmt: skip


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


def all_tracks(sheet: Sheet) -> str:
    """Draws the tracks line by line, the loop first."""
    drawn = []
    for owner in range(LOOP, len(sheet.lines)):
        sections = sheet.city.loop if owner == LOOP else sheet.lines[owner].sections
        ways = [sheet.way(sheet.city.sections[i], _shift(sheet.owners[i], owner)) for i in sections]
        if ways:
            colour = sheet.city.loop_colour if owner == LOOP else sheet.lines[owner].colour
            drawn.append(_track(sheet, colour, ways, loop=owner == LOOP))
    return "".join(drawn)


def _shift(owners: Side, owner: int) -> float:
    return (2 * owners.index(owner) - (len(owners) - 1)) * BESIDE


def _track(sheet: Sheet, colour: str, ways: Sequence[str], *, loop: bool = False) -> str:
    """Draws a line: a casing of paper, a darker edge, the tracks, and their pattern."""
    stripe = LOOP_STRIPE if loop else _stripe(sheet.city, colour)
    name = "loop" if loop else "line"
    return ink_line(sheet.palette, sheet.colour(colour), ways, stripe, f"{name} {colour}")


def ink_line(
    palette: Palette, paint: str, ways: Sequence[str], stripe: Drawn, name: str = "line"
) -> str:
    """Draws sections of a line in ink."""
    paper, whole = palette("map"), "".join(ways)
    casing = element("path", d=whole, stroke=paper, stroke_width=CASING)
    edge = element("path", d=whole, stroke=paint, stroke_width=BORDER)
    shade = element(
        "path", d=whole, stroke=palette("ink"), stroke_width=BORDER, stroke_opacity=SHADE
    )
    tracks = [element("path", class_="track", d=way) for way in ways]
    painted = element("g", *tracks, stroke=paint, stroke_width=TRACK)
    pattern = element("path", d=whole, stroke=paper, **stripe) if stripe else ""
    return element(
        "g", casing, edge, shade, painted, pattern, class_=name, fill="none",
        stroke_linecap="round", stroke_linejoin="round",
    )  # fmt: skip


def _stripe(city: City, colour: str) -> Drawn:
    place = city.colours.index(colour) if colour in city.colours else 0
    return STRIPES[place % len(STRIPES)]


# --- reachable sections


def _ways_to_targets(sheet: Sheet, ways: Sequence[tuple[int, int]], pencil: str) -> str:
    if not ways:
        return ""
    paint = sheet.colour(pencil)
    dotted = [element("path", class_="way", d=_dotted(sheet, start, end)) for start, end in ways]
    halos = []
    for k in dict.fromkeys(end for _, end in ways):
        station = sheet.city.stations[k]
        x, y = sheet.at(station.point)
        halos.append(element("circle", class_="target", cx=x, cy=y, r=_station_radius(station) + 7))
    return element(
        "g",
        element(
            "g", *dotted, fill="none", stroke_width=5.9, stroke_dasharray="0.01 11.4",
            stroke_linecap="round",
        ),
        element("g", *halos, fill=paint, fill_opacity=0.17, stroke_width=2.6),
        class_="targets",
        stroke=paint,
    )  # fmt: skip


def _dotted(sheet: Sheet, start: int, end: int) -> str:
    """Returns the path to a target; beside the track if there is one already."""
    section = sheet.city.section_between.get((start, end))
    if section is None:
        ends = (sheet.city.stations[start], sheet.city.stations[end])
        return rounded_path([sheet.at(s.point) for s in ends], 0)
    return sheet.way(sheet.city.sections[section], 2 * BESIDE if section in sheet.owners else 0)


# --- stations


def _station_radius(station: Station) -> float:
    """Returns the radius of a station with everything that belongs to it."""
    return 29.0 if station.tourist else DISC + 2 if station.departure else DISC + 1


def _stations(sheet: Sheet, ways: Sequence[tuple[int, int]]) -> str:
    taken = _directions(sheet, ways)
    return "".join(_station(sheet, k, taken.get(k, set())) for k in range(len(sheet.city.stations)))


def reached_stations(sheet: Sheet) -> str:
    """Draws the stations with a line."""
    taken = _directions(sheet, ())
    reached = [k for k in range(len(sheet.city.stations)) if sheet.lines_at[k]]
    return "".join(_station(sheet, k, taken.get(k, set())) for k in reached)


def _directions(sheet: Sheet, ways: Sequence[tuple[int, int]]) -> dict[int, set[Point]]:
    """Returns where tracks and dotted paths leave each station, and where a stamp is near."""
    between = sheet.city.section_between
    used = {*sheet.owners, *(between[way] for way in ways if way in between)}
    directions: dict[int, set[Point]] = {}
    for i in used:
        s = sheet.city.sections[i]
        for k, (p, q) in ((s.a, s.path[:2]), (s.b, s.path[:-3:-1])):
            directions.setdefault(k, set()).add(_direction(p, q))
    for place in sheet.stamps.values():
        for k, station in enumerate(sheet.city.stations):
            if math.dist(station.point, place) < 0.7:
                directions.setdefault(k, set()).add(_direction(station.point, place))
    return directions


def _direction(p: Point, q: Point) -> Point:
    return (q[0] > p[0]) - (q[0] < p[0]), (q[1] > p[1]) - (q[1] < p[1])


def _station(sheet: Sheet, k: int, taken: Collection[Point]) -> str:
    station, count = sheet.city.stations[k], sheet.lines_at[k]
    ink, ground = sheet.palette("ink"), sheet.palette("map")
    parts = [rose(sheet.palette("stamp"), ground, reached=count > 0)] if station.tourist else []
    parts += _rings_of(sheet, k)
    if station.departure:
        disc, glyph = sheet.colour(station.departure), sheet.palette("on-colour")
    else:
        disc, glyph = ground, ink
    radius = DISC + 2 if station.departure else DISC
    weight = 3.1 if count else 2.4
    parts.append(element("circle", r=radius, fill=disc, stroke=ink, stroke_width=weight))
    parts.append(symbol_mark(station.symbol, glyph, 3.0 if station.departure else 2.6))
    if count > 1:
        parts.append(_badge(sheet, station, count, taken))
    place = moved(*sheet.at(station.point))
    return element("g", *parts, class_="station", data_station=station.name, transform=place)


def _rings_of(sheet: Sheet, k: int) -> list[str]:
    """Draws a dashed ring in the colour of every line that circled the station (PW-06, SP-06)."""
    circling = [line.colour for line in sheet.lines if k in line.circled]
    inner = _station_radius(sheet.city.stations[k]) + 5
    return [
        element(
            "circle", class_="circled", r=inner + 5.5 * i, fill="none",
            stroke=sheet.colour(colour), stroke_width=3.2, stroke_dasharray="7 4.5",
        )
        for i, colour in enumerate(circling)
    ]  # fmt: skip


def _badge(sheet: Sheet, station: Station, count: int, taken: Collection[Point]) -> str:
    """Draws the number of lines that meet, in a direction without a track."""
    dx, dy = next((way for way in AROUND if way not in taken), AROUND[0])
    away = (_station_radius(station) + 3.5) / math.hypot(dx, dy)
    ink, ground = sheet.palette("ink"), sheet.palette("map")
    return element(
        "g",
        element("circle", r=9, fill=ink, stroke=ground, stroke_width=1.8),
        label(str(count), 0, 4.4, 12.5, font_weight=BOLD, text_anchor="middle", fill=ground),
        class_="interchange",
        transform=moved(dx * away, dy * away),
    )


def rose(ink: str, ground: str, *, reached: bool = False, scale: float = 1) -> str:
    """Draws the rose of a tourist site: eight points, filled once a line reaches it."""
    tips = [_polar((29 if k % 2 == 0 else 20) * scale, math.tau * k / 16) for k in range(16)]
    d = "M" + "L".join(map(_pair, tips)) + "Z"
    edge: Drawn = {"stroke": ink, "stroke_width": 2.4, "stroke_linejoin": "round"}
    return element("path", class_="rose", d=d, fill=ink if reached else ground, **edge)


def _polar(radius: float, turn: float) -> Point:
    return radius * math.sin(turn), -radius * math.cos(turn)


def _pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def symbol_mark(symbol: str, ink: str, weight: float) -> str:
    """Draws the symbol of a station; all symbols have the same visual weight."""
    if symbol == "wild":
        return label("?", 0, 7.2, 20, font_weight=BOLD, text_anchor="middle", fill=ink)
    outline: Drawn = {"fill": "none", "stroke": ink, "stroke_width": weight}
    if symbol == "circle":
        return element("circle", r=7, **outline)
    corners, radius, turn, drop = {
        "triangle": (3, 9.4, 0.0, 1.4),
        "square": (4, 9.2, math.tau / 8, 0.0),
        "pentagon": (5, 8.3, 0.0, 0.3),
    }[symbol]
    points = [_polar(radius, turn + math.tau * k / corners) for k in range(corners)]
    d = "M" + "L".join(_pair((x, y + drop)) for x, y in points) + "Z"
    return element("path", d=d, stroke_linejoin="round", **outline)
