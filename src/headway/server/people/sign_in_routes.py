"""Ways in without a password: recovery codes, passkeys, links to a second device."""

from __future__ import annotations

import time
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from litestar import Controller, delete
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from headway.server.core.codes import as_bytes, as_text
from headway.server.core.errors import WrongPasswordError, invalid
from headway.server.core.fields import Name, Password
from headway.server.people.challenges import SECONDS
from headway.server.people.names import clean_name, name_key
from headway.server.people.passkeys import PasskeyHead, Site
from headway.server.people.routes import Claimed, Farewell, Me, become, claimed
from headway.server.process import ServerProcess
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

PasskeyId = Annotated[str, PathParameter(min_length=1, max_length=400)]
Code = Annotated[str, Meta(min_length=1, max_length=64)]


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


def site_of(process: ServerProcess, context: RequestContext) -> Site:
    """Returns the site that browsers see: the chosen origin, else that of the request."""
    scheme = "https" if context.secure else "http"
    asked = context.header("origin") or f"{scheme}://{context.header('host')}"
    parts = urlsplit(process.settings.origin or asked)
    if not parts.hostname:
        raise invalid("server.origin")
    return Site(parts.hostname, f"{parts.scheme}://{parts.netloc}")


class RecoveryController(Controller):
    """Signing in when the password is lost."""

    path = "/api/account"
    tags = ("accounts",)

    @write("/recover", opt=ANYBODY)
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

    @write("/recovery")
    async def new_recovery_code(
        self, data: JSONBody[Farewell], process: Process, context: Context, limits: RateLimits
    ) -> RecoveryCode:
        """Another recovery code, for the password; the one before does not work any more."""
        guest = person_of(context)
        async with limits.password_try(context.address, await process.accounts.key_of(guest)):
            return RecoveryCode(await process.accounts.change_recovery(guest, data.password))


class PasskeyController(Controller):
    """Passkeys: made and ended by an account, and signing in with one."""

    path = "/api/account"
    tags = ("accounts",)

    @read("/passkeys")
    async def passkeys(self, process: Process, context: Context) -> list[PasskeyHead]:
        """My passkeys, the newest first."""
        return await process.passkeys.list(person_of(context))

    @write("/passkeys/begin", guards=[limited("tokens")])
    async def begin_passkey(self, process: Process, context: Context) -> Ceremony:
        """What my browser needs to make a passkey."""
        account = await process.accounts.account_of(person_of(context))
        return Ceremony(await process.passkeys.registration(account, site_of(process, context)))

    @write("/passkeys", status_code=201)
    async def add_passkey(
        self, data: JSONBody[NewPasskey], process: Process, context: Context
    ) -> list[PasskeyHead]:
        """Keeps a passkey that my browser has made."""
        guest, site = person_of(context), site_of(process, context)
        await process.accounts.account_of(guest)
        await process.passkeys.register(guest, clean_name(data.name), data.credential, site)
        return await process.passkeys.list(guest)

    @delete("/passkeys/{passkey:str}", responses=WRITE, status_code=200)
    async def remove_passkey(
        self, passkey: PasskeyId, process: Process, context: Context
    ) -> list[PasskeyHead]:
        """Ends one of my passkeys."""
        guest = person_of(context)
        await process.passkeys.remove(guest, passkey)
        return await process.passkeys.list(guest)

    @write("/session/passkey/begin", opt=ANYBODY)
    async def begin_passkey_sign_in(
        self, process: Process, context: Context, limits: RateLimits
    ) -> Ceremony:
        """What my browser needs to sign in with a passkey; nobody has to say a name."""
        guest = person_of(context)
        await limits.take("passkeys", context.address)
        return Ceremony(await process.passkeys.request(guest, site_of(process, context)))

    @write("/session/passkey", opt=ANYBODY)
    async def sign_in_with_passkey(
        self, data: JSONBody[Signed], process: Process, context: Context, limits: RateLimits
    ) -> Me:
        """Signs in on this device with a passkey."""
        guest, site = person_of(context), site_of(process, context)
        async with limits.password_try(context.address, f"passkey of {guest}"):
            account = await process.passkeys.owner(guest, data.credential, site)
        session = await process.accounts.open_session(guest, account)
        return await become(process, context, account, session)


class InvitationCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code of an invitation to this server."""

    code: Code


class Invited(msgspec.Struct, frozen=True):
    """Until when an invitation lets somebody in."""

    until: float


class InvitationController(Controller):
    """Invitations to a server that strangers may not enter."""

    path = "/api/account"
    tags = ("accounts",)

    @write("/invitation", opt=ANYBODY)
    async def invitation(
        self,
        data: JSONBody[InvitationCode],
        process: Process,
        context: Context,
        limits: RateLimits,
    ) -> Invited:
        """Whether an invitation still lets somebody in; to open an account uses it."""
        async with limits.password_try(context.address, "invitation"):
            return Invited(await process.invitations.check(data.code))


class DeviceController(Controller):
    """A second device, signed in by a link that the first one shows."""

    path = "/api/account"
    tags = ("accounts",)

    @write("/device", guards=[limited("tokens")], status_code=201)
    async def link_device(self, process: Process, context: Context) -> DeviceLink:
        """A link for my other device; it works once, for five minutes."""
        guest = person_of(context)
        await process.accounts.account_of(guest)
        secret = await process.challenges.new("device", guest)
        code = as_text(secret)
        base = process.settings.origin or site_of(process, context).origin
        return DeviceLink(f"{base}/device#{code}", time.time() + SECONDS)

    @write("/device/whose", opt=ANYBODY)
    async def device_owner(
        self, data: JSONBody[DeviceCode], process: Process, context: Context, limits: RateLimits
    ) -> DeviceOwner:
        """Whose account a link signs in: to be confirmed on the new device."""
        async with limits.password_try(context.address, "device"):
            guest = await process.challenges.guest_of("device", _secret(data.code))
            account = guest and await process.accounts.store.by_guest(guest)
            if not account:
                raise WrongPasswordError("server.device_code")
        return DeviceOwner(account.name)

    @write("/session/device", opt=ANYBODY)
    async def sign_in_device(
        self, data: JSONBody[DeviceCode], process: Process, context: Context, limits: RateLimits
    ) -> Me:
        """Signs in on this device with the link that another one shows."""
        guest = person_of(context)
        async with limits.password_try(context.address, "device"):
            owner = await process.challenges.take("device", _secret(data.code))
            if owner is None or await process.accounts.store.by_guest(owner) is None:
                raise WrongPasswordError("server.device_code")
        session = await process.accounts.open_session(guest, owner)
        return await become(process, context, owner, session)


def _secret(code: str) -> bytes:
    """Returns the secret in a link; nobody's for a text that is none."""
    try:
        return as_bytes(code)
    except ValueError:
        return b""
