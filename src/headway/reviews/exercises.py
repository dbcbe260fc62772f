"""A decision of a reviewed game as an exercise: its position, and what another move loses."""

from __future__ import annotations

import math

import msgspec

from headway.games.contract import CHANCE, Seat, State
from headway.reviews.grades import MARKS
from headway.reviews.job import ReviewJob
from headway.reviews.report import Measure, Turn
from headway.table import Opening


class Attempt(msgspec.Struct, frozen=True):
    """What a move loses compared with the best one, in thousandths, and whether it is as good."""

    move: str
    loss: int
    error: int
    accepted: bool


def position(job: ReviewJob, seat: Seat, index: int) -> State:
    """Returns the position in which a seat decided, in a turn of its report."""
    return job.played.state(job.reviewer.position(seat, index))


def opening(job: ReviewJob, seat: Seat, index: int, *, same_cards: bool) -> Opening:
    """Returns the game up to a decision; with `same_cards` also what was dealt after it."""
    number = job.reviewer.position(seat, index)
    later = range(number, len(job.played.events)) if same_cards else ()
    deals = {
        job.played.state(i).chance_name(): move
        for i in later
        for actor, move in [job.played.events[i]]
        if actor == CHANCE
    }
    return Opening(tuple(job.played.events[:number]), deals)


def known_attempt(measure: Measure, turn: Turn, move: str) -> Attempt | None:
    """Returns what the report says of a move; None if it does not list it."""
    values = {entry.move: entry for entry in turn.moves or ()}
    if move not in values:
        return None
    best, tried = values[turn.best or ""], values[move]
    error = 0 if tried is best else round(math.hypot(best.error, tried.error))
    return _attempt(measure, move, turn.expected + turn.luck - tried.value, error)


def new_attempt(job: ReviewJob, seat: Seat, index: int, move: str) -> Attempt:
    """Looks at a legal move that the report does not list; takes as long as the turn's review."""
    number = job.played.game.parse_move(move)
    valued = job.reviewer.value(seat, index, number)
    assert valued.decision
    loss = valued.dealt_value - valued.after
    return _attempt(job.reviewer.measure, move, loss, valued.decision.error)


def _attempt(measure: Measure, move: str, loss: int, error: int) -> Attempt:
    return Attempt(move, max(loss, 0), error, loss <= MARKS[measure].good)
