"""Tasks that nobody waits for: what goes wrong in one is logged, and asyncio has no complaint."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from headway.server.core.errors import RefusedError

log = logging.getLogger("headway.background")


def start_task(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    """Starts work; an error ends it, and the log says so."""
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_log_error)
    return task


def _log_error(task: asyncio.Task[None]) -> None:
    error = None if task.cancelled() else task.exception()
    if isinstance(error, RefusedError):  # the database is away: it says so itself
        details = {"task": task.get_name(), "key": error.key}
        log.warning("task ended early", extra=details)
    elif error:
        log.error("task failed", extra={"task": task.get_name()}, exc_info=error)


def take_error(task: asyncio.Future[Any]) -> None:
    """Takes the error of a task whose waiters may all have left; for `add_done_callback`."""
    if not task.cancelled():
        task.exception()
