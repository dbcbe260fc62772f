"""Writes a data set and verifies it.

First come the games of a month, then everything that describes the whole folder: its card
(README.md), Croissant's `croissant.json`, the hashes. A verification checks every hash, and every
game, dealt again from its seed and replayed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from headway import dealer
from headway.dataset.columns import (
    FORMAT,
    GameRow,
    arrow,
    columns,
    opened,
    reading,
    rows_of,
    schema,
    table,
)
from headway.errors import HeadwayError, InputError
from headway.files import write_whole
from headway.games import box, boxes
from headway.process_pool import each_done
from headway.record import FORMAT as RECORD_FORMAT
from headway.record import Record, Replayers

LICENSE = "https://creativecommons.org/publicdomain/zero/1.0/"
Source = Literal["server", "bots"]


class Part(NamedTuple):
    """The games of a game and a month."""

    game: str
    month: str
    parquet: Path
    games: int
    sha256: str


def readme(source: Source, parts: list[Part]) -> str:
    """Returns the card of a data set."""
    configs = "".join(
        f"  - config_name: {game}\n    data_files: parquet/game={game}/**/*.parquet\n"
        for game in sorted({part.game for part in parts})
    )
    counts = [f"| {part.game} | {part.month} | {part.games} |\n" for part in parts]
    meanings = [f"| `{name}` | {column.meaning} |\n" for name, column in columns().items()]
    return _README.format(
        players="people and bots" if source == "server" else "bots",
        configs=f"configs:\n{configs}" if configs else "",
        source=_SOURCES[source],
        format=FORMAT,
        counts="".join(counts),
        columns="".join(meanings),
    )


_SOURCES: dict[Source, str] = {
    "server": """\
Finished games of a Headway server, each once, in the month in which it ended.

- People appear under a pseudonym that changes every month. The same person has the same pseudonym
  in all games of a month. Players who want it appear under their name (`named`).
- A game in which somebody took part who has opted out, or has deleted the account, is left out.
- Free texts, table numbers and times of day are left out. `ended` is the day, by UTC.
- `rating_band` is the rating before the first rated game of the month, rounded down to a hundred,
  in all rated games of the month. It does not follow the games, because that would link a person's
  months. People whose band fewer than five share have none.
- Somebody who knows a game can find it here, because deal and moves are those of the table.
""",
    "bots": """\
Games between bots; every game has another seed. The same command gives the same bytes.
""",
}  # fmt: skip
_README = """\
---
license: cc0-1.0
pretty_name: Headway games of {players}
task_categories:
  - reinforcement-learning
tags:
  - board-games
  - next-station
  - ticket-to-ride
{configs}---

# Games of Headway

{source}
Every game replays: `headway data verify DIR` deals it again from its seed, plays all moves by the
rules and compares totals and winners. `headway data lines FILE` prints the games of a Parquet
file as JSON, each a `headway-record/1` with more fields. `maps/` has the maps, `SHA256SUMS` the
hashes of all files. The format is `{format}`, the licence CC0 1.0.

| Game | Month | Games |
|---|---|---|
{counts}
## Columns

| Column | Meaning |
|---|---|
| `game`, `year`, `month` | from the names of the folders |
{columns}
Open all games with polars, DuckDB or pandas:

    polars.read_parquet("DIR/parquet/**/*.parquet", hive_partitioning=True)
    duckdb.sql("FROM 'DIR/parquet/**/*.parquet'")
    pandas.read_parquet("DIR/parquet")
"""


def croissant(source: Source, parts: list[Part]) -> bytes:
    """Returns the description that machine learning tools read (Croissant 1.0)."""
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": "headway-games",
        "description": _SOURCES[source].strip().replace("\n", " "),
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "license": LICENSE,
        "citeAs": "Games of Headway, CC0 1.0",
        "version": "1.0.0",
        "datePublished": f"{max((part.month for part in parts), default='1970-01')}-01",
        "distribution": [_file_object(part) for part in parts],
        "recordSet": [_record_set(part) for part in parts],
    }
    return msgspec.json.format(msgspec.json.encode(described), indent=2) + b"\n"


_TYPES = {
    "string": "Text", "int8": "Integer", "int16": "Integer", "int32": "Integer", "bool": "Boolean",
    "date32[day]": "Date",
}  # fmt: skip
"""Croissant's types by those of Parquet."""


def _name(part: Part) -> str:
    return f"{part.game}-{part.month}"


def _file_object(part: Part) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{_name(part)}.parquet",
        "name": f"{_name(part)}.parquet",
        "contentUrl": part.parquet.as_posix(),
        "encodingFormat": "application/x-parquet",
        "sha256": part.sha256,
    }


def _record_set(part: Part) -> dict[str, Any]:
    """Returns the columns of a file; structs are left to readers of Parquet."""
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{_name(part)}/{column.name}",
            "name": column.name,
            "description": columns()[column.name].meaning,
            "dataType": f"sc:{_TYPES[inner]}",
            **({"repeated": True} if inner != str(column.type) else {}),
            "source": {
                "fileObject": {"@id": f"{_name(part)}.parquet"},
                "extract": {"column": column.name},
            },
        }
        for column in schema()
        if (inner := str(getattr(column.type, "value_type", column.type))) in _TYPES
    ]
    return {"@type": "cr:RecordSet", "@id": _name(part), "name": _name(part), "field": fields}


_TERMS = (
    "citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty",
    "fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField",
    "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator",
    "source", "subField", "transform",
)  # fmt: skip
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{term: f"cr:{term}" for term in _TERMS},
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
}


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


def finish(folder: Path, source: Source) -> int:
    """Writes card, description and hashes of everything in the folder; returns the games."""
    parts = [
        Part(
            part.game,
            part.month,
            part.parquet,
            opened(folder / part.parquet).metadata.num_rows,
            file_hash(folder / part.parquet),
        )
        for part in partitions(folder)
    ]
    write_whole(folder / "README.md", readme(source, parts).encode())
    write_whole(folder / "croissant.json", croissant(source, parts))
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


# Verification


class BadGame(msgspec.Struct, frozen=True):
    """A game of a data set that is not as it should be, and the sentence that says so."""

    file: str
    game: str
    sentence: str


Group = tuple[Partition, int]
"""A row group of the games of a game and a month."""
Checked = tuple[int, list[BadGame]]
"""The number of games checked, and those that are wrong."""
OnChecked = Callable[[int, int], None]


def verify(
    data: Path, *, cores: int = 1, on_checked: OnChecked = lambda games, total: None
) -> Checked:
    """Verifies all games of a data set; raises `InputError` if its files are broken.

    `on_checked` is called with the number of games replayed so far, and of all.
    """
    parts = partitions(data)
    if not parts:
        raise InputError("data.no_games", folder=data)
    _check_hashes(data)
    groups = [
        (part, group)
        for part in parts
        for group in range(opened(data / part.parquet).num_row_groups)
    ]
    total = sum(opened(data / part.parquet).metadata.num_rows for part in parts)
    for part in parts:
        _check_maps(data, part)
    games, bad = 0, []
    for number, wrong in _replays(data, groups, cores):
        games += number
        bad += wrong
        on_checked(games, total)
    return games, sorted(bad, key=lambda game: (game.file, game.game, game.sentence))


def _replays(data: Path, groups: list[Group], cores: int) -> Iterator[Checked]:
    """Yields the results of all groups, from processes if there are several of both."""
    replay, workers = partial(_replay_group, data), min(cores, len(groups))
    return map(replay, groups) if workers <= 1 else each_done(replay, groups, workers)


def _check_hashes(data: Path) -> None:
    """Raises unless `SHA256SUMS` names exactly the files of the data set, with their hashes."""
    try:
        lines = (data / SUMS).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError("data.no_sums", folder=data) from None
    sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    for name in sums:
        if not (data / name).is_file():
            key = "data.no_map" if name.startswith("maps/") else "data.missing_file"
            raise InputError(key, file=data / name)
    for path in sorted({*data_files(data), *map(Path, sums)}):
        if path.as_posix() not in sums:
            raise InputError("data.surplus_file", file=data / path)
        parquet_file = path.name == PARQUET
        if parquet_file:
            opened(data / path)  # what is wrong with it says more than its hash
        if file_hash(data / path) != sums[path.as_posix()]:
            raise InputError("data.changed_file", file=data / path)


def _check_maps(data: Path, part: Partition) -> None:
    """Raises unless the map of every game is there and is the one that its hash says."""
    path = data / part.parquet
    with reading(path):
        table = opened(path).read(["map", "map_hash", "map_file", "seats"])
    for row in table.group_by(table.column_names).aggregate([]).to_pylist():
        file = data / map_path(part.game, row["map_hash"], row["map"])
        if not file.is_file() or not row["map_file"]:
            raise InputError("data.no_map", file=file)
        game = box(part.game).open(str(file), row["seats"])
        if game.map_hash != row["map_hash"] or file.read_text("utf-8") != row["map_file"]:
            raise InputError("data.other_map", file=file)


def _replay_group(data: Path, part_and_group: Group) -> Checked:
    """Replays the games of a row group."""
    part, group = part_and_group
    path = data / part.parquet
    file = opened(path)
    replayed = [name for name, column in columns().items() if column.replayed]
    with reading(path):  # also what no replay reads; `_check_maps` has read the maps
        file.read_row_group(group, [n for n in columns() if n not in (*replayed, "map_file")])
    rows = rows_of(file, path, group, replayed)
    replayers, bad = Replayers(), []
    for row in rows:
        try:
            _replay(data, part.game, row, replayers)
        except HeadwayError as error:
            bad.append(BadGame(part.parquet.as_posix(), row["id"], error.explain()))
        except (msgspec.DecodeError, TypeError, ValueError) as error:
            sentence = InputError("format.no_json", reason=error).explain()
            bad.append(BadGame(part.parquet.as_posix(), str(row["id"]), sentence))
    return len(rows), bad


def _replay(data: Path, game: str, row: dict[str, Any], replayers: Replayers) -> None:
    """Raises the difference between a row and its game as the rules play it."""
    played = _record(data, game, row)
    result = replayers.play(played, msgspec.json.decode(row["dealt"]))
    for name, value in (("totals", result.totals), ("winners", result.winners)):
        if list(value) != row[name]:
            raise InputError("data.other_result", part=name, stored=row[name], played=list(value))


def _record(data: Path, game: str, row: dict[str, Any]) -> Record:
    game_box, name = box(game), row["map"]
    if name not in game_box.maps or _shipped_hash(game, name) != row["map_hash"]:
        name = str(data / map_path(game, row["map_hash"], name))
    return Record(
        format=RECORD_FORMAT,
        game=game,
        map=name,
        options={option: option in row["modules"] for option in game_box.options},
        seats=row["seats"],
        rules=row["rules"],
        map_hash=row["map_hash"],
        seed=dealer.parse_seed(row["seed"]),
        chosen=msgspec.json.decode(row["chosen"]) if row["chosen"] else None,
        moves=msgspec.json.decode(row["moves"]),
    )


@cache
def _shipped_hash(game: str, map_name: str) -> str:
    """Returns the hash of a shipped map."""
    return box(game).open(map_name, box(game).seats.start).map_hash
