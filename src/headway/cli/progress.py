"""The progress bar of a command that knows how much there is to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from headway.i18n import say


@contextmanager
def progress(key: str, lang: str | None) -> Iterator[Callable[[int, int], None]]:
    """Shows a progress bar in a terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(say(key, lang), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
