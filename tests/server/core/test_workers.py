"""The processes in which bots think: whose turn it is, and what counts against the time."""

from __future__ import annotations

import asyncio
import os
import time
from functools import partial
from pathlib import Path

import pytest
from server.core.worker_tasks import SlowToLoad, begin_and_end, note, wait_for
from support.own_loop import run

from headway.server.core.workers import (
    Account,
    WorkerLostError,
    WorkerPool,
    Workers,
)
from headway.server.reviews.service import ATTEMPTS, REVIEWS

LIMIT_SECONDS = 5.0


async def think(prepare_seconds: float, think_seconds: float) -> None:
    workers = WorkerPool(1)
    try:
        prepare = partial(time.sleep, prepare_seconds)
        work = partial(time.sleep, think_seconds)
        await workers.run(work, LIMIT_SECONDS, prepare)
    finally:
        await workers.close()


async def draw_after_a_slow_start() -> bytes:
    """Draws in a process that takes longer to load its code than a drawing may take."""
    workers = Workers()
    try:
        return await workers.pages.json(SlowToLoad(), ("1.2.3.4", "ann"))
    finally:
        await workers.close()


def test_starting_and_preparing_do_not_count_against_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("headway.server.core.workers.PAGE_SECONDS", LIMIT_SECONDS)

    async def both() -> bytes:
        bot = think(prepare_seconds=LIMIT_SECONDS + 1, think_seconds=0)
        return (await asyncio.gather(draw_after_a_slow_start(), bot))[0]

    assert run(both()) == b'"drawn"'


def test_thinking_counts() -> None:
    with pytest.raises(WorkerLostError, match="took too long"):
        run(think(prepare_seconds=0, think_seconds=10 * LIMIT_SECONDS))


def test_no_more_work_at_a_time_than_workers(tmp_path: Path) -> None:
    async def eight() -> None:
        workers = WorkerPool(2)
        try:
            work = partial(begin_and_end, tmp_path / "notes")
            await asyncio.gather(*(workers.run(work, 60, key=str(n)) for n in range(8)))
        finally:
            await workers.close()

    run(eight())
    running = most = 0
    for line in (tmp_path / "notes").read_text().split():
        running += 1 if line == "begin" else -1
        most = max(most, running)
    assert running == 0
    assert most <= 2


async def order(folder: Path, *accounts: tuple[str, Account]) -> list[str]:
    """Queues work while the only worker is busy; the names in the order in which it is done."""
    workers = WorkerPool(1)
    try:
        hog = Account(("1.2.3.4", "hog"))
        await workers.run(partial(time.sleep, 0.1), 60, account=hog)
        busy = workers.run(partial(wait_for, folder / "gate"), 60)
        jobs = [busy]
        for name, account in accounts:
            jobs.append(workers.run(partial(note, folder / "notes", name), 60, account=account))
        tasks = [asyncio.create_task(job) for job in jobs]
        while workers.waiting() < len(accounts):
            await asyncio.sleep(0)
        (folder / "gate").touch()
        await asyncio.gather(*tasks)
    finally:
        await workers.close()
    return (folder / "notes").read_text().split()


def test_who_has_used_the_workers_least_comes_first(tmp_path: Path) -> None:
    """A busy guest queues first, one of the same address next, somebody else last, and wins."""
    guests = {
        "hog": ("1.2.3.4", "hog"),
        "neighbour": ("1.2.3.4", "neighbour"),
        "new": ("5.6.7.8", "new"),
    }
    queue = [(name, Account(guests[name])) for name in ("hog", "hog", "neighbour", "new")]
    assert run(order(tmp_path, *queue)) == ["new", "neighbour", "hog", "hog"]


def test_who_waits_for_the_same_work_brings_it_forward(tmp_path: Path) -> None:
    shared = Account(("1.2.3.4", "hog"), others=[("5.6.7.8", "new")])
    queue = [("hog", Account(("1.2.3.4", "other"))), ("shared", shared)]
    assert run(order(tmp_path, *queue)) == ["shared", "hog"]


def test_attempts_and_reviews_take_turns(tmp_path: Path) -> None:
    """Attempts of many do not keep reviews waiting, nor the reverse; nobody waits for puzzles."""

    def account(kind: str, n: int) -> Account:
        return Account((f"9.9.9.{n}",), lambda: True, background=True, kind=kind)

    search = Account(("practice",), slow=True, background=True)
    queue = [("puzzles", search)]
    queue += [(kind, account(kind, n)) for kind in (ATTEMPTS, REVIEWS) for n in range(4)]
    assert run(order(tmp_path, *queue)) == [ATTEMPTS, REVIEWS] * 4 + ["puzzles"]


def test_slow_work_leaves_a_worker_free(tmp_path: Path) -> None:
    """Slow work of many fills one worker of two; quick work is done meanwhile."""

    async def queue() -> None:
        workers = WorkerPool(2)
        try:
            gate = partial(wait_for, tmp_path / "gate")
            accounts = [Account((f"guest {n}",), slow=True) for n in range(5)]
            slow = [asyncio.create_task(workers.run(gate, 60, account=a)) for a in accounts]
            await workers.run(partial(note, tmp_path / "notes", "quick"), 60)
            assert not any(task.done() for task in slow)
            (tmp_path / "gate").touch()
            await asyncio.gather(*slow)
        finally:
            await workers.close()

    run(queue())


def test_replays_and_paper_are_computed_by_workers() -> None:
    """A long game must not hold the interpreter of the process that serves everybody."""

    async def compute() -> int:
        workers = Workers()
        try:
            return int(await workers.pages.json(os.getpid, ("1.2.3.4", "ann")))
        finally:
            await workers.close()

    assert run(compute()) != os.getpid()
