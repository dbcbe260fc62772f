"""What a messenger shows of a link: title, description and picture, and nothing hidden."""

from __future__ import annotations

import httpx
import pytest
from browser.conftest import new_server
from browser.player import NewPage
from server.services import PATIENT, Server, play_out

HOSTILE = '"><script>alert(1)</script>'

_META = """() => Object.fromEntries(
  [...document.head.querySelectorAll('meta[property^="og:"], meta[name=description]')]
    .map((meta) => [meta.getAttribute('property') ?? 'description', meta.content]))"""


def preview(new_page: NewPage, server: Server, path: str, locale: str = "en-GB") -> dict[str, str]:
    """The preview of a page as somebody without any cookie gets it."""
    page = new_page(server, locale=locale)
    page.goto(path)
    meta: dict[str, str] = page.evaluate(_META)
    page.context.close()
    # A server that was not told its origin sends addresses without a host.
    return {k: server.url + text if text.startswith("/") else text for k, text in meta.items()}


def picture(meta: dict[str, str]) -> httpx.Response:
    answer = httpx.get(meta["og:image"], **PATIENT)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    return answer


def test_tables_and_replays(server: Server, new_page: NewPage) -> None:
    ada = server.guest(HOSTILE)
    table = ada.set_up("me", "open")
    meta = preview(new_page, server, f"/t/{table}")
    assert meta["og:title"] == "Next Station: London"
    assert meta["og:description"].startswith("Waiting for players: ")
    assert HOSTILE in meta["og:description"]  # read as text
    assert "<script>alert" not in httpx.get(f"{server.url}/t/{table}", **PATIENT).text
    picture(meta)
    assert "/shelf/next-station/london/" in meta["og:image"]

    table = ada.set_up("me", "random", game="ticket-to-ride")
    meta = preview(new_page, server, f"/t/{table}", "fr-FR")
    assert meta["og:title"] == "Les Aventuriers du Rail : Londres".replace(" :", "\u00a0:")
    assert meta["og:description"].startswith("En cours")
    assert meta["og:url"] == f"{server.url}/t/{table}"
    picture(meta)
    # A spectator's picture: the hand that its holder sees below the board is not in it.
    drawing = meta["og:image"].replace("png", "svg")
    assert len(ada.http.get(drawing).text) > len(httpx.get(drawing, **PATIENT).text) + 500

    play_out(table, {0: ada})
    totals = ada.see(table)["outcome"]["totals"]
    meta = preview(new_page, server, f"/t/{table}/replay/3/0")
    assert meta["og:title"].startswith("Replay: Ticket to Ride")
    assert all(str(total).replace("-", "−") in meta["og:description"] for total in totals)
    meta = preview(new_page, server, f"/t/{table}/review", "fr-FR")
    assert meta["og:title"].startswith("Analyse\u00a0: Les Aventuriers du Rail")
    picture(meta)
    picture(meta)

    assert preview(new_page, server, "/t/nothing")["og:title"] == "Headway"


def test_a_deal_of_today_shows_neither_cards_nor_results(
    tmp_path_factory: pytest.TempPathFactory, new_page: NewPage
) -> None:
    server = new_server(tmp_path_factory, HEADWAY_TODAY="2026-11-16")
    guest = server.guest("Ada")
    table = guest.ok(guest.post("today/next-station/london"))["id"]
    play_out(table, {0: guest})
    total = guest.see(table)["outcome"]["totals"][0]
    for path in (f"/t/{table}", f"/t/{table}/replay"):
        meta = preview(new_page, server, path)
        assert meta["og:title"] == "Today’s deal: Next Station: London"
        assert str(total) not in meta["og:description"]
        assert "Ada" not in meta["og:description"]
        # The map on which nothing is dealt, the same for every deal.
        assert meta["og:image"].endswith("/api/shelf/next-station/london/picture.png?lang=en")
    meta = preview(new_page, server, "/today", "fr-FR")
    assert meta["og:title"] == "La partie du jour"
    assert "/api/shelf/next-station/" in meta["og:image"]
    picture(meta)
    server.stop()
