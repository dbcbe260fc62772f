"""Games of bots and what their reviews say, on all cores, kept in a file that can be continued."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from pathlib import Path
from typing import NamedTuple

import msgspec

from headway import Record, Table, make_bot, play_out
from headway.files import write_whole
from headway.games import box
from headway.process_pool import kill, open_pool
from headway.progress import track
from headway.reviews.job import ReviewJob
from headway.reviews.report import SeatReview


class Kind(NamedTuple):
    """A kind of game between equal bots: map, modules, seats, bot; and the budget of its looks."""

    game: str
    map: str
    seats: int
    options: tuple[str, ...]
    bot: str
    budget: int

    def __str__(self) -> str:
        modules = " with " + " and ".join(self.options) if self.options else ""
        return f"{self.bot}, {self.game} {self.map}{modules}, {self.seats} seats"


class ReviewedGame(msgspec.Struct, frozen=True):
    """The sum of the first seat in one game; a line of the file."""

    kind: Kind
    seed: int
    start: int
    luck: int
    loss: int
    others: int
    recount: int
    result: int

    @property
    def exact(self) -> bool:
        """Whether the parts add up to the result (RV-03, RV-10)."""
        parts = self.start + self.luck - self.loss + self.others + self.recount
        return parts == self.result


def played(kind: Kind, seed: int) -> Record:
    """Returns the record of a game between bots."""
    opened = box(kind.game).open(kind.map, kind.seats, dict.fromkeys(kind.options, True))
    table = Table(opened, seed=seed)
    play_out(table, [make_bot(kind.bot, opened, seed + seat) for seat in range(kind.seats)])
    return table.record()


def summed(record: Record, budget: int) -> SeatReview:
    """Reviews the first seat without reasons and without the best found."""
    job = ReviewJob(record, seat=0, budget=budget)
    job.reviewer.explains = False
    tasks = [task for task in job.tasks() if task.event is not None]
    return job.seat_report(0, {task: job.do(task) for task in tasks})


def reviewed(kind: Kind, seed: int) -> ReviewedGame:
    """Plays a game and reviews it."""
    seat = summed(played(kind, seed), kind.budget)
    return ReviewedGame(
        kind, seed, seat.start, seat.luck, seat.loss, seat.others, seat.recount, seat.result
    )


def load(file: Path) -> list[ReviewedGame]:
    """Returns the games of a file; a line that an interruption cut off is left out."""
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    return [msgspec.json.decode(line, type=ReviewedGame) for line in lines if line.endswith(b"\n")]


def games_of(
    kinds: Sequence[Kind], seeds: range, file: Path | None, cores: int = 0
) -> list[ReviewedGame]:
    """Reviews a game of each kind with each seed, except those in the file, which gets the rest.

    `cores` is the number of processes; 0 for one per core.
    """
    kept = load(file) if file else []
    if file:
        write_whole(file, b"".join(map(_line, kept)))  # without a line that was cut off
    known = {(game.kind, game.seed): game for game in kept}
    asked = [(kind, seed) for seed in seeds for kind in kinds]
    missing = [one for one in asked if one not in known]
    for game in _on_cores(missing, cores or os.cpu_count() or 1):
        known[game.kind, game.seed] = game
        if file:
            with file.open("ab") as opened:
                opened.write(_line(game))
    return [known[one] for one in asked]


def _line(game: ReviewedGame) -> bytes:
    return msgspec.json.encode(game) + b"\n"


def _on_cores(games: list[tuple[Kind, int]], cores: int) -> Iterator[ReviewedGame]:
    """Yields the games in the order in which they end, with a progress bar."""
    if not games:
        return
    pool = open_pool(cores)
    try:
        waiting = [pool.submit(reviewed, *game) for game in games]
        ended = as_completed(waiting)
        title = str(games[0][0])
        for future in track(ended, title, len(games)):
            yield future.result()
    finally:
        kill(pool)
