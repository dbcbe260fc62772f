"""A board of characters with styles: what the text boards of all games share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

# Of medium brightness, readable on dark and light terminals.
TERMINAL = {
    "black": "#6b7280",
    "blue": "#2b8fdb",
    "brown": "#a9743f",
    "bus": "#d64545",
    "green": "#35a853",
    "grey": "",
    "orange": "#e0751f",
    "pink": "#e84a92",
    "purple": "#8f63d6",
    "red": "#d64545",
    "teal": "#1f9e98",
    "yellow": "#c79a10",
}


class Cell(NamedTuple):
    """One character and its style in a terminal."""

    char: str
    style: str = ""


Canvas = dict[tuple[int, int], Cell]
"""Cells by column and row."""


def rows_of(canvas: Canvas, columns: int, rows: int) -> Iterator[list[Cell]]:
    """Yields the rows of a canvas; missing cells are spaces."""
    for row in range(rows):
        yield [canvas.get((column, row), Cell(" ")) for column in range(columns)]


def markup(row: Sequence[Cell]) -> str:
    """Returns a row in rich's markup, without spaces at its end."""
    parts = []
    for style, cells in groupby(row, key=lambda cell: cell.style):
        text = "".join(cell.char for cell in cells)
        parts.append(f"[{style}]{text}[/]" if style else text)
    return "".join(parts).rstrip()
