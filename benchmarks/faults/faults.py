"""The faults: each breaks something in a lab, keeps it broken for a moment and repairs it."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from benchmarks.faults.lab import DATABASE_HOST, SERVER_HOSTS, Lab, address

CUT_SECONDS = 2.0
FULL_SECONDS = 1.0

Fault = Callable[[Lab, random.Random], float]
"""Breaks and repairs; returns when the cause was gone, by the monotonic clock."""


def kill_server(lab: Lab, chance: random.Random) -> float:
    """Kills one server."""
    host = chance.choice(SERVER_HOSTS)
    lab.kill(f"server-{host}")
    killed = time.monotonic()
    lab.start_server(host)
    return killed


def kill_all_servers(lab: Lab, chance: random.Random) -> float:
    """Kills all servers at once."""
    for host in SERVER_HOSTS:
        lab.kill(f"server-{host}")
    killed = time.monotonic()
    with ThreadPoolExecutor() as pool:
        list(pool.map(lab.start_server, SERVER_HOSTS))
    return killed


def kill_redis(lab: Lab, chance: random.Random) -> float:
    """Kills Redis."""
    lab.kill("redis")
    killed = time.monotonic()
    lab.start_redis()
    return killed


def kill_postgresql(lab: Lab, chance: random.Random) -> float:
    """Kills PostgreSQL with all its processes."""
    lab.kill("postgresql")
    killed = time.monotonic()
    lab.start_postgresql()
    return killed


def fill_disk(lab: Lab, chance: random.Random) -> float:
    """Fills the database's disk; PostgreSQL may end because of it."""
    ballast = lab.disk / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        try:
            while file.write(bytes(1 << 16)):
                pass
        except OSError:
            os.fsync(file.fileno())
    time.sleep(FULL_SECONDS)
    ballast.unlink()
    room = time.monotonic()
    time.sleep(0.2)
    if lab.processes["postgresql"].poll() is not None:
        lab.start_postgresql()
    return room


def unplug_server(lab: Lab, chance: random.Random) -> float:
    """Pulls the cable of a server: neither players nor the database reach it."""
    cable = lab.space(chance.choice(SERVER_HOSTS))
    lab.ip("link", "set", cable, "down")
    time.sleep(CUT_SECONDS)
    lab.ip("link", "set", cable, "up")
    return time.monotonic()


def unplug_database(lab: Lab, chance: random.Random) -> float:
    """Pulls the cable of the database's host, Redis included."""
    cable = lab.space(DATABASE_HOST)
    lab.ip("link", "set", cable, "down")
    time.sleep(CUT_SECONDS)
    lab.ip("link", "set", cable, "up")
    return time.monotonic()


def lose_answers(lab: Lab, chance: random.Random) -> float:
    """Loses what the database answers to one server, but not what the server sends.

    The server cannot know whether its transaction was committed.
    """
    host, space = chance.choice(SERVER_HOSTS), lab.space(DATABASE_HOST)
    lab.ip("-n", space, "route", "add", "blackhole", f"{address(host)}/32")
    time.sleep(CUT_SECONDS)
    lab.ip("-n", space, "route", "del", "blackhole", f"{address(host)}/32")
    return time.monotonic()


FAULTS: dict[str, Fault] = {
    "server killed": kill_server,
    "all servers killed": kill_all_servers,
    "Redis killed": kill_redis,
    "PostgreSQL killed": kill_postgresql,
    "disk full": fill_disk,
    "server unplugged": unplug_server,
    "database unplugged": unplug_database,
    "answers of the database lost": lose_answers,
}
