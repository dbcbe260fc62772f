"""Names that look the same: skeletons and scripts after Unicode's standard for security, UTS 39.

`lookalikes.txt` has what names need of Unicode's `confusables.txt`. `benchmarks/lookalikes.py`
makes it again from a newer one. It is a file of ours because the packages that carry this data
neither compute skeletons nor have newer data.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files

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
