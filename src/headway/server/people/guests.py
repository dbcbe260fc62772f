"""Who asks: guests with a signed cookie, accounts with a session's, programs with a token."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
import unicodedata
from collections.abc import Mapping

from headway.i18n import say
from headway.server.database.accounts import Register
from headway.server.database.tables import Store
from headway.server.errors import Refused

COOKIE = "headway"
CSRF_COOKIE = "headway-csrf"
CSRF_HEADER = "x-headway-csrf"
MOST_TOKENS = 10
SESSION = "session:"
_GUEST = re.compile(r"[A-Za-z0-9_-]{22}")


class Guests:
    """Makes guests and knows them again; nothing is stored until a guest takes a name."""

    def __init__(self, store: Store, secret: bytes) -> None:
        self.store = store
        self.secret = secret
        self.register = Register(store)

    def new(self) -> str:
        """The id of a guest who was never here."""
        return secrets.token_urlsafe(16)

    def cookie(self, guest: str) -> str:
        """The guest's cookie."""
        return f"{guest}.{self._sign('guest', guest)}"

    def csrf(self, guest: str) -> str:
        """What the guest's pages send along with everything that changes something."""
        return self._sign("csrf", guest)

    def new_session(self) -> str:
        """The cookie of a session that begins."""
        return SESSION + secrets.token_urlsafe(32)

    async def known(self, cookie: str) -> str | None:
        """The guest whose cookie this is; None if nobody here signed it, or the session is over."""
        if cookie.startswith(SESSION):
            return await self.register.of_session(session_hash(cookie))
        guest, _, signature = cookie.partition(".")
        if not _GUEST.fullmatch(guest) or not signature.isascii():
            return None
        return guest if hmac.compare_digest(signature, self._sign("guest", guest)) else None

    async def end_session(self, cookies: Mapping[str, str]) -> None:
        """Ends the session of a browser, if it has one."""
        await self.register.sign_out(session_hash(cookies.get(COOKIE, "")))

    def csrf_matches(self, guest: str, sent: str, cookie: str) -> bool:
        """Whether a request comes from one of our own pages."""
        if not (sent.isascii() and cookie.isascii()):
            return False
        right = self.csrf(guest)
        return hmac.compare_digest(sent, right) and hmac.compare_digest(cookie, right)

    def _sign(self, use: str, text: str) -> str:
        key = f"headway/1|{use}|{text}".encode()
        return hmac.new(self.secret, key, hashlib.sha256).hexdigest()[:40]

    # Names

    async def name(self, guest: str, lang: str) -> str:
        """The guest's name: the chosen one, else a number."""
        return await self.store.guest_name(guest) or self.nameless(guest, lang)

    def nameless(self, guest: str, lang: str) -> str:
        """What a guest without a name is called; the number tells nothing about the cookie."""
        return say("server.guest", lang, n=int(self._sign("name", guest)[:8], 16) % 900 + 100)

    async def rename(self, guest: str, name: str) -> None:
        """Keeps a name that a guest has chosen."""
        await self.store.name_guest(guest, name, time.time())

    # Tokens

    async def new_token(self, guest: str, name: str) -> str:
        """A token for a program that plays in the guest's name; only its hash is kept."""
        token = secrets.token_urlsafe(32)
        kept = await self.store.add_token(_hash(token), guest, name, time.time(), MOST_TOKENS)
        if not kept:
            raise Refused(409, "server.tokens", most=MOST_TOKENS)
        return token

    async def of_token(self, token: str) -> str | None:
        """The guest in whose name a token plays."""
        return await self.store.token_guest(_hash(token))


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def session_hash(cookie: str) -> str:
    """What is kept of a session: who reads the database cannot sign in with it."""
    return _hash(cookie)


def clean_name(name: str) -> str:
    """A name in one line, without invisible and control characters; a sentence if nothing is left.

    Only what can be seen is kept: letters, marks, numbers, punctuation, symbols, single spaces.
    """
    seen = "".join(
        " " if char.isspace() else char
        for char in unicodedata.normalize("NFC", name)
        if char.isspace() or unicodedata.category(char)[0] in "LMNPS"
    )
    tidy = " ".join(seen.split())
    if not tidy:
        raise Refused(400, "server.no_name")
    return tidy
