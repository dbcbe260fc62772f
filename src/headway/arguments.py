"""Checks of arguments that callers of the library give."""

from __future__ import annotations

import operator
from typing import Any

from headway.errors import InputError

MOST_SHOWN = 60


def whole_number(value: Any) -> int | None:
    """Returns a whole number of any library as an int, and None for all else, such as True."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def whole(name: str, value: object, least: int | None = None) -> int:
    """Returns a whole number that is an argument; raises `InputError` for anything else."""
    number = whole_number(value)
    if number is None:
        raise InputError("format.whole", name=name, given=shown(value))
    if least is not None and number < least:
        raise InputError("format.too_few", name=name, least=least, given=shown(number))
    return number


def shown(value: object) -> str:
    """Returns what somebody gave, in one short line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"
