"""The report of a review: what `headway review --json` prints, one line for each record.

Values are integers: thousandths of a point, or thousandths of a percent of a victory. Everything is
plain data and encodes to the same bytes every time. A new field needs a new `REVISION` in `job.py`
and a default, because open data reads reviews of older revisions too. `arithmetic.py` fills the
fields of a seat and of a turn, `job.py` those of the whole.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

FORMAT = "headway-review/1"

Measure = Literal["points", "victory"]
Mark = Literal["inaccuracy", "mistake", "blunder"]
Level = Literal["tourist", "commuter", "driver", "expert"]

THOUSAND = 1000
CERTAIN = 100 * THOUSAND
"""A certain victory, in thousandths of a percent."""
SHOWN_MOVES = 6
"""The best moves that a report lists; the one that was played is always among them."""


def thousandths(points: float) -> int:
    """Returns points in thousandths."""
    return round(points * THOUSAND)


def victory(share: float) -> int:
    """Returns a share of a victory in thousandths of a percent."""
    return round(share * CERTAIN)


class Reason(msgspec.Struct, frozen=True):
    """A part of the score that explains a loss: negative where the move that was played gets less.

    Parts are `districts:1` to `districts:4` (districts × stations of each round's line), `river`,
    `sites`, `interchanges`, `stamps`, `loop` and `objectives`.
    """

    part: str
    points: int
    error: int


class MoveValue(msgspec.Struct, frozen=True):
    """A move that the analysis considered: the expected result after it, and its error."""

    move: str
    value: int
    error: int


class MoveLoss(msgspec.Struct, frozen=True):
    """What a move loses compared with the best one, with its error and the reasons."""

    move: str
    loss: int
    error: int
    why: tuple[Reason, ...] = ()


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a seat's game: a turn with its card and move, a deal, or an act of others.

    `expected` is the value before it. The value after it is `expected + luck - loss + others +
    recount`, which is the next one's `expected`, and after the last one the result.
    """

    round: int | UnsetType = UNSET
    """From 1; with `turn`, in games that have rounds."""
    turn: int | UnsetType = UNSET
    """From 1; 0 for what is dealt at the start of a round."""
    number: int | UnsetType = UNSET
    """The number of the event, from 0, in games without rounds."""
    seat: int | UnsetType = UNSET
    """The other seat whose act this was."""
    dealt: str | UnsetType = UNSET
    """What chance dealt."""
    expected: int
    luck: int
    played: str | UnsetType = UNSET
    best: str | UnsetType = UNSET
    loss: int
    error: int | UnsetType = UNSET
    """The error of the loss."""
    others: int | UnsetType = UNSET
    recount: int
    decision: bool | UnsetType = UNSET
    """Whether there was more than one sensible move."""
    mark: Mark | UnsetType = UNSET
    why: tuple[Reason, ...] | UnsetType = UNSET
    """Empty where the parts do not agree with the loss."""
    moves: tuple[MoveValue, ...] | UnsetType = UNSET
    """The best moves, best first, and the one that was played."""
    win: int | UnsetType = UNSET
    """The chance to win in thousandths of a percent, in the last round with several seats."""
    ahead: int | UnsetType = UNSET
    """The expected points ahead of the best other seat in thousandths, where victory counts."""


class SeatReview(msgspec.Struct, frozen=True, kw_only=True):
    """The sum of one seat: `start + luck - loss + others + recount` is `result`, exactly."""

    seat: int
    measure: Measure
    start: int
    luck: int
    loss: int
    others: int
    recount: int
    result: int
    lost: int
    """The loss of all decisions; the same as `loss`."""
    decisions: int
    """The number of turns with more than one sensible move."""
    median: int
    """The median loss of a decision."""
    good: float
    """The share of decisions that lost almost nothing."""
    level: Level
    """The level of the bots that loses as much in a game."""
    turns: tuple[Turn, ...]
    turning: tuple[int, ...]
    """The three largest losses, as indices of `turns`, in the order of the game."""
    luckiest: int | None
    """The index of the luckiest deal; None if nothing was dealt."""
    unluckiest: int | None
    rough: bool = False
    """Whether the figures are too rough to be added up for people; marks need three errors then."""


class BestFound(msgspec.Struct, frozen=True):
    """The best results found with all cards known, and the record that replays to them."""

    totals: tuple[int, ...]
    record: dict[str, Any]


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """The review of one record."""

    format: str = FORMAT
    engine: str
    budget: str
    game: str
    map: str
    seats: tuple[SeatReview, ...]
    best: BestFound | UnsetType = UNSET

    def json(self) -> bytes:
        """Returns the line that `headway review --json` prints, without its line break."""
        return msgspec.json.encode(self)
