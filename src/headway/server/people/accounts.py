"""Guests and accounts: a guest claims a name and a password, and is one player on several devices.

A guest has a signed cookie for a browser, a session's for an account, a token for a program.

An account is a guest whom no guest's cookie names; a session's cookie does, until the session ends.
Signing in brings along what was played as a guest.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import re
import secrets
import time
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from headway.errors import HeadwayError
from headway.games import box
from headway.i18n import say
from headway.server.core.errors import WrongPasswordError, conflict, invalid, not_found
from headway.server.people.names import (
    account_name,
    clean_name,
    is_reserved,
    look_alike,
    looks,
    name_key,
)
from headway.server.people.store import NAMED, AccountStore, NameTakenError
from headway.server.tables.authority import TableAuthority, new_event
from headway.server.tables.events import BOT, LEAVE, TableEvent
from headway.server.tables.setup import Occupant
from headway.server.tables.state import TableState

MOST_TOKENS_PER_GUEST = 10
TOKEN_ID_LENGTH = 16
"""The id of a token is the beginning of its hash, which says nothing about the token."""
SESSION_PREFIX = "session:"
_GUEST = re.compile(r"[A-Za-z0-9_-]{22}")
SHORTEST_PASSWORD = 8
_TAIL = "0123456789!?.,-_*#@$ "
"""What people put behind a word to make it a password."""
PASSWORDS_AT_ONCE = 2
"""Passwords hashed at the same time: each takes 64 MB of memory."""
MOST_TABLES_TO_REFRESH = 1000
MOST_TABLES_TO_LEAVE = 10_000


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


class Accounts:
    """The accounts of a server, with their passwords."""

    def __init__(self, store: AccountStore, guests: Guests, authority: TableAuthority) -> None:
        self.store = store
        self.guests = guests
        self.authority = authority
        self._hasher = PasswordHasher()
        self._free = asyncio.Semaphore(PASSWORDS_AT_ONCE)
        self._unused_hash = ""

    async def claim(self, guest: str, name: str, password: str) -> tuple[str, str]:
        """Opens an account with everything the guest has done; returns its guest and cookie."""
        if await self.store.by_guest(guest):
            raise conflict("server.signed_in")
        name = account_name(name)
        if is_reserved(name) or await self.store.by_looks(looks(name)):
            raise conflict("server.name_taken", name=name)
        hashed = await self._hash(good_password(password, name))
        account, cookie = self.guests.new(), self.guests.new_session()
        row = {"guest": account, "name": name, "key": name_key(name), "password": hashed}
        with _refused_if_taken(name):
            session = secret_hash(cookie)
            await self.store.claim(row | {"created": time.time()}, looks(name), session, guest)
        await self._refresh(await self._tables_of(account))
        await self._free_seats_of(name)
        return account, cookie

    async def sign_in(self, guest: str, name: str, password: str) -> tuple[str, str]:
        """Opens a session; returns the account's guest and the session's cookie.

        An unknown name and a wrong password get the same answer after the same work.
        """
        account = await self.store.by_name(name_key(name))
        hashed = account.password if account else await self._hash_of_nobody()
        right = await self._matches(hashed, password)
        if not (account and right):
            raise WrongPasswordError("server.sign_in")
        other = None if await self.store.by_guest(guest) else guest
        cookie = self.guests.new_session()
        await self.store.sign_in(account.guest, secret_hash(cookie), other, time.time())
        if other:
            await self._refresh(await self._tables_of(account.guest))
        return account.guest, cookie

    async def change_password(
        self, guest: str, old: str, new: str, *, keep_tokens: bool = False
    ) -> str:
        """Changes the password; returns the cookie of the only session that is left.

        Tokens end too, unless their owner keeps them.
        """
        account = await self._verified(guest, old)
        hashed = await self._hash(good_password(new, account.name))
        cookie = self.guests.new_session()
        await self.store.change_password(
            guest, hashed, secret_hash(cookie), time.time(), keep_tokens=keep_tokens
        )
        return cookie

    async def rename(self, guest: str, name: str) -> None:
        """Changes the name of a guest or account; an account's is nobody else's."""
        if await self.store.by_guest(guest) is None:
            await self.guests.rename(guest, await self.free_name(guest, name))
            return
        name = account_name(name)
        with _refused_if_taken(name):
            if is_reserved(name):
                raise NameTakenError
            await self.store.rename(guest, name, name_key(name), looks(name))
        await self._free_seats_of(name)

    async def free_name(self, guest: str, name: str) -> str:
        """Returns a name that a guest may use at a table; refuses that of another's account."""
        tidy = clean_name(name)
        account = await self.store.by_looks(looks(tidy))
        if is_reserved(tidy) or (account and account.guest != guest):
            raise conflict("server.name_taken", name=tidy)
        return tidy

    async def _free_seats_of(self, name: str) -> None:
        """Takes an account's name from guests who play under it or one that looks the same."""
        account = await self.store.by_looks(looks(name))
        here = {
            (table_id, guest)
            for table_id, guest, seat_name in await self.store.names_in_use()
            if guest != account.guest and look_alike(seat_name, name)
        }
        for table_id, guest in sorted(here):
            await self.store.drop_name(table_id, guest, time.time())
        await self._refresh(sorted({table_id for table_id, _ in here}))

    async def delete(self, guest: str, password: str) -> None:
        """Deletes an account and everything known of its owner; others keep their games."""
        await self._verified(guest, password)
        await self.store.finish_handovers(guest)
        store = self.authority.store
        heads = await store.heads(guest=guest, most=MOST_TABLES_TO_LEAVE)
        for row, occupants in heads:
            while not row["finished"] and _has_others(occupants, guest):
                try:
                    await self.authority.change(row["id"], lambda state: _left(state, guest))
                except HeadwayError:
                    break  # no seat of theirs remains
        await self.store.delete(guest)
        table_ids = [row["id"] for row, _ in heads]
        left = await store.numbers(table_ids)
        self.authority.evict([table_id for table_id in table_ids if table_id not in left])
        await self._refresh(sorted(left))

    async def decide_sharing(self, guest: str, choice: str) -> None:
        """Keeps how somebody appears in open data; refuses a guest who wants to be named."""
        if choice == NAMED:
            await self._account_of(guest)
        await self.store.decide_sharing(guest, choice)

    async def key_of(self, guest: str) -> str:
        """Returns the key of an account's name; refuses a guest without an account."""
        key: str = (await self._account_of(guest)).key
        return key

    async def _account_of(self, guest: str) -> Any:
        account = await self.store.by_guest(guest)
        if account is None:
            raise conflict("server.no_account")
        return account

    async def _verified(self, guest: str, password: str) -> Any:
        account = await self._account_of(guest)
        if not await self._matches(account.password, password):
            raise WrongPasswordError("server.wrong_password")
        return account

    async def _tables_of(self, guest: str) -> list[str]:
        heads = await self.authority.store.heads(guest=guest, most=MOST_TABLES_TO_REFRESH)
        return [row["id"] for row, _ in heads]

    async def _refresh(self, table_ids: list[str]) -> None:
        """Reloads tables in memory, so that they know at once who sits there."""
        for table_id in table_ids:
            if self.authority.cached(table_id):
                with contextlib.suppress(HeadwayError):
                    await self.authority.refresh(table_id)

    # Passwords; hashing is slow on purpose, so it runs outside the event loop

    async def _hash(self, password: str) -> str:
        async with self._free:
            return await asyncio.to_thread(self._hasher.hash, _normalized(password))

    async def _matches(self, hashed: str, password: str) -> bool:
        async with self._free:
            try:
                return await asyncio.to_thread(self._hasher.verify, hashed, _normalized(password))
            except (VerifyMismatchError, InvalidHashError):
                return False

    async def _hash_of_nobody(self) -> str:
        """Returns a hash that no password has: checking an unknown name takes as long."""
        self._unused_hash = self._unused_hash or await self._hash(self.guests.new())
        return self._unused_hash


def _normalized(password: str) -> bytes:
    """Returns the same bytes for the same password from every keyboard."""
    return unicodedata.normalize("NFC", password).encode()


@contextlib.contextmanager
def _refused_if_taken(name: str) -> Iterator[None]:
    try:
        yield
    except NameTakenError:
        raise conflict("server.name_taken", name=name) from None


def _has_others(occupants: list[Occupant], guest: str) -> bool:
    """Tells whether anybody else sits at a table, or did and may come back."""
    people = {who for occ in occupants for who in (occ.guest, occ.former) if who}
    return bool(people - {guest})


def _left(state: TableState, guest: str) -> tuple[TableEvent, None]:
    """Makes the event by which a person who leaves for good gives up a seat, perhaps to a bot."""
    seats = state.held_by(guest)
    if not seats or state.finished:
        raise conflict("server.over")
    if state.started is None:
        return new_event(state, LEAVE, seats[0], guest), None
    opponent = box(state.setup.game).opponent
    return new_event(state, BOT, seats[0], guest, text=opponent), None


def good_password(password: str, name: str) -> str:
    """Returns the password of an account with this name; refuses one that is easily guessed."""
    if len(password) < SHORTEST_PASSWORD:
        raise invalid("server.password", least=SHORTEST_PASSWORD)
    key = name_key(password)
    word, own = key.rstrip(_TAIL), name_key(name)
    guesses = {*common_passwords(), own, own.rstrip(_TAIL), "".join(own.split())}
    if len(set(key)) == 1 or key in guesses or word in guesses:
        raise invalid("server.password_common")
    return password


@cache
def common_passwords() -> frozenset[str]:
    """Returns the passwords, and the words in them, that are tried first."""
    text = files("headway.server.people").joinpath("common_passwords.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if line[:1] != "#" for word in line.split())
