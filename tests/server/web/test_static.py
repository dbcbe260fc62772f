"""The addresses of pages: the server serves those that the client's table of routes lists."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from urllib.robotparser import RobotFileParser

import httpx
import pytest
from server.services import ON_SQLITE, PATIENT, Server

from headway.server.content.site import STATIC

EXAMPLES = {"str": "abc", "int": "3", "date": "2026-01-31"}
PERSON = {"accept": "text/html"}
ROUTES = STATIC / "routes.json"


@ON_SQLITE
@pytest.mark.parametrize("address", json.loads(ROUTES.read_text("utf-8")))
def test_every_page_is_served(server: Server, address: str) -> None:
    path = re.sub(r"\{\w+:(\w+)\}", lambda kind: EXAMPLES[kind[1]], address)
    answer = httpx.get(server.url + path, headers=PERSON, **PATIENT)
    assert answer.status_code == 200
    # The server adds the link preview at the end of the head and changes nothing else.
    head, body = (STATIC / "index.html").read_text("utf-8").split("</head>")
    assert answer.text.startswith(head.rstrip())
    assert answer.text.endswith("</head>" + body)
    assert answer.text.count("og:title") == 1


@ON_SQLITE
@pytest.mark.parametrize("path", ["/nowhere", "/t", "/today/soon", "/replay/x", "/routes.json"])
def test_the_client_says_that_nothing_is_there(server: Server, path: str) -> None:
    answer = httpx.get(server.url + path, headers=PERSON, **PATIENT)
    assert answer.status_code == 404
    assert answer.text == (STATIC / "index.html").read_text("utf-8")


def test_the_build_lists_the_routes_of_the_client(pytestconfig: pytest.Config) -> None:
    source = (pytestconfig.rootpath / "client/src/routes.ts").read_text("utf-8")
    assert json.loads(ROUTES.read_text("utf-8")) == re.findall(r"  route\('([^']+)'", source)


@ON_SQLITE
def test_an_asset_comes_as_the_browser_can_unpack_it(server: Server) -> None:
    file = next((STATIC / "assets").glob("*.js"))
    url = f"{server.url}/assets/{file.name}"
    for accepted, encoding in (("gzip, br", "br"), ("gzip", "gzip"), ("br;q=0", None)):
        with httpx.stream("GET", url, headers={"accept-encoding": accepted}, **PATIENT) as answer:
            sent = b"".join(answer.iter_raw())
        assert answer.headers.get("content-encoding") == encoding
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["vary"] == "accept-encoding"
        if encoding == "br":
            assert sent == file.with_name(f"{file.name}.br").read_bytes()
        else:
            plain = gzip.decompress(sent) if encoding else sent
            assert plain == file.read_bytes()


def previewed(server: Server, host: str) -> dict[str, str]:
    """The addresses in the preview of a page that is asked for with this `Host`."""
    page = httpx.get(server.url + "/today", headers={"host": host}, **PATIENT)
    assert host not in page.text
    return dict(re.findall(r'"og:(url|image)" content="([^"]+)"', page.text))


@ON_SQLITE
def test_previews_never_repeat_the_host_of_a_request(start: Callable[..., Server]) -> None:
    """What a program keeps of a link must not lead to a host that somebody else has written."""
    addresses = previewed(start(), "evil.example")
    assert addresses["url"] == "/today"
    assert addresses["image"].startswith("/api/shelf/")
    chosen = previewed(start(HEADWAY_ORIGIN="https://play.example/"), "evil.example")
    assert chosen == {k: f"https://play.example{path}" for k, path in addresses.items()}


HEADS = ["/", "/health", "/metrics", "/api/me", "/api/shelf", "/worker.js", "/icons/any.svg"]


@ON_SQLITE
@pytest.mark.parametrize("path", HEADS)
def test_head_is_get_without_content(server: Server, path: str) -> None:
    got, head = (httpx.request(way, server.url + path, **PATIENT) for way in ("GET", "HEAD"))
    assert head.status_code == got.status_code == 200
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]
    assert "content-length" in head.headers


@ON_SQLITE
def test_head_of_what_is_not_there(server: Server) -> None:
    assert httpx.head(f"{server.url}/api/tables/bcdfgh", **PATIENT).status_code == 404
    assert httpx.head(f"{server.url}/api/account", **PATIENT).status_code == 405


@ON_SQLITE
def test_files_that_programs_look_for(server: Server) -> None:
    with httpx.Client(base_url=server.url, **PATIENT) as program:
        robots, icon = program.get("/robots.txt"), program.get("/favicon.ico")
        assert robots.headers["content-type"].startswith("text/plain")
        rules = RobotFileParser()
        rules.parse(robots.text.splitlines())
        assert rules.can_fetch("*", "/t/bcdfgh")
        assert not rules.can_fetch("*", "/api/me")
        assert icon.content[:6] == b"\0\0\1\0\1\0"
        assert icon.content[22:30] == b"\x89PNG\r\n\x1a\n"
        missing = program.get("/.well-known/security.txt")
        assert missing.status_code == 404
        assert missing.json()["error"]["key"] == "server.no_contact"


@ON_SQLITE
def test_the_contact_of_the_host(start: Callable[..., Server]) -> None:
    server = start(HEADWAY_CONTACT="host@play.example", HEADWAY_ORIGIN="https://Play.example:443/")
    answer = httpx.get(f"{server.url}/.well-known/security.txt", **PATIENT)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == "mailto:host@play.example"
    assert fields["Canonical"] == "https://play.example/.well-known/security.txt"
    days = (datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)).days
    assert 0 < days < 365
