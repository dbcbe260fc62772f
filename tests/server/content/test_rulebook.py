"""The rules for players, as the server shows them: whole, with their pictures, in each language."""

from __future__ import annotations

import re
from itertools import product

import httpx
import pytest
from server.services import ON_SQLITE, PATIENT, Server

from headway.errors import HeadwayError
from headway.games import boxes
from headway.i18n import languages
from headway.server.content.rulebook import DOCS, LUCK, PICTURES, picture, rules

GAMES = [box.name for box in boxes()]
every_page = pytest.mark.parametrize(("name", "lang"), list(product([*GAMES, LUCK], languages())))


@every_page
def test_all_headings_and_pictures_of_the_page_are_there(name: str, lang: str) -> None:
    rulebook = rules(name, lang)
    page = DOCS / "rules" / (f"{name}.md" if lang == "en" else f"{name}.{lang}.md")
    text = page.read_text("utf-8")
    assert [heading.title for heading in rulebook.headings] == re.findall(r"^##+ (.*)$", text, re.M)
    for heading in rulebook.headings:
        assert f'<h{heading.level} id="{heading.anchor}">' in rulebook.html
    shown = re.findall(rf'<img src="{PICTURES}([^"]+)" alt="[^"]+"', rulebook.html)
    assert shown == re.findall(r"!\[[^\]]+\]\([^)]*/([^)]+)\)", text)
    assert bool(shown) == (name in GAMES)
    for file in shown:
        assert picture(file).startswith("<svg")


@every_page
def test_a_page_leads_nowhere_else(name: str, lang: str) -> None:
    html = rules(name, lang).html
    assert "<a" not in html
    assert ".md" not in html
    assert "<script" not in html
    assert "style=" not in html  # the page's policy allows none


@pytest.mark.parametrize("name", [*GAMES, LUCK])
def test_anchors_are_the_same_in_every_language(name: str) -> None:
    anchors = [[heading.anchor for heading in rules(name, lang).headings] for lang in languages()]
    assert anchors[0] == anchors[1]


@pytest.mark.parametrize("name", ["../rules/next-station.md", "make.py", "nothing.svg"])
def test_only_pictures_are_shown(name: str) -> None:
    with pytest.raises(HeadwayError):
        picture(name)


@pytest.mark.parametrize(("game", "lang"), [("chess", "en"), ("next-station", "de")])
def test_no_rules(game: str, lang: str) -> None:
    with pytest.raises(HeadwayError):
        rules(game, lang)


@ON_SQLITE
def test_rules_and_pictures_come_by_http(server: Server) -> None:
    answer = httpx.get(f"{server.url}/api/rules/next-station/fr", **PATIENT)
    assert answer.json()["title"] == "Next Station\u00a0: les règles pour jouer"
    again = httpx.get(answer.url, headers={"if-none-match": answer.headers["etag"]}, **PATIENT)
    assert again.status_code == 304
    shown = httpx.get(f"{server.url}{PICTURES}first-section.svg", **PATIENT)
    assert shown.headers["content-type"].startswith("image/svg+xml")
    assert "sandbox" in shown.headers["content-security-policy"]
    assert httpx.get(f"{server.url}/api/rules/chess/en", **PATIENT).status_code == 404


TOPICS = re.compile(r"(?<=toBe\(')[a-z-]+(?='\))")


@pytest.mark.parametrize("game", GAMES)
def test_every_topic_of_the_page_is_a_heading(game: str) -> None:
    """The rules open at a topic that the client names; its own tests list them all."""
    folder = DOCS.parent / "client/src/games" / game.replace("-", "")
    topics = set(TOPICS.findall((folder / "words/topic.test.ts").read_text("utf-8")))
    assert len(topics) > 5
    anchors = {heading.anchor for heading in rules(game, "fr").headings}
    assert {f"rule-{topic}" for topic in topics} <= anchors
