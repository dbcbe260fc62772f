"""Starts `python -m headway` from a process that has loaded it, which saves a second each time.

That process forks: the new one gets its own arguments, variables, folder and files, and then runs
the command as Python would. It is a process like any other: it can be asked to end, be killed, and
start workers. Tests about loading start Python itself.

One thing is cheaper in it: a password takes the least work that argon2 allows. As the server
protects passwords, each takes a sixth of a CPU second, and the tests send hundreds.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import IO, Any, Literal, TextIO
from unittest import mock

from argon2 import PasswordHasher

MODULES = (
    "aiosqlite", "anyio._backends._asyncio", "asyncpg", "headway.bots", "headway.paper",
    "headway.games.nextstation.game", "headway.games.tickettoride.game", "headway.server.app",
    "numba", "rich.table", "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlalchemy.dialects.sqlite.aiosqlite", "typer._adapters", "uvicorn.lifespan.on",
    "uvicorn.protocols.http.httptools_impl",
)  # fmt: skip
"""What is loaded before the fork: not the command, whose help is in the language of its user."""
READ_WHILE_LOADING = {"HEADWAY_TEXTS_DIR", "HEADWAY_CACHE_DIR"}
"""Settings that a process must know before it loads anything."""
CHEAP_HASHER = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
MESSAGE_BYTES = 100_000


def suits(variables: Mapping[str, object]) -> bool:
    """Whether a command with these variables, besides ours, can start from what is loaded."""
    settings = {name for name in variables if name.startswith("HEADWAY_")}
    return settings == set(variables) and not settings & READ_WHILE_LOADING


def program_with(constants: Mapping[str, object]) -> str:
    """The command as a program, with other values for constants by their full names."""
    lines = ["import runpy"]
    for name, value in constants.items():
        lines += [f"import {name.rpartition('.')[0]}", f"{name} = {value!r}"]
    lines.append("runpy.run_module('headway', run_name='__main__', alter_sys=True)")
    return "\n".join(lines)


class Process:
    """`python -m headway` with some words, and what tests need of `subprocess.Popen`."""

    def __init__(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        *files: IO[Any] | int | None,
        program: str = "",
        session: bool = False,
    ) -> None:
        """Starts it with three files: standard input, output and errors; None stands for none.

        A program runs instead of the command, as by `python -c`. A new session is for a terminal:
        Ctrl-C reaches it.
        """
        start: dict[str, object] = {"words": list(words), "env": dict(env), "folder": os.getcwd()}
        start |= {"program": program, "session": session}
        self.returncode: int | None = None
        self._told, tells = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with open(os.devnull, "r+b") as nothing, tells:
            handed = [nothing if file is None else file for file in files]
            numbers = [file if isinstance(file, int) else file.fileno() for file in handed]
            message = json.dumps(start).encode()
            socket.send_fds(_loaded(), [message], [*numbers, tells.fileno()])
        self.pid = int(self._told.recv(20))

    def poll(self) -> int | None:
        """Returns the exit code, negative for a signal, or None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0.0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Returns the exit code once there is one."""
        if self.returncode is None:
            self._told.settimeout(timeout)
            try:
                self.returncode = int(self._told.recv(20))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired("headway", timeout or 0.0) from None
            self._told.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def run(
    *words: object,
    lang: str = "en",
    stdin: str | bytes = "",
    env: Mapping[str, str] | None = None,
    program: str = "",
) -> subprocess.CompletedProcess[str]:
    """Runs `python -m headway` to its end, as `subprocess.run` does with captured output."""
    with contextlib.ExitStack() as opened:
        files = [opened.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        files[0].write(stdin.encode() if isinstance(stdin, str) else stdin)
        files[0].seek(0)
        variables = {**(os.environ if env is None else env), "HEADWAY_LANG": lang}
        command = [str(word) for word in words]
        code = Process(command, variables, *files, program=program).wait()
        for file in files:
            file.seek(0)
        output, errors = (file.read().decode() for file in files[1:])
    return subprocess.CompletedProcess(command, code, output, errors)


@cache
def _loaded() -> socket.socket:
    """The line to the process that has loaded everything; it ends when the line is closed."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen([sys.executable, __file__], stdin=theirs.fileno(), cwd="/")
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _stream(number: int, mode: Literal["r", "w"], errors: str, by_line: bool = False) -> TextIO:
    return open(number, mode, 1 if by_line else -1, "utf-8", errors, closefd=False)


def _begin(start: dict[str, Any], files: list[int]) -> None:
    """Makes this process a fresh one with these files."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.closerange(len(files), 100)
    if start["session"]:
        os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(start["folder"])
    os.environ.clear()
    os.environ.update(start["env"])
    # As Python opens them: those of the loaded process know nothing of a terminal.
    errors = "surrogateescape" if os.environ.get("PYTHONUTF8") == "1" else "strict"
    sys.stdin = _stream(0, "r", errors)
    sys.stdout = _stream(1, "w", errors, by_line=os.isatty(1))
    sys.stderr = _stream(2, "w", "backslashreplace", by_line=True)
    sys.argv = ["headway", *start["words"]]


def _serve(line: socket.socket) -> str:
    """Forks at every message; returns in the new process, with its program.

    The parent of that process tells how it ended.
    """
    while True:
        message, files, _, _ = socket.recv_fds(line, MESSAGE_BYTES, 4)
        if not message:
            os._exit(0)
        if os.fork():
            for file in files:
                os.close(file)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        *own, tells = files
        if not (command := os.fork()):
            start = json.loads(message)
            _begin(start, own)
            return str(start["program"])
        with socket.socket(fileno=tells) as told:
            told.send(str(command).encode())
            _, status = os.waitpid(command, 0)
            told.send(str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)


def _leave(work: Callable[[], object]) -> None:
    """Does the work and ends as Python does, but frees nothing: that is half of a short command."""
    code: str | int | None = None
    try:
        work()
    except SystemExit as ended:
        code = ended.code
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        sys.exit(code)  # Python has words for that
    if isinstance(code, str):
        sys.exit(code)
    os._exit(code or 0)


if __name__ == "__main__":
    for _module in MODULES:
        importlib.import_module(_module)
    sys.modules[
        "headway.server.app"
    ].openapi()  # loads the parts of Litestar that every server uses
    mock.patch("headway.server.people.accounts.PasswordHasher", CHEAP_HASHER).start()
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # leaves nothing of those who have ended
    if _program := _serve(socket.socket(fileno=os.dup(0))):
        _leave(lambda: exec(_program, {"__name__": "__main__"}))
    else:
        _leave(lambda: runpy.run_module("headway", run_name="__main__", alter_sys=True))
