"""Guests with their tokens, accounts and profiles: addresses, and the bodies of requests."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

import msgspec
from litestar import Controller, delete, patch, put
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from headway.server.core.errors import not_found
from headway.server.core.fields import NAME_LENGTH, Face, Name, Password
from headway.server.people.guests import TOKEN_ID_LENGTH, TokenHead
from headway.server.people.invitations import use
from headway.server.people.names import clean_name, name_key
from headway.server.people.profiles import Profile, profile
from headway.server.process import ServerProcess
from headway.server.reviews.service import ReviewQueue
from headway.server.web.context import RequestContext
from headway.server.web.dependencies import (
    ANYBODY,
    WRITE,
    Context,
    Process,
    RateLimits,
    person_of,
    read,
    write,
)
from headway.server.web.limits import limited
from headway.settings import INVITE

SharingChoice = Literal["pseudonym", "named", "none"]
TokenId = Annotated[str, PathParameter(min_length=TOKEN_ID_LENGTH, max_length=TOKEN_ID_LENGTH)]
AccountName = Annotated[str, PathParameter(min_length=1, max_length=4 * NAME_LENGTH)]


class Me(msgspec.Struct, frozen=True):
    """The guest who asks.

    With an `account`, the name is nobody else's, and `/u/NAME` is its page. `face` is the one that
    I chose; without one my name makes it.
    """

    id: str
    name: str
    face: str
    account: bool
    sharing: SharingChoice


class Claimed(Me, frozen=True):
    """The guest who asks, now an account, and its recovery code, which is shown once."""

    recovery: str


class Sharing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How I appear in open data: under a pseudonym, under my account's name, or not at all."""

    sharing: SharingChoice


class NewName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name that a guest wants."""

    name: Name


class NewFace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The face that a guest wants."""

    face: Face


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token for a program that plays in the guest's name; `name` is a note for its owner."""

    name: Name = ""


class TokenName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the owner wants to call a token."""

    name: Name


class Token(msgspec.Struct, frozen=True):
    """Shown once: send it as `Authorization: Bearer …`."""

    token: str


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name and the password of an account."""

    name: Name
    password: Password


class NewAccount(Credentials, frozen=True, forbid_unknown_fields=True):
    """The name and the password of a new account; a closed server wants an invitation too."""

    invitation: Annotated[str, Meta(max_length=64)] = ""


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The present password and the new one; tokens end unless `keep_tokens`."""

    old: Password
    new: Password
    keep_tokens: bool = False


class Farewell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password of an account to delete."""

    password: Password


async def _me(process: ServerProcess, context: RequestContext) -> Me:
    """Returns the guest who asks, as they may know themselves."""
    name, face = await process.guests.persona(context.guest, context.lang)
    account = await process.accounts.store.by_guest(context.guest)
    sharing = await process.accounts.store.sharing_of(context.guest)
    choice = msgspec.convert(sharing, SharingChoice)
    return Me(context.guest, name, face, account is not None, choice)


class GuestController(Controller):
    """Who asks."""

    path = "/api"
    tags = ("guests",)

    @read("/me", opt=ANYBODY)
    async def me(self, process: Process, context: Context) -> Me:
        """Who I am here; the first answer brings the cookie along."""
        return await _me(process, context)

    @patch("/me", responses=WRITE)
    async def rename(self, data: JSONBody[NewName], process: Process, context: Context) -> Me:
        """Takes another name, for tables from now on."""
        guest = person_of(context)
        await process.accounts.rename(guest, data.name)
        process.connections.rename_guest(guest)
        return await _me(process, context)

    @put("/me/face", responses=WRITE)
    async def take_face(self, data: JSONBody[NewFace], process: Process, context: Context) -> Me:
        """Takes another face, for tables from now on."""
        guest = person_of(context)
        await process.guests.take_face(guest, data.face)
        process.connections.rename_guest(guest)
        return await _me(process, context)

    @put("/me/sharing", responses=WRITE)
    async def decide_sharing(
        self, data: JSONBody[Sharing], process: Process, context: Context
    ) -> Me:
        """Decides how I appear in open data; only an account has a name to show."""
        await process.accounts.decide_sharing(person_of(context), data.sharing)
        return await _me(process, context)

    @write("/tokens", guards=[limited("tokens")], status_code=201)
    async def new_token(
        self, data: JSONBody[NewToken], process: Process, context: Context
    ) -> Token:
        """A token for a program that plays in my name, shown this once."""
        name = clean_name(data.name) if data.name else ""
        return Token(await process.guests.new_token(person_of(context), name))

    @read("/tokens")
    async def tokens(self, process: Process, context: Context) -> list[TokenHead]:
        """My tokens, the newest first; what a token is was shown when it was made."""
        return await process.guests.tokens(person_of(context))

    @patch("/tokens/{token:str}", responses=WRITE)
    async def rename_token(
        self, token: TokenId, data: JSONBody[TokenName], process: Process, context: Context
    ) -> list[TokenHead]:
        """Calls one of my tokens something else."""
        guest = person_of(context)
        await process.guests.rename_token(guest, token, clean_name(data.name))
        return await process.guests.tokens(guest)

    @delete("/tokens/{token:str}", responses=WRITE, status_code=200)
    async def revoke_token(
        self, token: TokenId, process: Process, context: Context
    ) -> list[TokenHead]:
        """Ends one of my tokens; programs that use it are disconnected."""
        guest = person_of(context)
        await process.guests.revoke_token(guest, token)
        process.connections.close_guest(guest)
        return await process.guests.tokens(guest)


async def become(
    process: ServerProcess, context: RequestContext, guest: str, session: str = ""
) -> Me:
    """Makes the browser another guest; its open sockets close and open again."""
    before = context.guest
    context.become(guest, session)
    process.connections.close_guest(before)
    return await _me(process, context)


def claimed(me: Me, code: str) -> Claimed:
    """Returns who somebody is, with the code that is shown once."""
    return Claimed(**msgspec.structs.asdict(me), recovery=code)


class AccountController(Controller):
    """Accounts: names that are nobody else's, on several devices."""

    path = "/api"
    tags = ("accounts",)

    @write("/account", status_code=201, opt=ANYBODY)
    async def claim(
        self, data: JSONBody[NewAccount], process: Process, context: Context, limits: RateLimits
    ) -> Claimed:
        """Claims a name: an account with all that I have played as a guest.

        The recovery code in the answer sets another password if I lose mine.
        """
        guest = person_of(context)
        async with limits.new_account(context.address):
            claim = partial(process.accounts.claim, guest, data.name, data.password)
            if process.settings.entry == INVITE:
                await process.invitations.check(data.invitation)  # before any password is hashed
                claim = partial(claim, also=partial(use, code=data.invitation))
            account, session, code = await claim()
        return claimed(await become(process, context, account, session), code)

    @write("/account/session", opt=ANYBODY)
    async def sign_in(
        self, data: JSONBody[Credentials], process: Process, context: Context, limits: RateLimits
    ) -> Me:
        """Signs in on this device; what I have played here as a guest comes along."""
        guest = person_of(context)
        async with limits.password_try(context.address, name_key(data.name)):
            account, session = await process.accounts.sign_in(guest, data.name, data.password)
        return await become(process, context, account, session)

    @delete("/account/session", responses=WRITE, status_code=200, opt=ANYBODY)
    async def sign_out(self, process: Process, context: Context) -> Me:
        """Signs out on this device, which is a new guest from now on."""
        person_of(context)
        await process.guests.end_session(context.cookie)
        return await become(process, context, process.guests.new())

    @write("/account/password")
    async def change_password(
        self, data: JSONBody[NewPassword], process: Process, context: Context, limits: RateLimits
    ) -> Me:
        """Another password; all other devices are signed out, and tokens end unless kept."""
        guest = person_of(context)
        async with limits.password_try(context.address, await process.accounts.key_of(guest)):
            session = await process.accounts.change_password(
                guest, data.old, data.new, keep_tokens=data.keep_tokens
            )
        return await become(process, context, guest, session)

    @write("/account/delete")
    async def delete_account(
        self, data: JSONBody[Farewell], process: Process, context: Context, limits: RateLimits
    ) -> Me:
        """Deletes my account and data; this device is a new guest from now on."""
        guest = person_of(context)
        async with limits.password_try(context.address, await process.accounts.key_of(guest)):
            await process.accounts.delete(guest, data.password)
        return await become(process, context, process.guests.new())

    @write("/account/reviews", operation_id="review_games", guards=[limited("reviews")])
    async def review_my_games(self, process: Process, context: Context) -> ReviewQueue:
        """Has my last games reviewed that are not; those behind a quota wait for another time."""
        guest = person_of(context)
        return await process.reviewing.ask_games(guest, context.address)

    @read("/account/reviews", guards=[limited("review_progress")])
    async def game_reviews(self, process: Process, context: Context) -> ReviewQueue:
        """How many of my reviews are still to be made."""
        return await process.reviewing.queue_of(context.guest)

    @read("/people/{name:str}", operation_id="profile")
    async def profile_of(self, name: AccountName, process: Process, context: Context) -> Profile:
        """What everybody may know of an account."""
        account = await process.accounts.store.by_name(name_key(name))
        if account is None:
            raise not_found("server.no_person")
        return await profile(process.store, process.reviewing, account, context.guest)
