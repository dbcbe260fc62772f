"""Several server processes on one machine: a parent starts them, and starts lost ones again.

All accept connections from the same listening sockets, which the parent keeps open. On SIGHUP it
replaces one after the other: a new process has to be ready before the old one drains. A new process
is a new program, so it runs the code and reads the configuration that are on the disk by then.

The parent does not open the database: the first process checks it, before the others start.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from headway.errors import InputError
from headway.server.core import log as log_format
from headway.settings import ServerSettings

log = logging.getLogger("headway.processes")
CHILD = "_HEADWAY_CHILD"
"""The variable by which a process knows that it is one of several."""
READY_SECONDS = 300.0
"""How long a process may take until it listens: the first one upgrades the database."""
STOP_SECONDS = 40.0
"""How long a process may take to end; then it is killed."""
BRIEF_SECONDS = 10.0
"""A process that ends earlier than this has failed, and its successor waits before it starts."""
FIRST_PAUSE_SECONDS, LAST_PAUSE_SECONDS = 0.5, 30.0


# A killed process leaves its semaphores to Python's tracker, which would write no JSON to the log.
_QUIET = {"PYTHONWARNINGS": "ignore:resource_tracker:UserWarning"}


class Child(msgspec.Struct, frozen=True):
    """What a process is told that is one of several: file descriptors, and its number from 1."""

    number: int
    sockets: list[int]
    line: int
    """To the parent: says that the process is ready, and ends when the parent does."""
    figures: str
    """The folder in which each process answers with its figures."""

    def listening(self) -> list[socket.socket]:
        """Returns the sockets to accept connections from."""
        return [socket.socket(fileno=number) for number in self.sockets]

    def ready(self) -> None:
        """Tells the parent that this process serves."""
        os.write(self.line, b"1")

    def follow(self, loop: asyncio.AbstractEventLoop) -> None:
        """Ends this process with its parent, as if it were asked to end."""

        def gone() -> None:
            loop.remove_reader(self.line)
            os.kill(os.getpid(), signal.SIGTERM)

        loop.add_reader(self.line, gone)


def this_child() -> Child | None:
    """Returns what this process was told, if it is one of several."""
    said = os.environ.get(CHILD)
    return msgspec.json.decode(said, type=Child) if said else None


@dataclass(eq=False)
class _Running:
    """A process that the parent has started."""

    number: int
    process: asyncio.subprocess.Process
    line: socket.socket
    began: float
    retired: bool = False
    """Whether it is to end."""

    async def is_ready(self) -> bool:
        """Waits until it serves; tells whether it does. One that takes too long is killed."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(READY_SECONDS):
                return bool(await loop.sock_recv(self.line, 1))
        except TimeoutError:
            self.process.kill()
            return False

    async def retire(self) -> None:
        """Lets it drain, and waits until it has ended."""
        self.retired = True
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self.process.wait()
        except TimeoutError:
            log.warning("process did not end", extra={"place": self.number})
            self.process.kill()
            await self.process.wait()


class Supervisor:
    """The parent of the processes."""

    def __init__(
        self, settings: ServerSettings, sockets: list[socket.socket], figures: str
    ) -> None:
        self._count, self._sockets, self._figures = settings.processes, sockets, figures
        self._running: dict[int, _Running] = {}
        self._stop = asyncio.Event()
        self._roll = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._places = {number: asyncio.Lock() for number in range(1, self._count + 1)}
        """Held while a process is started or replaced in a place."""
        self._failed = 1
        """The exit code of the last process that did not get ready."""

    async def run(self, on_listening: Callable[[], None]) -> int:
        """Keeps the processes running until it is asked to end; returns the exit code."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        loop.add_signal_handler(signal.SIGHUP, self._roll.set)
        first = await self._start(1)
        if first is None:
            return 0 if self._stop.is_set() else self._failed
        await asyncio.gather(*(self._keep(number) for number in range(2, self._count + 1)))
        on_listening()
        notify("READY=1")
        while not await self._asked_to_stop():
            await self._replace_all()
        notify("STOPPING=1")
        await asyncio.gather(*(one.retire() for one in self._running.values()))
        for task in self._tasks:
            task.cancel()
        return 0

    async def _asked_to_stop(self) -> bool:
        """Waits for a signal; tells whether it says to stop."""
        waiting = [asyncio.create_task(event.wait()) for event in (self._stop, self._roll)]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        self._roll.clear()
        return self._stop.is_set()

    async def _start(self, number: int) -> _Running | None:
        """Starts a process and waits until it serves; None if it does not, or all are to end."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        handed = [one.fileno() for one in self._sockets]
        told = Child(number, handed, theirs.fileno(), self._figures)
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "headway",
                *sys.argv[1:],
                env=os.environ | _QUIET | {CHILD: msgspec.json.encode(told).decode()},
                pass_fds=(*handed, theirs.fileno()),
                start_new_session=True,  # Ctrl-C reaches the parent only
            )
        except OSError as error:  # no memory, say
            log.warning("process not started", extra={"place": number, "error": error.strerror})
            ours.close()
            return None
        finally:
            theirs.close()
        new = _Running(number, process, ours, time.monotonic())
        serves = asyncio.create_task(new.is_ready())
        stops = asyncio.create_task(self._stop.wait())
        await asyncio.wait([serves, stops], return_when=asyncio.FIRST_COMPLETED)
        stops.cancel()
        if not serves.done() or not serves.result():
            serves.cancel()
            await new.retire()
            self._failed = max(1, process.returncode or 0)
            ours.close()
            return None
        self._running[number] = new
        task = asyncio.create_task(self._watch(new))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return new

    async def _watch(self, one: _Running) -> None:
        """Waits for the end of a process; starts another one if nobody wanted it to end."""
        code = await one.process.wait()
        one.line.close()
        if one.retired or self._stop.is_set():
            return
        log.warning("process lost", extra={"place": one.number, "code": code})
        brief = time.monotonic() - one.began < BRIEF_SECONDS
        async with self._places[one.number]:
            if self._running.get(one.number) is one:  # it was not being replaced meanwhile
                await self._keep(one.number, FIRST_PAUSE_SECONDS if brief else 0.0)

    async def _keep(self, number: int, pause: float = 0.0) -> None:
        """Starts a process in a place, again and again until it serves."""
        while not self._stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), pause)
            if self._stop.is_set() or await self._start(number):
                return
            pause = min(LAST_PAUSE_SECONDS, max(FIRST_PAUSE_SECONDS, 2 * pause))

    async def _replace_all(self) -> None:
        """Replaces one process after the other; the old ones stay if a new one does not serve."""
        notify(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")
        for number, place in self._places.items():
            async with place:
                old = self._running.get(number)
                new = await self._start(number)
                if new and old:
                    await old.retire()
            if self._stop.is_set():
                return
            if not new:
                log.error("restart given up", extra={"place": number})
                break
        else:
            log.info("restarted", extra={"processes": self._count})
        notify("READY=1")


def notify(state: str) -> None:
    """Tells systemd about this service, if systemd has started it (`Type=notify`)."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address and not os.environ.get(CHILD):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            told.connect(address.replace("@", "\0", 1) if address[0] == "@" else address)
            told.send(state.encode())


def supervise(settings: ServerSettings, on_listening: Callable[[int], None]) -> int:
    """Runs several processes until they are to end; returns the exit code.

    Tells the port on which they listen as soon as all do.
    """
    import tempfile

    from headway.server.listening import bind

    log_format.start(settings.log_level, settings.log_format)
    if not settings.database.startswith("postgresql") or not settings.channels:
        raise InputError("server.processes", n=settings.processes)
    sockets = bind(settings)
    for one in sockets:
        os.set_inheritable(one.fileno(), True)
    port = 0 if settings.socket else sockets[0].getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="headway-") as figures:
        supervisor = Supervisor(settings, sockets, figures)
        try:
            return asyncio.run(supervisor.run(lambda: on_listening(port)))
        finally:
            if settings.socket:
                with contextlib.suppress(OSError):
                    os.unlink(settings.socket)
