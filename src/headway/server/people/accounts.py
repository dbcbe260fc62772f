"""Accounts: a guest claims a name and a password, and is the same player on several devices.

An account is a guest of its own, whom no cookie of a guest names; a session's cookie does, until
the session ends. Whoever signs in brings along what they played as a guest.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
import unicodedata
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from headway.errors import HeadwayError
from headway.games import box
from headway.server.database.accounts import NameTaken, Register
from headway.server.errors import Refused
from headway.server.http.limits import Limits
from headway.server.people.guests import Guests, clean_name, session_hash
from headway.server.play.authority import Tables, new_event
from headway.server.table import state as sitting
from headway.server.table.state import Chair, Happening, Sitting

SHORTEST_PASSWORD = 8
AT_ONCE = 2
"""Passwords hashed at the same time: each takes 64 MB of memory."""
_NAME = re.compile(r"[^\W_][\w .'’-]*")


class Accounts:
    """The accounts of a server, with their passwords."""

    def __init__(self, register: Register, guests: Guests, tables: Tables, limits: Limits) -> None:
        self.register = register
        self.guests = guests
        self.tables = tables
        self.limits = limits
        self._hasher = PasswordHasher()
        self._free = asyncio.Semaphore(AT_ONCE)
        self._nobody = ""

    async def claim(self, guest: str, name: str, password: str, address: str) -> tuple[str, str]:
        """A new account with all that the guest has done: its guest, and the cookie."""
        await self.limits.take("claims", address)
        if await self.register.of_guest(guest):
            raise Refused(409, "server.signed_in")
        name = checked_name(name)
        if await self.register.named(name_key(name)):
            raise Refused(409, "server.name_taken", name=name)
        hashed = await self._hash(_strong(password))
        account, cookie = self.guests.new(), self.guests.new_session()
        row = {"guest": account, "name": name, "key": name_key(name), "password": hashed}
        with _taken(name):
            session = session_hash(cookie)
            await self.register.claim(row | {"created": time.time()}, session, guest)
        await self._read_anew(await self._tables_of(account))
        return account, cookie

    async def sign_in(self, guest: str, name: str, password: str, address: str) -> tuple[str, str]:
        """Signs in: the account's guest, and the cookie of a new session.

        An unknown name and a wrong password get the same answer after the same work.
        """
        key = name_key(name)
        await self.limits.take("sign_in", address)
        await self.limits.take("sign_in_name", key)
        found = await self.register.named(key)
        right = await self._right(found.password if found else await self._nobodys(), password)
        if not (found and right):
            raise Refused(403, "server.sign_in")
        other = None if await self.register.of_guest(guest) else guest
        cookie = self.guests.new_session()
        await self.register.sign_in(found.guest, session_hash(cookie), other, time.time())
        if other:
            await self._read_anew(await self._tables_of(found.guest))
        return found.guest, cookie

    async def change_password(self, guest: str, old: str, new: str, address: str) -> str:
        """Another password; the cookie of the only session that is left."""
        await self._known(guest, old, address)
        hashed, cookie = await self._hash(_strong(new)), self.guests.new_session()
        await self.register.change_password(guest, hashed, session_hash(cookie), time.time())
        return cookie

    async def rename(self, guest: str, name: str) -> str:
        """Another name: one that no other account has."""
        if await self.register.of_guest(guest) is None:
            await self.guests.rename(guest, tidy := await self.free_name(guest, name))
            return tidy
        name = checked_name(name)
        with _taken(name):
            await self.register.rename(guest, name, name_key(name))
        return name

    async def free_name(self, guest: str, name: str) -> str:
        """A name as a guest may bear it at a table: nobody passes for somebody's account."""
        tidy = clean_name(name)
        owner = await self.register.named(name_key(tidy))
        if owner and owner.guest != guest:
            raise Refused(409, "server.name_taken", name=tidy)
        return tidy

    async def remove(self, guest: str, password: str, address: str) -> None:
        """An account goes, and all that is known of its owner; others keep their games."""
        await self._known(guest, password, address)
        heads = await self.tables.store.heads(guest=guest, most=10_000)
        for row, chairs in heads:
            while not row["finished"] and _shared(chairs, guest):
                try:
                    await self.tables.change(row["id"], lambda now: _goes(now, guest))
                except HeadwayError:
                    break  # no seat of theirs is left
        await self.register.remove(guest, time.time())
        tables = [row["id"] for row, _ in heads]
        left = await self.tables.store.numbers(tables)
        self.tables.drop([table for table in tables if table not in left])
        await self._read_anew(sorted(left))

    async def _known(self, guest: str, password: str, address: str) -> Any:
        found = await self.register.of_guest(guest)
        if found is None:
            raise Refused(409, "server.no_account")
        await self.limits.take("sign_in", address)
        await self.limits.take("sign_in_name", found.key)
        if not await self._right(found.password, password):
            raise Refused(403, "server.wrong_password")
        return found

    async def _tables_of(self, guest: str) -> list[str]:
        return [row["id"] for row, _ in await self.tables.store.heads(guest=guest, most=1000)]

    async def _read_anew(self, tables: list[str]) -> None:
        """Tables in memory learn at once who sits there now."""
        for table in tables:
            if self.tables.remembered(table):
                with contextlib.suppress(HeadwayError):
                    await self.tables.fresh(table)

    # Passwords; hashing takes long on purpose, so it never holds up the event loop

    async def _hash(self, password: str) -> str:
        async with self._free:
            return await asyncio.to_thread(self._hasher.hash, _bytes(password))

    async def _right(self, hashed: str, password: str) -> bool:
        async with self._free:
            try:
                return await asyncio.to_thread(self._hasher.verify, hashed, _bytes(password))
            except (VerifyMismatchError, InvalidHashError):
                return False

    async def _nobodys(self) -> str:
        """The hash of a password that nobody has: to check an unknown name takes as long."""
        self._nobody = self._nobody or await self._hash(self.guests.new())
        return self._nobody


def _bytes(password: str) -> bytes:
    """The same password from every keyboard."""
    return unicodedata.normalize("NFC", password).encode()


def _strong(password: str) -> str:
    if len(password) < SHORTEST_PASSWORD:
        raise Refused(400, "server.password", least=SHORTEST_PASSWORD)
    return password


def name_key(name: str) -> str:
    """What two names have in common that read the same."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(plain.split())


def checked_name(name: str) -> str:
    """A name that can be part of an address."""
    tidy = clean_name(name)
    if not _NAME.fullmatch(tidy) or not _NAME.fullmatch(name_key(tidy)):
        raise Refused(400, "server.account_name")
    return tidy


@contextlib.contextmanager
def _taken(name: str) -> Any:
    try:
        yield
    except NameTaken:
        raise Refused(409, "server.name_taken", name=name) from None


def _shared(chairs: list[Chair], guest: str) -> bool:
    """Whether anybody else sits at a table, or did and may come back."""
    people = {who for chair in chairs for who in (chair.guest, chair.former) if who}
    return bool(people - {guest})


def _goes(now: Sitting, guest: str) -> Happening:
    """The event by which one who goes for good gives up a seat: to others, or to a bot."""
    seats = now.held_by(guest)
    if not seats or now.finished:
        raise Refused(409, "server.over")
    if now.started is None:
        return new_event(now, sitting.LEAVE, seats[0], guest)
    opponent = box(now.setup.game).opponent
    return new_event(now, sitting.BOT, seats[0], guest, text=opponent)
