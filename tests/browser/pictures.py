"""Takes the pictures of README and docs: `pytest tests/browser/pictures.py`.

It checks nothing, so it is not among the tests that always run.
"""

from __future__ import annotations

from pathlib import Path

from browser.player import PHONE, NewPage, Player
from browser.rider import Rider
from server.services import Server

PICTURES = Path(__file__).parents[2] / "docs/pictures"


def test_pictures_for_the_docs(server: Server, new_page: NewPage) -> None:
    player = Player(new_page(server))
    page = player.page
    page.goto("/")
    page.get_by_test_id("hero").locator(".board").first.wait_for()
    page.wait_for_load_state("networkidle")
    page.screenshot(path=PICTURES / "web-home.png")
    player.set_up("london", "bots", "objectives")
    played_to(player, "3.4")
    page.screenshot(path=PICTURES / "web-london.png")
    dark = Player(new_page(server, color_scheme="dark"))
    dark.set_up("tokyo", "alone", "objectives")
    played_to(dark, "4.4")
    dark.page.screenshot(path=PICTURES / "web-tokyo.png")
    phone = Player(
        new_page(server, viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2),
        "touch",
    )
    phone.play_alone("london")
    played_to(phone, "2.4")
    phone.page.screenshot(path=PICTURES / "web-phone.png")
    rider = Rider(new_page(server))
    rider.set_up({"kind": "me", "name": "Ada"}, "random")
    rider.play_on(12)
    while rider.situation() != "move" or not rider.page.locator(".route.free").count():
        rider.play_on(1)
    rider.page.locator(".route.free rect.halo").first.click()
    rider.page.screenshot(path=PICTURES / "web-ticket-to-ride.png")


def played_to(player: Player, turn: str) -> None:
    """Plays until a turn is reached in which something can be drawn, and drafts it."""
    while player.situation() != "move" or not turn <= player.at().split()[1]:
        player.play_on(1)
    while not player.page.locator(".station.target").count():
        player.play_on(1)
    player.draft()
