"""A few moves of both games in Firefox and in WebKit: `make browsers`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser.other_browsers.window import Pointer, Window, firefox, webkit
from browser.player import Player
from browser.rider import Rider
from server.services import Server

ASKED_TO_DRAW = f"({Player.SITUATION})()"
ASKED_TO_RIDE = f"({Rider.SITUATION})()"
CARD = "document.querySelector('[data-testid=card]').dataset.card"
TURN = "document.querySelector('[data-testid=play]').dataset.turn"
TOTAL = "document.querySelector('[data-testid=total]').textContent"
POINTS = "document.querySelector('[data-testid=seat][data-seat=\"0\"] .points').textContent"
CARDS = """[...document.querySelectorAll('[data-testid=hand] [data-count]')]
  .reduce((sum, stack) => sum + Number(stack.dataset.count), 0)"""
FREE_ROUTE = "!!document.querySelector('.route.free')"
PILE = "[data-testid=supply] [data-card=pile]"


@pytest.fixture(params=[firefox, webkit], ids=["firefox", "webkit"])
def window(request: pytest.FixtureRequest, own_server: Server, tmp_path: Path) -> Iterator[Window]:
    """A window at Home; nothing may go wrong in the page and in the server."""
    with request.param(tmp_path) as opened:
        opened.open(own_server.url)
        yield opened
        assert opened.faults() == []
    assert own_server.errors() == []


def tab_to(window: Window, selector: str) -> None:
    """Presses Tab until something has the focus."""
    for _ in range(80):
        if window.ask(f"document.activeElement.matches({json.dumps(selector)})"):
            return
        window.press("Tab")
    raise AssertionError(f"no Tab comes to {selector}")


def draw_by_mouse(window: Window, pointer: Pointer = "mouse") -> None:
    window.click(".station.target", pointer)
    if window.ask("document.querySelector('button.confirm').disabled"):
        window.click(".station.source", pointer)  # several ways lead there
    window.click("button.confirm", pointer)


def draw_by_finger(window: Window) -> None:
    draw_by_mouse(window, "touch")


def draw_by_keys(window: Window) -> None:
    tab_to(window, "[data-station]")
    for key in ("Right", "Down", "Left", "Up") * 3:
        if window.ask("document.activeElement.matches('.target')"):
            break
        window.press(key)
    window.press("Enter")
    if window.ask("document.querySelector('button.confirm').disabled"):
        window.press("Right")  # to one of the ways that lead there
        window.press("Enter")
    tab_to(window, "button.confirm:enabled")
    window.press("Enter")


def next_turn(window: Window, move: Callable[[Window], None]) -> None:
    """Makes a move and waits until the page has come to another turn."""
    before = window.ask(TURN)
    move(window)
    window.wait(f"{TURN} !== {json.dumps(before)}")


def test_next_station_alone(window: Window) -> None:
    window.click("[data-testid=map-next-station-london] [data-testid=play-map]")
    window.click("[data-testid=start]")
    cards, totals = [], []
    for draw in (draw_by_keys, draw_by_keys, draw_by_mouse, draw_by_finger):
        assert window.wait(ASKED_TO_DRAW) == "move"
        cards.append(window.ask(CARD))
        totals.append(int(window.ask(TOTAL)))
        next_turn(window, draw)
    assert len(set(cards)) == len(cards), "each card is in the deck once"
    assert totals[0] == 0
    assert totals[-1] > 0


def take_by_mouse(window: Window) -> None:
    window.click(PILE)
    window.click("button.confirm")


def take_by_keys(window: Window) -> None:
    tab_to(window, PILE)
    window.press("Enter")
    tab_to(window, "button.confirm:enabled")
    window.press("Enter")


def claim(window: Window) -> None:
    window.click(".route.free > g")
    window.click("button.confirm")


def test_ticket_to_ride_against_a_bot(window: Window) -> None:
    window.click("[data-testid=map-ticket-to-ride-london] [data-testid=play-map]")
    window.click("[data-testid=start]")
    assert window.wait(ASKED_TO_RIDE) == "choice"
    window.click("[data-testid=choice] label")
    next_turn(window, lambda window: window.click("[data-testid=keep]"))
    for take in (take_by_keys, take_by_mouse):
        assert window.wait(ASKED_TO_RIDE) == "move"
        before = window.ask(CARDS)
        take(window)
        window.wait(f"{CARDS} === {before + 1}")
    window.wait(ASKED_TO_RIDE)
    while not window.ask(FREE_ROUTE):
        next_turn(window, take_by_mouse)
        window.wait(ASKED_TO_RIDE)
    next_turn(window, claim)
    window.wait(f"{POINTS} !== '0'")
