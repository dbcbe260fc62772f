"""The server itself: whether it is well, and its figures."""

from __future__ import annotations

import asyncio

from litestar import Controller, MediaType, get

from headway import __version__
from headway.server.core.errors import unavailable
from headway.server.core.metrics import text
from headway.server.web.dependencies import Process, failures
from headway.server.web.schema import Health

DATABASE_SECONDS = 5


class ServerController(Controller):
    """For those who run the server."""

    tags = ("house",)

    @get("/health", responses=failures(503), operation_id="health")
    async def health(self, process: Process) -> Health:
        """Whether the database answers, and takes what is written."""
        try:
            async with asyncio.timeout(DATABASE_SECONDS):
                await process.database.ping()
        except Exception as error:
            raise unavailable("server.no_database") from error
        return Health("ok", __version__)

    @get("/metrics", operation_id="metrics", media_type=MediaType.TEXT)
    async def metrics(self) -> str:
        """Counts in Prometheus' format."""
        return text()
