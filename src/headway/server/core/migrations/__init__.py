"""Alembic migrations: the database's tables, version by version. `upgrade` runs them all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from headway.errors import InputError

LOCK = 0x48656164
"""The advisory lock under which one process at a time brings a PostgreSQL database up to date."""


class Versions(NamedTuple):
    """The version of a database before an upgrade, empty for a new one, and after it."""

    before: str
    after: str


async def _nothing(versions: Versions) -> None:
    """Does nothing before a migration."""


async def upgrade(
    engine: AsyncEngine, before: Callable[[Versions], Awaitable[None]] = _nothing
) -> Versions:
    """Upgrades the database to the newest version; safe when several processes start at once.

    Awaits `before` before it changes a database with content. Refuses one that a newer Headway has
    upgraded.
    """
    async with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        versions = await connection.run_sync(_versions)
        check_version(versions.before)
        if versions.before != versions.after:
            if versions.before:
                await before(versions)
            await connection.run_sync(_upgrade)
        return versions


def _versions(connection: Connection) -> Versions:
    current = MigrationContext.configure(connection).get_current_revision()
    return Versions(current or "", ScriptDirectory.from_config(_config()).get_current_head() or "")


def _upgrade(connection: Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def check_version(version: str) -> None:
    """Refuses the version of a database that only a newer Headway knows."""
    script = ScriptDirectory.from_config(_config())
    if version and version not in {one.revision for one in script.walk_revisions()}:
        newest = script.get_current_head()
        raise InputError("server.database_newer", version=version, newest=newest)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    return config
