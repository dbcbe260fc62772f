"""SQLite without layers, for what happens most often: writing events and asking for a number.

SQLAlchemy and its driver cost more than SQLite itself here. The statements are compiled from the
same tables, and the connection has the same settings, so a commit is as durable.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
from sqlalchemy import JSON, Boolean, ClauseElement, Select
from sqlalchemy.dialects import sqlite

T = TypeVar("T")
SQLITE_LOCK_SECONDS = 15
"""How long a writer waits for another one."""
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")


def statement(clause: ClauseElement) -> str:
    """Returns a statement as SQLite's own module takes it, with named parameters."""
    return str(clause.compile(dialect=sqlite.dialect(paramstyle="named")))


class PlainQuery:
    """A query whose rows are dictionaries, with values as SQLAlchemy gives them."""

    def __init__(self, query: Select[Any]) -> None:
        self._text = statement(query)
        self._readers = [(c.name, _reader(c.type)) for c in query.selected_columns]

    def rows(self, connection: sqlite3.Connection, **values: object) -> list[dict[str, Any]]:
        """Returns the rows for these values of the query's parameters."""
        rows = connection.execute(self._text, values)
        return [
            {name: read(value) for (name, read), value in zip(self._readers, row, strict=True)}
            for row in rows
        ]


def _reader(kind: object) -> Callable[[Any], Any]:
    if isinstance(kind, JSON):
        return lambda text: None if text is None else msgspec.json.decode(text)
    return bool if isinstance(kind, Boolean) else lambda value: value


class PlainSqlite:
    """One connection to an SQLite file, used by one thread."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._thread = ThreadPoolExecutor(1, "sqlite")
        self._connection: sqlite3.Connection | None = None

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Returns what the work returns, after the work before it is done."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    async def close(self) -> None:
        """Closes the connection, once everything is done."""
        await asyncio.to_thread(self._thread.shutdown)
        if self._connection:
            self._connection.close()

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            if self._connection is None:
                self._connection = self._open()
            return work(self._connection)
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error:
            # The next one begins with a new connection, whatever state this one is in.
            connection, self._connection = self._connection, None
            if connection:
                connection.close()
            raise

    def _open(self) -> sqlite3.Connection:
        # Each transaction says BEGIN itself; `close` is called by another thread.
        connection = sqlite3.connect(
            self.file, SQLITE_LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        return connection
