"""A lab is removed as a whole, whatever fails and however often Ctrl-C is pressed."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from benchmarks.faults.lab import finish


def test_every_step_is_done_whatever_happens() -> None:
    done = []

    def fail() -> None:
        raise subprocess.TimeoutExpired("postgresql", 20)

    # A program that a shell starts in the background ignores Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        finish(lambda: os.kill(os.getpid(), signal.SIGINT), fail, lambda: done.append("the last"))
        assert done == ["the last"]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
