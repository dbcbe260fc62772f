"""A lab is removed as a whole, whatever fails and however often Ctrl-C is pressed."""

from __future__ import annotations

import os
import pty
import signal
import subprocess

import pytest
from preloaded import Process, run

from headway.bench.faults.lab import finish


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


def test_faults_are_not_begun_unasked() -> None:
    result = run("bench", "--faults")
    assert (result.returncode, result.stdout) == (2, "")
    assert "Add --yes" in result.stderr


def test_faults_are_not_begun_without_a_yes() -> None:
    ours, theirs = pty.openpty()
    variables, files = os.environ | {"HEADWAY_LANG": "en"}, (theirs, theirs, theirs)
    process = Process(["bench", "--faults"], variables, *files, session=True)
    os.close(theirs)
    written = b""
    while b"[y/N]" not in written:
        written += os.read(ours, 1000)
    os.write(ours, b"\n")
    while b"Nothing was done." not in written:
        written += os.read(ours, 1000)
    assert process.wait(60) == 0
    os.close(ours)
