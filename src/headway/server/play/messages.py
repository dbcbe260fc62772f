"""News that the server sends over the socket of a table."""

from __future__ import annotations

import msgspec

from headway.server.table.view import TableView


class Online(msgspec.Struct, frozen=True, tag="online"):
    """The seats whose holders are connected, and how many others watch."""

    seats: list[int]
    watchers: int


class TableNow(msgspec.Struct, frozen=True, tag="table"):
    """The table after its last event."""

    table: TableView
