"""What requests and answers about people hold: guests, tokens, accounts."""

from __future__ import annotations

from typing import Literal

import msgspec

from headway.server.core.fields import Name, Password

SharingChoice = Literal["pseudonym", "named", "none"]


class Me(msgspec.Struct, frozen=True):
    """The guest who asks.

    With an `account`, the name is nobody else's, and `/u/NAME` is its page.
    """

    id: str
    name: str
    account: bool
    sharing: SharingChoice


class Sharing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How I appear in open data: under a pseudonym, under my account's name, or not at all."""

    sharing: SharingChoice


class NewName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name that a guest wants."""

    name: Name


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


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The present password and the new one; tokens end unless `keep_tokens`."""

    old: Password
    new: Password
    keep_tokens: bool = False


class Farewell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password of an account to delete."""

    password: Password
