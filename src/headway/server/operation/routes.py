"""Whether a process is alive and ready, and its figures."""

from __future__ import annotations

import asyncio
import hmac

import msgspec
from litestar import Controller, MediaType, get

from headway import __version__
from headway.server.core.errors import forbidden, unavailable
from headway.server.operation.figures import DATABASE_SECONDS, Figures
from headway.server.process import ServerProcess
from headway.server.web.dependencies import ANYBODY, Context, HttpRequest, Process, failures


class Health(msgspec.Struct, frozen=True):
    """`ok` if the database answers."""

    status: str
    version: str


class OperationController(Controller):
    """For those who run the server."""

    tags = ("house",)
    opt = ANYBODY

    @get("/health", responses=failures(503))
    async def health(self, process: Process) -> Health:
        """Whether the database answers, and takes what is written."""
        return await _check(process)

    @get("/health/live", responses={})
    async def is_alive(self) -> Health:
        """Whether the process answers at all: one that does not has to be started again."""
        return Health("ok", __version__)

    @get("/health/ready", responses=failures(503))
    async def is_ready(self, process: Process) -> Health:
        """Whether the process should get requests: it is not about to end, and has its database."""
        if process.draining:
            raise unavailable("server.draining")
        return await _check(process)

    @get("/metrics", media_type=MediaType.TEXT, responses=failures(403))
    async def metrics(self, process: Process, context: Context, request: HttpRequest) -> str:
        """Figures in Prometheus' format; with a token, if the host has chosen one."""
        wanted, sent = process.settings.metrics_token, context.token or ""
        if wanted and not hmac.compare_digest(sent.encode(), wanted.encode()):
            raise forbidden("server.metrics_token")
        figures: Figures = request.app.state.figures
        return await figures.text()


async def _check(process: ServerProcess) -> Health:
    try:
        async with asyncio.timeout(DATABASE_SECONDS):
            await process.database.ping()
    except Exception as error:
        raise unavailable("server.no_database") from error
    return Health("ok", __version__)
