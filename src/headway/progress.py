"""The progress of a long command: a bar in a terminal, elsewhere a plain line now and then."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Protocol, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from headway.i18n import say

LINE_SECONDS = 10.0
"""Seconds between two lines where there is no terminal."""

T = TypeVar("T")


class Show(Protocol):
    """Shows how many steps are done; a total, a title or a note stay until they change."""

    def __call__(
        self, done: float, total: int | None = None, *, title: str = "", note: str = ""
    ) -> None: ...


@contextmanager
def progress(title: str, total: int | None = None) -> Iterator[Show]:
    """Shows the progress on standard error while the block runs."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines(title, total)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=total, note="")

        def show(done: float, total: int | None = None, *, title: str = "", note: str = "") -> None:
            fields: dict[str, Any] = {"note": note} if note else {}
            bar.update(task, completed=done, total=total, description=title or None, **fields)

        yield show


def track(steps: Iterable[T], title: str, total: int) -> Iterator[T]:
    """Yields the steps and shows how many are done."""
    with progress(title, total) as show:
        show(0)
        for done, step in enumerate(steps, 1):
            yield step
            show(done)


class Lines:
    """Writes the first step, then a line every few seconds, and the last step."""

    def __init__(self, title: str, total: int | None) -> None:
        self._title, self._total, self._note = title, total, ""
        self._written: float | None = None

    def __call__(
        self, done: float, total: int | None = None, *, title: str = "", note: str = ""
    ) -> None:
        self._title, self._note = title or self._title, note or self._note
        self._total = self._total if total is None else total
        now, last = monotonic(), self._total is not None and done >= self._total
        if self._written is None or last or now - self._written >= LINE_SECONDS:
            self._written = now
            key = "cli.progress_line" if self._total else "cli.progress_begun"
            line = say(key, title=self._title.rstrip("…"), done=int(done), total=self._total)
            sys.stderr.write(f"{line} · {self._note}\n" if self._note else f"{line}\n")
