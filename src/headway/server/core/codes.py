"""Codes: those to read out, and bytes as text for addresses and keys."""

from __future__ import annotations

import base64
import secrets

_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
"""No vowels and no look-alikes, so nothing made of them is a word."""


def clear_code(letters: int) -> str:
    """Returns a new code, which nobody guesses and everybody can read out."""
    return "".join(secrets.choice(_LETTERS) for _ in range(letters))


def clear_groups(groups: int) -> str:
    """Returns a new code in groups of four: `bcdf-ghjk`."""
    return "-".join(clear_code(4) for _ in range(groups))


def as_text(data: bytes) -> str:
    """Returns bytes as text that fits into an address, as RFC 7515 has it."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def as_bytes(text: str) -> bytes:
    """Returns the bytes of such a text; raises ValueError for any other."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
