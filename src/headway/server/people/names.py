"""Names of people: what may be one, and which names read or look the same."""

from __future__ import annotations

import re
import unicodedata

from headway.server.database.accounts import Looks
from headway.server.errors import invalid
from headway.server.fields import NAME_LENGTH
from headway.server.people.lookalikes import is_one_script, skeleton, without_ignorable

_ACCOUNT_NAME = re.compile(r"[^\W_][\w .'’-]*")
_VISIBLE = "LMNPS"
"""Unicode's letters, marks, numbers, punctuation and symbols."""
_LONGEST_LOOK = 200
"""A few characters stand for whole words, which are longer."""


def clean_name(name: str) -> str:
    """Returns a name in one line without invisible characters.

    Refuses one that is empty or too long then, or that mixes scripts.
    """
    visible = "".join(
        " " if char.isspace() else char
        for char in without_ignorable(unicodedata.normalize("NFC", name))
        if char.isspace() or unicodedata.category(char)[0] in _VISIBLE
    )
    tidy = " ".join(visible.split())
    if not tidy:
        raise invalid("server.no_name")
    if len(tidy) > NAME_LENGTH or max(map(len, looks(tidy))) > _LONGEST_LOOK:
        raise invalid("server.name_long", most=NAME_LENGTH)
    if not is_one_script(unicodedata.normalize("NFKC", tidy)):
        raise invalid("server.name_scripts")
    return tidy


def name_key(name: str) -> str:
    """Returns what two names that read the same have in common."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    # PostgreSQL takes no zero character, not even to compare.
    return " ".join(plain.replace("\0", " ").split())


def looks(name: str) -> Looks:
    """Returns what two names that look the same have in common: in small letters, or as written.

    Small letters find *ZOE* beside *Zoe*; the name as written finds *lris* beside *Iris*.
    """
    written = " ".join(unicodedata.normalize("NFKC", name).split())
    return Looks(skeleton(name_key(name)), skeleton(written))


def look_alike(name: str, other: str) -> bool:
    """Tells whether people can take one name for the other."""
    return any(one == two for one, two in zip(looks(name), looks(other), strict=True))


def account_name(name: str) -> str:
    """Returns a cleaned name that can be part of an address; refuses any other."""
    tidy = clean_name(name)
    if not _ACCOUNT_NAME.fullmatch(tidy) or not _ACCOUNT_NAME.fullmatch(name_key(tidy)):
        raise invalid("server.account_name")
    return tidy
