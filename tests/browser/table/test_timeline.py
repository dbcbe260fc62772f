"""What an opponent does, as a browser tells it: in order, cut off, undone, skipped, seen again."""

from __future__ import annotations

import uuid
from typing import Any

from browser.cable import Cable
from browser.player import NewPage, Player
from browser.rider import Rider
from browser.steps import sit
from playwright.sync_api import Locator, expect
from server.services import Guest, Server


class Told:
    """A page at which Olga's acts are told by a clock that the test winds."""

    def __init__(self, cable: Cable, new_page: NewPage, olga: Guest) -> None:
        self.olga = olga
        self.table = olga.set_up("me", "open", game="ticket-to-ride")
        self.page = new_page(cable, reduced_motion="no-preference")
        self.page.clock.install()
        sit(self.page, self.table, "Nina")
        self.play: Locator = self.page.get_by_test_id("play")
        self.play.wait_for()
        self.rider = Rider(self.page)
        self.rider.move("choice")
        olga.move(self.table, 0, "keep 1")
        self.let_olga_act()

    def state(self) -> Any:
        return self.olga.see(self.table)

    def act(self, seat: int, what: str = "take") -> None:
        """Olga takes a card that is no bus, or a route; Nina does so without her page."""
        guest = [self.olga.http, self.nina][seat]
        legal = guest.get(f"/api/tables/{self.table}").json()["legal"][str(seat)]
        move = next(m for m in legal if m.startswith(what) and m not in ("take bus", "take pile"))
        body = {"seat": seat, "move": move, "client_id": str(uuid.uuid4())}
        assert guest.post(f"/api/tables/{self.table}/moves", json=body).is_success

    def let_olga_act(self) -> None:
        """Nina takes cards until it is not her turn; all of that is told."""
        with self.rider.line() as self.nina:
            while self.state()["views"]["0"]["actors"] == [1]:
                self.act(1)
        self.page.clock.resume()
        self.is_told()
        expect(self.blind).to_have_text("Olga’s turn")

    @property
    def blind(self) -> Locator:
        return self.page.get_by_test_id("blind")

    @property
    def held(self) -> str:
        """How many cards Olga has, as the page shows it."""
        return self.page.locator("[data-testid=seat][data-seat='0'] .held").inner_text().split()[0]

    def pause(self) -> None:
        """No time passes from now on but what the test lets pass."""
        # Far enough ahead that a busy machine does not get there first.
        self.page.clock.pause_at(self.page.evaluate("(Date.now() + 5000) / 1000"))

    def is_told(self) -> None:
        """The page shows the table as it is."""
        expect(self.play).to_have_attribute("data-turn", str(self.state()["number"]))
        expect(self.page.locator("[data-scene]")).to_have_count(0)
        assert self.held == str(self.state()["views"]["0"]["hands"][0])


def test_what_olga_does_is_told(server: Server, new_page: NewPage) -> None:
    cable = Cable(server.port)
    told = Told(cable, new_page, server.guest("Olga"))
    page, play = told.page, told.play
    told.pause()
    before, turn = told.held, play.get_attribute("data-turn")

    # In order: first the seat lights up, then the card flies, then it is counted.
    told.act(0)
    expect(play).to_have_attribute("data-scene", "light")
    assert (told.held, play.get_attribute("data-turn")) == (before, turn)
    page.clock.run_for(250)
    expect(play).to_have_attribute("data-scene", "fly")
    expect(page.locator(".flights .card")).to_have_count(1)
    assert told.held == before

    # The line breaks in the middle of the scene; what happened meanwhile is told afterwards.
    cable.cut()
    told.act(0)
    page.clock.run_for(1000)
    assert told.held == str(int(before) + 1)
    cable.mend()
    page.clock.resume()
    expect(told.blind).to_have_text("Your turn")
    told.is_told()
    expect(page.get_by_test_id("notice")).to_contain_text("Olga takes")

    # Something is taken back while it is told: it has never been.
    told.let_olga_act()
    told.pause()
    before, routes = told.held, page.locator(".route.taken").count()
    told.act(0, "claim")
    expect(play).to_have_attribute("data-scene", "light")
    ask = {"seat": 0, "client_id": str(uuid.uuid4())}
    asked = told.olga.ok(told.olga.post(f"tables/{told.table}/undo", **ask))["asked_undo"]
    grant = {"seat": 0, "number": asked["number"], "grant": True, "client_id": str(uuid.uuid4())}
    with told.rider.line() as nina:
        answer = nina.post(f"/api/tables/{told.table}/undo/answer", json=grant)
        assert answer.is_success, answer.text
    expect(page.locator("[data-scene]")).to_have_count(0)
    told.is_told()
    assert (told.held, page.locator(".route.taken").count()) == (before, routes)

    # Who was away sees it once more, as long as they want.
    page.goto("about:blank")
    for _ in range(2):
        told.act(0)
    page.goto(f"/t/{told.table}")
    expect(told.blind).to_have_text("Your turn")
    expect(page.get_by_test_id("since")).to_contain_text("takes")
    told.pause()
    page.get_by_test_id("see-again").click()
    expect(play).to_have_attribute("data-scene", "light")
    expect(told.blind).to_have_text("Olga’s turn")
    assert told.held == before
    told.blind.click()
    expect(page.locator("[data-scene]")).to_have_count(0)
    expect(told.blind).to_have_text("Your turn")
    told.is_told()

    # Who wants no motion sees it at once, and nothing flies.
    page.emulate_media(reduced_motion="reduce")
    told.let_olga_act()
    told.pause()
    before = told.held
    told.act(0)
    told.is_told()
    assert told.held == str(int(before) + 1)
    expect(page.locator(".flights > *")).to_have_count(0)
    page.context.close()
    cable.cut()


def test_points_of_a_section_rise(server: Server, new_page: NewPage) -> None:
    """The score follows what rises; a tap skips it, and without motion nothing rises."""
    page = new_page(server, reduced_motion="no-preference")
    page.clock.install()
    player = Player(page)
    player.sit_alone("london")
    rising, points = page.get_by_test_id("rising"), page.locator("[data-testid=seat] .points")
    page.clock.pause_at(page.evaluate("(Date.now() + 5000) / 1000"))

    def confirms() -> int:
        """Draws a section; how many points it brings."""
        player.draft()
        brings = page.get_by_test_id("gain").inner_text()
        page.locator("button.confirm").click()
        return int(brings)

    first = confirms()
    expect(page.get_by_test_id("play")).to_have_attribute("data-sending", "false")
    page.clock.run_for(450)
    expect(rising).to_have_text(f"+{first}")
    expect(points).to_have_text("0")
    page.clock.run_for(600)
    expect(rising).to_have_count(0)
    expect(points).to_have_text(str(first))

    second = confirms()
    expect(page.get_by_test_id("play")).to_have_attribute("data-sending", "false")
    page.clock.run_for(450)
    expect(rising).to_have_text(f"+{second}")
    points.click()
    expect(rising).to_have_count(0)
    expect(points).to_have_text(str(first + second))

    page.emulate_media(reduced_motion="reduce")
    third = confirms()
    expect(points).to_have_text(str(first + second + third))
    expect(rising).to_have_count(0)
