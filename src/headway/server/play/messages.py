"""What the server says over a socket, besides its answers."""

from __future__ import annotations

import msgspec

from headway.server.table.view import Table


class Online(msgspec.Struct, frozen=True, tag="online"):
    """The seats whose holders are connected."""

    seats: list[int]


class TableNow(msgspec.Struct, frozen=True, tag="table"):
    """The table as it is now."""

    table: Table
