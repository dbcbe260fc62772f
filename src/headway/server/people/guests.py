"""Guests: who a cookie or a token names, and what guests are called.

A guest has a signed cookie for a browser, a session's for an account, a token for a program.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Collection
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from headway.i18n import say
from headway.server.core.database import Database
from headway.server.core.errors import conflict, not_found
from headway.server.core.schema import GUESTS, SESSIONS, SUBSCRIPTIONS, TOKENS
from headway.server.people.names import looks
from headway.server.tables.setup import Persona
from headway.settings import SESSION_SECONDS

MOST_TOKENS_PER_GUEST = 10
TOKEN_ID_LENGTH = 16
"""The id of a token is the beginning of its hash, which says nothing about the token."""
SESSION_PREFIX = "session:"
Also = Callable[[Connection], None]
"""What else is written in the same transaction."""
_GUEST = re.compile(r"[A-Za-z0-9_-]{22}")


def nothing(connection: Connection) -> None:
    """Writes nothing else."""


class TokenHead(msgspec.Struct, frozen=True):
    """A token as its owner sees it in a list: not the secret, which is shown once."""

    id: str
    name: str
    created: float


class Guests:
    """Makes guests and recognises them; nothing is stored until a guest takes a name."""

    def __init__(self, database: Database, secret: bytes) -> None:
        self.database = database
        self._secret = secret

    def new(self) -> str:
        """Returns the id of a new guest."""
        return secrets.token_urlsafe(16)

    def cookie(self, guest: str) -> str:
        """Returns the guest's cookie."""
        return f"{guest}.{self._sign('guest', guest)}"

    def new_session(self) -> str:
        """Returns the cookie of a new session."""
        return SESSION_PREFIX + secrets.token_urlsafe(32)

    async def of_cookie(self, cookie: str) -> str | None:
        """Returns the guest whose cookie this is; None for a forged one or an ended session."""
        if cookie.startswith(SESSION_PREFIX):
            lasts = SESSIONS.c.created > time.time() - SESSION_SECONDS
            query = select(SESSIONS.c.guest).where(SESSIONS.c.hash == secret_hash(cookie), lasts)
            owner: str | None = await self.database.value(query)
            return owner
        guest, _, signature = cookie.partition(".")
        if not _GUEST.fullmatch(guest) or not signature.isascii():
            return None
        return guest if hmac.compare_digest(signature, self._sign("guest", guest)) else None

    async def end_session(self, cookie: str) -> None:
        """Ends the session of a cookie, if it is one; its browser is called no more."""
        ended = secret_hash(cookie)

        def work(connection: Connection) -> None:
            connection.execute(delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.session == ended))
            connection.execute(delete(SESSIONS).where(SESSIONS.c.hash == ended))

        await self.database.write(work)

    def _sign(self, use: str, text: str) -> str:
        key = f"headway/1|{use}|{text}".encode()
        return hmac.digest(self._secret, key, "sha256").hex()[:40]

    # Names

    async def name(self, guest: str, lang: str) -> str:
        """Returns the name that a guest has chosen, else a number.

        The number tells nothing about the cookie.
        """
        return (await self.persona(guest, lang)).name

    async def persona(self, guest: str, lang: str) -> Persona:
        """Returns the name that a guest has chosen, else a number, with the chosen face."""
        query = select(GUESTS.c.name, GUESTS.c.face).where(GUESTS.c.id == guest)
        row = await self.database.first(query)
        number = int(self._sign("name", guest)[:8], 16) % 900 + 100
        name = (row.name if row else "") or say("server.guest", lang, n=number)
        return Persona(name, row.face if row else "")

    async def chosen_personas(self, guests: Collection[str]) -> dict[str, Persona]:
        """Returns those of some guests who have chosen a name, by guest."""
        query = select(GUESTS.c.id, GUESTS.c.name, GUESTS.c.face).where(GUESTS.c.id.in_(guests))
        rows = await self.database.rows(query)
        return {row.id: Persona(row.name, row.face) for row in rows if row.name}

    async def rename(self, guest: str, name: str, also: Also = nothing) -> None:
        """Keeps a name that a guest has chosen; `also` is part of the transaction."""
        keeping = self._keeping(guest, name=name, **looks(name)._asdict())

        def work(connection: Connection) -> None:
            connection.execute(keeping)
            also(connection)

        await self.database.write(work)

    async def take_face(self, guest: str, face: str) -> None:
        """Keeps the face that a guest has chosen."""
        await self.database.change(self._keeping(guest, face=face))

    def _keeping(self, guest: str, **chosen: str) -> Any:
        """Returns what writes down what a guest has chosen."""
        row = {"id": guest, "name": "", "created": time.time()} | chosen
        adding = self.database.dialect.insert(GUESTS).values(**row)
        return adding.on_conflict_do_update(index_elements=["id"], set_=chosen)

    # Tokens

    async def new_token(self, guest: str, name: str) -> str:
        """Returns a token for a program that plays in the guest's name; only its hash is kept."""
        token, most = secrets.token_urlsafe(32), MOST_TOKENS_PER_GUEST
        row = {"hash": secret_hash(token), "guest": guest, "name": name, "created": time.time()}

        def work(connection: Connection) -> None:
            query = select(TOKENS.c.hash).where(TOKENS.c.guest == guest)
            if len(connection.execute(query).all()) >= most:
                raise conflict("server.tokens", most=most)
            connection.execute(insert(TOKENS).values(**row))

        await self.database.write(work)
        return token

    async def tokens(self, guest: str) -> list[TokenHead]:
        """Returns a guest's tokens, the newest first, without the secret that they are."""
        query = select(TOKENS).where(TOKENS.c.guest == guest)
        newest_first = query.order_by(TOKENS.c.created.desc(), TOKENS.c.hash)
        rows = await self.database.rows(newest_first)
        return [TokenHead(row.hash[:TOKEN_ID_LENGTH], row.name, row.created) for row in rows]

    async def rename_token(self, guest: str, token_id: str, name: str) -> None:
        """Changes what a guest calls a token."""
        renaming = update(TOKENS).where(_token(guest, token_id)).values(name=name)
        if not await self.database.change(renaming):
            raise not_found("server.no_token")

    async def revoke_token(self, guest: str, token_id: str) -> None:
        """Ends a token: programs that have it are strangers from now on."""
        if not await self.database.change(delete(TOKENS).where(_token(guest, token_id))):
            raise not_found("server.no_token")

    async def of_token(self, token: str) -> str | None:
        """Returns the guest in whose name a token plays."""
        query = select(TOKENS.c.guest).where(TOKENS.c.hash == secret_hash(token))
        guest: str | None = await self.database.value(query)
        return guest


def end_sessions(connection: Connection, guest: str) -> int:
    """Signs an account out everywhere, and calls none of its browsers; returns how many were in."""
    connection.execute(delete(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.guest == guest))
    return connection.execute(delete(SESSIONS).where(SESSIONS.c.guest == guest)).rowcount


def secret_hash(secret: str) -> str:
    """Returns what is kept of a session or token: a reader of the database cannot use it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _token(guest: str, token_id: str) -> Any:
    return (TOKENS.c.guest == guest) & TOKENS.c.hash.startswith(token_id, autoescape=True)
