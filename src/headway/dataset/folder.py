"""Writes a data set: the games of a month, then everything that describes the whole folder."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from headway.dataset import card
from headway.dataset.columns import GameRow, arrow, opened, schema, table
from headway.errors import InputError
from headway.files import write_whole
from headway.games import box, boxes

ROWS_PER_GROUP = 2000
"""Games of a row group: what one process verifies at a time."""
SUMS = "SHA256SUMS"
PARQUET = "games.parquet"


class Partition(NamedTuple):
    """The games of a game and a month, and where they are."""

    game: str
    month: str
    """`2026-11`"""

    @property
    def folder(self) -> Path:
        year, month = self.month.split("-")
        return Path(f"game={self.game}", f"year={year}", f"month={month}")

    @property
    def parquet(self) -> Path:
        """The Parquet file."""
        return "parquet" / self.folder / PARQUET


def partition_of(path: Path) -> Partition:
    """Returns the game and month of a Parquet file, which the names of its folders say."""
    folders = path.absolute().parts[-4:-1]
    found = dict(name.split("=") for name in folders if name.count("=") == 1)
    games = {box.name for box in boxes()}
    if found.keys() != {"game", "year", "month"} or found["game"] not in games:
        raise InputError("data.no_part", file=path)
    return Partition(found["game"], f"{found['year']}-{found['month']}")


def map_path(game: str, map_hash: str, map_name: str) -> Path:
    """Returns where the file of a map is."""
    return Path("maps", game, map_hash, f"{map_name}.toml")


def write_games(
    folder: Path, partition: Partition, rows: Iterable[GameRow], map_files: dict[str, str]
) -> int:
    """Writes the games of a game and a month, in the order of the rows; returns their number.

    `map_files` are the texts of maps by hash; those that are not there are shipped.
    """
    file, number = folder / partition.parquet, 0
    scratch = file.with_name(f".{file.name}")
    pa = arrow()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with pa.parquet.ParquetWriter(scratch, schema(), compression="zstd") as games:
            for batch in _batches(rows):
                number += len(batch)
                written = [_with_map(folder, partition.game, row, map_files) for row in batch]
                games.write_table(table(written))
        os.replace(scratch, file) if number else scratch.unlink()
        if not number:
            file.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("format.not_writable", file=folder, reason=reason) from None
    return number


def _batches(rows: Iterable[GameRow]) -> Iterator[list[GameRow]]:
    left = iter(rows)
    while batch := list(islice(left, ROWS_PER_GROUP)):
        yield batch


def _with_map(folder: Path, game: str, row: GameRow, map_files: dict[str, str]) -> GameRow:
    """Returns a row with its map, whose file is written beside the games, once."""
    path = folder / map_path(game, row.map_hash, row.map)
    if row.map_hash not in map_files:
        map_files[row.map_hash] = box(game).map_text(row.map)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, map_files[row.map_hash].encode())
    return msgspec.structs.replace(row, map_file=map_files[row.map_hash])


def partitions(folder: Path) -> list[Partition]:
    """Returns the games and months of a data set."""
    found = sorted(folder.glob(f"parquet/game=*/year=*/month=*/{PARQUET}"))
    return [partition_of(path) for path in found]


def finish(folder: Path, source: card.Source) -> int:
    """Writes card, description and hashes of everything in the folder; returns the games."""
    parts = [
        card.Part(
            part.game,
            part.month,
            part.parquet,
            opened(folder / part.parquet).metadata.num_rows,
            file_hash(folder / part.parquet),
        )
        for part in partitions(folder)
    ]
    write_whole(folder / "README.md", card.readme(source, parts).encode())
    write_whole(folder / "croissant.json", card.croissant(source, parts))
    lines = [f"{file_hash(folder / name)}  {name.as_posix()}\n" for name in data_files(folder)]
    write_whole(folder / SUMS, "".join(lines).encode())
    return sum(part.games for part in parts)


def data_files(folder: Path) -> list[Path]:
    """Returns the files of a data set whose hashes are kept, in a fixed order."""
    files = [folder / "README.md", folder / "croissant.json"]
    for kind in ("maps", "parquet"):
        files += [path for path in (folder / kind).rglob("*") if path.is_file()]
    return sorted(f.relative_to(folder) for f in files if not f.name.startswith("."))


def file_hash(path: Path) -> str:
    """Returns the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
