"""Names of people: what may be one, and which names read or look the same."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from headway.bots.registry import character, shipped_bots_of
from headway.games import boxes
from headway.i18n import languages
from headway.server.core.errors import invalid
from headway.server.core.fields import NAME_LENGTH
from headway.server.people.lookalikes import is_one_script, skeleton, without_ignorable

_ACCOUNT_NAME = re.compile(r"[^\W_][\w .'’-]*")
_VISIBLE = "LMNPS"
"""Unicode's letters, marks, numbers, punctuation and symbols."""
MOST_ACCENTS = 3
"""Combining marks on one letter; Vietnamese needs two, pointed Hebrew three."""
_STACKED = re.compile(rf"(.)\1|.{{{MOST_ACCENTS + 1}}}")
PRODUCT = "Headway"
_LONGEST_LOOK = 200
"""A few characters stand for whole words, which are longer."""


class Looks(NamedTuple):
    """What a name looks like: in small letters, and as written."""

    small_look: str
    look: str


def visible_line(text: str) -> str:
    """Returns a text in one line without invisible characters."""
    visible = "".join(
        " " if char.isspace() else char
        for char in without_ignorable(unicodedata.normalize("NFC", text))
        if char.isspace() or unicodedata.category(char)[0] in _VISIBLE
    )
    return " ".join(visible.split())


def clean_name(name: str) -> str:
    """Returns a name in one line without invisible characters.

    Refuses one that is empty or too long then, or that mixes scripts.
    """
    tidy = visible_line(name)
    if not tidy:
        raise invalid("server.no_name")
    if len(tidy) > NAME_LENGTH or max(map(len, looks(tidy))) > _LONGEST_LOOK:
        raise invalid("server.name_long", most=NAME_LENGTH)
    if not is_one_script(unicodedata.normalize("NFKC", tidy)):
        raise invalid("server.name_scripts")
    if _has_stacked_accents(tidy):
        raise invalid("server.name_accents", most=MOST_ACCENTS)
    return tidy


def _has_stacked_accents(name: str) -> bool:
    """Tells whether a letter carries too many marks, or one of them twice (UTS 39, 5.4)."""
    marks = "".join(
        char if unicodedata.category(char) in ("Mn", "Me") else "\n"
        for char in unicodedata.normalize("NFD", name)
    )
    return _STACKED.search(marks) is not None


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


@cache
def _bot_looks() -> frozenset[Looks]:
    """The looks of all that bots are called, in every language."""
    return frozenset(
        looks(title)
        for box in boxes()
        for name, bot in shipped_bots_of(box.name).items()
        for title in (name, *(character(bot, box.name, lang).title for lang in languages()))
    )


def is_reserved(name: str) -> bool:
    """Tells whether a name passes for a bot, also a numbered one, or for Headway itself."""
    small, written = looks(name.rstrip("0123456789 .-"))
    if any(small == bot.small_look or written == bot.look for bot in _bot_looks()):
        return True
    words = re.split(r"[\W_]+", name_key(name))
    return any(look_alike(word, PRODUCT) for word in (*words, "".join(words)) if word)


def account_name(name: str) -> str:
    """Returns a cleaned name that can be part of an address; refuses any other."""
    tidy = clean_name(name)
    if not _ACCOUNT_NAME.fullmatch(tidy) or not _ACCOUNT_NAME.fullmatch(name_key(tidy)):
        raise invalid("server.account_name")
    return tidy
