"""What happens at a running table besides moves: everybody is told of it once, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from headway.server.tables import events
from headway.server.tables.events import TableEvent
from headway.server.tables.setup import Occupant

MOST_TOLD = 60
"""The last ones, which a table keeps."""

Kind = Literal["left", "bot", "back", "asked", "refused", "undone", "time", "pause"]
_KINDS: Mapping[str, Kind] = {
    events.LEAVE: "left",
    events.BOT: "bot",
    events.SIT: "back",
    events.UNDO_ASK: "asked",
    events.UNDO_NO: "refused",
    events.UNDO: "undone",
    events.FLAG: "time",
    events.DOWNTIME: "pause",
}


class Happening(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that happened to a seat, or to all of them, with the event of this number.

    `left`: its holder has left. `bot`: a bot took over, from its holder or by the wish of the seat
    `by`. `back`: its holder is back. `asked`: it asks the others to let it take its last move back;
    `refused`: the seat `by` does not. `undone`: its last move was taken back, if it had to ask with
    the consent of the seat `by`. `time`: its time was
    over, and the move with the log line `line` was made for it; -1 while the reader may not know
    the move. `pause`: the server was away for some `seconds`, which everybody got back.
    """

    number: int
    at: float
    kind: Kind
    seat: int = -1
    by: int = -1
    line: int = -1
    seconds: float = 0.0


def happening_of(event: TableEvent, before: Occupant, by: tuple[int, ...]) -> Happening | None:
    """Returns what an event of a running game means to people; None for what they see anyway.

    `before` had the seat until then; `by` are the seats of the guest who made the event.
    """
    kind = _KINDS.get(event.kind)
    if kind is None:
        return None
    told = Happening(event.number, event.at, kind, event.seat)
    if kind == "pause":
        return msgspec.structs.replace(told, seconds=float(event.text))
    if kind == "bot":
        own = before.guest is not None and before.guest == event.guest
        return msgspec.structs.replace(told, by=event.seat if own else next(iter(by), -1))
    if kind in ("refused", "undone") and event.seat not in by:
        return msgspec.structs.replace(told, by=next(iter(by), -1))
    return told
