"""Threads that run compiled code beside the caller, with as little between two steps as possible.

A step takes less than a millisecond, so the caller works too, and the queues of an executor would
cost a tenth of the time.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

Work = Callable[[int], None]


class ThreadTeam:
    """The calling thread and some others."""

    def __init__(self, threads: int) -> None:
        self._tasks = [SimpleQueue[Work | None]() for _ in range(threads - 1)]
        self._results = SimpleQueue[BaseException | None]()
        for member, tasks in enumerate(self._tasks, 1):
            Thread(target=_serve, args=(member, tasks, self._results), daemon=True).start()
        self.close = weakref.finalize(self, _dismiss, self._tasks)
        """Ends the threads."""

    def run(self, work: Work) -> None:
        """Calls `work(member)` in every thread, with 0 in this one; returns when all are done."""
        for tasks in self._tasks:
            tasks.put(work)
        work(0)
        errors = [self._results.get() for _ in self._tasks]
        for error in filter(None, errors):
            raise error


def _serve(
    member: int, tasks: SimpleQueue[Work | None], results: SimpleQueue[BaseException | None]
) -> None:
    while work := tasks.get():
        error = None
        try:
            work(member)
        except BaseException as raised:
            error = raised
        del work  # or its owner would live as long as this thread
        results.put(error)


def _dismiss(tasks: list[SimpleQueue[Work | None]]) -> None:
    for queue in tasks:
        queue.put(None)
