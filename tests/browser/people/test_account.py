"""An account in the browser: claimed in one, used in another, deleted."""

from __future__ import annotations

from browser.axe import findings
from browser.player import PHONE, NewPage, Player
from browser.steps import PASSWORD, enter, guest_at
from playwright.sync_api import expect
from server.services import Server, play_out


def test_claimed_in_one_browser_used_in_another_and_deleted(
    server: Server, new_page: NewPage
) -> None:
    one, two = new_page(server), new_page(server)
    guest = guest_at(one, server)
    for seats, city in ((["me"], "london"), (["me"], "london"), (["me", "greedy"], "tokyo")):
        play_out(guest.set_up(*seats, map=city), {0: guest})
    table = guest.set_up("me")
    enter(one, "claim", "Noor of Nantes")
    one.wait_for_url("**/u/Noor%20of%20Nantes")
    expect(one.get_by_role("heading", level=1)).to_have_text("Noor of Nantes")
    expect(one.get_by_test_id("rating-next-station")).to_have_count(0)  # a guest's is provisional
    expect(one.get_by_test_id("averages").locator("polyline")).to_have_count(1)
    pictures = one.get_by_test_id("networks").locator("img")
    expect(pictures).to_have_count(2)
    pictures.first.scroll_into_view_if_needed()
    one.wait_for_function("() => [...document.images].every((each) => each.naturalWidth > 0)")
    assert findings(one) == []

    here = guest_at(two, server).set_up("me")
    enter(two, "sign_in", "noor of nantes", "not the password")
    expect(two.get_by_role("alert")).to_have_text("Wrong name or password.")
    two.get_by_test_id("sign_in").locator("input[type=password]").fill(PASSWORD)
    two.get_by_test_id("sign_in").locator("button.main").click()
    two.wait_for_url("**/u/Noor%20of%20Nantes")
    two.goto(f"/t/{table}")
    Player(two).play_on(1)  # begun in the other browser
    one.goto(f"/t/{here}")
    Player(one).play_on(1)

    one.goto("/account")
    controls = one.get_by_test_id("controls")
    controls.get_by_text("Open data", exact=True).click()
    assert controls.get_by_role("radio", checked=True).input_value() == "pseudonym"
    controls.get_by_label("Under my name").check()
    expect(controls).to_contain_text("Saved.")
    one.reload()
    controls.get_by_text("Open data", exact=True).click()
    expect(controls.get_by_label("Under my name")).to_be_checked()
    controls.get_by_text("Change password").click()
    controls.get_by_label("Current password").fill(PASSWORD)
    controls.get_by_label("New password").fill("another password")
    controls.get_by_role("button", name="Change it").click()
    expect(controls).to_contain_text("Your other devices are signed out.")
    two.goto("/account")
    expect(two.get_by_test_id("claim")).to_be_visible()  # a guest again
    expect(two.get_by_test_id("open-data")).to_contain_text("CC0")
    two.get_by_text("Open data", exact=True).click()
    expect(two.get_by_test_id("sharing").get_by_role("radio")).to_have_count(2)
    two.get_by_label("Not at all").check()
    expect(two.get_by_test_id("sharing")).to_contain_text("Saved.")

    one.goto("/u/Noor%20of%20Nantes")
    controls = one.get_by_test_id("controls")
    controls.get_by_text("Delete account").click()
    controls.locator("details").last.get_by_label("Password", exact=True).fill("another password")
    controls.get_by_role("button", name="Delete everything").click()
    dialog = one.get_by_role("dialog")
    dialog.get_by_role("button", name="Keep my account").click()
    expect(dialog).to_have_count(0)
    controls.get_by_role("button", name="Delete everything").click()
    dialog.get_by_test_id("delete-sure").click()
    one.wait_for_url("**/account")
    expect(one.get_by_test_id("claim")).to_be_visible()
    two.goto("/u/Noor%20of%20Nantes")
    expect(two.get_by_role("heading", level=1)).to_have_text("Nobody here has that name.")
    assert one.request.get(f"/api/tables/{table}").status == 404


def test_account_in_french_on_a_phone(server: Server, new_page: NewPage) -> None:
    page = new_page(
        server, viewport=PHONE, has_touch=True, is_mobile=True, locale="fr-FR", color_scheme="dark"
    )
    page.goto("/")
    page.get_by_test_id("account").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Compte")
    assert findings(page) == []
    page.get_by_test_id("claim").locator("input[type=text]").fill("Zoé d'Arles")
    page.get_by_test_id("claim").locator("input[type=password]").fill(PASSWORD)
    page.get_by_test_id("claim").locator("button.main").tap()
    expect(page.get_by_test_id("recovery-code")).to_contain_text("Gardez")
    page.get_by_test_id("kept").tap()
    page.wait_for_url("**/u/**")
    expect(page.get_by_text("Pas encore de partie.")).to_be_visible()
    page.get_by_text("Supprimer le compte").tap()
    page.get_by_text("Changer le mot de passe").tap()
    assert findings(page) == []
    assert "web." not in page.locator("body").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Se déconnecter").tap()
    expect(page.get_by_test_id("sign_in")).to_be_visible()
