"""Guests: a signed cookie for a browser, a session's for an account, a token for a program."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time

import msgspec

from headway.i18n import say
from headway.server.core.errors import conflict, not_found
from headway.server.people.names import looks
from headway.server.people.store import AccountStore

MOST_TOKENS_PER_GUEST = 10
TOKEN_ID_LENGTH = 16
"""The id of a token is the beginning of its hash, which says nothing about the token."""
SESSION_PREFIX = "session:"
_GUEST = re.compile(r"[A-Za-z0-9_-]{22}")


class TokenHead(msgspec.Struct, frozen=True):
    """A token as its owner sees it in a list: not the secret, which is shown once."""

    id: str
    name: str
    created: float


class Guests:
    """Makes guests and recognises them; nothing is stored until a guest takes a name."""

    def __init__(self, store: AccountStore, secret: bytes) -> None:
        self.store = store
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
            return await self.store.session_guest(secret_hash(cookie))
        guest, _, signature = cookie.partition(".")
        if not _GUEST.fullmatch(guest) or not signature.isascii():
            return None
        return guest if hmac.compare_digest(signature, self._sign("guest", guest)) else None

    async def end_session(self, cookie: str) -> None:
        """Ends the session of a cookie, if it is one."""
        await self.store.sign_out(secret_hash(cookie))

    def _sign(self, use: str, text: str) -> str:
        key = f"headway/1|{use}|{text}".encode()
        return hmac.digest(self._secret, key, "sha256").hex()[:40]

    # Names

    async def name(self, guest: str, lang: str) -> str:
        """Returns the guest's name: the chosen one, else a number."""
        return await self.store.guest_name(guest) or self.default_name(guest, lang)

    def default_name(self, guest: str, lang: str) -> str:
        """Returns the name of a guest without one; its number tells nothing about the cookie."""
        return say("server.guest", lang, n=int(self._sign("name", guest)[:8], 16) % 900 + 100)

    async def rename(self, guest: str, name: str) -> None:
        """Keeps a name that a guest has chosen."""
        await self.store.name_guest(guest, name, looks(name), time.time())

    # Tokens

    async def new_token(self, guest: str, name: str) -> str:
        """Returns a token for a program that plays in the guest's name; only its hash is kept."""
        token, most = secrets.token_urlsafe(32), MOST_TOKENS_PER_GUEST
        if not await self.store.add_token(secret_hash(token), guest, name, time.time(), most):
            raise conflict("server.tokens", most=most)
        return token

    async def tokens(self, guest: str) -> list[TokenHead]:
        """Returns a guest's tokens, the newest first, without the secret that they are."""
        rows = await self.store.tokens_of(guest)
        return [TokenHead(row.hash[:TOKEN_ID_LENGTH], row.name, row.created) for row in rows]

    async def rename_token(self, guest: str, token_id: str, name: str) -> None:
        """Changes what a guest calls a token."""
        if not await self.store.rename_token(guest, token_id, name):
            raise not_found("server.no_token")

    async def revoke_token(self, guest: str, token_id: str) -> None:
        """Ends a token: programs that have it are strangers from now on."""
        if not await self.store.revoke_token(guest, token_id):
            raise not_found("server.no_token")

    async def of_token(self, token: str) -> str | None:
        """Returns the guest in whose name a token plays."""
        return await self.store.token_guest(secret_hash(token))


def secret_hash(secret: str) -> str:
    """Returns what is kept of a session or token: a reader of the database cannot use it."""
    return hashlib.sha256(secret.encode()).hexdigest()
