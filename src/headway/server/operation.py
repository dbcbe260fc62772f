"""Whether a process is alive and ready, its figures, and the operator's notice.

Figures are those of all processes of this machine together. Requests reach any of them, which then
asks the others: each answers with its figures on a socket in a folder that only they can read.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
import re
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from litestar import Controller, MediaType, get

from headway import __version__
from headway.server.admin.acts import OperatorNotice
from headway.server.core import metrics
from headway.server.core.errors import forbidden, unavailable
from headway.server.core.workers import WorkerPool
from headway.server.process import ServerProcess
from headway.server.web.dependencies import ANYBODY, Context, HttpRequest, Process, failures, read

DATABASE_SECONDS = 5.0
"""How long the database may take to answer."""
SIBLING_SECONDS = 2.0
"""How long another process may take to tell its figures."""
RUNNING_SECONDS = 3600.0
"""A game counts as running if something has happened in it within this time."""
_SAMPLE = re.compile(r"(\w+)(\{)?")


class Health(msgspec.Struct, frozen=True):
    """`ok` if the database answers."""

    status: str
    version: str


class Figures:
    """Collects the figures when somebody asks for them."""

    def __init__(self, process: ServerProcess) -> None:
        self._process = process
        self._folder: Path | None = None

    @asynccontextmanager
    async def running(self, folder: Path | None, number: int) -> AsyncIterator[Figures]:
        """Tells the other processes the figures of this one, if there are others."""
        if folder is None:
            yield self
            return
        self._folder = folder
        path = folder / f"{number}-{os.getpid()}"
        server = await asyncio.start_unix_server(self._answer, path)
        try:
            yield self
        finally:
            server.close()
            path.unlink(missing_ok=True)

    async def text(self) -> str:
        """Returns the figures in Prometheus' text format.

        With several processes, those of each have a label, and what they share has none.
        """
        await self._collect_shared()
        if self._folder is None:
            return await self._own() + metrics.text(metrics.SHARED)
        paths = sorted(self._folder.iterdir())
        texts = await asyncio.gather(*(_told(path) for path in paths))
        told = {path.name: text for path, text in zip(paths, texts, strict=True) if text}
        return merged(told) + metrics.text(metrics.SHARED)

    async def _answer(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            writer.write((await self._own()).encode())
            await writer.drain()
            writer.close()

    async def _own(self) -> str:
        process = self._process
        metrics.DATABASE_UP.set(await self._database_answers())
        metrics.READY.set(not process.draining)
        if process.bus.address:
            metrics.REDIS_UP.set(process.bus.is_up)
        metrics.SOCKETS.set(process.connections.count())
        metrics.TABLES.set(process.authority.count())
        _set_pool("bots", process.workers.bots)
        _set_pool("pages", process.workers.pages)
        return metrics.text(metrics.REGISTRY)

    async def _database_answers(self) -> bool:
        try:
            async with asyncio.timeout(DATABASE_SECONDS):
                await self._process.database.ping()
        except Exception:
            return False
        return True

    async def _collect_shared(self) -> None:
        """Counts what all processes share; what the database knows stays old while it is away."""
        process = self._process
        metrics.PEOPLE_ONLINE.set(process.connections.people())
        metrics.IDLE_WORK.set(process.calendar.idle_now())
        with contextlib.suppress(Exception):
            async with asyncio.timeout(DATABASE_SECONDS):
                running = await process.store.count_running(time.time() - RUNNING_SECONDS)
                waiting, oldest = await process.reviewing.store.backlog()
            metrics.TABLES_RUNNING.set(running)
            metrics.REVIEWS_WAITING.set(waiting)
            metrics.REVIEWS_OLDEST.set(time.time() - oldest if oldest else 0.0)


def _set_pool(name: str, pool: WorkerPool) -> None:
    load = pool.load()
    metrics.WORKERS.labels(name).set(load.processes)
    metrics.WORKERS_BUSY.labels(name).set(load.busy)
    metrics.WORK_WAITING.labels(name).set(load.waiting)
    metrics.WORK_OLDEST.labels(name).set(load.seconds)


async def _told(path: Path) -> str:
    """Returns what a process tells; nothing if it has ended."""
    try:
        async with asyncio.timeout(SIBLING_SECONDS):
            reader, writer = await asyncio.open_unix_connection(path)
            with contextlib.closing(writer):
                return (await reader.read()).decode()
    except (OSError, TimeoutError):
        return ""


def merged(texts: Mapping[str, str]) -> str:
    """Returns the figures of several processes as one text.

    Each sample gets the label `process`. Samples of a figure stay together, as the format wants.
    """
    families: dict[str, tuple[list[str], list[str]]] = {}
    for process, text in texts.items():
        head: list[str] = []
        samples: list[str] = []
        for line in text.splitlines():
            if line.startswith("# HELP "):
                head, samples = families.setdefault(line.split(" ", 3)[2], ([], []))
            if not line.startswith("#"):
                samples.append(_labelled(line, process))
            elif line not in head:
                head.append(line)
    return "".join(f"{line}\n" for lines in families.values() for part in lines for line in part)


def _labelled(sample: str, process: str) -> str:
    label = f'process="{process}"'
    return _SAMPLE.sub(lambda m: f"{m[1]}{{{label}" + ("," if m[2] else "}"), sample, count=1)


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


class OperatorNoticeController(Controller):
    """What the operator tells everybody."""

    path = "/api/operator"
    tags = ("guests",)

    @read("/notice", opt=ANYBODY)
    async def operator_notice(self, process: Process) -> OperatorNotice:
        """The line that every page shows. The header `headway-notice` of answers has its number."""
        return process.operator_notice.now
