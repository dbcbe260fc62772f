"""Threads that help a caller in compiled code, and sleep when there is nothing to do."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread

Help = Callable[[], object]


class Helpers:
    """Threads that each call a function whenever they are woken.

    The function returns when it has waited in vain for something to do.
    """

    def __init__(self, helps: Sequence[Help]) -> None:
        self._calls = [SimpleQueue[bool]() for _ in helps]
        self._asleep = [True] * len(helps)
        for number, help_ in enumerate(helps):
            args = (help_, self._calls[number], self._asleep, number)
            Thread(target=_serve, args=args, daemon=True).start()
        self.close = weakref.finalize(self, _dismiss, self._calls)
        """Ends the threads."""

    def wake(self) -> None:
        """Wakes the threads that sleep; one that is about to fall asleep may miss it."""
        for number, calls in enumerate(self._calls):
            if self._asleep[number]:
                self._asleep[number] = False
                calls.put(True)


def _serve(help_: Help, calls: SimpleQueue[bool], asleep: list[bool], number: int) -> None:
    while calls.get():
        help_()
        asleep[number] = True


def _dismiss(calls: list[SimpleQueue[bool]]) -> None:
    for queue in calls:
        queue.put(False)
