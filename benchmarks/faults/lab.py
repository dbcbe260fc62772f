"""A cluster on one machine: three server hosts and a database host, each in its network namespace.

It needs root, and the programs of PostgreSQL, Redis and iproute2. All addresses are private ones of
a bridge that the lab makes and removes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.figure import CannotMeasureError
from benchmarks.server_load import processor_time

PREFIX = "10.213.77"
DATABASE_HOST = 2
SERVER_HOSTS = (3, 4, 5)
SERVER_PORT, REDIS_PORT, POSTGRESQL_PORT = 8000, 6379, 5432
DISK_MB = 192
START_SECONDS = 120
PROGRAMS = {"ip": "iproute2", "initdb": "postgresql", "redis-server": "redis-server"}


def program(name: str) -> str:
    """Returns the path of a program; PostgreSQL's are in a folder of its version."""
    folders = sorted(str(folder) for folder in Path("/usr/lib/postgresql").glob("*/bin"))
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", *folders])
    program_path = shutil.which(name, path=path)
    if not program_path:
        package = PROGRAMS.get(name, name)
        raise CannotMeasureError(f"{name} is not there: it comes with the package {package}.")
    return program_path


def address(host: int) -> str:
    """Returns the address of a host of the lab."""
    return f"{PREFIX}.{host}"


def wait(condition: Callable[[], Any], seconds: float = START_SECONDS) -> None:
    """Waits for a condition; raises after a time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(condition)
        time.sleep(0.05)


def finish(*steps: Callable[[], object]) -> None:
    """Does every step even if one fails, and whatever Ctrl-C says: a half would be left behind."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for step in steps:
            with contextlib.suppress(OSError, subprocess.SubprocessError):
                step()
    finally:
        signal.signal(signal.SIGINT, before)


class Lab:
    """The hosts with their processes; `running` builds one and removes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.disk = folder / "disk"
        self.name = f"hw{os.getpid() % 10_000}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.closing = threading.Event()
        """Set when the lab is removed: a fault that is still at work starts nothing any more."""
        self._ip = program("ip")

    @classmethod
    @contextlib.contextmanager
    def running(cls) -> Iterator[Lab]:
        """Builds a lab, starts everything in it, and removes it at the end."""
        if os.geteuid():
            raise CannotMeasureError("Faults need root: they make network namespaces and a disk.")
        lab = cls(Path(tempfile.mkdtemp(prefix="headway-lab-")))
        try:
            os.chmod(lab.folder, 0o755)
            lab._build()
            yield lab
        except KeyboardInterrupt:
            sys.stderr.write("Removing the cluster…\n")
            raise
        finally:
            lab._remove()

    # Hosts

    def ip(self, *words: object) -> None:
        """Runs the command `ip`."""
        subprocess.run([self._ip, *map(str, words)], check=True, capture_output=True)

    def space(self, host: int) -> str:
        """Returns the name of a host's namespace and of its cable."""
        return f"{self.name}-{host}"

    def _build(self) -> None:
        self.ip("link", "add", self.name, "type", "bridge")
        self.ip("addr", "add", f"{address(1)}/24", "dev", self.name)
        self.ip("link", "set", self.name, "up")
        for host in (DATABASE_HOST, *SERVER_HOSTS):
            space = self.space(host)
            self.ip("netns", "add", space)
            self.ip("link", "add", space, "type", "veth", "peer", "eth0", "netns", space)
            self.ip("link", "set", space, "master", self.name, "up")
            self.ip("-n", space, "addr", "add", f"{address(host)}/24", "dev", "eth0")
            self.ip("-n", space, "link", "set", "lo", "up")
            self.ip("-n", space, "link", "set", "eth0", "up")
        self.disk.mkdir()
        size = f"size={DISK_MB}m"
        subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", self.disk], check=True)
        shutil.chown(self.disk, "postgres")
        make = [program("initdb"), "-D", str(self.disk / "data"), "-U", "headway", "-A", "trust"]
        make += ["--no-sync", "--wal-segsize=1", "-E", "UTF8"]
        subprocess.run([*_as_postgres(), *make], check=True, capture_output=True, cwd="/")
        with open(self.disk / "data" / "pg_hba.conf", "a") as rules:
            rules.write(f"host all all {PREFIX}.0/24 trust\n")
        self.start_postgresql()
        self.create_database("headway")
        self.start_redis()
        for host in SERVER_HOSTS:
            self.start_server(host)

    def _remove(self) -> None:
        self.closing.set()
        spaces = [self.space(host) for host in (DATABASE_HOST, *SERVER_HOSTS)]
        finish(
            *(partial(self._end_processes, space) for space in spaces),
            *(partial(process.wait, 20) for process in self.processes.values()),
            *(partial(self.ip, "netns", "del", space) for space in spaces),
            partial(self.ip, "link", "del", self.name),
            partial(subprocess.run, ["umount", "--lazy", self.disk], capture_output=True),
            partial(shutil.rmtree, self.folder),
        )

    def _end_processes(self, space: str) -> None:
        """Kills all that runs on a host, also what is no child of ours any more."""
        listed = subprocess.run([self._ip, "netns", "pids", space], capture_output=True)
        for pid in map(int, listed.stdout.split()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    # Processes

    def start(self, name: str, host: int, port: int, command: list[str], **more: str) -> None:
        """Starts a process on a host and waits until it listens."""
        if self.closing.is_set():
            raise InterruptedError(name)
        log = open(self.folder / f"{name}.log", "ab")  # noqa: SIM115 (the process keeps it)
        self.processes[name] = subprocess.Popen(
            [self._ip, "netns", "exec", self.space(host), *command],
            stdout=log,
            stderr=log,
            cwd="/",
            env=os.environ | more,
            start_new_session=True,
        )
        log.close()
        ended = self.processes[name].poll
        wait(lambda: self._listens(host, port) or ended() is not None or self.closing.is_set())

    def _listens(self, host: int, port: int) -> bool:
        with contextlib.suppress(OSError):
            socket.create_connection((address(host), port), 1).close()
            return True
        return False

    def start_postgresql(self) -> None:
        """Starts PostgreSQL, also after it crashed; waits until it takes statements."""
        (self.disk / "data" / "postmaster.pid").unlink(missing_ok=True)
        options = ["-D", str(self.disk / "data"), "-h", "0.0.0.0", "-k", str(self.disk), "-c"]
        options += ["max_connections=80", "-c", "max_wal_size=32MB"]
        command = [*_as_postgres(), program("postgres"), *options]
        self.start("postgresql", DATABASE_HOST, POSTGRESQL_PORT, command)
        ready = [program("pg_isready"), "-q", "-h", address(DATABASE_HOST)]
        wait(
            lambda: (
                self.closing.is_set() or not subprocess.run(ready, capture_output=True).returncode
            )
        )

    def create_database(self, name: str) -> None:
        """Makes an empty database."""
        create = [program("psql"), "-h", address(DATABASE_HOST), "-U", "headway", "-d", "postgres"]
        statement = ["-c", f"CREATE DATABASE {name}"]
        subprocess.run([*create, *statement], check=True, capture_output=True)

    def start_redis(self) -> None:
        """Starts Redis, which keeps nothing."""
        options = ["--port", str(REDIS_PORT), "--save", "", "--appendonly", "no"]
        options += ["--bind", "0.0.0.0", "--protected-mode", "no"]
        self.start("redis", DATABASE_HOST, REDIS_PORT, [program("redis-server"), *options])

    def start_server(self, host: int) -> None:
        """Starts a server of Headway."""
        command = [sys.executable, "-m", "headway", "serve", "--host", "0.0.0.0"]
        command += ["--port", str(SERVER_PORT), "--channels"]
        command += [f"redis://{address(DATABASE_HOST)}:{REDIS_PORT}", "--database"]
        command += [f"postgresql://headway@{address(DATABASE_HOST)}:{POSTGRESQL_PORT}/headway"]
        variables = {"HEADWAY_RATE_LIMIT": "0", "HEADWAY_WARM_UP": "0"}
        self.start(f"server-{host}", host, SERVER_PORT, command, **variables)

    def kill(self, name: str) -> None:
        """Ends a process and its children at once, without a chance to save anything."""
        process = self.processes[name]
        for pid in (process.pid, *_descendants(process.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait(20)

    def cpu_seconds(self, *names: str) -> float:
        """Returns the CPU time that processes and their children have taken so far."""
        first = [self.processes[name].pid for name in names]
        return sum(processor_time(one) for pid in first for one in (pid, *_descendants(pid)))


def _as_postgres() -> list[str]:
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]


def _descendants(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    children = [int(word) for word in text.split()]
    return children + [each for child in children for each in _descendants(child)]
