"""Plays the unfinished games of a job: on all cores, or on a cluster.

A results file is JSON lines: the job first, then a line per finished game.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec

from headway import process_pool
from headway.arena.job import FORMAT, Job, Result, play, warm_up
from headway.errors import InputError

RAY_STARTS = 3
"""How often Ray may start before the job fails: it gives up after 30 seconds on a busy machine."""

T = TypeVar("T")
Work = Callable[[bytes, int], T]
"""What is done with an encoded job and a number; functions of a module, for other processes."""


# The results file


def load(path: Path) -> tuple[Job, list[Result]]:
    """Returns a job and its finished games by number; ignores an incomplete last line."""
    lines = _whole(path).splitlines()
    if not lines:
        raise InputError("arena.no_job", file=path)
    try:
        job = msgspec.json.decode(lines[0], type=Job)
        results = {}
        for line in lines[1:]:
            result = msgspec.json.decode(line, type=Result)
            results[result.game] = result
    except msgspec.DecodeError as error:
        raise InputError("arena.no_job", file=path) from error
    if job.format != FORMAT:
        raise InputError("arena.no_job", file=path)
    return job, [results[number] for number in sorted(results)]


def _whole(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError("format.no_file", file=path, reason=error.strerror) from error
    return content[: content.rfind(b"\n") + 1]


class Results:
    """The finished games of a job, each written to the file at once.

    Refuses the file of another job, and drops an incomplete last line.
    """

    def __init__(self, job: Job, path: Path | None) -> None:
        self.finished: list[Result] = []
        self._file: BinaryIO | None = None
        if path is None:
            return
        begun = path.exists() and bool(_whole(path))
        if begun:
            stored, self.finished = load(path)
            if stored != job:
                raise InputError("arena.other_job", file=path, differs=_difference(stored, job))
        self._file = _appending(path)
        if not begun:
            self._write(job)

    def add(self, result: Result) -> None:
        """Adds a game; it is in the file when this returns."""
        self.finished.append(result)
        self._write(result)

    def close(self) -> None:
        """Closes the file."""
        if self._file:
            self._file.close()

    def _write(self, line: Job | Result) -> None:
        if self._file:
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()


def _appending(path: Path) -> BinaryIO:
    try:
        path.touch()
        file = path.open("r+b")
    except OSError as error:
        raise InputError("format.not_writable", file=path, reason=error.strerror) from error
    file.truncate(len(_whole(path)))
    file.seek(0, 2)
    return file


def _difference(stored: Job, job: Job) -> str:
    names = [n for n in Job.__struct_fields__ if getattr(stored, n) != getattr(job, n)]
    return ", ".join(f"{name} {getattr(stored, name)}" for name in names)


# Playing

OnResult = Callable[[Results], None]


def run(
    job: Job,
    games: int,
    *,
    cores: int = 1,
    file: Path | None = None,
    cluster: bool = False,
    on_result: OnResult = lambda _: None,
) -> list[Result]:
    """Plays `games` games of each line-up, except those in the file; returns all finished ones.

    `on_result` is called after each game. After an interruption the file has every finished game.
    """
    with closing(Results(job, file)) as results:
        finished = {result.game for result in results.finished}
        numbers = job.numbers(games)
        missing = [number for number in numbers if number not in finished]
        on_result(results)
        played = on_cluster(job, missing, play) if cluster else on_cores(job, missing, cores, play)
        with closing(played):
            for result in played if missing else ():
                results.add(result)
                on_result(results)
    chosen = (result for result in results.finished if result.game in numbers)
    return sorted(chosen, key=lambda result: result.game)


def on_cores(
    job: Job, numbers: Iterable[int], cores: int, work: Work[T]
) -> Generator[T, None, None]:
    """Yields what the work makes of each number of a job, in the order in which they end.

    The work runs in processes of this machine.
    """
    sent = msgspec.json.encode(job)
    # The first process compiles; the others find the compiled code on disk.
    return process_pool.each_done(partial(work, sent), numbers, cores, partial(warm_up, sent))


def on_cluster(job: Job, numbers: Iterable[int], work: Work[T]) -> Generator[T, None, None]:
    """Does the same on a Ray cluster: that of RAY_ADDRESS, else one on this machine."""
    try:
        import ray
    except ImportError:
        raise InputError("arena.no_ray") from None
    started = not ray.is_initialized()
    if started:
        _start(ray)
    try:
        sent, left = msgspec.json.encode(job), iter(numbers)
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        far_work: Any = ray.remote(lambda sent, number: work(sent, number))
        places = int(resources.get("CPU", 1)) * process_pool.WAITING_PER_WORKER
        waiting = [far_work.remote(sent, number) for number in islice(left, places)]
        while waiting:
            done, waiting = ray.wait(waiting)
            waiting += [far_work.remote(sent, number) for number in islice(left, len(done))]
            for reference in done:
                try:
                    yield ray.get(reference)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause from None
    finally:
        if started:
            ray.shutdown()


def _start(ray: Any) -> None:
    """Starts or joins a cluster; raises `InputError` with Ray's reason if it cannot."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Headway sends no usage data
    for left in reversed(range(RAY_STARTS)):
        try:
            ray.init(logging_level=logging.ERROR, log_to_driver=False)
            return
        except Exception as error:  # Ray has no class of its own for a start that took too long
            ray.shutdown()
            if not left:
                raise InputError("arena.ray_failed", reason=str(error).split(". ")[0]) from error
