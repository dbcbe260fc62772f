"""Paper games and printed sheets over the interface."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import httpx
import pytest
from pypdf import PdfReader
from server.services import ON_SQLITE, Guest, Server

from headway import record
from headway.i18n import say

pytestmark = ON_SQLITE

PENCILS = "pencils green purple blue pink"


@pytest.fixture(scope="module")
def ann(server: Server) -> Guest:
    return server.guest()


def write(ann: Guest, path: str = "paper", **fields: Any) -> httpx.Response:
    body = {"game": "next-station", "map": "london", "names": [""]} | fields
    return ann.post(path, **body)


def test_a_game_from_its_first_pencil_to_its_record(ann: Guest) -> None:
    """Always the last of what can come, and the first section that can have been drawn."""
    dealt: list[str] = []
    moves: list[str] = []
    for _ in range(100):
        seen = ann.ok(write(ann, names=[" Ada "], dealt=dealt, moves=[moves]))
        if "record" in seen:
            break
        assert "outcome" not in seen
        if seen["behind"]:
            moves.append(seen["sheets"][0]["legal"][-1])
        else:
            dealt.append(seen["deals"][-1])
    stored = record.read(seen["record"])
    assert stored.names == ["Ada"]
    result = record.replay(stored)
    assert list(result.outcome.totals) == seen["outcome"]["totals"]
    assert seen["deal"] == stored.deal
    assert seen["moves"] == stored.moves
    replayed = ann.ok(ann.post("replay", record=seen["record"]))
    assert replayed["outcome"] == seen["outcome"]


def test_why_a_section_cannot_be(ann: Guest) -> None:
    entered = {"dealt": [PENCILS, "card street:triangle"], "seat": 0}
    assert ann.ok(write(ann, "paper/why", move="d2e3", **entered)) == {}
    wrong = ann.ok(write(ann, "paper/why", move="d2f0", **entered))
    assert wrong == {"rule": "NS-15", "sentence": say("broken.NS-15", "en", station="f0")}
    assert ann.ok(write(ann, "paper/why", move="pass", dealt=[PENCILS], seat=0))["sentence"]


def test_what_cannot_have_been_is_told_with_its_place(ann: Guest) -> None:
    answer = write(ann, dealt=[PENCILS, "card street:triangle"], moves=[["d2f0"]])
    error = answer.json()["error"]
    assert (answer.status_code, error["rule"]) == (422, "NS-15")
    assert error["place"] == "round 1, turn 1, seat 0"
    for wrong in ({"map": "/etc/hosts"}, {"game": "chess"}, {"options": {"jokers": True}}):
        assert 400 <= write(ann, **wrong).status_code < 500
    both = write(ann, options={"powers": True, "special_stations": True})
    assert both.json()["error"]["rule"] == "PW-07"
    other = write(ann, game="ticket-to-ride", names=["", ""]).json()["error"]
    assert other["key"] == "paper.no_sheets"


def test_a_sheet_without_its_cards(ann: Guest) -> None:
    body = {"game": "next-station", "map": "london", "told": {"lines": {"green": ["d2f0"]}}}
    checked = ann.ok(ann.post("paper/sheet", **body))
    assert checked["problems"] == []
    assert checked["score"]["total"] == 2
    body["told"] = {"lines": {"green": ["f0f3"]}}
    french = ann.http.post("/api/paper/sheet", json=body, headers={"accept-language": "fr"})
    problem = {"rule": "NS-13", "sentence": say("sheet.departure", "fr", departure="d2")}
    assert ann.ok(french)["problems"] == [problem | {"colour": "green"}]
    body["options"] = {"powers": True}
    assert ann.post("paper/sheet", **body).json()["error"]["key"] == "sheet.modules"


# Sheets to be printed


def page(ann: Guest, city: str, lang: str, *options: str) -> tuple[Any, str]:
    query = {"lang": lang, "option": options}
    answer = ann.http.get(f"/api/shelf/next-station/{city}/sheet.pdf", params=query)
    assert answer.headers["content-type"] == "application/pdf"
    pages = PdfReader(BytesIO(answer.content)).pages
    assert len(pages) == 1
    return pages[0], " ".join(pages[0].extract_text().split())


@pytest.mark.parametrize(("lang", "title"), [("en", "Next Station: London"), ("fr", "Londres")])
def test_a_sheet_is_one_page_of_a4_with_its_text(ann: Guest, lang: str, title: str) -> None:
    pdf, text = page(ann, "london", lang)
    assert (round(pdf.mediabox.width / 72 * 25.4), round(pdf.mediabox.height / 72 * 25.4)) == (
        297,
        210,
    )
    fonts = [font.get_object()["/BaseFont"] for font in pdf["/Resources"]["/Font"].values()]
    assert len(fonts) == 2
    assert all("Inter" in font for font in fonts)
    assert title in text
    for colour in ("purple", "blue", "pink", "green"):  # at the departure, and above the score
        assert text.count(say(f"colour.{colour}", lang)) == 2
    assert say("score.total", lang) in text
    assert say("print.powers", lang) not in text
    assert len(pdf.images) == 0


def test_modules_are_printed_where_they_are_chosen(ann: Guest) -> None:
    _, text = page(ann, "tokyo", "en", "objectives", "special_stations")
    assert "Objectives" in text
    assert "4 stamps" in text
    assert "extension" in text
    assert "− 20" in text
    assert "second section" not in text
    assert "Redrawn map" in text


def test_a_sheet_as_svg(ann: Guest) -> None:
    answer = ann.http.get("/api/shelf/next-station/london/sheet.svg?option=powers&lang=fr")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert 'width="297mm" height="210mm"' in answer.text
    assert say("print.powers", "fr") in answer.text
    for path, status in (
        ("next-station/paris/sheet.svg", 404),
        ("ticket-to-ride/london/sheet.pdf", 404),
        ("next-station/atlantis/picture.png", 404),
        ("next-station/london/sheet.pdf?option=nonsense", 400),
        ("next-station/london/sheet.pdf?option=powers&option=special_stations", 422),
    ):
        assert ann.http.get(f"/api/shelf/{path}").status_code == status, path
