"""Background tasks: an error is logged, and one that is stopped early leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc

import pytest
from support.own_loop import run

from headway.server.core import workers
from headway.server.core.workers import running, start_task


async def _work(error: BaseException | None = None) -> None:
    await asyncio.sleep(0)
    if error:
        raise error


def test_an_error_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        task = start_task(_work(ValueError("broken")), "some work")
        await asyncio.wait([task])
        await asyncio.sleep(0)

    run(fail())
    (line,) = caplog.records
    assert (line.message, line.task) == ("task failed", "some work")  # type: ignore[attr-defined]
    assert "broken" in caplog.text


@pytest.mark.filterwarnings("error")
def test_a_task_that_is_cancelled_before_it_starts(caplog: pytest.LogCaptureFixture) -> None:
    async def cancel() -> None:
        task = start_task(_work(), "some work")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    run(cancel())
    gc.collect()  # a coroutine that never ran would complain now
    assert caplog.records == []


def test_a_service_that_fails_starts_again(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise nobody would be paired any more, say, until the host restarts the server."""
    monkeypatch.setattr(workers, "RESTART_SECONDS", 0.0)
    starts: list[int] = []

    async def serve() -> None:
        again = asyncio.Event()

        async def service() -> None:
            starts.append(len(starts))
            if len(starts) == 1:
                raise ValueError("broken")
            again.set()

        async with running(service, "pairing"):
            await again.wait()

    run(serve())
    assert starts == [0, 1]
    (line,) = caplog.records
    assert (line.message, line.task) == ("task failed", "pairing")  # type: ignore[attr-defined]
