"""The screen of a terminal, or plain text where there is none: board, column beside it, prompt.

A screen is *live* if somebody sits at it: then each picture replaces the one before, and the map
stays where it is. Everything else (pipes, files, dumb terminals) gets plain text, one picture
after the other.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

from rich.console import Console, RenderableType
from rich.text import Text

GAP = 2
NARROWEST = 30
"""The least width of a column beside the board; with less room it stands above."""
WIDEST = 48
LONGEST = 200
"""Of what is typed, so much is read."""
MESSAGE_ROWS = 2
"""Rows for a message: board of 21, two rows and the prompt make 24."""


class Screen:
    """A console with somebody or nobody in front of it."""

    def __init__(self, console: Console) -> None:
        self.console = console
        for stream in (sys.stdin, console.file):
            _forgive(stream)
        typed = sys.stdin.isatty()
        self.echo = not typed
        self.live = typed and console.is_terminal and not console.is_dumb_terminal

    @contextmanager
    def opened(self) -> Iterator[None]:
        """A screen of its own as long as the game lasts; what was there before comes back."""
        entered = self.live and self.console.set_alt_screen(True)
        try:
            yield
        finally:
            if entered:
                self.console.set_alt_screen(False)

    def show(self, board: str, beside: Sequence[str], message: str) -> None:
        """The picture of a turn: the board, the column beside it and a message below."""
        rows = arrange(self.console, _text(board), [_text(line) for line in beside])
        rows += self._message(message)
        with self.console:
            if self.live:
                self.console.clear()
            for row in rows:
                self._line(row)

    def warn(self, message: str) -> None:
        """A message below the picture that is there already."""
        for row in self._message(message):
            self._line(row)

    def page(self, content: Sequence[RenderableType], prompt: str) -> None:
        """Something to read instead of the board, until Enter."""
        if self.live:
            self.console.clear()
        for part in content:
            self.console.print(part, highlight=False)
        if self.live:
            self.ask(prompt)

    def blank(self, prompt: str) -> None:
        """Nothing but a prompt, while the screen changes hands."""
        if self.live:
            self.console.clear()
        self.ask(prompt)

    def ask(self, prompt: str) -> str:
        """A line that somebody types; `EOFError` where there is none any more.

        What cannot be shown, an arrow key for example, becomes a sign that can.
        """
        self.console.print(Text(prompt), end="", soft_wrap=True)
        typed = self.console.input()[:LONGEST].expandtabs(1)
        typed = "".join(char if char.isprintable() else "�" for char in typed)
        if self.echo:
            self.console.print(Text(typed), soft_wrap=True)
        return typed

    def say(self, text: str = "") -> None:
        """A line that stays."""
        self.console.print(Text(text), soft_wrap=not self.live)

    def board(self, board: str) -> None:
        """A board that stays."""
        for row in _text(board).split():
            self._line(row)

    def _line(self, row: Text) -> None:
        self.console.print(row, soft_wrap=True, highlight=False)

    def _message(self, message: str) -> list[Text]:
        if not message:
            return []
        most = MESSAGE_ROWS if self.live else 0
        return fold(self.console, Text(message, "bold"), self.console.width - 1, most)


def _forgive(stream: IO[str]) -> None:
    """Lets a stream replace what its encoding does not have, where it would fail."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")


def _text(markup: str) -> Text:
    return Text.from_markup(markup.rstrip("\n"))


def arrange(console: Console, board: Text, beside: Sequence[Text]) -> list[Text]:
    """The rows of board and column side by side, or the column above where it is too narrow."""
    rows = list(board.split(allow_blank=True))
    left = max(row.cell_len for row in rows)
    width_beside = min(console.width - 1 - left - GAP, WIDEST)
    if width_beside < NARROWEST:
        width = max(console.width - 1, NARROWEST)
        return [part for line in beside for part in fold(console, line, width)] + rows
    column = [part for line in beside for part in fold(console, line, width_beside)]
    height = max(len(rows), len(column))
    rows += [Text()] * (height - len(rows))
    column += [Text()] * (height - len(column))
    joined = []
    for row, part in zip(rows, column, strict=True):
        whole = row.copy()
        if part:
            whole.pad_right(left + GAP - row.cell_len)
            whole.append_text(part)
        joined.append(whole)
    return joined


def fold(console: Console, text: Text, width: int, most: int = 0) -> list[Text]:
    """A text in lines of a width, `most` of them at the most if that is not 0."""
    lines = list(text.wrap(console, width))
    if most and len(lines) > most:
        lines = lines[:most]
        lines[-1].truncate(width - 1)
        lines[-1].append("…")
    for line in lines:
        line.rstrip()
    return lines
