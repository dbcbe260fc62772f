"""The pages on Ticket to Ride keep their word: numbers, moves and names are looked up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.code_names import named

import headway
from headway.games import tickettoride
from headway.games.tickettoride.board.board_file import KEYS, load_board
from headway.games.tickettoride.view import TicketToRideView
from headway.record import steps

DOCS = Path(__file__).parents[3] / "docs"
PAGES = {
    "en": DOCS / "rules/ticket-to-ride.md",
    "fr": DOCS / "rules/ticket-to-ride.fr.md",
}
NUMBERED = DOCS / "rules/numbered/ticket-to-ride.md"
GAME = DOCS / "pictures/ticket-to-ride.json"


@pytest.mark.parametrize("lang", PAGES)
def test_the_worked_example_is_the_score_of_the_stored_game(lang: str) -> None:
    page = PAGES[lang].read_text("utf-8")
    replay = headway.replay(headway.load(GAME))
    sheets = replay.state.scores()
    for name in ("routes", "tickets", "districts", "completed"):
        row = " | ".join(str(getattr(sheet, name)) for sheet in sheets)
        assert f"| {row} |" in page
    assert "| " + " | ".join(f"**{sheet.total}**" for sheet in sheets) + " |" in page
    assert replay.outcome.winners == (0, 1)
    assert sheets[0].each_district == (1, 2)
    board = load_board("london")
    for ticket in sheets[0].each_ticket:
        for place in board.ticket_title(ticket.name).split(" – "):
            assert place in page
        assert f"({ticket.points})" in page


def test_the_turn_in_the_picture_is_the_one_that_is_told() -> None:
    for step in steps(headway.load(GAME)):
        if step.place == (("move", 30), ("seat", 0)):
            view = step.state.view(0)
            assert isinstance(view, TicketToRideView)
            assert view.hand == {"bus": 1, "green": 1, "yellow": 2}
            legal = [step.state.game.move_text(move) for move in step.state.legal(0)]
            assert "claim covent_garden-st_pauls#1 yellow 1" in legal
            assert any("st_pauls" in name for name in view.own_tickets)
            return
    raise LookupError


def test_both_languages_have_the_same_outline_and_scale() -> None:
    pages = [page.read_text("utf-8") for page in PAGES.values()]
    outlines = [re.findall(r"^(#+) ", page, re.M) for page in pages]
    assert outlines[0] == outlines[1]
    for page in pages:
        assert "| " + " | ".join(map(str, load_board("london").scoring)) + " |" in page


def test_the_numbered_rules_are_all_there_in_order() -> None:
    rules = Path(__file__).parents[2] / "rules/ticket-to-ride.txt"
    listed = re.findall(r"^(TR-\d\d) ", rules.read_text("utf-8"), re.M)
    defined = re.findall(r"^- \*\*(TR-\d\d)\*\* ", NUMBERED.read_text("utf-8"), re.M)
    assert defined == listed
    assert len(listed) == 20


def test_what_the_numbered_rules_name_in_the_code_is_there() -> None:
    names = re.findall(r"`([a-z_]+\.\w+)`", NUMBERED.read_text("utf-8"))
    assert len(names) > 20
    for name in names:
        assert named(tickettoride, name)


def test_every_key_of_a_board_file_is_explained() -> None:
    page = (DOCS / "boards.md").read_text("utf-8")
    for key in sorted(KEYS):
        assert f"`{key}`" in page or f"`[{key}]`" in page
