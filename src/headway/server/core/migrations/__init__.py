"""Alembic migrations: they bring the database of an older version up to date.

A new database is made from `schema` and counts as the newest version.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from headway.errors import InputError
from headway.server.core.schema import HEARTBEAT, METADATA

VERSIONS = Path(__file__).parent / "versions"
"""Where the migrations are."""
LOCK = 0x48656164
"""The advisory lock under which one process at a time brings a PostgreSQL database up to date."""


class Versions(NamedTuple):
    """The version of a database before an upgrade, empty for a new one, and after it."""

    before: str
    after: str


async def upgrade(
    engine: AsyncEngine, before: Callable[[Versions], Awaitable[None]] | None = None
) -> Versions:
    """Makes or upgrades the database; safe when several processes start at once.

    Awaits `before` before it changes a database with content. Refuses one that a newer Headway has
    upgraded.
    """
    async with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        versions = await connection.run_sync(_versions)
        check_version(versions.before)
        if versions.before != versions.after:
            if versions.before and before:
                await before(versions)
            await connection.run_sync(_upgrade if versions.before else _make)
        return versions


def _versions(connection: Connection) -> Versions:
    current = MigrationContext.configure(connection).get_current_revision()
    return Versions(current or "", newest_version())


def newest_version() -> str:
    """Returns the version of a database that this Headway has made or upgraded."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def _make(connection: Connection) -> None:
    METADATA.create_all(connection)
    connection.execute(insert(HEARTBEAT).values(at=0.0))
    command.stamp(_config(connection), "head")


def _upgrade(connection: Connection) -> None:
    command.upgrade(_config(connection), "head")


def check_version(version: str) -> None:
    """Refuses the version of a database that only a newer Headway knows."""
    script = ScriptDirectory.from_config(_config())
    if version and version not in {one.revision for one in script.walk_revisions()}:
        newest = script.get_current_head()
        raise InputError("server.database_newer", version=version, newest=newest)


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", str(VERSIONS))
    config.attributes["connection"] = connection
    return config
