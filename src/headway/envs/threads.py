"""Threads that work beside a caller in compiled code, and sleep when there is nothing to do."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread

Work = Callable[[], object]


class WorkerThreads:
    """Threads that each call a function whenever they are woken.

    The function returns when it has waited in vain for something to do.
    """

    def __init__(self, works: Sequence[Work]) -> None:
        self._calls = [SimpleQueue[bool]() for _ in works]
        self._asleep = [True] * len(works)
        for number, work in enumerate(works):
            args = (work, self._calls[number], self._asleep, number)
            Thread(target=_serve, args=args, daemon=True).start()
        self.close = weakref.finalize(self, _dismiss, self._calls)
        """Ends the threads."""

    def wake(self) -> None:
        """Wakes the threads that sleep; one that is about to fall asleep may miss it."""
        for number, calls in enumerate(self._calls):
            if self._asleep[number]:
                self._asleep[number] = False
                calls.put(True)


def _serve(work: Work, calls: SimpleQueue[bool], asleep: list[bool], number: int) -> None:
    while calls.get():
        work()
        asleep[number] = True


def _dismiss(calls: list[SimpleQueue[bool]]) -> None:
    for queue in calls:
        queue.put(False)
