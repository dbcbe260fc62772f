"""Names of people: what may be one, and which names read or look the same.

Skeletons and scripts are those of Unicode's standard for security, UTS 39. `lookalikes.txt` has
what names need of Unicode's `confusables.txt`; `benchmarks/lookalikes.py` makes it again from a
newer one. It is a file of ours because the packages that carry this data neither compute skeletons
nor have newer data.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from headway.bots.registry import character, shipped_bots_of
from headway.games import boxes
from headway.i18n import languages
from headway.server.core.errors import invalid
from headway.server.core.fields import NAME_LENGTH

_ACCOUNT_NAME = re.compile(r"[^\W_][\w .'’-]*")
_VISIBLE = "LMNPS"
"""Unicode's letters, marks, numbers, punctuation and symbols."""
MOST_ACCENTS = 3
"""Combining marks on one letter; Vietnamese needs two, pointed Hebrew three."""
_STACKED = re.compile(rf"(.)\1|.{{{MOST_ACCENTS + 1}}}")
PRODUCT = "Headway"
_LONGEST_LOOK = 200
"""A few characters stand for whole words, which are longer."""
WRITTEN_TOGETHER = (
    frozenset({"CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"CJK", "HANGUL"}),
    frozenset({"CJK", "BOPOMOFO"}),
)
"""Scripts that people mix in one word: Japanese, Korean, and Chinese with its phonetic script."""
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's Default_Ignorable_Code_Point, and the blank pattern of Braille."""


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


def without_ignorable(text: str) -> str:
    """Returns a text without the characters that have no look."""
    return _IGNORABLE.sub("", text)


def skeleton(text: str) -> str:
    """Returns what texts that look the same have in common; not meant to be shown."""
    plain = without_ignorable(unicodedata.normalize("NFD", text)).translate(_prototypes())
    return unicodedata.normalize("NFD", plain)


def is_one_script(text: str) -> bool:
    """Tells whether all letters of a text are of one script, or of scripts written together."""
    scripts = {_script(char) for char in text if unicodedata.category(char)[0] == "L"} - {""}
    return len(scripts) < 2 or any(scripts <= together for together in WRITTEN_TOGETHER)


def _script(char: str) -> str:
    """Returns the script of a letter, which its name begins with; empty if it belongs to many."""
    script = unicodedata.name(char, "").partition(" ")[0]
    return "" if script in ("MODIFIER", "KATAKANA-HIRAGANA") else script


@cache
def _prototypes() -> dict[int, str]:
    table: dict[int, str] = {}
    text = files("headway.server.people").joinpath("lookalikes.txt").read_text("ascii")
    for line in text.splitlines():
        if not line.startswith("#"):
            prototype, _, sources = line.partition(":")
            table |= dict.fromkeys((int(code, 16) for code in sources.split()), _text(prototype))
    return table


def _text(codes: str) -> str:
    return "".join(chr(int(code, 16)) for code in codes.split())
