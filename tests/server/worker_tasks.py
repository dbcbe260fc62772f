"""Work for worker processes in tests: they import it by its module's name."""

from __future__ import annotations

import time
from pathlib import Path


def note(file: Path, line: str) -> None:
    with open(file, "a") as notes:
        notes.write(f"{line}\n")


def begin_and_end(file: Path) -> None:
    note(file, "begin")
    time.sleep(0.05)
    note(file, "end")


def wait_for(gate: Path) -> None:
    while not gate.exists():
        time.sleep(0.01)
