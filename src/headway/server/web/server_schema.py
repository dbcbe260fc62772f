"""The server itself."""

from __future__ import annotations

import msgspec


class Health(msgspec.Struct, frozen=True):
    """`ok` if the database answers."""

    status: str
    version: str
