"""The processes in which bots think: what counts against a bot's time."""

from __future__ import annotations

import time
from functools import partial

import pytest
from server.services import run

from headway.server.play.bot_workers import BotWorkers, WorkerLostError

LIMIT_SECONDS = 5.0


async def think(prepare_seconds: float, think_seconds: float) -> None:
    workers = BotWorkers(1)
    try:
        prepare = partial(time.sleep, prepare_seconds)
        work = partial(time.sleep, think_seconds)
        await workers.run("a table", work, LIMIT_SECONDS, prepare)
    finally:
        await workers.close()


def test_preparing_does_not_count_against_a_bots_time() -> None:
    run(think(prepare_seconds=LIMIT_SECONDS + 1, think_seconds=0))


def test_thinking_counts() -> None:
    with pytest.raises(WorkerLostError, match="took too long"):
        run(think(prepare_seconds=0, think_seconds=10 * LIMIT_SECONDS))
