"""Being called: the bell in the frame, and the question that comes when somebody needs time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from browser.conftest import new_server
from browser.person import set_up
from browser.player import PHONE, NewPage
from browser.steps import no_overflow, post, post_name
from playwright.sync_api import Page, expect
from server.notices.endpoint import Phone
from server.services import Server

PUSH_SERVICE = "https://127.0.0.1:9/201/"


@pytest.fixture
def calling_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that may send notices to this machine."""
    running = new_server(tmp_path_factory, HEADWAY_NOTICE_NETWORKS="127.0.0.0/8")
    yield running
    running.stop()


def allow_notices(page: Page, answer: str) -> None:
    """Stands in for the browser's question and its maker's push service, which tests do not have.

    `make browsers` has a browser that shows notices.
    """
    keys = json.dumps(Phone().keys())
    page.add_init_script(
        f"""
        let permission = 'default', subscription = null
        const now = () => permission
        Object.defineProperty(Notification, 'permission', {{ get: now }})
        Notification.requestPermission = async () => (permission = '{answer}')
        PushManager.prototype.getSubscription = async () => subscription
        PushManager.prototype.subscribe = async () => (subscription = {{
          endpoint: '{PUSH_SERVICE}',
          toJSON: () => ({{ endpoint: '{PUSH_SERVICE}', keys: {keys} }}),
          unsubscribe: async () => !(subscription = null) }})
        """
    )


def table_of_two(host: Page, friend: Page, **more: Any) -> str:
    for page, name in ((host, "Ann"), (friend, "Ben")):
        post_name(page, name)
    table = set_up(host, "me", "open", **more)
    post(friend, f"tables/{table}/join")
    return table


def test_the_bell_is_on_after_the_first_tap(calling_server: Server, new_page: NewPage) -> None:
    host = new_page(calling_server, viewport=PHONE, service_workers="allow")
    friend = new_page(calling_server)
    allow_notices(host, "granted")
    host.goto("/")
    host.evaluate("navigator.serviceWorker.ready.then(() => true)")
    expect(host.get_by_test_id("bell")).to_have_count(0)
    table = table_of_two(host, friend)
    host.goto(f"/t/{table}")
    bell = host.get_by_test_id("bell")
    expect(bell).to_have_attribute("aria-pressed", "false")
    no_overflow(host)
    bell.click()
    expect(bell).to_have_attribute("aria-pressed", "true")
    expect(host.get_by_test_id("heard")).to_have_text("You are called in this browser.")
    assert host.request.get("/api/notices").json()["browsers"] == 1
    bell.click()
    expect(bell).to_have_attribute("aria-pressed", "false")
    assert host.request.get("/api/notices").json()["browsers"] == 0


def test_who_needs_time_is_a_reason_to_be_called(calling_server: Server, new_page: NewPage) -> None:
    host = new_page(calling_server, viewport=PHONE, service_workers="allow")
    friend = new_page(calling_server)
    allow_notices(host, "denied")
    table = table_of_two(host, friend)
    host.clock.install()
    host.goto(f"/t/{table}")
    host.evaluate("navigator.serviceWorker.ready.then(() => true)")
    host.get_by_test_id("bell").wait_for()
    move = host.request.get(f"/api/tables/{table}").json()["legal"]["0"][-1]
    post(host, f"tables/{table}/moves", seat=0, move=move, client_id="a-move-of-mine")
    expect(host.locator("[data-seat='1']")).to_have_attribute("data-turn", "true")
    question = host.get_by_test_id("call-me")
    host.clock.fast_forward(20_000)
    expect(question).to_have_count(0)
    host.clock.fast_forward(20_000)
    expect(question).to_contain_text("Ben needs time. Shall I call you?")
    question.get_by_role("button", name="Call me").click()
    expect(question).to_contain_text("This browser does not let Headway call you.")
    question.get_by_role("button", name="No, thanks").click()
    expect(question).to_have_count(0)
