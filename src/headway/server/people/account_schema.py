"""Accounts."""

from __future__ import annotations

import msgspec

from headway.server.core.fields import Name, Password


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
