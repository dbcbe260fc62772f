"""Writes the stored games of `tests/records/next-station` and what the referee says of them.

    python -m games.nextstation.record_files     (in the folder tests)

A game that is stored stays as it is; only new ones are written. Each has its report, as
`headway replay --json` prints it, under `expected/`: the referee's, never the engine's own.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from reference import referee

import headway
from headway.games.nextstation.game import NextStation

FOLDER = Path(__file__).parents[2] / "records" / "next-station"
MODULES = (
    (),
    ("objectives",),
    ("powers",),
    ("special_stations",),
    ("objectives", "powers"),
    ("objectives", "special_stations"),
)
KINDS = ("all-cards", "revealed-cards", "seed")
"""A deal with all eleven cards, a deal with those that were revealed, or a seed."""


def names() -> list[str]:
    """All stored games."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load(name: str) -> headway.Record:
    """A stored game."""
    return headway.load(FOLDER / f"{name}.json")


def expected(name: str) -> dict[str, Any]:
    """What the referee says of a stored game."""
    report: dict[str, Any] = json.loads((FOLDER / "expected" / f"{name}.json").read_text("utf-8"))
    return report


def dealt(record: headway.Record) -> referee.Record:
    """A record as the referee reads it: with the deal in full, where a seed deals it."""
    plain: referee.Record = {
        "format": record.format,
        "game": record.game,
        "map": record.map,
        "options": record.options,
        "seats": record.seats,
        "deal": record.deal,
        "moves": record.moves,
    }
    if record.deal is None:
        replay = headway.replay(record)
        plain["deal"] = replay.game.records.write(replay.game, replay.events)[0]
    return plain


def plan() -> Iterator[tuple[str, headway.Record]]:
    """Both cities, one to four seats, all modules, in turn with deal and with seed."""
    for number, (city, seats, modules) in enumerate(
        product(("london", "tokyo"), (1, 2, 3, 4), MODULES)
    ):
        kind = KINDS[(number + number // 6) % 3]
        words = "-".join(modules).replace("_stations", "") or "base"
        name = f"{city}-{seats}-{words}-{kind}"
        options = dict.fromkeys(modules, True)
        if kind == "seed":
            yield name, by_greedy_bots(city, seats, options, number * 7919 - 100_000)
        else:
            generator = random.Random(name)
            made = referee.random_record(generator, city, seats, options, kind == "all-cards")
            yield name, headway.read(json.dumps(made))


def by_greedy_bots(city: str, seats: int, options: dict[str, bool], seed: int) -> headway.Record:
    """A game that bots played at a table."""
    table = headway.Table(NextStation(city, seats, options), seed=seed)
    bots = [headway.make_bot("greedy", table.game, seat) for seat in range(seats)]
    headway.play_out(table, bots)
    record = table.record()
    record.fair = None  # the salt is another one every time
    record.map_hash = None  # a new word in a city's file changes it, and no rule
    return record


def write() -> None:
    """Writes the games that are not there yet, and all reports."""
    FOLDER.joinpath("expected").mkdir(parents=True, exist_ok=True)
    for name, record in plan():
        path = FOLDER / f"{name}.json"
        if not path.exists():
            path.write_bytes(record.json())
    for name in names():
        verdict = referee.judge(dealt(load(name))).as_json()
        rows = [f'"{key}": {json.dumps(value)}' for key, value in verdict.items()]
        text = "{\n  " + ",\n  ".join(rows) + "\n}\n"
        (FOLDER / "expected" / f"{name}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    write()
