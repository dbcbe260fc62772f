"""Tasks that nobody waits for: what goes wrong in one is logged, and asyncio has no complaint."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from headway.server.errors import RefusedError

log = logging.getLogger("headway.background")


def start_task(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    """Starts work; an error ends it, and the log says so."""
    return asyncio.create_task(_logged(work, name), name=name)


async def _logged(work: Coroutine[Any, Any, None], name: str) -> None:
    try:
        await work
    except RefusedError as error:  # the database is away: it says so itself
        log.warning("task ended early", extra={"task": name, "key": error.key})
    except Exception:
        log.exception("task failed", extra={"task": name})


def take_error(task: asyncio.Future[Any]) -> None:
    """Takes the error of a task whose waiters may all have left; for `add_done_callback`."""
    if not task.cancelled():
        task.exception()
