"""The arithmetic of reviews: analyses become sums that add up exactly, losses marks and levels.

Each analysis values the same game at one moment: before the event, once the deal is known, and
after the move or act. The next one may value the same position differently; the difference is the
recount. All values are integers, so the sums telescope without a remainder.

The limits of levels lie between the losses of the bots in London, a table of docs/measurements.md.
In Ticket to Ride they lie between the means of 200 games; one game says little there (`rough`).
`python -m benchmarks.grades` reviews more games and prints the limits that follow from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from headway.reviews.report import (
    SHOWN_MOVES,
    Level,
    Mark,
    Measure,
    MoveValue,
    Reason,
    SeatReview,
    Turn,
)

SURE_ERRORS = 2
"""A mark needs a loss above this many standard errors."""
ROUGH_ERRORS = 3
"""The same where figures are rough."""


class MarkLimits(NamedTuple):
    """The limits of a measure, in its thousandths."""

    inaccuracy: int
    mistake: int
    blunder: int
    good: int
    """Below this loss a move is good."""


MARKS: dict[Measure, MarkLimits] = {
    "points": MarkLimits(inaccuracy=1000, mistake=3000, blunder=8000, good=500),
    "victory": MarkLimits(inaccuracy=2000, mistake=5000, blunder=12000, good=1000),
}


def mark_of(measure: Measure, loss: int, error: int, rough: bool = False) -> Mark | None:
    """Returns the mark of a loss; None if it is small or may be chance."""
    limits = MARKS[measure]
    if loss <= (ROUGH_ERRORS if rough else SURE_ERRORS) * error or loss < limits.inaccuracy:
        return None
    if loss < limits.mistake:
        return "inaccuracy"
    return "mistake" if loss < limits.blunder else "blunder"


class Fitted(NamedTuple):
    """Up to these losses a game is played like each level, best first; above all: the lowest."""

    expert: int
    driver: int
    commuter: int


LEVEL_LIMITS: dict[str, Fitted] = {
    "next-station": Fitted(2500, 8000, 27500),
    "ticket-to-ride": Fitted(44000, 85500, 118500),
}
"""In thousandths, by game; those of London are used on all maps."""

LOST: dict[str, dict[Level, int]] = {
    "next-station": {"tourist": 51800, "commuter": 21100, "driver": 2800, "expert": 0},
    "ticket-to-ride": {"tourist": 133600, "commuter": 102900, "driver": 67900, "expert": 20100},
}
"""What each level loses in a game, in thousandths (docs/measurements.md)."""


def level_of(loss: int, limits: Fitted) -> Level:
    """Returns the level that loses as much in a game."""
    if loss <= limits.expert:
        return "expert"
    if loss <= limits.driver:
        return "driver"
    return "commuter" if loss <= limits.commuter else "tourist"


TURNING_POINTS = 3


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where in a game an event is: round and turn, or the number of the event."""

    round: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    number: int | UnsetType = UNSET


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat decided, and what it could have decided."""

    played: str
    best: str
    error: int
    sensible: int
    """The number of moves that lose less than a blunder."""
    moves: tuple[MoveValue, ...]
    why: tuple[Reason, ...] = ()


class Valued(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """One event with its values: before it, with what was dealt, and after the move or act."""

    place: Place
    expected: int
    dealt_value: int
    after: int
    dealt: str | None = None
    decision: Decision | None = None
    other: int | None = None
    """The other seat that acted."""
    win: int | None = None
    ahead: int | None = None


def decision_among(
    measure: Measure,
    moves: Sequence[MoveValue],
    played: str,
    error: int,
    why: tuple[Reason, ...] = (),
) -> Decision:
    """Returns the decision for one of the moves that an analysis valued, which are best first.

    `error` is that of the difference to the best move.
    """
    most, shown = moves[0].value, moves[:SHOWN_MOVES]
    return Decision(
        played=played,
        best=moves[0].move,
        error=error,
        sensible=sum(most - move.value < MARKS[measure].blunder for move in moves),
        moves=tuple(move for move in moves if move in shown or move.move == played),
        why=why,
    )


class Scale(NamedTuple):
    """How the values of a game are read: measure, what levels lose, and whether they are rough."""

    measure: Measure
    limits: Fitted
    rough: bool = False


def seat_review(seat: int, scale: Scale, events: Sequence[Valued], result: int) -> SeatReview:
    """Returns the report of a seat; `events` are all of its game in order."""
    measure, limits, rough = scale
    turns = (*turns_so_far(measure, events, rough), _turn(measure, events[-1], result, rough))
    decisions = [turn.loss for turn in turns if turn.decision is True]
    loss = sum(turn.loss for turn in turns)
    good = sum(lost < MARKS[measure].good for lost in decisions)
    dealt = [i for i, turn in enumerate(turns) if turn.dealt is not UNSET]
    return SeatReview(
        seat=seat,
        measure=measure,
        start=events[0].expected,
        luck=sum(turn.luck for turn in turns),
        loss=loss,
        others=sum(turn.others or 0 for turn in turns),
        recount=sum(turn.recount for turn in turns),
        result=result,
        lost=loss,
        decisions=len(decisions),
        median=round(median(decisions)) if decisions else 0,
        good=round(good / len(decisions), 3) if decisions else 1.0,
        level=level_of(loss, limits),
        turns=turns,
        turning=_turning(turns, marked=rough),
        luckiest=max(dealt, key=lambda i: (turns[i].luck, -i), default=None),
        unluckiest=min(dealt, key=lambda i: (turns[i].luck, i), default=None),
        rough=rough,
    )


def turns_so_far(
    measure: Measure, events: Sequence[Valued], rough: bool = False
) -> tuple[Turn, ...]:
    """Returns the turns of a seat's first events, without the last: its recount needs the next."""
    return tuple(_turn(measure, event, after.expected, rough) for event, after in pairwise(events))


def _turn(measure: Measure, event: Valued, next_expected: int, rough: bool) -> Turn:
    changed = event.after - event.dealt_value
    decision = event.decision
    loss = -changed if decision else 0
    mark = mark_of(measure, loss, decision.error, rough) if decision else None
    victory = measure == "victory"
    return Turn(
        **msgspec.structs.asdict(event.place),
        seat=UNSET if event.other is None else event.other,
        dealt=UNSET if event.dealt is None else event.dealt,
        expected=event.expected,
        luck=event.dealt_value - event.expected,
        loss=loss,
        others=(0 if decision else changed) if victory else UNSET,
        recount=next_expected - event.after,
        played=decision.played if decision else UNSET,
        best=decision.best if decision else UNSET,
        error=decision.error if decision else UNSET,
        decision=(decision.sensible > 1 or mark is not None) if decision else UNSET,
        mark=UNSET if mark is None else mark,
        why=decision.why if decision and mark else UNSET,
        moves=decision.moves if decision else UNSET,
        win=UNSET if event.win is None else event.win,
        ahead=UNSET if event.ahead is None else event.ahead,
    )


def _turning(turns: Sequence[Turn], marked: bool) -> tuple[int, ...]:
    """Returns the indices of the largest losses, or largest marks, in the order of the game."""
    lost = [i for i, turn in enumerate(turns) if (turn.mark if marked else turn.loss > 0)]
    largest = sorted(lost, key=lambda i: (-turns[i].loss, i))[:TURNING_POINTS]
    return tuple(sorted(largest))


def printed(parts: Sequence[int], unit: int = 100) -> list[int]:
    """Returns parts of a sum in tenths, or in `unit` thousandths, so that the figures add up.

    These are the differences of the rounded running sum, not the rounded differences: the sum of
    the result is the rounded sum of the parts.
    """
    running = [0]
    for part in parts:
        running.append(running[-1] + part)
    rounded = [_rounded(value, unit) for value in running]
    return [after - before for before, after in pairwise(rounded)]


def tenths(thousandths: int) -> int:
    """Rounds thousandths to tenths, halves away from zero."""
    return _rounded(thousandths, 100)


def _rounded(thousandths: int, unit: int) -> int:
    sign = -1 if thousandths < 0 else 1
    return sign * ((abs(thousandths) + unit // 2) // unit)
