"""Figures of this process for `/metrics`; none of them tells of a single table or person.

`process.py` says where gauges get their values.
"""

from __future__ import annotations

from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY = CollectorRegistry()
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


def _counter(name: str, text: str, *labels: str) -> Counter:
    return Counter(name, text, labels, registry=REGISTRY)


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
SOCKETS = Gauge("headway_sockets", "Open sockets", registry=REGISTRY)
TABLES = Gauge("headway_tables_in_memory", "Tables in memory", registry=REGISTRY)


@cache
def requests(kind: str, status: int) -> Counter:
    """Returns the counter of these requests; Prometheus takes long to find it by its labels."""
    return REQUESTS.labels(kind, status)


@cache
def events(kind: str) -> Counter:
    """Returns the counter of these events."""
    return EVENTS.labels(kind)


def text() -> str:
    """Returns all figures in Prometheus' text format."""
    return generate_latest(REGISTRY).decode()
