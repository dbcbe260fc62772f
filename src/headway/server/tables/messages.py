"""News that the server sends over the socket of a table."""

from __future__ import annotations

from typing import Any

import msgspec

from headway.games.contract import LogLine
from headway.server.tables.clocks import Clocks
from headway.server.tables.state import StandIn
from headway.server.tables.view import SeatHead, TableView


class Online(msgspec.Struct, frozen=True, tag="online", omit_defaults=True):
    """The seats whose holders are connected, and how many others watch.

    `names` are what some of the other watchers chose to be called; most have chosen nothing.
    """

    seats: list[int]
    watchers: int
    names: list[str] = []


class Compiling(msgspec.Struct, frozen=True, tag="compiling", omit_defaults=True):
    """The bot that the table waits for while its code is being compiled; "" when it is ready.

    `elapsed` is how long it has been waited for and `typical` how long that takes, in seconds.
    `simpler` is a bot that needs no compiling.
    """

    bot: str = ""
    simpler: str = ""
    elapsed: float = 0.0
    typical: float = 0.0


class TableNow(msgspec.Struct, frozen=True, tag="table"):
    """The table after its last event."""

    table: TableView


class SeatsMoved(msgspec.Struct, frozen=True, tag="moved"):
    """Others have moved, and nothing is revealed; `number` is the last event's.

    `views` has the fields of my views that are different now, by seat.
    """

    number: int
    seats: list[SeatHead]
    clocks: Clocks | None
    now: float
    views: dict[str, dict[str, Any]]


class OwnChanges(msgspec.Struct, frozen=True):
    """What is different for me after my move, besides my views; the fields are `TableView`'s."""

    legal: dict[str, list[str]]
    can_undo: dict[str, bool]
    stand_ins: dict[int, StandIn]
    log: list[LogLine]
    log_from: int


class OwnSeatMoved(SeatsMoved, frozen=True, tag="own_move", kw_only=True):
    """I have moved, perhaps others too, and nothing is revealed."""

    own: OwnChanges
