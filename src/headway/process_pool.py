"""Pools of worker processes with low priority that ignore Ctrl-C and end with their owner."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process


def open_pool(workers: int) -> ProcessPoolExecutor:
    """Creates a pool; a process starts when there is work and no free process."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_prepare)


def kill(pool: ProcessPoolExecutor) -> None:
    """Ends a pool at once, whatever its processes are doing."""
    # Python 3.14 has kill_workers for this; before, only the pool knows its processes.
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


def _prepare() -> None:
    """Lowers the worker's priority and makes it end when its owner ends, even if killed.

    Ctrl-C in a terminal reaches workers too; they leave it to their owner.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(5)
    owner = parent_process()

    def follow() -> None:
        if owner:
            owner.join()
            os._exit(0)

    threading.Thread(target=follow, daemon=True).start()
