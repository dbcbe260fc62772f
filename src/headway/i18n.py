"""Every text a player sees, by key, in each language that has files.

A language is a file `texts/xx.toml` for all games, and one in the folder `texts` of each game. A
host can add more languages, or change texts, in the folder `HEADWAY_TEXTS_DIR`. English is the
source: a text that another language lacks is said in English.

A text with a number in it has a form for each plural category of its language (`one`, `other`, …);
the value of `{n}` chooses. `{length:spaces}` puts the text `count.spaces` in, with `n = length`;
where there are no such forms, `{card:card}` puts the text of an id in, as `card.blue`. A value can
name the group: `{length:{card}_cards}` counts blue cards by the text `count.blue_cards`.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, Literal

from headway import settings

if TYPE_CHECKING:
    from babel import Locale

SOURCE = "en"
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
"""The plural categories of Unicode's CLDR; no language has all of them."""
_CONTROL = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def say(key: str, lang: str | None = None, /, **values: object) -> str:
    """Returns the text of a key in a language (the user's by default), its `{names}` filled in."""
    lang = lang or language()
    return _Filler(lang).vformat(_form(key, lang, values), (), values)


def number(value: float) -> str:
    """Returns a number as people read it, with a true minus sign."""
    return str(value).replace("-", "−", 1) if value < 0 else str(value)


def plain(text: str) -> str:
    """Returns a text whose control characters are written out, as JSON does it.

    A terminal would obey them: move the cursor, change its title, turn letters around.
    """
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


@cache
def languages() -> tuple[str, ...]:
    """Returns the codes of all languages that have texts, the source first."""
    codes = {file.name.removesuffix(".toml") for folder in _folders() for file in folder.iterdir()}
    return (SOURCE, *sorted(code for code in codes - {SOURCE} if is_language(code)))


def language() -> str:
    """Returns the user's language: `HEADWAY_LANG`, else the system's locale, else English."""
    for variable in ("HEADWAY_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if code := match(os.environ.get(variable, "")):
            return code
    return SOURCE


def match(locale: str) -> str | None:
    """Returns the language that fits a locale or tag best: `fr` for `fr_CA.UTF-8`."""
    tag = re.split(r"[.@]", locale)[0].replace("_", "-").lower()
    codes = {code.lower(): code for code in languages()}
    return codes.get(tag) or codes.get(tag.partition("-")[0])


def is_language(key: str) -> bool:
    """Tells whether a key has the form of a language's code: `fr`, `pt-BR`."""
    return _TAG.fullmatch(key) is not None


def in_language(words: Mapping[str, str], lang: str | None = None) -> str:
    """Returns the one of a map's texts to show: in the language, else in English, else any."""
    return words.get(lang or language()) or words.get(SOURCE) or next(iter(words.values()), "")


@cache
def texts(lang: str) -> Mapping[str, str]:
    """Returns all texts of a language by dotted key; a client can be served from this."""
    in_files = texts_in_files(lang)
    if lang == SOURCE:
        return in_files
    _check(lang, in_files)
    stems = {stem(key) for key in in_files}
    return {key: text for key, text in texts(SOURCE).items() if stem(key) not in stems} | in_files


def texts_in_files(lang: str) -> dict[str, str]:
    """Returns the texts that the files of a language have."""
    in_files: dict[str, str] = {}
    for folder in _folders():
        file = folder.joinpath(f"{lang}.toml")
        if file.is_file():
            in_files |= dict(_flat("", tomllib.loads(file.read_text("utf-8"))))
    return in_files


@cache
def locale_of(lang: str) -> Locale:
    """Returns how a language writes dates and numbers, or the nearest one that is known."""
    # Slow to import, and most texts have no number.
    from babel import Locale, UnknownLocaleError

    for code in (lang, lang.partition("-")[0]):
        try:
            return Locale.parse(code, sep="-")
        except (UnknownLocaleError, ValueError):
            continue
    return Locale.parse(SOURCE)


def stem(key: str) -> str:
    """Returns the key of a text without the plural category of one of its forms."""
    name, _, last = key.rpartition(".")
    return name if last in CATEGORIES else key


def fields(text: str) -> set[str]:
    """Returns the `{names}` in a text."""
    names: set[str] = set()
    for _, name, group, _ in Formatter().parse(text):
        if name is not None:
            names |= {name} | fields(group or "")
    return names


def _check(lang: str, in_files: Mapping[str, str]) -> None:
    """Raises ValueError for a text whose values nobody gives: better now than when it is said."""
    given: dict[str, set[str]] = {}
    for key, text in texts(SOURCE).items():
        given.setdefault(stem(key), {"n"}).update(fields(text))
    for key, text in in_files.items():
        if stem(key) in given and (unknown := fields(text) - given[stem(key)]):
            raise ValueError(f"{lang}.toml, {key}: the English text has no {sorted(unknown)}")


def _folders() -> list[Path]:
    package = Path(__file__).parent
    games = sorted(package.joinpath("games").iterdir(), key=lambda folder: folder.name)
    folders = [folder.joinpath("texts") for folder in (package, *games)]
    extra = settings.texts_dir()
    return [folder for folder in folders if folder.is_dir()] + ([extra] if extra else [])


def _flat(prefix: str, node: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in node.items():
        if isinstance(value, dict):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield prefix + name, str(value)


def _form(key: str, lang: str, values: Mapping[str, object]) -> str:
    catalogue = texts(lang)
    if f"{key}.other" not in catalogue:
        return catalogue[key]
    from decimal import Decimal  # slow to load

    category = locale_of(lang).plural_form(Decimal(str(values["n"])))
    return catalogue.get(f"{key}.{category}") or catalogue[f"{key}.other"]


class _Filler(Formatter):
    """Fills in values, as the head of this module says."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Mapping):
            return plain(in_language(value, self.lang))
        if f"count.{format_spec}.other" in texts(self.lang):
            return say(f"count.{format_spec}", self.lang, n=value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return number(value)
        return texts(self.lang).get(f"{format_spec}.{value}", plain(str(value)))


if TYPE_CHECKING:
    Lang = str
else:
    Lang = Literal[languages()]
    """One of the languages that have texts: for schemas and options."""
