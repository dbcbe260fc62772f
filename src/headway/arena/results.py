"""The results file of a job: JSON lines, the job first, then a line per finished game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from headway.arena.job import FORMAT, Job
from headway.arena.match import Result
from headway.errors import InputError


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
    """The finished games of a job, each written to the file at once."""

    def __init__(self, job: Job, file: BinaryIO | None, finished: list[Result]) -> None:
        self.job = job
        self.finished = finished
        self._file = file

    def add(self, result: Result) -> None:
        """Adds a game; it is in the file when this returns."""
        self.finished.append(result)
        self._write(result)

    def _write(self, line: Job | Result) -> None:
        if self._file:
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()


@contextmanager
def opened(job: Job, path: Path | None) -> Iterator[Results]:
    """Returns the results of a job, including those already in its file.

    Refuses a file of another job, and drops an incomplete last line.
    """
    if path is None:
        yield Results(job, None, [])
        return
    before = path.exists() and bool(_whole(path))
    stored, finished = load(path) if before else (job, [])
    if stored != job:
        raise InputError("arena.other_job", file=path, differs=_difference(stored, job))
    with _appending(path) as file:
        results = Results(job, file, finished)
        if not before:
            results._write(job)
        yield results


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
