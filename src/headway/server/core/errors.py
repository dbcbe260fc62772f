"""Why the server refuses something, where no rule of a game is the reason."""

from __future__ import annotations

from enum import Enum, auto

from headway.errors import HeadwayError


class RefusalReason(Enum):
    """The kind of a refusal; `web/errors.py` gives each its status code."""

    INVALID = auto()
    UNKNOWN_TOKEN = auto()
    FORBIDDEN = auto()
    NOT_FOUND = auto()
    CONFLICT = auto()
    TOO_LARGE = auto()
    HEAD_TOO_LARGE = auto()
    WRONG_TYPE = auto()
    TOO_SLOW = auto()
    TOO_OFTEN = auto()
    BROKEN = auto()
    UNAVAILABLE = auto()


class RefusedError(HeadwayError):
    """Something that the table or the server does not allow."""

    def __init__(self, reason: RefusalReason, key: str, /, **values: object) -> None:
        super().__init__("TABLE", key, **values)
        self.reason = reason


class WrongPasswordError(RefusedError):
    """A password that is not the account's, or a name that no account has."""

    def __init__(self, key: str) -> None:
        super().__init__(RefusalReason.FORBIDDEN, key)


def forbidden(key: str, **values: object) -> RefusedError:
    """This person may not do it."""
    return RefusedError(RefusalReason.FORBIDDEN, key, **values)


def not_found(key: str = "server.not_found", **values: object) -> RefusedError:
    """It does not exist."""
    return RefusedError(RefusalReason.NOT_FOUND, key, **values)


def conflict(key: str, **values: object) -> RefusedError:
    """It cannot be done as things stand now."""
    return RefusedError(RefusalReason.CONFLICT, key, **values)


def invalid(key: str, **values: object) -> RefusedError:
    """The request asks for something that makes no sense."""
    return RefusedError(RefusalReason.INVALID, key, **values)


def unavailable(key: str = "server.busy", **values: object) -> RefusedError:
    """The server cannot do it now; a later try may succeed."""
    return RefusedError(RefusalReason.UNAVAILABLE, key, **values)
