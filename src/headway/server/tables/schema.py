"""What people do at tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Union

import msgspec
from msgspec import Meta

from headway.games import boxes
from headway.games.contract import MapData
from headway.server.core.fields import (
    RECORD_LENGTH,
    ClientId,
    MoveText,
    Name,
    SeatNumber,
    Word,
)

if TYPE_CHECKING:
    GameMap = MapData
else:
    GameMap = Union[tuple(box.map_data for box in boxes())]  # noqa: UP007


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
    """Takes the seat's last move back."""

    seat: SeatNumber
    client_id: ClientId


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Asks why a seat cannot make a move."""

    seat: SeatNumber
    move: MoveText


class PuzzleMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move in a puzzle."""

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


class NewReplay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to replay, as the text of its file: as a seat saw it, or all open.

    `own` leaves the choice to the server: all open where hands are secret, else the first seat.
    """

    record: Annotated[str, Meta(max_length=RECORD_LENGTH)]
    seat: SeatNumber | None = None
    own: bool = False


class NewAttempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another move for a decision of a reviewed game; `turn` counts the turns of the report."""

    seat: SeatNumber
    turn: Annotated[int, Meta(ge=0, lt=1000)]
    move: MoveText


class Continuation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a reviewed game is continued: in my seat's decision of this turn of the report.

    `cards` says whether the same cards come as before, or new ones.
    """

    seat: SeatNumber
    turn: Annotated[int, Meta(ge=0, lt=1000)]
    cards: Literal["same", "new"]


class NewReview(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to review, as the text of its file."""

    record: Annotated[str, Meta(max_length=RECORD_LENGTH)]
