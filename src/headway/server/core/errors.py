"""Why the server refuses something, where no rule of a game is the reason."""

from __future__ import annotations

from enum import IntEnum

from headway.errors import HeadwayError


class RefusalReason(IntEnum):
    """The kind of a refusal; its value is the status code that HTTP has for it."""

    INVALID = 400
    UNKNOWN_TOKEN = 401
    FORBIDDEN = 403
    NOT_FOUND = 404
    TOO_SLOW = 408
    CONFLICT = 409
    TOO_LARGE = 413
    WRONG_TYPE = 415
    TOO_OFTEN = 429
    HEAD_TOO_LARGE = 431
    BROKEN = 500
    UNAVAILABLE = 503


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
