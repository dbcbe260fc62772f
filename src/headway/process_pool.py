"""Pools of worker processes with low priority that ignore Ctrl-C and end with their owner."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import ParamSpec, TypeVar

from headway.errors import InputError

WAITING_PER_WORKER = 3
"""Items queued for each worker, so that none is idle."""

P = ParamSpec("P")
T = TypeVar("T")
Item = TypeVar("Item")


class _Pool(ProcessPoolExecutor):
    """A pool whose processes hear no Ctrl-C from their first moment, before they can ignore it."""

    def submit(self, work: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Future[T]:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(work, *arguments, **named)  # starts processes, which inherit it
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def open_pool(workers: int) -> ProcessPoolExecutor:
    """Creates a pool; a process starts when there is work and no free process."""
    return _Pool(workers, mp_context=get_context("spawn"), initializer=_prepare)


def each_done(
    work: Callable[[Item], T],
    items: Iterable[Item],
    workers: int,
    prepare: Callable[[], None] | None = None,
) -> Generator[T, None, None]:
    """Yields what the work makes of each item, in the order in which processes finish them.

    One of the processes does `prepare` first. Raises `InputError` if a process is lost.
    """
    pool, left = open_pool(workers), iter(items)
    try:
        if prepare:
            pool.submit(prepare).result()
        waiting = {pool.submit(work, item) for item in islice(left, workers * WAITING_PER_WORKER)}
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= {pool.submit(work, item) for item in islice(left, len(done))}
            for future in done:
                yield future.result()
    except BrokenProcessPool:
        raise InputError("arena.worker_lost") from None
    finally:
        kill(pool)


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
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    with contextlib.suppress(OSError):
        os.nice(5)
    owner = parent_process()

    def follow() -> None:
        if owner:
            owner.join()
            os._exit(0)

    threading.Thread(target=follow, daemon=True).start()
