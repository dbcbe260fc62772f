"""A sheet as text: for the terminal, for logs, and as the description of a picture.

A grid step is four columns and two rows, so a city of 10 x 10 is 43 columns by 21 rows:

    ○ △ □ ⬠ ?   stations, filled (● ▲ ■ ⬟) where a line departs
    ─ │ ╱ ╲     sections; ═ ││ ╱╱ ╲╲ where two tracks lie side by side
    *           a tourist site, to the right of its station
    (○)         a circled station

On a terminal also:

    [○] {○}     a station that can be reached now; one that needs a power or an effect
    <○>         a station to draw from
    ┊ ┈ ≈       borders of districts; the river

Plain text has no colours, so `text_board` lists the lines below the board, in the notation of
records: `d2c3` a section, `=c3c4` a second track, `*c3` a circled station.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from headway.games.nextstation.city.city import COLUMNS, ROWS, City
from headway.games.nextstation.view import LineView, SheetView
from headway.games.presentation import TERMINAL, Canvas, Cell, markup, rows_of
from headway.i18n import SOURCE, in_language, say
from headway.svg import Point

SYMBOL = {"circle": "○", "triangle": "△", "square": "□", "pentagon": "⬠", "wild": "?"}
DEPARTURE = {"circle": "●", "triangle": "▲", "square": "■", "pentagon": "⬟", "wild": "?"}

RIVER = "#6f9fb5"

STEP_X, STEP_Y = 4, 2
LEFT, TOP = 3, 1


@dataclass(frozen=True)
class DrawnLine:
    """A line as drawn on a sheet.

    `sections` are in the order of drawing; `doubles` are those drawn as a second track along
    another line or the loop; `circled` are the stations that count twice for this line.
    """

    colour: str
    sections: tuple[int, ...] = ()
    doubles: frozenset[int] = frozenset()
    circled: frozenset[int] = frozenset()


def stations_of(city: City, line: DrawnLine) -> set[int]:
    """Returns the stations of a drawn line; none while it has no section (NS-23)."""
    return {k for i in line.sections for k in (city.sections[i].a, city.sections[i].b)}


def drawn_lines(city: City, sheet: SheetView) -> list[DrawnLine]:
    """Returns the lines of a sheet in the form that drawings use."""
    return [_drawn(city, line) for line in sheet.lines]


def _drawn(city: City, line: LineView) -> DrawnLine:
    between, named = city.section_between, city.station_named
    sections = {name: between[named[name[-4:-2]], named[name[-2:]]] for name in line.sections}
    return DrawnLine(
        line.colour,
        tuple(sections.values()),
        frozenset(i for name, i in sections.items() if name.startswith("=")),
        frozenset(named[name] for name in line.circled),
    )


def lines_at(city: City, lines: Sequence[DrawnLine]) -> Counter[int]:
    """Returns the number of lines at each station; the loop counts as one."""
    count = Counter({k for i in city.loop for k in (city.sections[i].a, city.sections[i].b)})
    for line in lines:
        count.update(stations_of(city, line))
    return count


def text_board(city: City, lines: Sequence[DrawnLine], *, lang: str | None = SOURCE) -> str:
    """Returns the sheet as plain text, with the sections of every line below the board."""
    canvas = _tracks(city, lines)
    _draw_stations(city, lines, canvas)
    board = ["".join(cell.char for cell in row).rstrip() for row in _rows(city, canvas)]
    return "\n".join([*board, *_listing(city, lines, lang)]) + "\n"


def rich_board(
    city: City,
    lines: Sequence[DrawnLine],
    *,
    targets: Collection[int] = frozenset(),
    powered: Collection[int] = frozenset(),
    ends: Collection[int] = frozenset(),
    pencil: str = "",
) -> str:
    """Returns the board in rich's markup, in colour, without the list of lines.

    `targets` are the reachable stations, in square brackets and reversed in the colour of `pencil`;
    `powered` are those that need a power or an effect, in braces; `ends` are the stations to draw
    from, in angle brackets. Print it with `highlight=False`, otherwise rich colours the digits at
    the edge.
    """
    canvas = _points(city) | _borders(city) | _river(city) | _tracks(city, lines)
    brackets = dict.fromkeys(ends, "<>") | dict.fromkeys(powered, "{}")
    _draw_stations(city, lines, canvas, brackets | dict.fromkeys(targets, "[]"), pencil)
    return "\n".join(markup(row) for row in _rows(city, canvas)) + "\n"


def _draw_stations(
    city: City,
    lines: Sequence[DrawnLine],
    canvas: Canvas,
    brackets: Mapping[int, str] = MappingProxyType({}),
    pencil: str = "",
) -> None:
    """Draws the stations, those with brackets in the colour of `pencil`, and the edge."""
    count = lines_at(city, lines)
    circling = {k: line.colour for line in lines for k in line.circled}
    for k, station in enumerate(city.stations):
        column, row = _place(station.x, station.y)
        around = brackets.get(k) or ("()" if k in circling else "")
        style = _style(station.departure or "", "bold" if count[k] else "")
        edge = _style(circling.get(k, ""), "bold")
        if k in brackets:
            style = edge = _style(pencil, "bold reverse" if around == "[]" else "bold")
        if around:
            canvas[column - 1, row] = Cell(around[0], edge)
            canvas[column + 1, row] = Cell(around[1], edge)
        if station.tourist:
            canvas[column + 1 + bool(around), row] = Cell("*", "bold")
        canvas[column, row] = Cell(
            (DEPARTURE if station.departure else SYMBOL)[station.symbol], style
        )
    _letter(city, canvas)


def _style(colour: str, weight: str) -> str:
    return " ".join(filter(None, (TERMINAL.get(colour, ""), weight)))


def _place(x: float, y: float) -> tuple[int, int]:
    return LEFT + round(x * STEP_X), TOP + round(y * STEP_Y)


def _points(city: City) -> Canvas:
    """Returns the grid points without a station, which help to count."""
    places = [_place(x, y) for y in range(city.height) for x in range(city.width)]
    return {place: Cell("·", "dim") for place in places}


def _borders(city: City) -> Canvas:
    """Returns the borders of districts, half-way between grid points."""
    canvas: Canvas = {}

    def differ(p: tuple[int, int], q: tuple[int, int]) -> bool:
        return city.district_at[p[1]][p[0]] != city.district_at[q[1]][q[0]]

    for y in range(city.height):
        for x in range(city.width):
            column, row = _place(x, y)
            beside = x + 1 < city.width and differ((x, y), (x + 1, y))
            below = y + 1 < city.height and differ((x, y), (x, y + 1))
            if beside:
                for at in (row - 1, row, row + 1):
                    canvas.setdefault((column + STEP_X // 2, at), Cell("┊", "dim"))
            if below:
                for at in range(column - 1, column + 2):
                    canvas[at, row + 1] = Cell("┈", "dim")
                corner = column + STEP_X // 2, row + 1
                if x + 1 < city.width and differ((x + 1, y), (x + 1, y + 1)):
                    canvas.setdefault(corner, Cell("┈", "dim"))
    return _inside(city, canvas)


def _river(city: City) -> Canvas:
    """Returns the river, a column at a time."""
    canvas: Canvas = {}
    for (x, y), (to_x, to_y) in pairwise(city.river):
        start, end = LEFT + x * STEP_X, LEFT + to_x * STEP_X
        steps = max(1, round(abs(end - start)), round(abs(to_y - y) * STEP_Y))
        for k in range(steps + 1):
            part = k / steps
            at = round(start + (end - start) * part), TOP + round((y + (to_y - y) * part) * STEP_Y)
            canvas[at] = Cell("≈", RIVER)
    return _inside(city, canvas)


def _inside(city: City, canvas: Canvas) -> Canvas:
    """Returns the cells inside the letters and digits at the edge."""
    right, bottom = _place(city.width - 1, city.height - 1)
    return {
        (column, row): cell
        for (column, row), cell in canvas.items()
        if LEFT - 1 <= column <= right + 1 and TOP <= row <= bottom
    }


def _tracks(city: City, lines: Sequence[DrawnLine]) -> Canvas:
    """Returns all tracks: the loop first, then the lines."""
    colours: dict[int, list[str]] = {i: [city.loop_colour] for i in city.loop}
    for line in lines:
        for i in line.sections:
            colours.setdefault(i, []).append(line.colour)
    canvas: Canvas = {}
    for i, names in colours.items():
        styles = [TERMINAL.get(name, "") for name in names]
        path = city.sections[i].path
        for p, q in pairwise(path):
            _draw_straight(canvas, _place(*p), _place(*q), styles)
        for before, corner, after in zip(path, path[1:], path[2:], strict=False):
            canvas[_place(*corner)] = Cell(_bend(before, corner, after), styles[-1])
    return canvas


def _draw_straight(
    canvas: Canvas, start: tuple[int, int], end: tuple[int, int], styles: Sequence[str]
) -> None:
    """Draws one straight piece between two grid points, without the points."""
    (column, row), double = start, len(styles) > 1
    across, down = end[0] - column, end[1] - row
    if down == 0:
        for k in range(1, abs(across)):
            cell = Cell("═" if double else "─", styles[k % len(styles)])
            canvas[min(column, end[0]) + k, row] = cell
        return
    char = "│" if across == 0 else "╲" if (across > 0) == (down > 0) else "╱"
    for k in range(1, abs(down)):
        at = column + across * k // abs(down), row + k * (1 if down > 0 else -1)
        for beside, style in enumerate(styles[:2]):
            canvas[at[0] + beside, at[1]] = Cell(char, style)


def _bend(before: Point, corner: Point, after: Point) -> str:
    """Returns the corner character for two legs; a straight leg counts before a slanted one."""
    legs = [(p[0] - corner[0], p[1] - corner[1]) for p in (before, after)]
    across = max(legs, key=lambda leg: (leg[1] == 0, abs(leg[0])))[0]
    down = max(legs, key=lambda leg: (leg[0] == 0, abs(leg[1])))[1]
    return ("╭" if across > 0 else "╮") if down > 0 else ("╰" if across > 0 else "╯")


def _letter(city: City, canvas: Canvas) -> None:
    """Writes column letters above and below, row digits left and right."""
    right, bottom = _place(city.width - 1, city.height)
    for x in range(city.width):
        for row in (0, bottom - 1):
            canvas[_place(x, 0)[0], row] = Cell(COLUMNS[x], "dim")
    for y in range(city.height):
        for column in (0, right + LEFT):
            canvas[column, _place(0, y)[1]] = Cell(ROWS[y], "dim")


def _rows(city: City, canvas: Canvas) -> Iterator[list[Cell]]:
    right, bottom = _place(city.width - 1, city.height)
    return rows_of(canvas, right + LEFT + 1, bottom)


def _listing(city: City, lines: Sequence[DrawnLine], lang: str | None) -> Iterator[str]:
    """Lists every line in words, the loop first."""

    def listed(colour: str, ways: Iterable[str]) -> str:
        name = say(f"colour.{colour}", lang)
        return say("choice.of", lang, name=name, value=" ".join(ways)).rstrip()

    if city.loop:
        yield listed(city.loop_colour, _ways(city, city.loop, None, frozenset()))
    for line in lines:
        departure = next(
            (k for k, s in enumerate(city.stations) if s.departure == line.colour), None
        )
        ways = _ways(city, line.sections, departure, line.doubles)
        circled = [f"*{city.stations[k].name}" for k in sorted(line.circled)]
        yield listed(line.colour, [*ways, *circled])


def _ways(
    city: City, sections: Sequence[int], departure: int | None, doubles: Collection[int]
) -> Iterator[str]:
    """Returns the sections in notation, each from where the line already was."""
    reached, end = {departure}, departure
    for i in sections:
        a, b = city.sections[i].a, city.sections[i].b
        if b in reached and (a not in reached or b == end):
            a, b = b, a
        reached |= {a, b}
        end = b
        names = city.stations[a].name + city.stations[b].name
        yield f"={names}" if i in doubles else names


def objective_name(city: City, name: str, lang: str) -> str:
    """Describes a city's objective in a few words."""
    objective = next(o for o in city.objectives if o.id == name)
    district = in_language(city.districts[objective.district].name, lang)
    return say(
        f"objective.{objective.needs}",
        lang,
        needed=objective.needed,
        district=district,
        river=in_language(city.river_name, lang),
    )
