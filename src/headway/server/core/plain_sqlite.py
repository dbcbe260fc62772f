"""SQLite without layers, for what happens most often: writing events and asking for a number.

SQLAlchemy and its driver cost more than SQLite itself here. The statements are compiled from the
same tables, and the connection has the same settings, so a commit is as durable.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import ClauseElement
from sqlalchemy.dialects import sqlite

T = TypeVar("T")
SQLITE_LOCK_SECONDS = 15
"""How long a writer waits for another one."""
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")


def statement(clause: ClauseElement) -> str:
    """Returns a statement as SQLite's own module takes it, with named parameters."""
    return str(clause.compile(dialect=sqlite.dialect(paramstyle="named")))


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
