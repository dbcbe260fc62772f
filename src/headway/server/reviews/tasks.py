"""What a worker does for a review: functions that run in its process."""

from __future__ import annotations

import time
from functools import lru_cache

import msgspec

from headway import record
from headway.reviews import exercises
from headway.reviews.exercises import Attempt
from headway.reviews.figures import SeatFigures, figures_of
from headway.reviews.job import Done, Results, ReviewJob, Task
from headway.reviews.report import Measure, Review, Turn
from headway.server.tables.view import GameView
from headway.table import Opening

PIECE_SECONDS = 0.4
"""How long a worker works on a review before others have their turn."""
FIRST_EVENTS = 2
"""The events of each seat in the first figures: those of a turn need the next one."""

Entry = tuple[int, int | None, Done]
"""A task and its result: the seat, the event, and what was found."""


class SeatSoFar(msgspec.Struct, frozen=True):
    """What is known of a seat while its review is being made: its first turns."""

    seat: int
    measure: Measure
    turns: tuple[Turn, ...]


class Progress(msgspec.Struct, frozen=True):
    """A review that is not finished: what is found, what it shows, and the number of tasks."""

    entries: list[Entry]
    seats: list[SeatSoFar]
    total: int


class Exercise(msgspec.Struct, frozen=True):
    """The position of a decision: what the seat saw, and its legal moves."""

    seat: int
    view: GameView
    legal: list[str]


@lru_cache(maxsize=2)
def _job(text: bytes, budget: int | None) -> ReviewJob:
    return ReviewJob(record.read(text), budget=budget)


def continued(text: bytes, budget: int | None, content: bytes) -> bytes:
    """Does some more tasks of a review, at least one; takes and returns an encoded `Progress`.

    Without content, returns the first figures. When all tasks are done, returns the JSON of the
    review instead.
    """
    job, began = _job(text, budget), time.monotonic()
    if not content:
        return _first_figures(job)
    progress, tasks = decoded(content), job.tasks()
    entries = progress.entries
    for task in tasks[len(entries) :]:
        entries.append((task.seat, task.event, job.do(task)))
        if time.monotonic() - began > PIECE_SECONDS:
            break
    results = {Task(seat, event): found for seat, event, found in entries}
    if len(entries) == len(tasks):
        return job.report(results).json()
    new = {one.seat: one for one in _seats_so_far(job, results)}
    seats = [new.get(one.seat, one) for one in progress.seats]
    return msgspec.json.encode(Progress(entries, seats, len(tasks)))


def _first_figures(job: ReviewJob) -> bytes:
    """Returns an encoded `Progress` with figures of every seat, but with no task done.

    Reasons of losses take most of the time, so these looks are made again with them.
    """
    tasks = job.tasks()
    job.reviewer.explains = False
    results = {task: job.do(task) for task in tasks[: FIRST_EVENTS * len(job.seats)]}
    job.reviewer.explains = True
    return msgspec.json.encode(Progress([], _seats_so_far(job, results), len(tasks)))


def _seats_so_far(job: ReviewJob, results: Results) -> list[SeatSoFar]:
    return [SeatSoFar(s.seat, s.measure, s.turns) for s in job.seats_so_far(results)]


def figures(content: bytes) -> list[SeatFigures]:
    """Returns the figures of a finished review."""
    return figures_of(msgspec.json.decode(content, type=Review))


def exercise(text: bytes, seat: int, index: int) -> Exercise:
    """Returns the position in which a seat decided, in a turn of its report."""
    state = exercises.position(_job(text, None), seat, index)
    legal = [state.game.move_text(move) for move in state.legal(seat)]
    return Exercise(seat, state.view(seat), legal)


def opening(text: bytes, seat: int, index: int, same_cards: bool) -> Opening:
    """Returns the game up to a decision, to be continued."""
    return exercises.opening(_job(text, None), seat, index, same_cards=same_cards)


def check(text: bytes, seat: int, index: int, move: str) -> None:
    """Raises what is wrong with a move, if it is not legal in that position."""
    state = exercises.position(_job(text, None), seat, index)
    state.check(seat, state.game.parse_move(move))


def attempt(text: bytes, budget: int | None, seat: int, index: int, move: str) -> Attempt:
    """Values a move that the report does not list."""
    return exercises.new_attempt(_job(text, budget), seat, index, move)


def decoded(content: bytes) -> Progress:
    """Returns what `continued` found so far."""
    return msgspec.json.decode(content, type=Progress)


def is_finished(content: bytes) -> bool:
    """Tells whether `continued` returned the whole review."""
    return content.startswith(b'{"format":')
