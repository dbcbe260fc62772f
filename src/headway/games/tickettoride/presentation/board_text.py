"""The board as text: for the terminal, for logs, and as the description of a picture.

A space is one letter, a place the initials of its name; the board has 46 columns by 21 rows:

    B G K P Y O ·   blue, green, black, pink, yellow, orange, and grey for any colour
    0 1 2 3         a space with a bus of that seat

Plain text cannot show which letters belong to one route, so `text_board` lists all routes below.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from headway.games.presentation import TERMINAL, Canvas, Cell, markup, rows_of
from headway.games.tickettoride.board.board import BUS_COLOURS, Board, Route
from headway.i18n import SOURCE, say

LETTER = {
    "blue": "B",
    "green": "G",
    "black": "K",
    "pink": "P",
    "yellow": "Y",
    "orange": "O",
    "red": "R",
    "purple": "V",
    "teal": "T",
    "grey": "·",
}
COLUMNS, ROWS = 46, 21
EDGE = 0.05
BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1), (2, 0), (-2, 0))
"""Offsets for a letter whose cell is taken."""


def short_names(board: Board) -> list[str]:
    """Returns two unique letters for each place: the initials of its name, if they are free."""
    short: list[str] = []
    for place in board.locations:
        name_parts = [part for part in place.id.split("_") if part]
        plain = "".join(name_parts)
        choices = [name_parts[0][0] + name_parts[-1][0]] if len(name_parts) > 1 else []
        choices += [plain[0] + letter for letter in plain[1:]]
        choices += [f"{plain[0]}{digit}" for digit in range(10)]
        short.append(next(name.upper() for name in choices if name.upper() not in short))
    return short


def text_board(board: Board, owners: Mapping[int, int], lang: str | None = SOURCE) -> str:
    """Returns the board as plain text, with every route's colour, length and owner below it."""
    canvas = _canvas(board, owners, frozenset())
    lines = ["".join(cell.char for cell in row).rstrip() for row in rows_of(canvas, COLUMNS, ROWS)]
    for i, route in enumerate(board.routes):
        seat = f" [{owners[i]}]" if i in owners else ""
        facts = f"{say(f'card.{route.colour}', lang)} {route.length}{seat}"
        lines.append(say("choice.of", lang, name=route.name, value=facts))
    return "\n".join(lines) + "\n"


def rich_board(
    board: Board,
    owners: Mapping[int, int],
    marked: Collection[int] = frozenset(),
    bus_colours: Sequence[str] = BUS_COLOURS,
) -> str:
    """Returns the board in rich's markup; `marked` routes are reversed."""
    rows = rows_of(_canvas(board, owners, marked, bus_colours), COLUMNS, ROWS)
    return "\n".join(map(markup, rows)) + "\n"


def legend(board: Board) -> list[str]:
    """Returns the short and long names of all places, three per line."""
    pairs = zip(short_names(board), board.locations, strict=True)
    entries = [f"{short} {place.name}".ljust(26) for short, place in pairs]
    rows = [entries[start : start + 3] for start in range(0, len(entries), 3)]
    return ["".join(row).rstrip() for row in rows]


def _canvas(
    board: Board,
    owners: Mapping[int, int],
    marked: Collection[int],
    bus_colours: Sequence[str] = BUS_COLOURS,
) -> Canvas:
    canvas: Canvas = {}
    for place, short in zip(board.locations, short_names(board), strict=True):
        column, row = _cell(board, *place.at)
        for k, char in enumerate(short):
            canvas[column + k, row] = Cell(char, "bold")
    for i, route in enumerate(board.routes):
        cell = _space(route, i in marked)
        if (owner := owners.get(i)) is not None:
            cell = Cell(str(owner), f"{TERMINAL[bus_colours[owner]]} bold reverse")
        for x, y in route.spaces:
            column, row = _cell(board, x, y)
            around = [(0, 0), *BESIDE]
            free = [(column + dx, row + dy) for dx, dy in around]
            canvas[next((at for at in free if at not in canvas), (column, row))] = cell
    return canvas


def _cell(board: Board, x: float, y: float) -> tuple[int, int]:
    """Returns the column and row of a point, without the empty edge of the board."""
    width, height = board.size
    edge = min(width, height) * EDGE
    column = (x - edge) / (width - 2 * edge) * (COLUMNS - 4)
    return round(column) + 1, round((y - edge) / (height - 2 * edge) * (ROWS - 1))


def _space(route: Route, marked: bool) -> Cell:
    styles = [TERMINAL[route.colour], "reverse" if marked else ""]
    return Cell(LETTER[route.colour], " ".join(filter(None, styles)))
