"""The errors that users see: three classes by cause, each with a sentence.

An error has the id of a rule, the catalogue key of its sentence and, for an error in a record, its
place there. The sentence is formatted when it is shown, in the reader's language. Checks of
arguments that callers of the library give raise `InputError`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from functools import reduce
from typing import Any

from headway.i18n import say

FORMAT = "FORMAT"
"""The id of everything that is not of the form that a record or a move has."""

Place = tuple[tuple[str, int], ...]
"""A position in a record: `(("round", 1), ("turn", 3), ("seat", 0))`."""
MOST_SHOWN = 60


class HeadwayError(Exception):
    """The base class of all errors for users; never raised itself."""

    def __init__(self, rule: str, key: str, /, **values: object) -> None:
        super().__init__(rule, key, values)
        self.rule = rule
        self.key = key
        self.values = values
        self.place: Place = ()
        self.path: tuple[str | int, ...] = ()
        """The keys and indices that lead to the error in a JSON file."""
        self.line = 0
        """The line of the file with the error, 0 if unknown."""

    def at(self, place: Iterable[tuple[str, int]]) -> HeadwayError:
        """Adds the place in the record unless there is one already; returns the error itself."""
        if not self.place:
            self.place = tuple(place)
        return self

    def inside(self, *path: str | int) -> HeadwayError:
        """Adds the path in the file unless there is one already; returns the error itself."""
        self.path = self.path or path
        return self

    def where(self, lang: str | None = None) -> str:
        """Returns the place as text: `move 12, seat 0`."""
        return ", ".join(say(f"place.{name}", lang, n=number) for name, number in self.place)

    def sentence(self, lang: str | None = None) -> str:
        """Returns what is wrong as a sentence, without rule id and place."""
        return say(self.key, lang, **self.values)

    def explain(self, lang: str | None = None) -> str:
        """Returns place, rule id and sentence in one line, as checks of records show it."""
        parts = (self.where(lang), self.rule, self.sentence(lang))
        return reduce(
            lambda where, what: say("place.says", lang, where=where, what=what),
            [part for part in parts if part],
        )

    def message(self, lang: str | None = None) -> str:
        """Returns the same without the id FORMAT, which says nothing of a name or an option."""
        parts = (self.where(lang), self.rule.removeprefix(FORMAT), self.sentence(lang))
        return ": ".join(part for part in parts if part)

    def __str__(self) -> str:
        return self.message()

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors of worker processes are pickled on their way to the main process.
        return type(self).__new__, (type(self), *self.args), self.__dict__


class InputError(HeadwayError):
    """Input that cannot be used: a file, a token, a value, an unknown name. Its id is FORMAT."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(FORMAT, key, **values)

    def sentence(self, lang: str | None = None) -> str:
        """Returns what is wrong, and the names that were perhaps meant."""
        sentence = super().sentence(lang)
        names = self.values.get("similar")
        return f"{sentence} {say('format.similar', lang, names=names)}" if names else sentence


def unknown(key: str, known: Iterable[str], **typed: str) -> InputError:
    """Returns the error for a name that does not exist: with all known names, and similar ones."""
    (name,), names = typed.values(), list(known)
    found = similar(name, names)
    return InputError(key, known=", ".join(names), similar=", ".join(found), **typed)


def similar(name: str, known: Iterable[str]) -> list[str]:
    """Returns the known names that look like a name, the most similar one first."""
    from difflib import get_close_matches  # slow to load, and rarely needed

    by_small_letters = {each.lower(): each for each in known}
    return [by_small_letters[each] for each in get_close_matches(name.lower(), by_small_letters)]


class BotFailedError(InputError):
    """A bot or agent of a user that fails."""

    trace = ""
    """The traceback of its own file, if the failure has one."""


class RuleBroken(HeadwayError):  # noqa: N818 (a public name)
    """Valid input that breaks a rule of the game; names the id of the rule."""


class NotYourTurn(HeadwayError):  # noqa: N818 (a public name)
    """A move of a seat that has nothing to decide now."""


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
