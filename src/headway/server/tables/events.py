"""Events: everything that happens at a table, numbered from 1, in the order of the database."""

from __future__ import annotations

import msgspec

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
