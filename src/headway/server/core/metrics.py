"""Figures of this process for `/metrics`; none of them tells of a single table or person.

`Figures` in `server/operation.py` gives gauges their values when somebody asks.
"""

from __future__ import annotations

import platform
from functools import cache

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from headway import __version__

disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY = CollectorRegistry()
"""What each process has for itself."""
SHARED = CollectorRegistry()
"""What all processes of a server have together."""
ProcessCollector(registry=REGISTRY)
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


def _counter(name: str, text: str, *labels: str) -> Counter:
    return Counter(name, text, labels, registry=REGISTRY)


def _gauge(name: str, text: str, *labels: str, registry: CollectorRegistry = REGISTRY) -> Gauge:
    return Gauge(name, text, labels, registry=registry)


def _seconds(name: str, text: str) -> Histogram:
    return Histogram(name, text, buckets=_SECONDS, registry=REGISTRY)


REQUESTS = _counter("headway_requests", "Requests and sockets", "kind", "status")
EVENTS = _counter("headway_events", "Events committed", "kind")
CONFLICTS = _counter("headway_conflicts", "Events whose number another process took first")
BOT_MOVES = _counter("headway_bot_moves", "Moves of bots", "bot")
BOT_FAILURES = _counter("headway_bot_failures", "Moves made in place of a bot that failed", "bot")
DRAWINGS = _counter("headway_drawings", "Pictures and sheets drawn, not taken from the cache")
RATE_LIMITED = _counter("headway_rate_limited", "Requests refused by a rate limit", "kind")
NOTICES = _counter("headway_notices", "Notices by way and outcome", "outcome")
REQUEST_SECONDS = _seconds("headway_request_seconds", "Time from request to answer")
MOVE_SECONDS = _seconds("headway_move_seconds", "Time from a move's arrival to its commit")
COMMIT_SECONDS = _seconds("headway_commit_seconds", "Time to commit a batch of events")
COLLECT_SECONDS = _seconds("headway_collect_seconds", "Time of a full garbage collection")
REFUSALS = _counter("headway_refusals", "Requests refused, by the key of the sentence", "kind")
SEARCHED_GAMES = _counter("headway_searched_games", "Games in which puzzles were looked for")
PREFETCHED_REVIEWS = _counter("headway_prefetched_reviews", "Reviews begun before anybody asked")
SOCKETS = _gauge("headway_sockets", "Open sockets")
TABLES = _gauge("headway_tables_in_memory", "Tables in memory")
BUILD = _gauge("headway_build_info", "1 for the version that runs", "version", "python")
BUILD.labels(__version__, platform.python_version()).set(1)
READY = _gauge("headway_ready", "1 unless the process is about to end")
DATABASE_UP = _gauge("headway_database_up", "1 if the database answers")
REDIS_UP = _gauge("headway_redis_up", "1 if Redis answers; also without Redis")
REDIS_UP.set(1)
WORKERS = _gauge("headway_workers", "Worker processes that have been started", "pool")
WORKERS_BUSY = _gauge("headway_workers_busy", "Worker processes that work", "pool")
WORK_WAITING = _gauge("headway_work_waiting", "Pieces of work that wait for a worker", "pool")
WORK_OLDEST = _gauge("headway_work_oldest_seconds", "How long the oldest of them waits", "pool")
PEOPLE_ONLINE = _gauge("headway_people_online", "People connected to tables", registry=SHARED)
TABLES_RUNNING = _gauge(
    "headway_tables_running", "Games in which something happened in the last hour", registry=SHARED
)
REVIEWS_WAITING = _gauge("headway_reviews_waiting", "Reviews to be made", registry=SHARED)
REVIEWS_OLDEST = _gauge(
    "headway_reviews_oldest_seconds", "How long the oldest of them waits", registry=SHARED
)
IDLE_WORK = _gauge(
    "headway_idle_work", "1 while puzzles are looked for and reviews prefetched", registry=SHARED
)


@cache
def requests(kind: str, status: int) -> Counter:
    """Returns the counter of these requests; Prometheus takes long to find it by its labels."""
    return REQUESTS.labels(kind, status)


@cache
def events(kind: str) -> Counter:
    """Returns the counter of these events."""
    return EVENTS.labels(kind)


@cache
def refusals(kind: str) -> Counter:
    """Returns the counter of these refusals."""
    return REFUSALS.labels(kind)


def text(registry: CollectorRegistry) -> str:
    """Returns figures in Prometheus' text format."""
    return generate_latest(registry).decode()
