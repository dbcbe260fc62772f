"""What a worker does for a review: functions that run in its process."""

from __future__ import annotations

import time
from copy import copy
from functools import lru_cache
from typing import NamedTuple

import msgspec

from headway import record
from headway.reviews import puzzles
from headway.reviews.arithmetic import Valued, turns_so_far
from headway.reviews.figures import SeatFigures, figures_of
from headway.reviews.job import Done, ReviewJob, Task
from headway.reviews.puzzles import Attempt
from headway.reviews.report import Measure, Turn
from headway.server.tables.view import GameView
from headway.table import Opening

PIECE_SECONDS, SHORT_PIECE_SECONDS = 0.4, 0.1
"""How long a worker works on a review before others have their turn; the last free one is short."""
FIRST_EVENTS = 2
"""The events of each seat in the first figures: those of a turn need the next one."""


class SeatSoFar(msgspec.Struct, frozen=True):
    """What is known of a seat while its review is being made: its first turns."""

    seat: int
    measure: Measure
    turns: tuple[Turn, ...]
    rough: bool = False


class FirstFigures(NamedTuple):
    """The JSON of the first turns of every seat, and the number of tasks."""

    content: bytes
    total: int


class TaskResult(msgspec.Struct, frozen=True, array_like=True):
    """A task with its result: the seat, the event, and what was found."""

    seat: int
    event: int | None
    found: Done


class FinishedReview(NamedTuple):
    """The JSON of a finished review, and its figures."""

    content: bytes
    figures: list[SeatFigures]


class Exercise(msgspec.Struct, frozen=True):
    """The position of a decision: what the seat saw, and its legal moves."""

    seat: int
    view: GameView
    legal: list[str]


@lru_cache(maxsize=2)
def _job(text: bytes, budget: int | None) -> ReviewJob:
    return ReviewJob(record.read(text), budget=budget)


def first_figures(text: bytes, budget: int | None) -> FirstFigures:
    """Returns the first turns of every seat, before any task is done.

    Reasons of losses take most of the time, so these looks are made again with them.
    """
    job = _job(text, budget)
    reviewer, tasks = copy(job.reviewer), job.tasks()
    reviewer.explains = False
    events: dict[int, list[Valued]] = {seat: [] for seat in job.seats}
    for seat, event in tasks[: FIRST_EVENTS * len(job.seats)]:
        if event is not None:
            events[seat].append(reviewer.value(seat, event))
    seats = [
        _seat_so_far(SeatSoFar(seat, reviewer.measure, (), reviewer.rough), events[seat])
        for seat in job.seats
    ]
    return FirstFigures(msgspec.json.encode(seats), len(tasks))


def do_tasks(
    text: bytes, budget: int | None, place: tuple[int, int], seconds: float
) -> list[bytes]:
    """Does some tasks of a review, from the first of a `place` to before its last.

    Does at least one, and stops after some seconds; returns each encoded `TaskResult`.
    """
    job, began, results = _job(text, budget), time.monotonic(), list[bytes]()
    for task in job.tasks()[slice(*place)]:
        results.append(msgspec.json.encode(TaskResult(task.seat, task.event, job.do(task))))
        if time.monotonic() - began > seconds:
            break
    return results


def report(text: bytes, budget: int | None, results: list[bytes]) -> FinishedReview:
    """Returns the review from the results of all tasks."""
    done = (_decoded(result) for result in results)
    whole = _job(text, budget).report({Task(one.seat, one.event): one.found for one in done})
    return FinishedReview(whole.json(), figures_of(whole))


def seats_so_far(first: bytes, results: list[bytes]) -> list[SeatSoFar]:
    """Returns what is known of every seat, from the first figures and from the first tasks."""
    events: dict[int, list[Valued]] = {}
    for one in map(_decoded, results):
        if isinstance(one.found, Valued):
            events.setdefault(one.seat, []).append(one.found)
    known = msgspec.json.decode(first, type=list[SeatSoFar])
    new = (_seat_so_far(one, events.get(one.seat, [])) for one in known)
    return [so_far if so_far.turns else one for one, so_far in zip(known, new, strict=True)]


def _seat_so_far(known: SeatSoFar, events: list[Valued]) -> SeatSoFar:
    turns = turns_so_far(known.measure, events, known.rough)
    return msgspec.structs.replace(known, turns=turns)


def _decoded(result: bytes) -> TaskResult:
    return msgspec.json.decode(result, type=TaskResult)


def exercise(text: bytes, seat: int, index: int) -> Exercise:
    """Returns the position in which a seat decided, in a turn of its report."""
    state = puzzles.position(_job(text, None), seat, index)
    legal = [state.game.move_text(move) for move in state.legal(seat)]
    return Exercise(seat, state.view(seat), legal)


def opening(text: bytes, seat: int, index: int, same_cards: bool) -> Opening:
    """Returns the game up to a decision, to be continued."""
    return puzzles.opening(_job(text, None), seat, index, same_cards=same_cards)


def check(text: bytes, seat: int, index: int, move: str) -> None:
    """Raises what is wrong with a move, if it is not legal in that position."""
    state = puzzles.position(_job(text, None), seat, index)
    state.check(seat, state.game.parse_move(move))


def attempt(text: bytes, budget: int | None, seat: int, index: int, move: str) -> Attempt:
    """Values a move that the report does not list."""
    return puzzles.new_attempt(_job(text, budget), seat, index, move)
