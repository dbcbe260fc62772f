"""The columns of a data set's Parquet files, and how rows become columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from headway.dataset.rows import FORMAT, GameRow
from headway.errors import InputError

if TYPE_CHECKING:
    import pyarrow

_FORMAT_KEY = b"headway"


def arrow() -> Any:
    """Returns the module `pyarrow`; raises `InputError` without the extra `research`."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise InputError("data.not_installed") from None
    return pyarrow


def schema() -> pyarrow.Schema:
    """Returns the columns; game, year and month are in the names of the folders."""
    pa = arrow()
    text, number, flag = pa.string(), pa.int32(), pa.bool_()
    seat = pa.int8()
    clock = pa.struct({"kind": text, "seconds": number, "increment": number, "days": number})
    player = pa.struct(
        {
            "kind": text, "name": text, "named": flag,
            "bot": text, "level": text, "version": text,
            "rating_band": number, "left": flag,
        }
    )  # fmt: skip
    values = ("start", "luck", "loss", "others", "recount", "result", "decisions", "median")
    figures = pa.struct(
        {"seat": seat, "measure": text}
        | dict.fromkeys(values, number)
        | {"good": pa.float64(), "level": text}
    )
    columns = {
        "id": text,
        "map": text,
        "map_hash": text,
        "map_file": text,
        "modules": pa.list_(text),
        "seats": seat,
        "rules": pa.int16(),
        "chosen": text,
        "ended": pa.date32(),
        "day": pa.date32(),
        "training": flag,
        "clock": clock,
        "seed": text,
        "seed_chosen": flag,
        "dealt": text,
        "moves": text,
        "movers": pa.list_(seat),
        "milliseconds": pa.list_(number),
        "moved_by": pa.list_(text),
        "players": pa.list_(player),
        "totals": pa.list_(number),
        "winners": pa.list_(seat),
        "review": pa.struct({"engine": text, "seats": pa.list_(figures)}),
    }
    return pa.schema(columns, {_FORMAT_KEY: FORMAT.encode()})


def table(rows: Iterable[GameRow], map_files: dict[str, str]) -> pyarrow.Table:
    """Returns rows as columns; `map_files` are the texts of the maps by their hash."""
    import datetime

    columns: list[dict[str, Any]] = []
    for row in rows:
        plain = msgspec.to_builtins(row)
        for name in ("ended", "day"):
            plain[name] = datetime.date.fromisoformat(plain[name]) if plain[name] else None
        for name in ("chosen", "dealt", "moves"):
            plain[name] = None if plain[name] is None else json_text(plain[name])
        columns.append(plain | {"modules": row.modules, "map_file": map_files[row.map_hash]})
    return arrow().Table.from_pylist(columns, schema())


def json_text(value: Any) -> str:
    """Returns a part of a record as the text of its column."""
    return msgspec.json.encode(value).decode()


def opened(path: Path) -> Any:
    """Returns a Parquet file of a data set; raises `InputError` if it is not one."""
    pa = arrow()
    try:
        file = pa.parquet.ParquetFile(path)
        written = file.schema_arrow
    except (pa.ArrowException, OSError) as error:
        raise InputError("data.broken_file", file=path, reason=_first_line(error)) from None
    if (written.metadata or {}).get(_FORMAT_KEY) != FORMAT.encode() or not written.equals(schema()):
        raise InputError("data.foreign", file=path, format=FORMAT)
    return file


def rows_of(file: Any, path: Path, group: int, columns: list[str]) -> list[dict[str, Any]]:
    """Returns some columns of a row group; raises `InputError` if it cannot be read."""
    pa = arrow()
    try:
        table = file.read_row_group(group, columns)
        values = [_values(table.column(name).combine_chunks()) for name in columns]
        return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]
    except (pa.ArrowException, OSError) as error:
        raise InputError("data.broken_file", file=path, reason=_first_line(error)) from None


def check_rest(file: Any, path: Path, group: int, others: Collection[str]) -> None:
    """Raises `InputError` if a column of a row group cannot be read; leaves out the others."""
    pa = arrow()
    try:
        file.read_row_group(group, [n for n in file.schema_arrow.names if n not in others])
    except (pa.ArrowException, OSError) as error:
        raise InputError("data.broken_file", file=path, reason=_first_line(error)) from None


def _values(column: Any) -> list[Any]:
    """Returns the values of a column, several times as fast as `to_pylist` where it can."""
    pa = arrow()
    if pa.types.is_list(column.type) and not column.null_count and not column.offset:
        inner, offsets = _values(column.values), column.offsets.to_pylist()
        return [inner[first:last] for first, last in pairwise(offsets)]
    if pa.types.is_string(column.type) or not column.null_count:
        values: list[Any] = column.to_numpy(zero_copy_only=False).tolist()
        return values
    plain: list[Any] = column.to_pylist()
    return plain


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
