"""The stored playthrough is what the rules make of its game."""

from __future__ import annotations

from games.tickettoride.playthrough import FILE, text


def test_the_playthrough_is_up_to_date() -> None:
    assert FILE.read_text("utf-8") == text()
