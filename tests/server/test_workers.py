"""The processes in which bots think: what counts against a bot's time."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from pathlib import Path

import pytest
from server.services import run
from server.worker_tasks import begin_and_end

from headway.server.workers import WorkerLostError, Workers

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
