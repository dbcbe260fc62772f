"""Verifies a data set: every hash, and every game, dealt again from its seed and replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec

from headway import dealer
from headway.dataset import folder as folders
from headway.dataset.columns import columns, opened, reading, rows_of
from headway.dataset.folder import Partition
from headway.errors import HeadwayError, InputError
from headway.games import box
from headway.process_pool import each_done
from headway.record import FORMAT, Record, Replayers


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
    parts = folders.partitions(data)
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
        lines = (data / folders.SUMS).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError("data.no_sums", folder=data) from None
    sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    for name in sums:
        if not (data / name).is_file():
            key = "data.no_map" if name.startswith("maps/") else "data.missing_file"
            raise InputError(key, file=data / name)
    for path in sorted({*folders.data_files(data), *map(Path, sums)}):
        if path.as_posix() not in sums:
            raise InputError("data.surplus_file", file=data / path)
        parquet_file = path.name == folders.PARQUET
        if parquet_file:
            opened(data / path)  # what is wrong with it says more than its hash
        if folders.file_hash(data / path) != sums[path.as_posix()]:
            raise InputError("data.changed_file", file=data / path)


def _check_maps(data: Path, part: Partition) -> None:
    """Raises unless the map of every game is there and is the one that its hash says."""
    path = data / part.parquet
    with reading(path):
        table = opened(path).read(["map", "map_hash", "map_file", "seats"])
    for row in table.group_by(table.column_names).aggregate([]).to_pylist():
        file = data / folders.map_path(part.game, row["map_hash"], row["map"])
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
        name = str(data / folders.map_path(game, row["map_hash"], name))
    return Record(
        format=FORMAT,
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
