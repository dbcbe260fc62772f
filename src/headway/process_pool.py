"""Processes that work for another one: polite, quiet at Ctrl-C, and gone when it is."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process


def open_pool(workers: int) -> ProcessPoolExecutor:
    """A pool of such processes; each starts when there is work that nobody is free for."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_prepare)


def kill(pool: ProcessPoolExecutor) -> None:
    """Ends a pool at once, whatever its processes are doing."""
    # Python 3.14 has kill_workers for this; before, only the pool knows its processes.
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


def _prepare() -> None:
    """A worker leaves the cores to others first, and ends when its owner does, killed or not.

    Ctrl-C at a terminal reaches it too; what to do about it is its owner's business.
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
