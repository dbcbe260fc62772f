"""Why the server refuses something, where no rule of a game is the reason."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from headway.errors import HeadwayError


class RefusedError(HeadwayError):
    """Something that the table or the server does not allow, with the status of its kind."""

    def __init__(self, status: HTTPStatus, key: str, /, **values: object) -> None:
        super().__init__("TABLE", key, **values)
        self.status = status


class WrongPasswordError(RefusedError):
    """A password that is not the account's, or a name that no account has."""

    def __init__(self, key: str) -> None:
        super().__init__(HTTPStatus.FORBIDDEN, key)


def not_found(key: str = "server.not_found", **values: object) -> RefusedError:
    """It does not exist."""
    return RefusedError(HTTPStatus.NOT_FOUND, key, **values)


def unavailable(key: str = "server.busy", **values: object) -> RefusedError:
    """The server cannot do it now; a later try may succeed."""
    return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, key, **values)


forbidden = partial(RefusedError, HTTPStatus.FORBIDDEN)
"""This person may not do it."""
conflict = partial(RefusedError, HTTPStatus.CONFLICT)
"""It cannot be done as things stand now."""
invalid = partial(RefusedError, HTTPStatus.BAD_REQUEST)
"""The request asks for something that makes no sense."""
too_often = partial(RefusedError, HTTPStatus.TOO_MANY_REQUESTS)
"""The person, or everybody at their address, has done so or has so much already."""
