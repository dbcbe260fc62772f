"""Accounts: a guest claims a name and a password, and is one player on several devices.

An account is a guest whom no guest's cookie names; a session's cookie does, until the session ends.
Signing in brings along what was played as a guest.
"""

from __future__ import annotations

import asyncio
import contextlib
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from headway.errors import HeadwayError
from headway.games import box
from headway.server.core.codes import clear_groups
from headway.server.core.errors import WrongPasswordError, conflict, invalid
from headway.server.people.guests import Also, Guests, nothing
from headway.server.people.names import (
    account_name,
    clean_name,
    is_reserved,
    look_alike,
    name_key,
)
from headway.server.people.store import NAMED, AccountStore, Keys
from headway.server.tables.authority import TableAuthority
from headway.server.tables.decisions import Decision, new_event
from headway.server.tables.events import BOT, LEAVE
from headway.server.tables.setup import Occupant
from headway.server.tables.state import TableState

SHORTEST_PASSWORD = 8
_TAIL = "0123456789!?.,-_*#@$ "
"""What people put behind a word to make it a password."""
PASSWORDS_AT_ONCE = 2
"""Passwords hashed at the same time: each takes 64 MB of memory."""
MOST_TABLES_TO_REFRESH = 1000
MOST_TABLES_TO_LEAVE = 10_000


class Accounts:
    """The accounts of a server, with their passwords."""

    def __init__(self, store: AccountStore, guests: Guests, authority: TableAuthority) -> None:
        self.store = store
        self.guests = guests
        self.authority = authority
        self._hasher = PasswordHasher()
        self._free = asyncio.Semaphore(PASSWORDS_AT_ONCE)
        self._unused_hash = ""

    async def claim(
        self, guest: str, name: str, password: str, also: Also = nothing
    ) -> tuple[str, str, str]:
        """Opens an account with everything the guest has done; `also` is part of the transaction.

        Returns its guest, the session's cookie, and the recovery code, which is shown once.
        """
        if await self.store.by_guest(guest):
            raise conflict("server.signed_in")
        name = await self.free_name(guest, account_name(name))
        code = new_recovery_code()
        keys = Keys(await self.hash(good_password(password, name)), await self.hash(code))
        account, cookie = self.guests.new(), self.guests.new_session()
        await self.store.claim(guest, account, name, keys, cookie, also)
        await self._refresh(await self._tables_of(account))
        await self._free_seats_of(name)
        return account, cookie, code

    async def sign_in(self, guest: str, name: str, password: str) -> tuple[str, str]:
        """Opens a session; returns the account's guest and the session's cookie.

        An unknown name and a wrong password get the same answer after the same work.
        """
        account = await self.store.by_name(name_key(name))
        hashed = account.password if account else await self._hash_of_nobody()
        right = await self._matches(hashed, password)
        if not (account and right):
            raise WrongPasswordError("server.sign_in")
        return account.guest, await self.open_session(guest, account.guest)

    async def open_session(self, guest: str, account: str) -> str:
        """Lets a guest be an account, with all that the guest has done; returns the cookie."""
        other = None if await self.store.by_guest(guest) else guest
        cookie = self.guests.new_session()
        await self.store.sign_in(account, cookie, other)
        if other:
            await self._refresh(await self._tables_of(account))
        return cookie

    async def recover(self, name: str, code: str, password: str) -> tuple[str, str, str]:
        """Sets another password with the recovery code; returns guest, cookie and the next code.

        An unknown name and a wrong code get the same answer after the same work.
        """
        account = await self.store.by_name(name_key(name))
        hashed = (account.recovery if account else "") or await self._hash_of_nobody()
        if not await self._matches(hashed, _recovery_key(code)) or account is None:
            raise WrongPasswordError("server.recovery")
        following = new_recovery_code()
        chosen = good_password(password, account.name)
        keys = Keys(await self.hash(chosen), await self.hash(following))
        cookie = self.guests.new_session()
        await self.store.change_keys(account.guest, cookie, **keys._asdict())
        return account.guest, cookie, following

    async def change_recovery(self, guest: str, password: str) -> str:
        """Returns another recovery code for an account; the one before ends."""
        await self._verified(guest, password)
        code = new_recovery_code()
        await self.store.set_recovery(guest, await self.hash(code))
        return code

    async def change_password(
        self, guest: str, old: str, new: str, *, keep_tokens: bool = False
    ) -> str:
        """Changes the password; returns the cookie of the only session that is left.

        Tokens end too, unless their owner keeps them.
        """
        account = await self._verified(guest, old)
        hashed = await self.hash(good_password(new, account.name))
        cookie = self.guests.new_session()
        await self.store.change_keys(guest, cookie, keep_tokens=keep_tokens, password=hashed)
        return cookie

    async def rename(self, guest: str, name: str, also: Also = nothing) -> str:
        """Changes the name of a guest or account, whose name is nobody else's; returns the name.

        `also` is part of the transaction.
        """
        if not await self.has_account(guest):
            name = await self.free_name(guest, name)
            await self.guests.rename(guest, name, also)
            return name
        name = await self.free_name(guest, account_name(name))
        await self.store.rename(guest, name, also)
        await self._free_seats_of(name)
        return name

    async def free_name(self, guest: str, name: str) -> str:
        """Returns a name that a guest may use at a table; refuses that of another's account."""
        tidy = clean_name(name)
        account = await self.store.look_alike(tidy)
        if is_reserved(tidy) or (account and account.guest != guest):
            raise conflict("server.name_taken", name=tidy)
        return tidy

    async def _free_seats_of(self, name: str) -> None:
        """Takes an account's name from guests who play under it or one that looks the same."""
        account = await self.store.look_alike(name)
        here = {
            (table_id, guest)
            for table_id, guest, seat_name in await self.store.names_in_use()
            if guest != account.guest and look_alike(seat_name, name)
        }
        for table_id, guest in sorted(here):
            await self.store.drop_name(table_id, guest)
        await self._refresh(sorted({table_id for table_id, _ in here}))

    async def delete(self, guest: str, password: str) -> None:
        """Deletes an account and everything known of its owner; others keep their games."""
        await self._verified(guest, password)
        await self.remove(guest)

    async def remove(self, guest: str, also: Also = nothing) -> None:
        """Deletes everything known of somebody; `also` is part of the transaction."""
        await self.store.finish_handovers(guest)
        table_ids = await self.leave_games(guest)
        await self.store.delete(guest, also)
        left = await self.authority.store.numbers(table_ids)
        self.authority.evict([table_id for table_id in table_ids if table_id not in left])
        await self._refresh(sorted(left))

    async def leave_games(self, guest: str) -> list[str]:
        """Gives up somebody's seats in games with others, to bots where the game has begun.

        Returns all tables at which they are known.
        """
        heads = await self.authority.store.heads(guest=guest, most=MOST_TABLES_TO_LEAVE)
        for row, occupants in heads:
            while not row["finished"] and _has_others(occupants, guest):
                try:
                    await self.authority.change(row["id"], lambda state: _left(state, guest))
                except HeadwayError:
                    break  # no seat of theirs remains
        return [row["id"] for row, _ in heads]

    async def decide_sharing(self, guest: str, choice: str) -> None:
        """Keeps how somebody appears in open data; refuses a guest who wants to be named."""
        if choice == NAMED:
            await self.account_of(guest)
        await self.store.decide_sharing(guest, choice)

    async def has_account(self, guest: str) -> bool:
        """Tells whether a guest has an account."""
        return await self.store.by_guest(guest) is not None

    async def key_of(self, guest: str) -> str:
        """Returns the key of an account's name; refuses a guest without an account."""
        key: str = (await self.account_of(guest)).key
        return key

    async def account_of(self, guest: str) -> Any:
        """Returns the account of a guest; refuses one who has none."""
        account = await self.store.by_guest(guest)
        if account is None:
            raise conflict("server.no_account")
        return account

    async def _verified(self, guest: str, password: str) -> Any:
        account = await self.account_of(guest)
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

    async def hash(self, password: str) -> str:
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
        self._unused_hash = self._unused_hash or await self.hash(self.guests.new())
        return self._unused_hash


def new_recovery_code() -> str:
    """Returns a code of 95 bits that everybody can read out and write down."""
    return clear_groups(5).upper()


def _recovery_key(code: str) -> str:
    """Returns a code as it was made, however somebody has typed it."""
    letters = "".join(letter for letter in code.upper() if letter.isalnum())
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def _normalized(password: str) -> bytes:
    """Returns the same bytes for the same password from every keyboard."""
    return unicodedata.normalize("NFC", password).encode()


def _has_others(occupants: list[Occupant], guest: str) -> bool:
    """Tells whether anybody else sits at a table, or did and may come back."""
    people = {who for occ in occupants for who in (occ.guest, occ.former) if who}
    return bool(people - {guest})


def _left(state: TableState, guest: str) -> Decision:
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
