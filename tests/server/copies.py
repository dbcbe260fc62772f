"""Copies of tables in an SQLite file: more than a server would set up in the time of a test."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def copy_table(file: Path, table: str, times: int, prefix: str = "copy") -> None:
    """Writes more tables like one that has no events."""
    with sqlite3.connect(file) as database:
        for rows, key in (("tables", "id"), ("seats", "table_id")):
            names = [row[1] for row in database.execute(f"PRAGMA table_info({rows})")]
            others = ", ".join(name for name in names if name != key)
            copying = f"INSERT INTO {rows} ({key}, {others}) SELECT ?, {others} FROM {rows}"
            for n in range(times):
                database.execute(f"{copying} WHERE {key} = ?", (f"{prefix}{n}", table))
    database.close()
