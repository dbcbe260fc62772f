"""What a worker does for a review: functions that run in its process."""

from __future__ import annotations

import time
from functools import lru_cache

import msgspec

from headway import record
from headway.reviews.job import Done, ReviewJob, Task
from headway.reviews.report import Measure, Turn

PIECE_SECONDS = 0.4
"""How long a worker works on a review before others have their turn."""

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


@lru_cache(maxsize=2)
def _job(text: bytes, budget: int | None) -> ReviewJob:
    return ReviewJob(record.read(text), budget=budget)


def continued(text: bytes, budget: int | None, content: bytes) -> bytes:
    """Does some more tasks of a review, at least one; takes and returns an encoded `Progress`.

    When all tasks are done, returns the JSON of the review instead.
    """
    job, began = _job(text, budget), time.monotonic()
    entries = decoded(content).entries if content else []
    tasks = job.tasks()
    for task in tasks[len(entries) :]:
        entries.append((task.seat, task.event, job.do(task)))
        if time.monotonic() - began > PIECE_SECONDS:
            break
    results = {Task(seat, event): found for seat, event, found in entries}
    if len(entries) == len(tasks):
        return job.report(results).json()
    seats = [SeatSoFar(s.seat, s.measure, s.turns) for s in job.seats_so_far(results)]
    return msgspec.json.encode(Progress(entries, seats, len(tasks)))


def decoded(content: bytes) -> Progress:
    """Returns what `continued` found so far."""
    return msgspec.json.decode(content, type=Progress)


def is_finished(content: bytes) -> bool:
    """Tells whether `continued` returned the whole review."""
    return content.startswith(b'{"format":')
