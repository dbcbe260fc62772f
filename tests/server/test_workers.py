"""The processes in which bots think: what counts against a bot's time."""

from __future__ import annotations

import asyncio
import os
import time
from functools import partial
from pathlib import Path

import pytest
from own_loop import run
from server.worker_tasks import begin_and_end, note, wait_for

from headway.server.content.pictures import Drawings
from headway.server.workers import Account, WorkerLostError, Workers

LIMIT_SECONDS = 5.0


async def think(prepare_seconds: float, think_seconds: float) -> None:
    workers = Workers(1)
    try:
        prepare = partial(time.sleep, prepare_seconds)
        work = partial(time.sleep, think_seconds)
        await workers.run(work, LIMIT_SECONDS, prepare)
    finally:
        await workers.close()


def test_preparing_does_not_count_against_a_bots_time() -> None:
    run(think(prepare_seconds=LIMIT_SECONDS + 1, think_seconds=0))


def test_thinking_counts() -> None:
    with pytest.raises(WorkerLostError, match="took too long"):
        run(think(prepare_seconds=0, think_seconds=10 * LIMIT_SECONDS))


def test_no_more_work_at_a_time_than_workers(tmp_path: Path) -> None:
    async def eight() -> None:
        workers = Workers(2)
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


def test_who_has_used_the_workers_least_comes_first(tmp_path: Path) -> None:
    """While one worker is busy, a busy guest queues first and a new one last: the new one wins."""
    notes = tmp_path / "notes"

    async def queue() -> None:
        workers = Workers(1)
        try:
            hog, new = Account(("hog",)), Account(("new",))
            await workers.run(partial(time.sleep, 0.1), 60, account=hog)
            busy = workers.run(partial(wait_for, tmp_path / "gate"), 60)
            jobs = [busy]
            jobs += [workers.run(partial(note, notes, "hog"), 60, account=hog) for _ in range(3)]
            jobs.append(workers.run(partial(note, notes, "new"), 60, account=new))
            tasks = [asyncio.create_task(job) for job in jobs]
            while workers.waiting() < 4:
                await asyncio.sleep(0)
            (tmp_path / "gate").touch()
            await asyncio.gather(*tasks)
        finally:
            await workers.close()

    run(queue())
    assert notes.read_text().split() == ["new", "hog", "hog", "hog"]


def test_slow_work_leaves_a_worker_free(tmp_path: Path) -> None:
    """Slow work of many fills one worker of two; quick work is done meanwhile."""

    async def queue() -> None:
        workers = Workers(2)
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
        drawings = Drawings()
        try:
            return int(await drawings.compute(os.getpid, "ann"))
        finally:
            await drawings.close()

    assert run(compute()) != os.getpid()
