"""Small data sets of bots, made without other processes."""

from __future__ import annotations

from pathlib import Path

import msgspec

from headway.arena.job import Job, open_job
from headway.dataset import folder
from headway.dataset.columns import GameRow
from headway.dataset.make import GAMES_PER_PIECE, play_piece

MONTH = "2026-11"


def rows_of(job: Job, games: int) -> list[GameRow]:
    """The games of a job."""
    pieces = range(-(-games // GAMES_PER_PIECE))
    texts = [play_piece(games, msgspec.json.encode(job), number)[1] for number in pieces]
    return [msgspec.json.decode(line, type=GameRow) for line in b"".join(texts).splitlines()]


def write(data: Path, job: Job, rows: list[GameRow], month: str = MONTH) -> None:
    """Writes games as a data set, with correct hashes, whatever is in them."""
    map_files = {job.map_hash: job.open().box.map_text(job.map)}
    folder.write_games(data, folder.Partition(job.game, month), rows, map_files)
    folder.finish(data, "bots")


def london(games: int = 6) -> tuple[Job, list[GameRow]]:
    """Games of London with modules."""
    job = open_job("london", ["greedy", "random"], seats=2, options=["powers", "objectives"])
    return job, rows_of(job, games)


def routes(games: int = 4) -> tuple[Job, list[GameRow]]:
    """Games of Ticket to Ride."""
    job = open_job("ticket-to-ride", ["random", "greedy"])
    return job, rows_of(job, games)


def content(data: Path) -> dict[str, bytes]:
    """All files of a data set."""
    return {name.as_posix(): (data / name).read_bytes() for name in folder.data_files(data)}
