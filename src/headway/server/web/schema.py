"""What answers share: the body of an error, and whether the server is well."""

from __future__ import annotations

import msgspec


class ErrorBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is wrong: the rule's id, the key of the sentence, and the sentence in a language.

    Of something wrong in a record, also its place in words and its line in the text, from 1.
    """

    rule: str
    key: str
    sentence: str
    lang: str
    place: str = ""
    line: int = 0


class Failure(msgspec.Struct, frozen=True):
    """The body of every answer that is an error."""

    error: ErrorBody


class Health(msgspec.Struct, frozen=True):
    """`ok` if the database answers."""

    status: str
    version: str


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """Answers a ping, and says from time to time that the server is there."""


PONG = msgspec.json.encode(Pong())
"""The answer as it is sent; every socket also brings it from time to time, unasked."""
