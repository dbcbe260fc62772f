"""What people do at the page, for many tests: sit down, sign up, play to the end."""

from __future__ import annotations

from typing import Any

from browser.player import PHONE, Player
from playwright.sync_api import Page
from server.services import Guest, Server

SMALL: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True}

PASSWORD = "a long password"


def post(page: Page, path: str, **body: Any) -> Any:
    """Asks the server for something, as the guest at this page."""
    answer = page.request.post(f"/api/{path}", data=body)
    assert answer.ok, answer.text()
    return answer.json()


def sit(page: Page, table: str, name: str) -> None:
    """Sits down at a table by its link."""
    page.goto(f"/t/{table}")
    page.get_by_label("Your name").fill(name)
    page.get_by_test_id("join").click()


def join(page: Page, table: str, name: str) -> Player:
    """Sits down at a table by its link; its game begins."""
    sit(page, table, name)
    page.get_by_test_id("play").wait_for()
    return Player(page)


def enter(page: Page, form: str, name: str, password: str = PASSWORD) -> None:
    """Fills in a form of the account's page and sends it."""
    page.goto("/account")
    page.get_by_test_id(form).locator("input[type=text]").fill(name)
    page.get_by_test_id(form).locator("input[type=password]").fill(password)
    page.get_by_test_id(form).locator("button.main").click()
    if form == "claim":  # the recovery code is shown once
        page.get_by_test_id("kept").click()


def guest_at(page: Page, server: Server) -> Guest:
    """A guest whose browser this is, and who can play without it too."""
    guest = server.guest()
    show_page_to(guest, page)
    return guest


def show_page_to(guest: Guest, page: Page) -> None:
    """Makes a browser that of a guest."""
    cookies = guest.http.cookies.jar
    page.context.add_cookies(
        [{"name": c.name, "value": c.value or "", "url": guest.server.url} for c in cookies]
    )


def no_overflow(page: Page) -> None:
    """Nothing is wider than the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def post_name(page: Page, name: str) -> None:
    assert page.request.patch("/api/me", data={"name": name}).ok


def pass_to_the_end(table: str, *pages: Page) -> None:
    """Both pass until the game is over, without looking at the board."""
    while True:
        for seat, page in enumerate(pages):
            seen = page.request.get(f"/api/tables/{table}").json()
            if seen["finished"]:
                return
            if seen["legal"][str(seat)]:
                post(page, f"tables/{table}/moves", seat=seat, move="pass", client_id=unique(seen))


def unique(seen: dict[str, object]) -> str:
    return f"pass-{seen['number']:05}"


def note_toasts(page: Page) -> None:
    """Notes every notice of what happens, however short it is shown."""
    page.evaluate(
        """() => {
          window.told = []
          const note = () => document.querySelectorAll('[data-testid=toasts] li').forEach(
            (toast) => window.told.push(toast.innerText.trim()))
          new MutationObserver(note).observe(document, { subtree: true, childList: true })
        }"""
    )


def toasts(page: Page, last: str) -> set[str]:
    """All notices so far, as soon as this one is among them."""
    shown = page.wait_for_function("last => told.includes(last) && told", arg=last).json_value()
    return set(shown)
