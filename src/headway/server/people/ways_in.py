"""Ways in without a password: passkeys, links to a second device, invitations.

A passkey is a key of a device or a password manager, with which an account signs in without a name.
The server keeps public keys only. A device proves that it has the private one by signing a secret
that works once; the browser adds for which site, so a copy of the page elsewhere gets nothing.

An invitation lets somebody in where strangers may not enter. Its code is shown once and kept as a
hash, like a session's. It counts how many people it lets in.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from headway.server.core.database import Database
from headway.server.core.errors import WrongPasswordError, conflict, forbidden, invalid, not_found
from headway.server.core.schema import ACCOUNTS, CHALLENGES, INVITATIONS, PASSKEYS
from headway.server.people.guests import secret_hash

MOST_PASSKEYS = 10
"""How many passkeys an account has."""
Use = Literal["register", "sign_in", "device"]
SECRET_SECONDS = 300.0
"""How long a one-time secret works."""
MOST_SECRETS = 10
"""How many secrets of a guest work at the same time; older ones stop working."""
ID_LENGTH = 8
"""The id of an invitation is the beginning of its hash."""


class Site(NamedTuple):
    """What a passkey is for: the host's name, and the address as browsers see it."""

    host: str
    origin: str


class PasskeyHead(msgspec.Struct, frozen=True):
    """A passkey as its owner sees it in a list."""

    id: str
    name: str
    created: float
    used: float | None


class Passkeys:
    """The passkeys of all accounts."""

    def __init__(self, database: Database, one_time: OneTimeSecrets) -> None:
        self.database = database
        self.one_time = one_time

    async def list(self, guest: str) -> list[PasskeyHead]:
        """Returns an account's passkeys, the newest first."""
        query = select(PASSKEYS).where(PASSKEYS.c.guest == guest)
        rows = await self.database.rows(query.order_by(PASSKEYS.c.created.desc(), PASSKEYS.c.id))
        return [PasskeyHead(row.id, row.name, row.created, row.used) for row in rows]

    async def registration(self, account: Any, site: Site) -> dict[str, Any]:
        """Returns what a browser needs to make a passkey for an account."""
        known = [head.id for head in await self.list(account.guest)]
        _refuse_more(known)
        challenge = await self.one_time.new("register", account.guest)
        work = partial(_registration, site, account.guest, account.name, known, challenge)
        return await asyncio.to_thread(work)

    async def register(self, guest: str, name: str, credential: dict[str, Any], site: Site) -> None:
        """Keeps the passkey that a browser has made; refuses one that does not fit."""
        challenge = _challenge(credential)
        if await self.one_time.take("register", challenge) != guest:
            raise invalid("server.passkey_late")
        made = await asyncio.to_thread(_registered, credential, challenge, site)
        if made is None:
            raise invalid("server.passkey")
        key_id, public_key, count = made
        row = {"id": key_id, "guest": guest, "public_key": public_key, "count": count}
        row |= {"name": name, "created": time.time(), "used": None}

        def work(connection: Connection) -> None:
            if connection.execute(select(PASSKEYS.c.id).where(PASSKEYS.c.id == key_id)).first():
                raise conflict("server.passkey_known")
            mine = select(PASSKEYS.c.id).where(PASSKEYS.c.guest == guest)
            _refuse_more(connection.scalars(mine).all())
            connection.execute(insert(PASSKEYS).values(**row))

        await self.database.write(work)

    async def remove(self, guest: str, key_id: str) -> None:
        """Ends a passkey of an account."""
        mine = (PASSKEYS.c.guest == guest) & (PASSKEYS.c.id == key_id)
        if not await self.database.change(delete(PASSKEYS).where(mine)):
            raise not_found("server.no_passkey")

    async def request(self, guest: str, site: Site) -> dict[str, Any]:
        """Returns what a browser needs to sign somebody in whom nobody has named."""
        challenge = await self.one_time.new("sign_in", guest)
        return await asyncio.to_thread(_request, site, challenge)

    async def owner(self, guest: str, credential: dict[str, Any], site: Site) -> str:
        """Returns the account whose passkey signed the challenge that this guest was given."""
        challenge = _challenge(credential)
        if await self.one_time.take("sign_in", challenge) != guest:
            raise WrongPasswordError("server.passkey_late")
        query = select(PASSKEYS).where(PASSKEYS.c.id == str(credential.get("id"))[:400])
        row = await self.database.first(query.join(ACCOUNTS, ACCOUNTS.c.guest == PASSKEYS.c.guest))
        count = row and await asyncio.to_thread(_signed, credential, challenge, site, row)
        if count is None:
            raise WrongPasswordError("server.passkey_unknown")
        used = update(PASSKEYS).where(PASSKEYS.c.id == row.id)
        await self.database.change(used.values(count=count, used=time.time()))
        owner: str = row.guest
        return owner


def _refuse_more(passkeys: Sequence[str]) -> None:
    """Refuses another passkey for an account that has as many as it can."""
    if len(passkeys) >= MOST_PASSKEYS:
        raise conflict("server.passkeys", most=MOST_PASSKEYS)


def _challenge(credential: dict[str, Any]) -> bytes:
    """Returns the challenge that a browser says it has signed."""
    from webauthn.helpers import base64url_to_bytes

    try:
        data = json.loads(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        return bytes(base64url_to_bytes(data["challenge"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise invalid("server.passkey") from None


# webauthn takes half a second to load, so all this runs in threads


def _registration(
    site: Site, guest: str, name: str, known: list[str], challenge: bytes
) -> dict[str, Any]:
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers import base64url_to_bytes
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = generate_registration_options(
        rp_id=site.host,
        rp_name="Headway",
        user_id=guest.encode(),
        user_name=name,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=base64url_to_bytes(key)) for key in known
        ],
    )
    return dict(json.loads(options_to_json(options)))


def _registered(
    credential: dict[str, Any], challenge: bytes, site: Site
) -> tuple[str, bytes, int] | None:
    """Returns a new passkey's id, public key and count; None if it does not fit."""
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        made = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError):
        return None
    return bytes_to_base64url(made.credential_id), made.credential_public_key, made.sign_count


def _request(site: Site, challenge: bytes) -> dict[str, Any]:
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    options = generate_authentication_options(
        rp_id=site.host,
        challenge=challenge,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return dict(json.loads(options_to_json(options)))


def _signed(credential: dict[str, Any], challenge: bytes, site: Site, row: Any) -> int | None:
    """Returns how often a passkey says that it was used; None if the signature is not its."""
    from webauthn import verify_authentication_response
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        return verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=row.public_key,
            credential_current_sign_count=row.count,
            require_user_verification=True,
        ).new_sign_count
    except (WebAuthnException, ValueError, KeyError, TypeError):
        return None


class OneTimeSecrets:
    """Secrets that work once and for a short time; only their hashes are kept."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def new(self, use: Use, guest: str) -> bytes:
        """Returns a fresh secret of 32 bytes for a guest."""
        secret, now = secrets.token_bytes(32), time.time()
        row = {"hash": secret_hash(secret.hex()), "use": use, "guest": guest}

        def work(connection: Connection) -> None:
            connection.execute(delete(CHALLENGES).where(CHALLENGES.c.until < now))
            mine = select(CHALLENGES.c.hash).where(CHALLENGES.c.guest == guest)
            newest_first = mine.order_by(CHALLENGES.c.until.desc())
            old = list(connection.scalars(newest_first.offset(MOST_SECRETS - 1)))
            connection.execute(delete(CHALLENGES).where(CHALLENGES.c.hash.in_(old)))
            connection.execute(insert(CHALLENGES).values(**row, until=now + SECRET_SECONDS))

        await self.database.write(work)
        return secret

    async def guest_of(self, use: Use, secret: bytes) -> str | None:
        """Returns for whom a secret was made, if it still works."""
        query = select(CHALLENGES.c.guest).where(
            CHALLENGES.c.hash == secret_hash(secret.hex()),
            CHALLENGES.c.use == use,
            CHALLENGES.c.until > time.time(),
        )
        guest: str | None = await self.database.value(query)
        return guest

    async def take(self, use: Use, secret: bytes) -> str | None:
        """Returns for whom a secret was made, and ends it; None for one that does not work."""
        guest = await self.guest_of(use, secret)
        this = CHALLENGES.c.hash == secret_hash(secret.hex())
        taken = guest is not None and await self.database.change(delete(CHALLENGES).where(this))
        return guest if taken else None


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


def use_invitation(connection: Connection, code: str) -> None:
    """Uses an invitation once; refuses one that is unknown, too old or used up."""
    using = update(INVITATIONS).where(_holds(code))
    if not connection.execute(using.values(uses_left=INVITATIONS.c.uses_left - 1)).rowcount:
        raise WrongPasswordError("server.invitation")


def _holds(code: str) -> ColumnElement[bool]:
    here = INVITATIONS.c.hash == secret_hash(code)
    return here & (INVITATIONS.c.until > time.time()) & (INVITATIONS.c.uses_left > 0)


def make_invitation(connection: Connection, note: str, until: float, uses: int) -> tuple[str, str]:
    """Makes an invitation; returns its id and the code, which nobody can read again."""
    code = secrets.token_urlsafe(16)
    hashed = secret_hash(code)
    row = {"hash": hashed, "note": note, "made": time.time(), "until": until, "uses_left": uses}
    connection.execute(insert(INVITATIONS).values(**row))
    return hashed[:ID_LENGTH], code


def all_invitations(connection: Connection) -> list[Invitation]:
    """Returns all invitations, the newest first."""
    query = select(INVITATIONS).order_by(INVITATIONS.c.made.desc(), INVITATIONS.c.hash)
    return [
        Invitation(row.hash[:ID_LENGTH], row.note, row.made, row.until, row.uses_left)
        for row in connection.execute(query)
    ]


def revoke_invitation(connection: Connection, invitation_id: str) -> None:
    """Ends an invitation; who has used it stays."""
    this = INVITATIONS.c.hash.startswith(invitation_id, autoescape=True)
    known = len(invitation_id) == ID_LENGTH
    if not known or not connection.execute(delete(INVITATIONS).where(this)).rowcount:
        raise not_found("admin.no_invitation", id=invitation_id)
