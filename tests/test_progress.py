"""Progress without a terminal: plain lines, not too many."""

from __future__ import annotations

from headway.progress import LINE_SECONDS, Lines


def test_lines_come_at_the_beginning_now_and_then_and_at_the_end() -> None:
    now, lines = 0.0, list[str]()
    show = Lines("Playing", 100, "en", lines.append, lambda: now)
    for done in range(101):
        show(done, note=f"mean {done}")
        now += LINE_SECONDS / 40
    assert [line.split(" · ")[0] for line in lines] == [
        "Playing: 0 of 100",
        "Playing: 40 of 100",
        "Playing: 80 of 100",
        "Playing: 100 of 100",
    ]
    assert lines[1].endswith(" · mean 40")


def test_a_total_may_come_later() -> None:
    lines = list[str]()
    show = Lines("Replaying", None, "fr", lines.append)
    show(0)
    show(7, 7)
    assert lines == ["Replaying\xa0: 0", "Replaying\xa0: 7 sur 7"]
