"""What a check has found, in a sentence that says what is wrong and how to mend it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Level = Literal["good", "doubtful", "wrong"]


class Finding(msgspec.Struct, frozen=True):
    """The outcome of a check; `key` names its sentence, which `values` fill in."""

    level: Level
    key: str
    values: dict[str, Any] = {}


def good(key: str, **values: Any) -> Finding:
    """Everything is as it should be."""
    return Finding("good", f"doctor.{key}", values)


def doubtful(key: str, **values: Any) -> Finding:
    """It works, but an operator should know."""
    return Finding("doubtful", f"doctor.{key}", values)


def wrong(key: str, **values: Any) -> Finding:
    """It has to be mended."""
    return Finding("wrong", f"doctor.{key}", values)
