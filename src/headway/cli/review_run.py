"""Reviews records for `headway review`, with a progress bar, and prints what was found."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import typer

from headway.files import write_whole
from headway.i18n import plain, say
from headway.progress import progress
from headway.record import Record
from headway.reviews import Review, review
from headway.reviews.presentation import lines, picture


class Found(NamedTuple):
    """A record and its review."""

    record: Record
    review: Review


class Reviewing:
    """Reviews one record after the other; Ctrl-C ends it, what is printed stays."""

    def __init__(self, files: int, seat: int | None, budget: int | None, lang: str | None) -> None:
        self._seat, self._budget, self._lang = seat, budget, lang
        self._progress = ExitStack()
        self._show = self._progress.enter_context(
            progress(say("review.progress", lang), files, lang)
        )
        self._finished = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._progress.close()

    def review(self, record: Record) -> Found:
        """Reviews a record."""

        def show(done: int, tasks: int) -> None:
            self._show(self._finished + done / tasks)

        found = review(record, seat=self._seat, budget=self._budget, progress=show)
        self._finished += 1
        return Found(record, found)

    def show(self, file: Path, found: Found, *, json: bool, plot: Path | None) -> None:
        """Prints a review, as JSON or as text; draws its curve if asked."""
        title = found.record.open().title(self._lang)
        if json:
            typer.echo(plain(found.review.json().decode()))
        else:
            typer.echo(plain(f"{file}  {title}"))
            for line in lines(found.review, found.record.names, self._lang):
                typer.echo(plain(line))
            typer.echo()
        if plot:
            names = found.record.names or ()
            write_whole(plot, picture(found.review, title, names, lang=self._lang).encode())
