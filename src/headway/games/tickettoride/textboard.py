"""The board as text: for the terminal, for logs, and for those who hear a picture.

On the terminal a space is one block in its colour, with the letter of the colour; a taken one has
the number of the seat. Places are their district's number in brackets, with a short name.

    B G K P Y O -   blue, green, black, pink, yellow, orange, and grey for any colour

Colours do not show in plain text, so `text_board` lists every route below the board.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from headway.games.tickettoride.board import Board, Location, Route

# Of middle brightness, to be read on a dark and on a light terminal.
TERMINAL = {
    "blue": "#2b8fdb",
    "green": "#35a853",
    "black": "#6b7280",
    "pink": "#e84a92",
    "yellow": "#c79a10",
    "orange": "#e0751f",
    "red": "#d64545",
    "purple": "#8f63d6",
    "teal": "#1f9e98",
    "grey": "",
    "bus": "#d64545",
}
SEAT = ("#d64545", "#8f63d6", "#1f9e98", "#a9743f")
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
    "grey": "-",
}
COLUMNS, ROWS = 76, 30


class Cell(NamedTuple):
    """One character of the board and how a terminal shows it."""

    char: str
    style: str = ""


Canvas = dict[tuple[int, int], Cell]


def short_names(board: Board) -> list[str]:
    """A name of at most three letters for each place, none twice: initials first."""
    found: list[str] = []
    for place in board.locations:
        words = [word for word in place.id.split("_") if word]
        initials = "".join(word[0] for word in words)
        plain = "".join(words)
        choices = [initials[:3]] if len(words) > 1 else []
        choices += [plain[:2], plain[:3], *(plain[0] + c for c in plain[1:]), plain]
        found.append(next(name.upper() for name in choices if name.upper() not in found))
    return found


def text_board(board: Board, owners: Mapping[int, int]) -> str:
    """The board as plain text: every route, with its length, its colour and who has it."""
    lines = []
    for i, route in enumerate(board.routes):
        seat = f", seat {owners[i]}" if i in owners else ""
        lines.append(f"{route.name}: {route.colour} {route.length}{seat}")
    return "\n".join(lines) + "\n"


def rich_board(
    board: Board, owners: Mapping[int, int], marked: Collection[int] = frozenset()
) -> str:
    """The board in the markup of rich; routes that are `marked` are shown reversed."""
    canvas: Canvas = {}
    for i, route in enumerate(board.routes):
        _draw_route(board, canvas, route, owners.get(i), i in marked)
    for place, short in zip(board.locations, short_names(board), strict=True):
        _draw_place(board, canvas, place, short)
    board_rows = [_markup(row) for row in _rows(canvas)]
    return "\n".join([*board_rows, *_legend(board)]) + "\n"


def _place(board: Board, x: float, y: float) -> tuple[int, int]:
    width, height = board.size
    return round(x / width * (COLUMNS - 8)) + 2, round(y / height * (ROWS - 1))


def _draw_route(
    board: Board, canvas: Canvas, route: Route, owner: int | None, marked: bool
) -> None:
    """Two characters a space: letters while it is free, the seat's number when it is taken."""
    if owner is None:
        style = " ".join(filter(None, [TERMINAL[route.colour], "reverse" if marked else ""]))
        text = LETTER[route.colour] * 2
    else:
        style, text = f"{SEAT[owner]} bold reverse", f"{owner}▪"
    for x, y in route.spaces:
        column, row = _place(board, x, y)
        if route.half and (column, row) in canvas:
            row += 1
        for k, char in enumerate(text):
            canvas[column + k, row] = Cell(char, style)


def _draw_place(board: Board, canvas: Canvas, place: Location, short: str) -> None:
    column, row = _place(board, *place.at)
    text = f"({short})"
    for k, char in enumerate(text):
        canvas[column - len(text) // 2 + 1 + k, row] = Cell(char, "bold")


def _rows(canvas: Canvas) -> Iterator[list[Cell]]:
    for row in range(ROWS):
        yield [canvas.get((column, row), Cell(" ")) for column in range(COLUMNS)]


def _markup(row: list[Cell]) -> str:
    written = []
    for style, cells in groupby(row, key=lambda cell: cell.style):
        text = "".join(cell.char for cell in cells)
        written.append(f"[{style}]{text}[/]" if style else text)
    return "".join(written).rstrip()


def _legend(board: Board) -> Iterator[str]:
    """The short names with the long ones and their districts, in columns."""
    names = short_names(board)
    entries = [
        f"{short} {place.plain} {board.districts[place.district].number}"
        for short, place in zip(names, board.locations, strict=True)
    ]
    width = max(map(len, entries)) + 2
    each = max(COLUMNS // width, 1)
    for start in range(0, len(entries), each):
        row = "".join(entry.ljust(width) for entry in entries[start : start + each])
        yield f"[dim]{row.rstrip()}[/]"
