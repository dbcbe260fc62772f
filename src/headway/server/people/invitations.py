"""Invitations: links that let somebody in where strangers may not enter.

A code is shown once and kept as a hash, like a session's. It counts how many people it lets in.
"""

from __future__ import annotations

import secrets
import time

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from headway.server.core.database import Database
from headway.server.core.errors import WrongPasswordError, forbidden, not_found
from headway.server.core.schema import INVITATIONS
from headway.server.people.guests import secret_hash

ID_LENGTH = 8
"""The id of an invitation is the beginning of its hash."""


class Invitation(msgspec.Struct, frozen=True):
    """An invitation as the operator sees it in a list."""

    id: str
    note: str
    made: float
    until: float
    uses_left: int


class Invitations:
    """The invitations of a server."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def check(self, code: str) -> float:
        """Returns until when an invitation lets somebody in; refuses one that lets in nobody."""
        if not code:
            raise forbidden("server.needs_invitation")
        until: float | None = await self.database.value(
            select(INVITATIONS.c.until).where(_holds(code))
        )
        if until is None:
            raise WrongPasswordError("server.invitation")
        return until


def use(connection: Connection, code: str) -> None:
    """Uses an invitation once; refuses one that is unknown, too old or used up."""
    using = update(INVITATIONS).where(_holds(code))
    if not connection.execute(using.values(uses_left=INVITATIONS.c.uses_left - 1)).rowcount:
        raise WrongPasswordError("server.invitation")


def _holds(code: str) -> ColumnElement[bool]:
    here = INVITATIONS.c.hash == secret_hash(code)
    return here & (INVITATIONS.c.until > time.time()) & (INVITATIONS.c.uses_left > 0)


def make(connection: Connection, note: str, until: float, uses: int) -> tuple[str, str]:
    """Makes an invitation; returns its id and the code, which nobody can read again."""
    code = secrets.token_urlsafe(16)
    hashed = secret_hash(code)
    row = {"hash": hashed, "note": note, "made": time.time(), "until": until, "uses_left": uses}
    connection.execute(insert(INVITATIONS).values(**row))
    return hashed[:ID_LENGTH], code


def all_of_them(connection: Connection) -> list[Invitation]:
    """Returns all invitations, the newest first."""
    query = select(INVITATIONS).order_by(INVITATIONS.c.made.desc(), INVITATIONS.c.hash)
    return [
        Invitation(row.hash[:ID_LENGTH], row.note, row.made, row.until, row.uses_left)
        for row in connection.execute(query)
    ]


def revoke(connection: Connection, invitation_id: str) -> None:
    """Ends an invitation; who has used it stays."""
    this = INVITATIONS.c.hash.startswith(invitation_id, autoescape=True)
    if (
        len(invitation_id) != ID_LENGTH
        or not connection.execute(delete(INVITATIONS).where(this)).rowcount
    ):
        raise not_found("admin.no_invitation", id=invitation_id)
