"""What describes a data set: its card (README.md) and Croissant's `croissant.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from headway.dataset.columns import FORMAT, columns, schema

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
