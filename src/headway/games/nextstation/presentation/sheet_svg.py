"""Draws a Next Station sheet as SVG; `headway.svg` makes a PNG of it.

Layers from the paper up: blocks of houses, avenues, river, fibres, names, landmarks, printed
sections, stamps, tracks, reachable sections, stations. The page draws the same ones
(`client/src/games/nextstation/board`). Coordinates are in units of the viewBox; a grid step is
`STEP` units.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Collection, Iterable, Sequence

from headway.games.nextstation.city.city import COLUMNS, ROWS, City, Station
from headway.games.nextstation.presentation.sheet import (
    DISC,
    LOOP,
    MARGIN,
    Sheet,
    Side,
    city_palette,
    draw_ground,
    draw_stamps,
)
from headway.games.nextstation.presentation.sheet_text import DrawnLine, text_board
from headway.i18n import in_language
from headway.svg import (
    BOLD,
    Drawn,
    Point,
    Theme,
    document,
    element,
    fitting,
    label,
    moved,
    number,
    polyline,
    rounded_path,
)

HEADER = 50.0

CASING, BORDER, TRACK = 17.0, 12.3, 9.2  # the widths of a line from the paper up
SHADE = 0.24  # how dark the border is
BESIDE = 6.2  # from the middle of a section to each of its two tracks

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
        draw_ground(sheet),
        printed_sections(sheet),
        draw_stamps(sheet),
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


# --- around the sheet


def _header(sheet: Sheet, title: str) -> str:
    """Draws the title, smaller if it is long, and a key to the lines with their patterns."""
    base = MARGIN + 17
    key = []
    for place, line in enumerate(reversed(sheet.lines)):
        right = sheet.right - 4 - place * 50
        key.append(_track(sheet, line.colour, [f"M{number(right - 34)} {number(base - 7)}h34"]))
    width = sheet.right - sheet.left - 50 * len(key) - 10
    size = max(11.0, fitting(title, 23.0, width, 0.57))
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
    name, palette, paint = "loop" if loop else "line", sheet.palette, sheet.colour(colour)
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
        "g", casing, edge, shade, painted, pattern, class_=f"{name} {colour}", fill="none",
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
    d = polyline(tips, closed=True)
    edge: Drawn = {"stroke": ink, "stroke_width": 2.4, "stroke_linejoin": "round"}
    return element("path", class_="rose", d=d, fill=ink if reached else ground, **edge)


def _polar(radius: float, turn: float) -> Point:
    return radius * math.sin(turn), -radius * math.cos(turn)


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
    d = polyline([(x, y + drop) for x, y in points], closed=True)
    return element("path", d=d, stroke_linejoin="round", **outline)
