"""All checks in turn, from the settings to every table."""

from __future__ import annotations

from collections.abc import AsyncIterator

from headway.errors import HeadwayError
from headway.i18n import SOURCE
from headway.server.admin.operator import Operator
from headway.server.doctor import machine, reviews, tables
from headway.server.doctor.findings import Finding, wrong
from headway.settings import ServerSettings


async def findings(
    settings: ServerSettings, quick: bool, show: tables.Show
) -> AsyncIterator[Finding]:
    """Yields what each check finds; a `quick` examination replays no table."""
    for check in (machine.settings_found, machine.folders_found, machine.disk_found):
        for found in check(settings):
            yield found
    for found in machine.compiled_found():
        yield found
    async for found in machine.redis_found(settings):
        yield found
    for found in machine.backups_found(settings):
        yield found
    try:
        async with Operator.at(settings.database_url) as operator:
            async for found in machine.database_found(operator.database):
                yield found
            for found in await operator.read(tables.ratings_found):
                yield found
            if not quick:
                for found in await operator.read(reviews.reviews_found):
                    yield found
                for found in await tables.tables_found(operator.database, operator.tables, show):
                    yield found
    except HeadwayError as error:
        yield wrong("database", reason=error.sentence(SOURCE))
