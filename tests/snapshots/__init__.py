"""What users, records and databases rely on, as text files: a change of one is a decision.

`python -m snapshots` in the folder `tests` writes all of them again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import create_engine
from sqlalchemy.schema import CreateIndex, CreateTable

import headway
from headway.games import boxes
from headway.record import load, replay
from headway.server.core.schema import METADATA

FOLDER = Path(__file__).parent
RECORDS = FOLDER.parent / "records"
SIMULATED = {
    "next-station": [("london", 1), ("tokyo", 1)],
    "ticket-to-ride": [("london", 2), ("london", 3), ("london", 4)],
}
"""The maps and numbers of seats of simulated games, by every policy."""


def openapi() -> str:
    """The output of `headway schema`, which the client's build makes its types of."""
    return subprocess.check_output([sys.executable, "-m", "headway", "schema"], encoding="utf-8")


def public_names() -> str:
    """Every public name of the library, and the public names of each class among them."""
    lines = []
    for name in headway.__all__:
        lines.append(name)
        thing = getattr(headway, name)
        if isinstance(thing, type):
            lines += [f"{name}.{part}" for part in sorted(vars(thing)) if not part.startswith("_")]
    return "\n".join(lines) + "\n"


def database() -> str:
    """The statements that make the database's tables."""
    dialect = create_engine("postgresql+asyncpg://").dialect
    tables = METADATA.sorted_tables
    parts = [str(CreateTable(table).compile(dialect=dialect)) for table in tables]
    indexes = [index for table in tables for index in table.indexes]
    parts += sorted(str(CreateIndex(index).compile(dialect=dialect)) for index in indexes)
    return "".join(f"{line.rstrip()}\n" for part in parts for line in part.strip().splitlines())


def helps() -> str:
    """`--help` of every command, in English: the language of help is fixed at import."""
    script = FOLDER / "help.py"
    variables = os.environ | {"HEADWAY_LANG": "en", "COLUMNS": "100"}
    return subprocess.check_output([sys.executable, script], text=True, env=variables)


def records() -> str:
    """The result of every stored record: totals and winners."""
    results = {}
    for file in sorted(RECORDS.glob("*/*.json")):
        outcome = replay(load(file)).outcome
        results[file.relative_to(RECORDS).as_posix()] = [*outcome.totals, list(outcome.winners)]
    return "".join(f"{name} {json.dumps(result)}\n" for name, result in results.items())


def simulations() -> str:
    """Totals of the first simulated games of every map, policy, number of seats and option."""
    lines = []
    for box in boxes():
        policies = box.open(box.default_map, box.seats[-1]).engine.POLICIES
        plain = [(name, n, policy) for name, n in SIMULATED[box.name] for policy in policies]
        kinds: list[tuple[str, int, str, dict[str, bool]]] = [(*kind, {}) for kind in plain]
        for option in box.options:
            kinds += [(name, box.seats[-1], policy, {option: True}) for name, _, policy in plain]
        for name, seats, policy, options in kinds:
            totals = box.open(name, seats, options).simulate(20, policy=policy, seed=1)
            words = " ".join([box.name, name, str(seats), policy, *options])
            lines.append(f"{words} {totals.tolist()}\n")
    return "".join(lines)


SNAPSHOTS: dict[str, Callable[[], str]] = {
    "../../client/openapi.json": openapi,
    "public-names.txt": public_names,
    "database.sql": database,
    "help.txt": helps,
    "records.txt": records,
    "simulations.txt": simulations,
}
