"""Writes a data set: the games of a month, then everything that describes the whole folder."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from headway.dataset import card, parquet
from headway.dataset.rows import GameRow
from headway.errors import InputError
from headway.files import write_whole
from headway.games import box

ROWS_PER_GROUP = 2000
"""Games of a row group: what one process verifies at a time."""
SUMS = "SHA256SUMS"
PARQUET, JSONL = "games.parquet", "games.jsonl.zst"


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

    @property
    def jsonl(self) -> Path:
        """The file of compressed lines."""
        return "jsonl" / self.folder / JSONL


def map_path(game: str, map_hash: str, map_name: str) -> Path:
    """Returns where the file of a map is."""
    return Path("maps", game, map_hash, f"{map_name}.toml")


def write_games(
    folder: Path, partition: Partition, rows: Iterable[GameRow], map_files: dict[str, str]
) -> int:
    """Writes the games of a game and a month, in the order of the rows; returns their number.

    `map_files` are the texts of maps by hash; those that are not there are shipped.
    """
    parquet_file, lines_file = folder / partition.parquet, folder / partition.jsonl
    scratch = [path.with_name(f".{path.name}") for path in (parquet_file, lines_file)]
    number = 0
    try:
        for path in scratch:
            path.parent.mkdir(parents=True, exist_ok=True)
        pa = parquet.arrow()
        with (
            pa.parquet.ParquetWriter(scratch[0], parquet.schema(), compression="zstd") as games,
            pa.CompressedOutputStream(str(scratch[1]), "zstd") as lines,
        ):
            for batch in _batches(rows):
                number += len(batch)
                for row in batch:
                    _keep_map(folder, row, map_files)
                games.write_table(parquet.table(batch, map_files))
                lines.write(b"".join(msgspec.json.encode(row) + b"\n" for row in batch))
        for path, final in zip(scratch, (parquet_file, lines_file), strict=True):
            os.replace(path, final) if number else path.unlink()
        if not number:
            parquet_file.unlink(missing_ok=True)
            lines_file.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("format.not_writable", file=folder, reason=reason) from None
    return number


def _batches(rows: Iterable[GameRow]) -> Iterator[list[GameRow]]:
    left = iter(rows)
    while batch := list(islice(left, ROWS_PER_GROUP)):
        yield batch


def _keep_map(folder: Path, row: GameRow, map_files: dict[str, str]) -> None:
    """Writes the file of a row's map beside the games, once."""
    path = folder / map_path(row.game, row.map_hash, row.map)
    if row.map_hash not in map_files:
        map_files[row.map_hash] = box(row.game).map_text(row.map)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, map_files[row.map_hash].encode())


def partitions(folder: Path) -> list[Partition]:
    """Returns the games and months of a data set."""
    partitions = []
    for path in sorted(folder.glob(f"parquet/game=*/year=*/month=*/{PARQUET}")):
        game, year, month = (part.partition("=")[2] for part in path.parts[-4:-1])
        partitions.append(Partition(game, f"{year}-{month}"))
    return partitions


def finish(folder: Path, source: card.Source) -> int:
    """Writes card, description and hashes of everything in the folder; returns the games."""
    parts = [
        card.Part(
            part.game,
            part.month,
            part.parquet,
            part.jsonl,
            parquet.opened(folder / part.parquet).metadata.num_rows,
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
    for kind in ("jsonl", "maps", "parquet"):
        files += [path for path in (folder / kind).rglob("*") if path.is_file()]
    return sorted(f.relative_to(folder) for f in files if not f.name.startswith("."))


def file_hash(path: Path) -> str:
    """Returns the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
