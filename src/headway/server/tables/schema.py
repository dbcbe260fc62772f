"""What people do and say at tables, and messages over the socket of a table.

Messages are news from the server and a ping from the client. What people say is not stored, but for
their own words at tables whose hosts allow them (`people/chat.py`): who is connected hears it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict, astuple

from headway.games import boxes
from headway.games.contract import MapData
from headway.server.core.errors import conflict, forbidden
from headway.server.core.fields import ClientId, MoveText, Name, SeatNumber, Word
from headway.server.tables.setup import Persona
from headway.server.tables.state import TableState
from headway.server.tables.view import CompileWait, TableView, rest_of_log, shared_lines
from headway.server.web.errors import ErrorBody
from headway.server.web.sockets import Pong

if TYPE_CHECKING:
    GameMap = MapData
else:
    GameMap = Union[tuple(box.map_data for box in boxes())]  # noqa: UP007

Phrase = Literal[
    "hello", "luck", "well_played", "thanks", "sorry",
    "your_turn", "one_minute", "mind_the_gap", "close", "again",
]  # fmt: skip
Reaction = Literal[
    "thumb", "clap", "heart", "star", "laugh", "wow", "think", "sad", "cup", "bus",
]  # fmt: skip
Answer = Literal["looking", "learning", "not_now"]
"""What somebody does who is asked to a table: looks at the invitation, learns the game first, or
cannot come now."""
ANSWERS: tuple[str, ...] = get_args(Answer)


class Choose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Picks a value of a choice for a seat, or without a seat for all; no value takes it back."""

    part: Word
    value: SeatNumber | Word | None = None
    seat: SeatNumber | None = None

    def text(self) -> str:
        """Returns the pick as events write it."""
        return f"{self.part}={'' if self.value is None else self.value}"


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Takes a seat, or the first one that is free, and picks something for it."""

    seat: SeatNumber | None = None
    name: Name | None = None
    pick: Choose | None = None


class Leave(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Leaves a seat."""

    seat: SeatNumber


class NewMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move; the same `client_id` again is the same move.

    `number` is that of the last event that the player saw: a move for an older turn is refused.
    """

    seat: SeatNumber
    move: MoveText
    client_id: ClientId
    number: Annotated[int, Meta(ge=0)] | None = None


class Moved(msgspec.Struct, frozen=True):
    """The move is committed as the event of this number; the socket brings the table."""

    number: int


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Takes the seat's last move back; where other people sit, asks them to allow it."""

    seat: SeatNumber
    client_id: ClientId


class UndoAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lets another seat take its last move back, or not; `number` is that of its request."""

    seat: SeatNumber
    number: Annotated[int, Meta(ge=0)]
    grant: bool
    client_id: ClientId


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Asks why a seat cannot make a move."""

    seat: SeatNumber
    move: MoveText


class Why(msgspec.Struct, frozen=True, omit_defaults=True):
    """The rule that a move breaks, and a sentence; empty if the move is legal."""

    rule: str | None = None
    sentence: str | None = None


class HintWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Asks for a hint."""

    seat: SeatNumber


class HintMove(msgspec.Struct, frozen=True):
    """A move, the value that a search expects of it, and the standard error of that value."""

    move: str
    value: float
    error: float
    simulations: int


class Hint(msgspec.Struct, frozen=True):
    """The best moves first; values are final scores or probabilities to win, by `measure`."""

    measure: Literal["score", "win"]
    moves: list[HintMove]


class HandOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Gives a seat to a bot."""

    bot: Word


class NewWord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say at a table."""

    what: Phrase | Reaction | Answer


class Said(msgspec.Struct, frozen=True, tag="said"):
    """Something that was said, by a seat or, to an invitation, by somebody without one (-1).

    Who has a seat answers the invitation to a rematch.
    """

    what: Phrase | Reaction | Answer
    seat: int
    name: str
    face: str


class Remark(msgspec.Struct, frozen=True, tag="remark"):
    """What a player wrote to the others."""

    id: int
    seat: int
    name: str
    text: str
    at: float


class Watcher(msgspec.Struct, frozen=True):
    """Somebody who looks on: the chosen name, and the chosen face if there is one."""

    name: str
    face: str


class TableNow(msgspec.Struct, frozen=True):
    """Everything that a guest is told about a table."""

    table: TableView
    watchers: int = 0
    named: list[Watcher] = []
    compiling: CompileWait | None = None
    notice: int = 0


if TYPE_CHECKING:
    TableChanges = TableView
else:
    _SOME_FIELDS = {"views": dict[str, dict[str, Any]]}
    TableChanges = msgspec.defstruct(
        "TableChanges",
        [
            (field.name, Union[_SOME_FIELDS.get(field.name, field.type), UnsetType], UNSET)  # noqa: UP007
            for field in msgspec.structs.fields(TableView)
        ],
        frozen=True,
    )
    TableChanges.__doc__ = """The fields of a table that differ from what was sent before.

    Each replaces the old value, except two: `views` names all my views and has the fields of each
    that differ, and `log` has the lines that follow the first `log_from`.
    """


class TableNews(msgspec.Struct, frozen=True, tag="table"):
    """What is new at a table: first everything, then only what differs.

    `watchers` counts those who look on without a seat; `named` are some of the others among them,
    who have chosen a name. `compiling` is the bot that the table waits for, if it does.
    `notice` is the number of the operator's notice, 0 for none.
    """

    table: TableChanges | UnsetType = UNSET
    watchers: int | UnsetType = UNSET
    named: list[Watcher] | UnsetType = UNSET
    compiling: CompileWait | UnsetType | None = UNSET
    notice: int | UnsetType = UNSET


_NOTHING = TableNews()


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    """Asks whether the server is there."""


class Looking(msgspec.Struct, frozen=True, tag="looking"):
    """Says whether somebody sees the page: nobody is called to a table that they look at."""

    looking: bool


class RefusedMessage(msgspec.Struct, frozen=True, tag="refused"):
    """Says why a message was not understood."""

    error: ErrorBody


MESSAGES = TableNews, Said, Remark, Pong, RefusedMessage, Ping, Looking
"""All that a socket brings, and the two that it takes."""


def news_since(sent: TableNow | None, now: TableNow) -> TableNews | None:
    """Returns what differs from what was sent, all if nothing was; None if nothing differs.

    Both say only what their reader may know, and so does the difference.
    """
    changed = changed_fields(sent, now)
    if "table" in changed:
        changed["table"] = table_changes(sent.table if sent else None, now.table)
    news = TableNews(**changed)
    return None if news == _NOTHING else news


def table_changes(sent: TableView | None, now: TableView) -> TableChanges | UnsetType:
    """Returns the fields of a table that differ; none if it is only the time."""
    changed = changed_fields(sent, now)
    if sent is not None:
        if changed.keys() <= {"now"}:
            return UNSET
        if "views" in changed:
            changed["views"] = {
                seat: changed_fields(sent.views[seat], view) if seat in sent.views else view
                for seat, view in now.views.items()
            }
        if "log" in changed:
            rest = rest_of_log(now, shared_lines(sent.log, now.log))
            changed |= {"log": rest.log, "log_from": rest.log_from}
    return TableChanges(**changed)


def changed_fields(before: msgspec.Struct | None, after: msgspec.Struct) -> dict[str, Any]:
    """Returns the fields of a structure that differ from those of an earlier one; else all."""
    if before is None:
        return asdict(after)
    fields = zip(after.__struct_fields__, astuple(before), astuple(after), strict=True)
    return {name: new for name, old, new in fields if old is not new and old != new}


def said_at(state: TableState, guest: str, persona: Persona, word: NewWord) -> Said:
    """Returns what a guest says; phrases are for who plays, answers for who is invited."""
    seat = next(iter(state.held_by(guest)), -1)
    if seat < 0 and word.what not in ANSWERS:
        raise forbidden("server.not_at_table")
    if seat < 0 and state.started is not None:
        raise conflict("server.begun")
    return Said(word.what, seat, *persona)
