"""Codes that nobody guesses and everybody can read out."""

from __future__ import annotations

import secrets

_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""No vowels and no look-alikes, so nothing made of them is a word."""


def clear_code(letters: int) -> str:
    """Returns a new code."""
    return "".join(secrets.choice(_LETTERS) for _ in range(letters))


def clear_groups(groups: int) -> str:
    """Returns a new code in groups of four: `bcdf-ghjk`."""
    return "-".join(clear_code(4) for _ in range(groups))
