"""Decisions to try again: puzzles, and exercises from a reviewed game.

A puzzle is a position of a real game in which one move is clearly the best: a moment of a record,
and what each move loses there. It tells nothing that the seat could not know: solvers see the
seat's view. An exercise is a decision of a reviewed game: its position, and what another move
loses.
"""

from __future__ import annotations

import gzip
import math
import random
from functools import cache
from importlib import resources
from typing import Any

import msgspec
from msgspec import UNSET

from headway.games.contract import CHANCE, Event, Seat, State
from headway.record import Record, read, steps
from headway.reviews.arithmetic import MARKS, SURE_ERRORS
from headway.reviews.job import ReviewJob, reviewers
from headway.reviews.report import Measure, MoveLoss, Review, Turn
from headway.table import Opening

TIMES_BUDGET = 3
"""A puzzle is looked at more closely than a review, by this factor."""
FEWEST_LOST: dict[Measure, int] = {"points": 2000, "victory": 4000}
"""What every move but the best loses, in thousandths."""
ERRORS = 4
"""… and this many times its error."""
FEWEST_MOVES = 4
MOST_MOVES = 8
"""The moves that a puzzle keeps with what they lose."""
MOST_REASONS = 4
MOST_PER_SEAT = 3
"""The puzzles of one seat of a game, so that no game is too well known."""
_FILE = "puzzles.jsonl.gz"


class Puzzle(msgspec.Struct, frozen=True):
    """A decision: before the event `number` of a record a seat looks for its best move.

    `moves` has the best one first; those that are missing are worse.
    """

    record: dict[str, Any]
    seat: int
    number: int
    measure: Measure
    played: str
    moves: tuple[MoveLoss, ...]

    def position(self) -> tuple[State, list[Event]]:
        """Returns the position of the decision, and the events that led to it."""
        events: list[Event] = []
        for step in steps(read(msgspec.json.encode(self.record))):
            if len(events) == self.number:
                return step.state, events
            events.append(step.event)
        raise IndexError(self.number)

    def ends_the_game(self) -> bool:
        """Tells whether the best move is the last one: then no board is left to show it on."""
        state = self.position()[0].copy()
        state.apply(self.seat, state.game.parse_move(self.moves[0].move))
        return state.finished()


def is_clear(measure: Measure, moves: list[MoveLoss]) -> bool:
    """Tells whether the first move is clearly the best, and the second one worth a thought."""
    if len(moves) < FEWEST_MOVES:
        return False
    second = min(moves[1:], key=lambda move: move.loss)
    least = max(FEWEST_LOST[measure], ERRORS * second.error)
    return least <= second.loss < MARKS[measure].blunder


def candidates(review: Review) -> list[tuple[int, int]]:
    """Returns the decisions that may be puzzles, as seats and indices of their turns.

    They are shuffled, the same way every time, so that a few of them are from anywhere in the game.
    """
    decisions = [
        (seat.seat, index)
        for seat in review.seats
        for index, turn in enumerate(seat.turns)
        if turn.decision is True and _gap(turn) >= FEWEST_LOST[seat.measure]
    ]
    random.Random(review.json()).shuffle(decisions)
    return decisions


def _gap(turn: Turn) -> int:
    values = sorted((move.value for move in turn.moves or ()), reverse=True)
    return values[0] - values[1] if turn.moves is not UNSET and len(values) > 1 else 0


def puzzle_at(record: Record, seat: int, index: int, budget: int | None = None) -> Puzzle | None:
    """Returns the puzzle at a turn of a seat's review; None if no move is clearly the best."""
    nameless = msgspec.structs.replace(record, names=None, fair=None)
    reviewer_budget = budget or TIMES_BUDGET * reviewers()[record.game].simulations
    job = ReviewJob(nameless, seat=seat, budget=reviewer_budget)
    reviewer, played = job.reviewer, job.played
    moves, number = reviewer.losses(seat, index), reviewer.position(seat, index)
    if not is_clear(reviewer.measure, moves):
        return None
    move = next(move for actor, move in played.events[number:] if actor == seat)
    kept = tuple(_short(judged) for judged in moves[:MOST_MOVES])
    text = played.game.move_text(move)
    puzzle = Puzzle(nameless.plain(), seat, number, reviewer.measure, text, kept)
    return None if puzzle.ends_the_game() else puzzle


def _short(judged: MoveLoss) -> MoveLoss:
    """Keeps the weightiest reasons, as far as they are certain."""
    certain = [reason for reason in judged.why if abs(reason.points) > SURE_ERRORS * reason.error]
    weighty = sorted(certain, key=lambda reason: -abs(reason.points))[:MOST_REASONS]
    return msgspec.structs.replace(judged, why=tuple(weighty))


@cache
def shipped() -> tuple[Puzzle, ...]:
    """Returns the puzzles that come with Headway, from games of its bots."""
    data = resources.files(__package__).joinpath(_FILE).read_bytes()
    return tuple(
        msgspec.json.decode(line, type=Puzzle) for line in gzip.decompress(data).splitlines()
    )


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
