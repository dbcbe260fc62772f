"""Events: everything that happens at a table, numbered from 1, in the order of the database.

What happens at a running table besides moves, everybody is also told once, in words (`Happening`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from headway.server.tables.setup import Occupant

MOST_EVENTS = 4000
"""After this event a table takes only what the game needs to finish, so loading it stays quick."""
UNDOS_PER_TURN = 10
"""Moves that a seat may take back in one turn, unless it trains alone with bots."""

SIT, LEAVE, BOT = "sit", "leave", "bot"
PICK = "pick"
"""A seat picks its pencil or colour, or the host what is for all, before the game begins."""
READY = "ready"
"""A guest confirms, before the game begins, that the clock may start."""
START, HOLD = "start", "hold"
"""The time before a game is over; or somebody, or the absence of somebody, has stopped it."""
BEGIN = "begin"
"""The free seats are taken away; the seats behind them move up."""
MOVE, FLAG, UNDO, REMATCH = "move", "flag", "undo", "rematch"
MOVES = MOVE, FLAG
UNDO_ASK, UNDO_YES, UNDO_NO = "undo-ask", "undo-yes", "undo-no"
"""A seat asks the others to let it take its move `text` back; a guest lets it, or does not. The
last one who lets it makes the `UNDO`."""
DOWNTIME = "downtime"
"""No process served the table; `text` is what everybody who has to move gets back, in seconds."""
END = "end"
"""The operator ended the table: nothing can happen there any more, and there is no result."""
OWNER = "owner"
"""A guest became another one, also in the events before: reload the table."""

DISPENSABLE = (LEAVE, UNDO, UNDO_ASK, UNDO_YES, UNDO_NO)
"""Events without which a game can finish."""
MOST_PER_GUEST = {
    SIT: (10, "server.joined_often"),
    PICK: (40, "server.picked_often"),
    READY: (30, "server.ready_often"),
    UNDO_ASK: (40, "server.undo_asked_often"),
}
"""How often a guest may do this at one table, and the sentence that refuses more."""


class TableEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event of a table. `text` is a move, a name, a bot or the next table, by `kind`.

    `drops` has the numbers of the events that an undo takes back. `pick` is what a seat picks, or
    the host chooses, before the game begins: `pencils=green`. `face` is that of who sits down.
    """

    table_id: str
    number: int
    at: float
    kind: str
    seat: int = -1
    guest: str | None = None
    client_id: str | None = None
    text: str = ""
    drops: tuple[int, ...] = ()
    pick: str = ""
    face: str = ""


MOST_TOLD = 60
"""The last happenings, which a table keeps."""

Kind = Literal["left", "bot", "back", "asked", "refused", "undone", "time", "pause"]
_KINDS: Mapping[str, Kind] = {
    LEAVE: "left",
    BOT: "bot",
    SIT: "back",
    UNDO_ASK: "asked",
    UNDO_NO: "refused",
    UNDO: "undone",
    FLAG: "time",
    DOWNTIME: "pause",
}


class Happening(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that happened to a seat, or to all of them, with the event of this number.

    `left`: its holder has left. `bot`: a bot took over, from its holder or by the wish of the seat
    `by`. `back`: its holder is back. `asked`: it asks the others to let it take its last move back;
    `refused`: the seat `by` does not. `undone`: its last move was taken back, if it had to ask with
    the consent of the seat `by`. `time`: its time was over, and the move with the log line `line`
    was made for it; -1 while the reader may not know the move. `pause`: the server was away for
    some `seconds`, which everybody got back.
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


class UndoRequest(NamedTuple):
    """A seat's wish to take a move back: the numbers of both events, and who has agreed."""

    number: int
    seat: int
    move: int
    granted: frozenset[str] = frozenset()
