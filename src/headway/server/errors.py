"""Why the server says no, where no rule of a game is the reason."""

from __future__ import annotations

from headway.errors import HeadwayError, NotYourTurn, RuleBroken


class Refused(HeadwayError):
    """Something that the table or the server does not allow; `status` is HTTP's name for it."""

    def __init__(self, status: int, key: str, /, **values: object) -> None:
        super().__init__("TABLE", key, **values)
        self.status = status


def status_of(error: HeadwayError) -> int:
    """The HTTP status that goes with an error."""
    if isinstance(error, Refused):
        return error.status
    if isinstance(error, NotYourTurn):
        return 409
    return 422 if isinstance(error, RuleBroken) else 400


def no_table() -> Refused:
    """There is no table of that id."""
    return Refused(404, "server.no_table")
