"""What can go wrong, as three classes by cause; every error is a sentence that a player can read.

An error carries the id of the rule that is the reason, the key of its sentence in the catalogue
and, where it lies in a record, its place there. The sentence itself is made when it is shown, in
the language of whoever reads it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from headway.i18n import say

Place = tuple[tuple[str, int], ...]
"""Where in a record something stands: `(("round", 1), ("turn", 3), ("seat", 0))`."""


class HeadwayError(Exception):
    """The parent of all errors that are a user's business; never raised itself."""

    def __init__(self, rule: str, key: str, /, **values: object) -> None:
        super().__init__(rule, key, values)
        self.rule = rule
        self.key = key
        self.values = values
        self.place: Place = ()
        self.line = 0
        """The line of the file in which it lies, 0 if that is not known."""

    def at(self, place: Iterable[tuple[str, int]]) -> HeadwayError:
        """The same error with its place in the record, unless it has one already."""
        if not self.place:
            self.place = tuple(place)
        return self

    def where(self, lang: str | None = None) -> str:
        """The place in words: `move 12, seat 0`."""
        return ", ".join(say(f"place.{name}", lang, n=number) for name, number in self.place)

    def sentence(self, lang: str | None = None) -> str:
        """What is wrong, in a sentence, without rule id and place."""
        return say(self.key, lang, **self.values)

    def explain(self, lang: str | None = None) -> str:
        """Place, rule id and sentence in one line: what a terminal shows."""
        parts = (self.where(lang), self.rule, self.sentence(lang))
        return ": ".join(part for part in parts if part)

    def __str__(self) -> str:
        return self.explain()

    def __reduce__(self) -> tuple[Any, ...]:
        # A worker's error reaches the process that it works for as it is.
        return type(self).__new__, (type(self), *self.args), self.__dict__


class InputError(HeadwayError):
    """Cannot be read: a file, a token, a value, a name that does not exist. Its id is FORMAT."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__("FORMAT", key, **values)


class RuleBroken(HeadwayError):  # noqa: N818 (a public name)
    """Can be read and breaks a rule of the game, whose id it names."""


class NotYourTurn(HeadwayError):  # noqa: N818 (a public name)
    """A move of a seat that has nothing to decide now."""
