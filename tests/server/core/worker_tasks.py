"""Work for worker processes in tests: they import it by its module's name."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from typing import Any


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


class SlowToLoad:
    """Work whose process needs six seconds to load it, as on a busy machine that starts one."""

    def __call__(self) -> str:
        return "drawn"

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, ()


@cache
def _load() -> SlowToLoad:
    time.sleep(6)
    return SlowToLoad()
