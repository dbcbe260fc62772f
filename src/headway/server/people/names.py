"""Names of people: what may be one, and which names read the same."""

from __future__ import annotations

import re
import unicodedata

from headway.server.errors import invalid

_ACCOUNT_NAME = re.compile(r"[^\W_][\w .'’-]*")
_VISIBLE = "LMNPS"
"""Unicode's letters, marks, numbers, punctuation and symbols."""


def clean_name(name: str) -> str:
    """Returns a name in one line without invisible characters; refuses one that is empty then."""
    visible = "".join(
        " " if char.isspace() else char
        for char in unicodedata.normalize("NFC", name)
        if char.isspace() or unicodedata.category(char)[0] in _VISIBLE
    )
    tidy = " ".join(visible.split())
    if not tidy:
        raise invalid("server.no_name")
    return tidy


def name_key(name: str) -> str:
    """Returns what two names that read the same have in common."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(plain.split())


def account_name(name: str) -> str:
    """Returns a cleaned name that can be part of an address; refuses any other."""
    tidy = clean_name(name)
    if not _ACCOUNT_NAME.fullmatch(tidy) or not _ACCOUNT_NAME.fullmatch(name_key(tidy)):
        raise invalid("server.account_name")
    return tidy
