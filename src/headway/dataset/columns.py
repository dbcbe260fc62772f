"""The columns of a data set: a game as a row, and rows in Parquet files.

`GameRow` is the list of columns: their names, order, types and meaning. The schema, the card,
Croissant's description and what a replay reads follow from it.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args, get_origin
from typing import get_type_hints as hints_of

import msgspec

from headway.bots.registry import LEVELS, split
from headway.errors import InputError
from headway.games import box
from headway.record import FORMAT as RECORD_FORMAT
from headway.table import Table

if TYPE_CHECKING:
    import pyarrow

FORMAT = "headway-data/2"
"""The format of a data set, in the metadata of every Parquet file. Raise it with every change of a
column: a file of this format whose columns differ is refused."""
_FORMAT_KEY = b"headway"

SeatNumber = Annotated[int, "int8"]
Json = Annotated[Any, "string"]
"""A part of a record; stored as its text in JSON."""
Mover = Literal["player", "clock", "bot"]


class Column(NamedTuple):
    """What a column means, whether a replay reads it, and whether it has texts in JSON."""

    meaning: str
    replayed: bool = False
    as_json: bool = False


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """Who had a seat: a person, or a bot with its level and version.

    `rating_band` is the rating at the start of the month, rounded down to a hundred; None if the
    game was not rated, or if few people have that band. A person who has `left` gave the seat up
    before the end.
    """

    kind: Literal["person", "bot"]
    name: str
    named: bool = False
    bot: str | None = None
    level: str | None = None
    version: str | None = None
    rating_band: int | None = None
    left: bool = False

    @classmethod
    def of_bot(cls, spec: str, version: str | None, rating_band: int | None = None) -> Player:
        """Returns a bot, whose level is its name if it has the name of a level."""
        name = split(spec)[0]
        level = name if name in LEVELS else None
        return cls(
            kind="bot", name=spec, bot=spec, level=level, version=version, rating_band=rating_band
        )


class TableClock(msgspec.Struct, frozen=True):
    """The clock of a table: `none`, `turn`, `bank` or `days`, with its numbers."""

    kind: str
    seconds: int | None = None
    increment: int | None = None
    days: int | None = None


class ReviewedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """What a review says of a seat, in thousandths of a point or of a percent of a victory."""

    seat: SeatNumber
    measure: str
    start: int
    luck: int
    loss: int
    others: int
    recount: int
    result: int
    decisions: int
    median: int
    good: float
    level: str


class ReviewFigures(msgspec.Struct, frozen=True):
    """The figures of a game's review."""

    engine: str
    seats: list[ReviewedSeat]


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """One finished game. Its game, year and month are in the names of the folders.

    `make.py` fills the columns for games of bots, `server/export.py` for games of people.
    """

    id: Annotated[str, Column("the game, unique within its month", replayed=True)]
    map: Annotated[str, Column("name of the map", replayed=True)]
    map_hash: Annotated[
        str, Column("hash of everything on the map that matters for play", replayed=True)
    ]
    map_file: Annotated[str, Column("the map itself, as TOML")] = ""
    """Empty until the row is written."""
    modules: Annotated[list[str], Column("modules that are played", replayed=True)]
    seats: Annotated[SeatNumber, Column("number of seats", replayed=True)]
    rules: Annotated[int, "int16", Column("version of the rules", replayed=True)]
    chosen: Annotated[
        Json, Column("what the host chose instead of chance, as JSON", replayed=True, as_json=True)
    ] = None
    ended: Annotated[datetime.date | None, Column("day on which the game ended")] = None
    day: Annotated[datetime.date | None, Column("day whose deal this is")] = None
    training: Annotated[bool, Column("a training game, with hints and undo")] = False
    clock: Annotated[
        TableClock | None, Column("the table's clock: kind, seconds, increment, days")
    ] = None
    seed: Annotated[str, Column("seed of the deal, as decimal digits", replayed=True)]
    seed_chosen: Annotated[bool, Column("the host chose the seed")] = False
    dealt: Annotated[Json, Column("what the seed deals, as JSON", replayed=True, as_json=True)]
    moves: Annotated[
        Json, Column("all moves, as a record writes them, as JSON", replayed=True, as_json=True)
    ]
    movers: Annotated[list[SeatNumber], Column("seat of each move")]
    milliseconds: Annotated[
        list[int] | None, Column("time of each move in milliseconds, rounded to hundreds")
    ] = None
    moved_by: Annotated[
        list[Mover] | None,
        Column("who made each move, if not always the player: player, clock or bot"),
    ] = None
    players: Annotated[
        list[Player], Column("by seat: person or bot, name, level, version, band of the rating")
    ]
    totals: Annotated[list[int], Column("final total of each seat", replayed=True)]
    winners: Annotated[list[SeatNumber], Column("seats that won", replayed=True)]
    review: Annotated[
        ReviewFigures | None, Column("luck and losses of each seat, where a review exists")
    ] = None


@cache
def columns() -> dict[str, Column]:
    """Returns all columns by name, in their order."""
    hints = hints_of(GameRow, include_extras=True)
    return {name: hint.__metadata__[-1] for name, hint in hints.items()}


def row_of(table: Table, *, movers: list[int], players: list[Player], **details: Any) -> GameRow:
    """Returns a finished table as a row; `details` are the columns that a table does not have."""
    written, outcome = table.record(), table.outcome()
    assert outcome
    return GameRow(
        map=written.map,
        modules=sorted(name for name, on in written.options.items() if on),
        seats=written.seats,
        map_hash=table.game.map_hash,
        seed=str(table.seed),
        chosen=written.chosen,
        moves=written.moves,
        dealt=table.game.records.write(table.game, table.events)[0],
        movers=movers,
        players=players,
        totals=list(outcome.totals),
        winners=list(outcome.winners),
        **details,
    )


def line_of(game: str, row: dict[str, Any]) -> bytes:
    """Returns a row of a Parquet file as JSON: a record with more fields."""
    modules, players = row["modules"], row["players"]
    content = {name: value for name, value in row.items() if name not in ("modules", "map_file")}
    for name, column in columns().items():
        if column.as_json and content[name] is not None:
            content[name] = msgspec.Raw(content[name].encode())
    options = {option: option in modules for option in sorted(box(game).options)}
    names = [player["name"] for player in players]
    head = {"format": RECORD_FORMAT, "game": game, "options": options, "names": names}
    return msgspec.json.encode(head | content)


# Parquet


def arrow() -> Any:
    """Returns the module `pyarrow`; raises `InputError` without the extra `research`."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise InputError("data.not_installed") from None
    return pyarrow


def schema() -> pyarrow.Schema:
    """Returns the columns as Parquet files have them."""
    return arrow().schema(_fields(GameRow), {_FORMAT_KEY: FORMAT.encode()})


def _fields(struct: type[msgspec.Struct]) -> dict[str, pyarrow.DataType]:
    return {name: _stored(hint) for name, hint in hints_of(struct, include_extras=True).items()}


_STORED = {
    str: "string", int: "int32", bool: "bool_", float: "float64", datetime.date: "date32",
}  # fmt: skip


def _stored(hint: Any) -> pyarrow.DataType:
    """Returns the type in Parquet: the one that an annotation names, or that of a Python type."""
    pa = arrow()
    named = [part for part in getattr(hint, "__metadata__", ()) if isinstance(part, str)]
    if named:
        return getattr(pa, named[0])()
    kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if isinstance(kind, UnionType):  # with None, which every column may have
        kind = get_args(kind)[0]
    if get_origin(kind) is list:
        return pa.list_(_stored(get_args(kind)[0]))
    if get_origin(kind) is Literal:
        return pa.string()
    if kind in _STORED:
        return getattr(pa, _STORED[kind])()
    return pa.struct(_fields(kind))


def table(rows: Iterable[GameRow]) -> pyarrow.Table:
    """Returns rows as a table of Parquet's columns."""
    plain = [msgspec.to_builtins(row, builtin_types=[datetime.date]) for row in rows]
    texts = [name for name, column in columns().items() if column.as_json]
    for row in plain:
        for name in texts:
            row[name] = None if row[name] is None else msgspec.json.encode(row[name]).decode()
    return arrow().Table.from_pylist(plain, schema())


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raises `InputError` if a Parquet file cannot be read."""
    pa = arrow()
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise InputError("data.broken_file", file=path, reason=reason) from None


def opened(path: Path) -> Any:
    """Returns a Parquet file of a data set; raises `InputError` if it is not one."""
    with reading(path):
        file = arrow().parquet.ParquetFile(path)
        written = file.schema_arrow
    if (written.metadata or {}).get(_FORMAT_KEY) != FORMAT.encode() or not written.equals(schema()):
        raise InputError("data.foreign", file=path, format=FORMAT)
    return file


def rows_of(file: Any, path: Path, group: int, names: list[str]) -> list[dict[str, Any]]:
    """Returns some columns of a row group; raises `InputError` if it cannot be read."""
    with reading(path):
        rows: list[dict[str, Any]] = file.read_row_group(group, names).to_pylist()
        return rows


def lines(path: Path, game: str) -> Iterator[bytes]:
    """Yields the games of a Parquet file as JSON, each a record with more fields."""
    file = opened(path)
    for group in range(file.num_row_groups):
        for row in rows_of(file, path, group, list(columns())):
            yield line_of(game, row)
