"""Accounts: their names, passwords and profiles, and the ways in without a password."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from litestar import Controller, delete
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from headway.server.core.codes import as_bytes, as_text
from headway.server.core.errors import WrongPasswordError, invalid, not_found
from headway.server.core.fields import NAME_LENGTH, Name, Password
from headway.server.people.names import clean_name, name_key
from headway.server.people.profiles import Profile, profile
from headway.server.people.routes import Me, me_of
from headway.server.people.ways_in import SECRET_SECONDS, PasskeyHead, Site, use_invitation
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

AccountName = Annotated[str, PathParameter(min_length=1, max_length=4 * NAME_LENGTH)]
PasskeyId = Annotated[str, PathParameter(min_length=1, max_length=400)]
Code = Annotated[str, Meta(min_length=1, max_length=64)]


class Claimed(Me, frozen=True):
    """The guest who asks, now an account, and its recovery code, which is shown once."""

    recovery: str


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


class Recovery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name and the recovery code of an account, and its next password."""

    name: Name
    code: Code
    password: Password


class RecoveryCode(msgspec.Struct, frozen=True):
    """Shown once: sets another password if the present one is lost."""

    recovery: str


class Ceremony(msgspec.Struct, frozen=True):
    """What the browser needs for a passkey, as WebAuthn writes it in JSON."""

    options: dict[str, Any]


class Signed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the browser answers with, as WebAuthn writes it in JSON."""

    credential: dict[str, Any]


class NewPasskey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A passkey that the browser has made; `name` is a note for its owner."""

    name: Name
    credential: dict[str, Any]


class DeviceLink(msgspec.Struct, frozen=True):
    """A link that signs a second device in, once, and until when it works."""

    link: str
    until: float


class DeviceCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code of a link to a second device."""

    code: Code


class DeviceOwner(msgspec.Struct, frozen=True):
    """Whose account a link signs in."""

    name: str


class InvitationCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code of an invitation to this server."""

    code: Code


class Invited(msgspec.Struct, frozen=True):
    """Until when an invitation lets somebody in."""

    until: float


async def become(
    process: ServerProcess, context: RequestContext, guest: str, session: str = ""
) -> Me:
    """Makes the browser another guest; its open sockets close and open again."""
    before = context.guest
    context.become(guest, session)
    process.connections.close_guest(before)
    return await me_of(process, context)


def claimed(me: Me, code: str) -> Claimed:
    """Returns who somebody is, with the code that is shown once."""
    return Claimed(**msgspec.structs.asdict(me), recovery=code)


def site_of(process: ServerProcess, context: RequestContext) -> Site:
    """Returns the site that browsers see: the chosen origin, else that of the request."""
    scheme = "https" if context.secure else "http"
    asked = context.header("origin") or f"{scheme}://{context.header('host')}"
    parts = urlsplit(process.settings.origin or asked)
    if not parts.hostname:
        raise invalid("server.origin")
    return Site(parts.hostname, f"{parts.scheme}://{parts.netloc}")


def _secret(code: str) -> bytes:
    """Returns the secret in a link; nobody's for a text that is none."""
    try:
        return as_bytes(code)
    except ValueError:
        return b""


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
                claim = partial(claim, also=partial(use_invitation, code=data.invitation))
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

    # Without the password

    @write("/account/recover", opt=ANYBODY)
    async def recover(
        self, data: JSONBody[Recovery], process: Process, context: Context, limits: RateLimits
    ) -> Claimed:
        """Sets another password with the recovery code; the answer has the next code.

        All other devices are signed out, and tokens end.
        """
        person_of(context)
        async with limits.password_try(context.address, name_key(data.name)):
            account, session, code = await process.accounts.recover(
                data.name, data.code, data.password
            )
        return claimed(await become(process, context, account, session), code)

    @write("/account/recovery")
    async def new_recovery_code(
        self, data: JSONBody[Farewell], process: Process, context: Context, limits: RateLimits
    ) -> RecoveryCode:
        """Another recovery code, for the password; the one before does not work any more."""
        guest = person_of(context)
        async with limits.password_try(context.address, await process.accounts.key_of(guest)):
            return RecoveryCode(await process.accounts.change_recovery(guest, data.password))

    @read("/account/passkeys")
    async def passkeys(self, process: Process, context: Context) -> list[PasskeyHead]:
        """My passkeys, the newest first."""
        return await process.passkeys.list(person_of(context))

    @write("/account/passkeys/begin", guards=[limited("tokens")])
    async def begin_passkey(self, process: Process, context: Context) -> Ceremony:
        """What my browser needs to make a passkey."""
        account = await process.accounts.account_of(person_of(context))
        return Ceremony(await process.passkeys.registration(account, site_of(process, context)))

    @write("/account/passkeys", status_code=201)
    async def add_passkey(
        self, data: JSONBody[NewPasskey], process: Process, context: Context
    ) -> list[PasskeyHead]:
        """Keeps a passkey that my browser has made."""
        guest, site = person_of(context), site_of(process, context)
        await process.accounts.account_of(guest)
        await process.passkeys.register(guest, clean_name(data.name), data.credential, site)
        return await process.passkeys.list(guest)

    @delete("/account/passkeys/{passkey:str}", responses=WRITE, status_code=200)
    async def remove_passkey(
        self, passkey: PasskeyId, process: Process, context: Context
    ) -> list[PasskeyHead]:
        """Ends one of my passkeys."""
        guest = person_of(context)
        await process.passkeys.remove(guest, passkey)
        return await process.passkeys.list(guest)

    @write("/account/session/passkey/begin", opt=ANYBODY)
    async def begin_passkey_sign_in(
        self, process: Process, context: Context, limits: RateLimits
    ) -> Ceremony:
        """What my browser needs to sign in with a passkey; nobody has to say a name."""
        guest = person_of(context)
        await limits.take("passkeys", context.address)
        return Ceremony(await process.passkeys.request(guest, site_of(process, context)))

    @write("/account/session/passkey", opt=ANYBODY)
    async def sign_in_with_passkey(
        self, data: JSONBody[Signed], process: Process, context: Context, limits: RateLimits
    ) -> Me:
        """Signs in on this device with a passkey."""
        guest, site = person_of(context), site_of(process, context)
        async with limits.password_try(context.address, f"passkey of {guest}"):
            account = await process.passkeys.owner(guest, data.credential, site)
        session = await process.accounts.open_session(guest, account)
        return await become(process, context, account, session)

    @write("/account/invitation", opt=ANYBODY)
    async def invitation(
        self,
        data: JSONBody[InvitationCode],
        process: Process,
        context: Context,
        limits: RateLimits,
    ) -> Invited:
        """Whether an invitation still lets somebody in; to open an account uses it."""
        async with limits.password_try(context.address, f"invitation of {context.guest}"):
            return Invited(await process.invitations.check(data.code))

    @write("/account/device", guards=[limited("tokens")], status_code=201)
    async def link_device(self, process: Process, context: Context) -> DeviceLink:
        """A link for my other device; it works once, for five minutes."""
        guest = person_of(context)
        await process.accounts.account_of(guest)
        secret = await process.one_time.new("device", guest)
        code = as_text(secret)
        base = process.settings.origin or site_of(process, context).origin
        return DeviceLink(f"{base}/device#{code}", time.time() + SECRET_SECONDS)

    @write("/account/device/whose", opt=ANYBODY)
    async def device_owner(
        self, data: JSONBody[DeviceCode], process: Process, context: Context, limits: RateLimits
    ) -> DeviceOwner:
        """Whose account a link signs in: to be confirmed on the new device."""
        async with limits.password_try(context.address, f"device of {context.guest}"):
            guest = await process.one_time.guest_of("device", _secret(data.code))
            account = guest and await process.accounts.store.by_guest(guest)
            if not account:
                raise WrongPasswordError("server.device_code")
        return DeviceOwner(account.name)

    @write("/account/session/device", opt=ANYBODY)
    async def sign_in_device(
        self, data: JSONBody[DeviceCode], process: Process, context: Context, limits: RateLimits
    ) -> Me:
        """Signs in on this device with the link that another one shows."""
        guest = person_of(context)
        async with limits.password_try(context.address, f"device of {context.guest}"):
            owner = await process.one_time.take("device", _secret(data.code))
            if owner is None or await process.accounts.store.by_guest(owner) is None:
                raise WrongPasswordError("server.device_code")
        session = await process.accounts.open_session(guest, owner)
        return await become(process, context, owner, session)
