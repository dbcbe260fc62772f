"""The empty sheet on an A4 page, for playing with pencils.

It has the ground of the board, in thin lines on white that use little ink. No information is in the
hue alone: stations differ by symbol, and departures carry the name of their colour. The map is on
the left; the score, the modules and a deck to tick off are in a column on the right.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence

from headway.games.nextstation.city.city import OBJECTIVE_POINTS, SYMBOLS, City, Station
from headway.games.nextstation.city.map_data import plan
from headway.games.nextstation.presentation.sheet import (
    AVENUE,
    DISC,
    MARGIN,
    QUAY,
    RIVER,
    Sheet,
    draw_bridges,
    draw_landmarks,
    draw_names,
    on_sheet,
)
from headway.games.nextstation.presentation.sheet_svg import (
    edge_labels,
    printed_sections,
    rose,
    symbol_mark,
)
from headway.games.nextstation.presentation.sheet_text import objective_name, text_board
from headway.games.nextstation.rules.arrays import CARDS, EFFECTS, POWERS, ROUNDS
from headway.i18n import in_language, say
from headway.svg import (
    BOLD,
    LIGHT,
    Drawn,
    Palette,
    colours,
    document,
    element,
    fitting,
    label,
    moved,
    number,
    rectangle,
    rounded_path,
)

A4 = ("297mm", "210mm")
EDGE = 36.0  # printers do not reach the edge of the paper
WIDE = 294.0  # the column beside the map
CELL = 37.0
NAMES = WIDE - 4 * CELL
ROW = 23.0
INK = Palette("light", {**LIGHT, **colours("print")[0]})

Block = tuple[str, float]
"""A part of the column, drawn from (0, 0) downwards, and its height."""


def draw_blank_sheet(city: City, options: Mapping[str, bool], title: str, lang: str) -> str:
    """Returns the page as an SVG file of size A4, with the chosen modules."""
    sheet = Sheet(city, (), INK, 0.0, lang)
    right, bottom = sheet.right + MARGIN, sheet.bottom + MARGIN
    height = max(bottom + EDGE, (right + 2 * EDGE + WIDE) / math.sqrt(2))
    width = height * math.sqrt(2)
    column = _column(_blocks(city, options, title, lang), height - 2 * EDGE)
    across = (width - right - WIDE) / 3
    return document(
        width,
        height,
        element("g", _map(sheet), transform=moved(across, (height - bottom) / 2)),
        element("g", column, transform=moved(width - across - WIDE, EDGE)),
        palette=INK,
        title=title,
        description=text_board(city, [], lang=lang),
        size=A4,
    )


# --- the map


def _map(sheet: Sheet) -> str:
    stations = [_station(sheet, station) for station in sheet.city.stations]
    return "".join(
        [_ground(sheet), _stamps(sheet), printed_sections(sheet), _loop(sheet), *stations]
    ) + edge_labels(sheet)


def _ground(sheet: Sheet) -> str:
    """Draws the ground of the board in thin lines: houses, river, bridges, names, landmarks."""
    ground = plan(sheet.city)
    houses = element(
        "path", class_="blocks", d="".join(ground.blocks) + ground.parks, fill="none",
        stroke=INK("blocks"), stroke_width=0.5,
    )  # fmt: skip
    avenues = element(
        "path", class_="avenues", d=ground.avenues, fill="none", stroke=INK("map"),
        stroke_width=AVENUE, stroke_linecap="round",
    )  # fmt: skip
    borders = element(
        "path", class_="district", d=ground.avenues, fill="none", stroke=INK("hair"),
        stroke_width=1.5,
    )  # fmt: skip
    ground_and_marks = [
        houses,
        avenues,
        borders,
        _river(sheet),
        draw_bridges(sheet),
        _beyond(sheet),
        draw_names(sheet),
        draw_landmarks(sheet),
        _edge(sheet),
    ]
    return element("g", *ground_and_marks, transform=moved(sheet.left, sheet.top))


def _beyond(sheet: Sheet) -> str:
    """Covers what reaches beyond the sheet: PDF files know no viewport inside a picture."""
    width, height, far = sheet.right - sheet.left, sheet.bottom - sheet.top, 4 * RIVER
    white = [
        rectangle(x, y, w, h)
        for x, y, w, h in (
            (-far, -far, far, height + 2 * far),
            (width, -far, far, height + 2 * far),
            (0, -far, width, far),
            (0, height, width, far),
        )
    ]
    return element("g", *white, fill=INK("paper"))


def _edge(sheet: Sheet) -> str:
    width, height = sheet.right - sheet.left, sheet.bottom - sheet.top
    line: Drawn = {"fill": "none", "stroke": INK("hair"), "stroke_width": 0.9}
    return rectangle(0.5, 0.5, width - 1, height - 1, rx=5, **line)


def _river(sheet: Sheet) -> str:
    """Draws two banks with almost no colour between them."""
    if not sheet.city.river:
        return ""
    way = rounded_path(on_sheet(sheet.city.river), 46)
    quay = element("path", d=way, stroke=INK("map"), stroke_width=QUAY)
    banks = element("path", d=way, stroke=INK("water-edge"), stroke_width=RIVER)
    water = element("path", class_="river", d=way, stroke=INK("water"), stroke_width=RIVER - 2)
    return element("g", quay, banks, water, fill="none")


def _stamps(sheet: Sheet) -> str:
    drawn = []
    for d, place in sheet.stamps.items():
        box = rectangle(-9.5, -9.5, 19, 19, rx=4)
        worth = label(
            str(sheet.city.districts[d].stamp), 0, 4.2, 11.5, text_anchor="middle", stroke="none",
            fill=INK("stamp"),
        )  # fmt: skip
        drawn.append(element("g", box, worth, class_="stamp", transform=moved(*sheet.at(place))))
    return element("g", *drawn, fill=INK("sheet"), stroke=INK("stamp"), stroke_width=1)


def _loop(sheet: Sheet) -> str:
    """Draws the loop as two thin rails."""
    ways = "".join(sheet.way(sheet.city.sections[i]) for i in sheet.city.loop)
    if not ways:
        return ""
    rails = element("path", d=ways, stroke=sheet.colour(sheet.city.loop_colour), stroke_width=7)
    between = element("path", d=ways, stroke=INK("sheet"), stroke_width=4.4)
    return element("g", rails, between, class_="loop", fill="none")


def _station(sheet: Sheet, station: Station) -> str:
    """Draws a disc with its symbol; a departure has a ring and the name of its colour."""
    ink, ground = INK("ink"), INK("sheet")
    parts = [rose(INK("hair"), ground)] if station.tourist else []
    if station.departure:
        paint = sheet.colour(station.departure)
        parts.append(element("circle", r=DISC + 5, fill=ground, stroke=paint, stroke_width=3.2))
    parts.append(element("circle", r=DISC, fill=ground, stroke=ink, stroke_width=1.4))
    parts.append(symbol_mark(station.symbol, ink, 1.9))
    if station.departure:
        name = say(f"colour.{station.departure}", sheet.lang)
        width = 6.2 * len(name) + 6
        y = DISC + 17
        plate = rectangle(-width / 2, y - 9, width, 12, rx=5, fill=ground)
        parts.append(plate + label(name, 0, y, 10.5, text_anchor="middle", fill=ink))
    place = moved(*sheet.at(station.point))
    return element("g", *parts, class_="station", data_station=station.name, transform=place)


# --- the column


def _column(blocks: Sequence[Block], available: float) -> str:
    """Stacks the blocks; scales them down if they do not fit."""
    y, placed = 0.0, []
    for drawn, height in blocks:
        placed.append(element("g", drawn, transform=moved(0, y)))
        y += height
    scale = min(1.0, available / y)
    shrunk = f"scale({number(scale)})" if scale < 1 else None
    return element("g", *placed, fill=INK("ink"), transform=shrunk)


def _blocks(city: City, options: Mapping[str, bool], title: str, lang: str) -> list[Block]:
    blocks = [_head(title, lang), _lines(city, lang), _result(say("print.sum", lang))]
    blocks += [_sites(city, lang)] if city.scoring.tourist else []
    if any(district.stamp for district in city.districts):
        blocks.append(_result(say("score.stamps", lang)))
    if city.scoring.loop:
        blocks.append(_result(say("print.loop", lang, worth=city.scoring.loop), sign="−"))
    blocks.append(_interchanges(city, lang))
    if options["objectives"]:
        blocks.append(_objectives(city, lang))
    modules = sum(options.values())
    if modules:
        blocks.append(_result(say("print.deduction", lang, points=10 * modules)))
    blocks.append(_result(say("score.total", lang), bold=True))
    if options["powers"]:
        blocks.append(_powers(city, lang))
    if options["special_stations"]:
        blocks.append(_special(lang))
    return [*blocks, _deck(lang), _foot(city, lang)]


def _text(text: str, x: float, y: float, size: float, width: float, **how: str | float) -> str:
    """Draws a line of text, smaller if it does not fit the width."""
    return label(text, x, y, fitting(text, size, width, 0.53), **how)


def _box(x: float, y: float, width: float = CELL, height: float = ROW) -> str:
    return rectangle(x, y, width, height, fill="none", stroke=INK("hair"), stroke_width=0.9)


def _grid(rows: int, columns: int, y: float) -> str:
    left = WIDE - columns * CELL
    return "".join(
        _box(left + column * CELL, y + row * ROW)
        for row in range(rows)
        for column in range(columns)
    )


def _heading(text: str, y: float) -> str:
    return _text(text, 0, y, 11.5, WIDE, font_weight=BOLD)


def _in_cell(text: str, column: int, y: float) -> str:
    """Draws small text in the middle of a cell of the last four columns."""
    middle = NAMES + (column + 0.5) * CELL
    return _text(text, middle, y, 11, CELL - 4, text_anchor="middle")


def _colour_names(city: City, y: float, lang: str) -> list[str]:
    """Draws the names of the pencils above the last four columns."""
    names = [say(f"colour.{colour}", lang) for colour in city.colours]
    return [_in_cell(name, column, y) for column, name in enumerate(names)]


def _head(title: str, lang: str) -> Block:
    rule = element("path", d=f"M0 58H{number(WIDE)}", stroke=INK("hair"), stroke_width=0.9)
    name = label(say("print.name", lang), 0, 54, 11.5, fill=INK("muted"))
    return _text(title, 0, 18, 21, WIDE, font_weight=BOLD) + name + rule, 70


def _lines(city: City, lang: str) -> Block:
    rows = [say("web.nextstation.districts", lang), "× " + say("web.nextstation.fullest", lang)]
    if city.river:
        river, worth = in_language(city.river_name, lang), city.scoring.river
        rows.append("+ " + say("web.nextstation.crossings", lang, river=river, worth=worth))
    rows.append("= " + say("web.nextstation.line", lang))
    heads = _colour_names(city, 10, lang)
    names = [_text(text, 0, 15 + ROW * k + 15.5, 12, NAMES - 6) for k, text in enumerate(rows)]
    height = 15 + ROW * len(rows)
    return "".join([*heads, *names, _grid(len(rows), 4, 15)]), height + 10


def _result(text: str, *, bold: bool = False, sign: str = "") -> Block:
    """Draws a line of the score with a box for its points, and their sign before it."""
    size, high = (15.0, ROW + 5) if bold else (12.0, ROW)
    weight: Drawn = {"font_weight": BOLD} if bold else {}
    caption = _text(text, 0, high / 2 + 4.5, size, WIDE - CELL - (20 if sign else 8), **weight)
    if sign:
        caption += label(sign, WIDE - CELL - 6, high / 2 + 5, 14, text_anchor="end")
    return caption + _box(WIDE - CELL, 0, height=high), high + (12 if bold else 5)


def _sites(city: City, lang: str) -> Block:
    """Draws the scale: a mark is ticked for each visit, and the first one left gives the points."""
    worth = city.scoring.tourist
    wide = WIDE / len(worth)
    boxes = [
        _box(k * wide, ROW + 3, wide)
        + label(str(points), (k + 0.5) * wide, ROW + 19, 11, text_anchor="middle")
        for k, points in enumerate(worth)
    ]
    head, height = _result(say("web.nextstation.tourist", lang))
    text = say("print.tourist", lang, most=len(worth) - 1)
    how = _text(text, 0, height + ROW + 10, 10, WIDE, fill=INK("muted"))
    return head + "".join(boxes) + how, height + ROW + 18


def _interchanges(city: City, lang: str) -> Block:
    head, height = _result(say("web.nextstation.interchanges", lang))
    cells, wide = [], WIDE / max(1, len(city.scoring.interchanges))
    for k, (lines, worth) in enumerate(city.scoring.interchanges.items()):
        x, y = k * wide, height + 10
        outline: Drawn = {"fill": "none", "stroke": INK("ink"), "stroke_width": 1}
        ring = element("circle", cx=x + 9, cy=y, r=8.5, **outline)
        cells.append(ring + label(str(lines), x + 9, y + 4, 11, text_anchor="middle"))
        blank = element("path", d=f"M{number(x + 24)} {number(y + 5)}h26", stroke=INK("hair"))
        cells.append(blank + label(f"× {worth}", x + 54, y + 4, 11))
    return head + "".join(cells), height + 26


def _objectives(city: City, lang: str) -> Block:
    parts = [_heading(say("print.objectives", lang), 11)]
    for k, objective in enumerate(city.objectives):
        y = 17 + k * 19
        parts.append(_box(1, y + 2, 13, 13) + _box(WIDE - CELL, y, height=17))
        parts.append(_text(objective_name(city, objective.id, lang), 20, y + 13, 11, 216))
        parts.append(label(f"+{OBJECTIVE_POINTS}", WIDE - CELL - 6, y + 13, 10, text_anchor="end"))
    return "".join(parts), 17 + 19 * len(city.objectives) + 8


def _powers(city: City, lang: str) -> Block:
    parts = [_heading(say("print.powers", lang), 11)]
    parts += _colour_names(city, 26, lang)
    for k, power in enumerate(POWERS[1:]):
        parts.append(_text(say(f"power.{power}", lang), 0, 31 + ROW * k + 15.5, 12, NAMES - 6))
    return "".join(parts) + _grid(len(POWERS) - 1, 4, 31), 31 + ROW * 4 + 9


def _special(lang: str) -> Block:
    parts = [_heading(say("print.special", lang), 11)]
    for k, symbol in enumerate(SYMBOLS[:4]):
        mark = symbol_mark(symbol, INK("ink"), 1.8)
        place = moved(NAMES + (k + 0.5) * CELL, 26)
        parts.append(element("g", mark, transform=place))
    for k, effect in enumerate(EFFECTS[1:]):
        parts.append(_text(say(f"effect.{effect}", lang), 0, 38 + ROW * k + 15.5, 12, NAMES - 6))
    return "".join(parts) + _grid(len(EFFECTS) - 1, 4, 38), 38 + ROW * 4 + 9


def _deck(lang: str) -> Block:
    """Draws all cards, with a box for each round."""
    first, high = 56.0, 17.0
    wide = (WIDE - first) / len(CARDS)
    parts = [_heading(say("print.deck", lang), 11)]
    for k, card in enumerate(CARDS):
        deck, face = card.split(":")
        left, ground = first + k * wide, INK("underground" if deck == "underground" else "sheet")
        edge: Drawn = {"stroke": INK("ink"), "stroke_width": 0.9}
        parts.append(rectangle(left + 1, 18, wide - 2, 27, rx=3, fill=ground, **edge))
        parts.append(element("g", _face(face), transform=moved(left + wide / 2, 31.5)))
        parts += [_box(left, 48 + r * high, wide, high) for r in range(ROUNDS)]
    for r in range(ROUNDS):
        name = say("print.round", lang, round=r + 1)
        parts.append(_text(name, 0, 48 + r * high + 12.5, 11, first - 4))
    return "".join(parts), 48 + ROUNDS * high + 4


def _face(face: str) -> str:
    """Draws the face of a card, small."""
    ink = INK("ink")
    if face == "switch":
        way = "M-7 5H7M-7 5C0 5 0 -5 7 -5M3.5 -8 7 -5 3.5 -2"
        return element("path", d=way, fill="none", stroke=ink, stroke_width=1.4)
    mark = symbol_mark("wild" if face == "joker" else face, ink, 2.1)
    return element("g", mark, transform="scale(0.75)")


def _foot(city: City, lang: str) -> Block:
    limits = ", ".join(map(str, city.scoring.verdicts))
    verdicts = say("print.verdicts", lang, limits=limits)
    footnotes = [
        say("print.ends", lang),
        f"{verdicts} {in_language(city.scoring.verdicts_note, lang)}",
        in_language(city.note, lang),
        say("print.made", lang),
    ]
    lines = [part for note in footnotes for part in textwrap.wrap(note, 64)]
    written = [label(line, 0, 10 + 11.5 * k, 9, fill=INK("muted")) for k, line in enumerate(lines)]
    return "".join(written), 11.5 * len(lines)
