"""What the log says of a service that is away."""

from __future__ import annotations

import logging

import pytest

from headway.server.core.log import Outage


def test_an_outage_is_told_ever_more_seldom(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    now = 0.0
    outage = Outage(logging.getLogger("test"), "channels", lambda: now)
    outage.back("send")
    for second in range(10_000):
        now = float(second)
        outage.lost(OSError(), "listen")
        outage.lost(OSError(), "send")
    outage.back("send")
    outage.back("listen")
    outage.back("listen")
    told = [(r.getMessage(), getattr(r, "seconds", 0)) for r in caplog.records]
    assert told == [
        ("channels lost", 0),
        *(("channels still lost", seconds) for seconds in (60, 180, 420, 900, 1860, 3780, 7380)),
        ("channels back", 9999),
    ]
