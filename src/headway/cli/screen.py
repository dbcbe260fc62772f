"""The screen of a terminal, or plain text without one: board, column beside it, prompt.

A screen is *live* if a person uses it: then each picture replaces the one before. Everything else
(pipes, files, dumb terminals) gets plain text, one picture after the other.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest

from rich.console import Console, RenderableType
from rich.text import Text

GAP = 2
NARROWEST_COLUMN = 30
"""The least width of the column beside the board; a narrower one goes above the board."""
WIDEST_COLUMN = 48
MOST_TYPED_CHARACTERS = 200
"""The number of characters read of a typed line."""
MESSAGE_ROWS = 2
"""Rows for a message: a board of 21 rows, two for a message and the prompt make 24."""


class Screen:
    """A console, live or not."""

    def __init__(self) -> None:
        self.console = Console(highlight=False)
        for stream in (sys.stdin, self.console.file):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # what the encoding lacks
        typed = sys.stdin.isatty()
        self.echo = not typed
        self.live = typed and self.console.is_terminal and not self.console.is_dumb_terminal

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Uses the terminal's alternate screen during the game and restores the main one."""
        entered = self.live and self.console.set_alt_screen(True)
        try:
            yield
        finally:
            if entered:
                self.console.set_alt_screen(False)

    def show(self, board: str, beside: Sequence[str], message: str) -> None:
        """Shows a turn: the board, the column beside it and a message below."""
        rows = arrange(self.console, _text(board), [_text(line) for line in beside])
        rows += self._message(message)
        with self.console:
            if self.live:
                self.console.clear()
            for row in rows:
                self._line(row)

    def warn(self, message: str) -> None:
        """Shows a message below the current picture."""
        for row in self._message(message):
            self._line(row)

    def page(self, content: Sequence[RenderableType], prompt: str) -> None:
        """Shows something to read instead of the board, until Enter."""
        if self.live:
            self.console.clear()
        for part in content:
            self.console.print(part, highlight=False)
        if self.live:
            self.ask(prompt)

    def blank(self, prompt: str) -> None:
        """Shows only a prompt, while the screen changes hands."""
        if self.live:
            self.console.clear()
        self.ask(prompt)

    def ask(self, prompt: str) -> str:
        """Returns a typed line; raises `EOFError` at the end of input.

        Characters that cannot be shown, such as arrow keys, are replaced.
        """
        self.console.print(Text(prompt), end="", soft_wrap=True)
        typed = self.console.input()[:MOST_TYPED_CHARACTERS].expandtabs(1)
        typed = "".join(char if char.isprintable() else "�" for char in typed)
        if self.echo:
            self.console.print(Text(typed), soft_wrap=True)
        return typed

    def say(self, text: str = "") -> None:
        """Prints a line that stays."""
        self.console.print(Text(text), soft_wrap=not self.live)

    def board(self, board: str) -> None:
        """Prints a board that stays."""
        for row in _text(board).split():
            self._line(row)

    def _line(self, row: Text) -> None:
        self.console.print(row, soft_wrap=True, highlight=False)

    def _message(self, message: str) -> list[Text]:
        if not message:
            return []
        most = MESSAGE_ROWS if self.live else 0
        return fold(self.console, Text(message, "bold"), self.console.width - 1, most)


def _text(markup: str) -> Text:
    return Text.from_markup(markup.rstrip("\n"))


def arrange(console: Console, board: Text, beside: Sequence[Text]) -> list[Text]:
    """Returns the rows of board and column side by side; a narrow column goes above."""
    rows = list(board.split(allow_blank=True))
    left = max(row.cell_len for row in rows)
    width_beside = min(console.width - 1 - left - GAP, WIDEST_COLUMN)
    if width_beside < NARROWEST_COLUMN:
        width = max(console.width - 1, NARROWEST_COLUMN)
        return [part for line in beside for part in fold(console, line, width)] + rows
    column = [part for line in beside for part in fold(console, line, width_beside)]
    joined = []
    for row, part in zip_longest(rows, column, fillvalue=Text()):
        whole = row.copy()
        if part:
            whole.pad_right(left + GAP - row.cell_len)
            whole.append_text(part)
        joined.append(whole)
    return joined


def fold(console: Console, text: Text, width: int, most: int = 0) -> list[Text]:
    """Returns a text in lines of a width, at most `most` of them unless that is 0."""
    lines = list(text.wrap(console, width))
    if most and len(lines) > most:
        lines = lines[:most]
        lines[-1].truncate(width - 1)
        lines[-1].append("…")
    for line in lines:
        line.rstrip()
    return lines
