"""A bot whose code is being compiled: the page says so, and offers a simpler one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.axe import findings
from browser.conftest import new_server
from browser.person import open_table
from browser.player import PHONE, NewPage, Player
from playwright.sync_api import expect
from server.services import Server


@pytest.fixture
def cold_server(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Iterator[Server]:
    """A server on which nothing is compiled yet; it is stopped before the expert is."""
    running = new_server(tmp_path_factory, HEADWAY_WARM_UP=1, HEADWAY_CACHE_DIR=tmp_path)
    yield running
    running.stop()


def test_the_page_says_what_it_waits_for(cold_server: Server, new_page: NewPage) -> None:
    player = Player(new_page(cold_server, viewport=PHONE))
    page = player.page
    open_table(page, "me", "expert", map="tokyo", options={"powers": True})
    panel = page.get_by_test_id("compiling")
    expect(panel).to_contain_text("Expert is taking its seat")
    expect(page.get_by_test_id("heard")).to_contain_text("Expert is taking its seat")
    value = panel.get_by_role("progressbar").evaluate("bar => bar.value")
    assert 0 < value < 1
    page.wait_for_function(
        "value => document.querySelector('[data-testid=compiling] progress').value > value",
        arg=value,
    )
    assert findings(page) == []
    table = player.table
    panel.get_by_role("button", name="Start against Tourist instead").click()
    page.wait_for_url(lambda url: table not in url)
    player.play_on(2)
    expect(panel).to_have_count(0)
    state = player.table_view()
    assert [seat.get("bot") for seat in state["seats"]] == [None, "tourist"]
    assert (state["map"], state["options"]["powers"]) == ("tokyo", True)
    mine = page.request.get("/api/tables?which=mine").json()
    assert [listed["id"] for listed in mine] == [player.table]  # the first one is hidden
