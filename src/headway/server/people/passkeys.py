"""Passkeys: keys of a device or a password manager, with which an account signs in without a name.

The server keeps public keys only. A device proves that it has the private one by signing a
challenge that works once; the browser adds for which site, so a copy of the page elsewhere gets
nothing.
"""

from __future__ import annotations

import asyncio
import json
import time
from functools import partial
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from headway.server.core.database import Database
from headway.server.core.errors import WrongPasswordError, conflict, invalid, not_found
from headway.server.core.schema import ACCOUNTS, PASSKEYS
from headway.server.people.challenges import Challenges

MOST_PER_ACCOUNT = 10


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

    def __init__(self, database: Database, challenges: Challenges) -> None:
        self.database = database
        self.challenges = challenges

    async def list(self, guest: str) -> list[PasskeyHead]:
        """Returns an account's passkeys, the newest first."""
        query = select(PASSKEYS).where(PASSKEYS.c.guest == guest)
        rows = await self.database.rows(query.order_by(PASSKEYS.c.created.desc(), PASSKEYS.c.id))
        return [PasskeyHead(row.id, row.name, row.created, row.used) for row in rows]

    async def registration(self, account: Any, site: Site) -> dict[str, Any]:
        """Returns what a browser needs to make a passkey for an account."""
        known = [head.id for head in await self.list(account.guest)]
        if len(known) >= MOST_PER_ACCOUNT:
            raise conflict("server.passkeys", most=MOST_PER_ACCOUNT)
        challenge = await self.challenges.new("register", account.guest)
        work = partial(_registration, site, account.guest, account.name, known, challenge)
        return await asyncio.to_thread(work)

    async def register(self, guest: str, name: str, credential: dict[str, Any], site: Site) -> None:
        """Keeps the passkey that a browser has made; refuses one that does not fit."""
        challenge = _challenge(credential)
        if await self.challenges.take("register", challenge) != guest:
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
            connection.execute(insert(PASSKEYS).values(**row))

        await self.database.write(work)

    async def remove(self, guest: str, key_id: str) -> None:
        """Ends a passkey of an account."""
        mine = (PASSKEYS.c.guest == guest) & (PASSKEYS.c.id == key_id)
        if not await self.database.change(delete(PASSKEYS).where(mine)):
            raise not_found("server.no_passkey")

    async def request(self, guest: str, site: Site) -> dict[str, Any]:
        """Returns what a browser needs to sign somebody in whom nobody has named."""
        challenge = await self.challenges.new("sign_in", guest)
        return await asyncio.to_thread(_request, site, challenge)

    async def owner(self, guest: str, credential: dict[str, Any], site: Site) -> str:
        """Returns the account whose passkey signed the challenge that this guest was given."""
        challenge = _challenge(credential)
        if await self.challenges.take("sign_in", challenge) != guest:
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
