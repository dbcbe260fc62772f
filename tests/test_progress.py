"""Progress without a terminal: plain lines, not too many."""

from __future__ import annotations

import pytest

from headway import progress
from headway.progress import LINE_SECONDS, Lines


def test_lines_come_at_the_beginning_now_and_then_and_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(progress, "monotonic", lambda: now)
    monkeypatch.setenv("HEADWAY_LANG", "en")
    show = Lines("Playing", 100)
    for done in range(101):
        show(done, note=f"mean {done}")
        now += LINE_SECONDS / 40
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(" · ")[0] for line in lines] == [
        "Playing: 0 of 100",
        "Playing: 40 of 100",
        "Playing: 80 of 100",
        "Playing: 100 of 100",
    ]
    assert lines[1].endswith(" · mean 40")


def test_a_total_may_come_later(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEADWAY_LANG", "fr")
    show = Lines("Replaying", None)
    show(0)
    show(7, 7)
    assert capsys.readouterr().err == "Replaying\xa0: 0\nReplaying\xa0: 7 sur 7\n"
