"""What the server refuses, and that it says why in a sentence; what it never tells."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from server import services
from server.services import ON_SQLITE, PATIENT, Backing, Server, until
from websockets.exceptions import InvalidStatus


def sentence(answer: httpx.Response, status: int, key: str = "") -> str:
    """The sentence of an error that has this status and key."""
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert set(error) == {"rule", "key", "sentence", "lang"}
    assert not key or error["key"] == key
    text: str = error["sentence"]
    assert text.strip().endswith((".", "!", "?")), text
    return text


@ON_SQLITE
def test_csrf(server: Server) -> None:
    ann = server.guest()
    body = {"game": "next-station", "map": "london", "seats": [{"kind": "me"}]}
    allowed: tuple[dict[str, str], ...] = (
        {},  # a program
        {"origin": server.url},
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none"},
    )
    refused = (
        {"origin": "http://elsewhere.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": "http://elsewhere.example"},
    )
    for headers in allowed:
        assert ann.http.post("/api/tables", json=body, headers=headers).status_code == 201
    for headers in refused:
        sentence(ann.http.post("/api/tables", json=body, headers=headers), 403, "server.csrf")
        assert ann.http.get("/api/tables", headers=headers).status_code == 200


@ON_SQLITE
def test_cookie_cannot_be_forged(server: Server) -> None:
    ann = server.guest()
    guest, _, signature = ann.http.cookies["headway"].partition(".")
    for cookie in (guest, f"{guest}.{'0' * 40}", f"{guest[:-1]}x.{signature}", "é", "a.b", ""):
        sent = f"headway={cookie}".encode()
        with httpx.Client(base_url=server.url, headers={b"cookie": sent}, **PATIENT) as eve:
            assert eve.get("/api/me").json()["id"] != ann.id


@ON_SQLITE
def test_cookies_say_what_browsers_need(server: Server) -> None:
    first = httpx.get(f"{server.url}/api/me", **PATIENT)
    cookies = first.headers.get_list("set-cookie")
    assert len(cookies) == 1
    assert all("SameSite=Lax" in cookie and "Path=/" in cookie for cookie in cookies)
    assert cookies[0].startswith("headway=")
    assert "HttpOnly" in cookies[0]
    again = httpx.get(f"{server.url}/api/me", cookies=dict(first.cookies), **PATIENT)
    assert "set-cookie" not in again.headers


@ON_SQLITE
def test_socket_from_elsewhere_is_refused(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me")
    for origin in ("http://elsewhere.example", "null", None):
        with pytest.raises(InvalidStatus) as refused, ann.socket(table, origin=origin):
            pass
        assert refused.value.response.status_code == 403


@ON_SQLITE
def test_chosen_origin(start: Callable[..., Server]) -> None:
    server = start(HEADWAY_ORIGIN="https://play.example")
    ann = server.guest()
    with pytest.raises(InvalidStatus), ann.socket("abc"):
        pass
    cookies = httpx.get(f"{server.url}/api/me", **PATIENT).headers.get_list("set-cookie")
    assert all("Secure" in cookie for cookie in cookies)


@ON_SQLITE
def test_headers(server: Server) -> None:
    for path in ("/api/me", "/", "/api/nothing", "/health"):
        answer = httpx.get(server.url + path, **PATIENT)
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert len(answer.headers["x-request-id"]) == 16
        assert "server" not in answer.headers


def test_health_and_metrics(server: Server) -> None:
    assert httpx.get(f"{server.url}/health", **PATIENT).json()["status"] == "ok"
    text = httpx.get(f"{server.url}/metrics", **PATIENT).text
    assert "headway_requests_total" in text
    assert "headway_sockets 0" in text


GOOD: dict[str, Any] = {"game": "next-station", "map": "london", "seats": [{"kind": "me"}]}


@ON_SQLITE
@pytest.mark.parametrize(
    ("change", "status", "key"),
    [
        ({"game": "chess"}, 400, "format.unknown_game"),
        ({"map": "../../etc/passwd"}, 400, "server.no_map"),
        ({"map": "/etc/x.toml"}, 400, "server.no_map"),
        ({"map": 7}, 400, "format.field"),
        ({"seats": []}, 400, "format.field"),
        ({"seats": [{"kind": "me"}] * 5}, 422, "broken.NS-01"),
        ({"seats": [{"kind": "me"}] * 9}, 400, "format.field"),
        ({"seats": [{"kind": "bot"}]}, 400, "format.unknown_bot"),
        ({"seats": [{"kind": "bot", "bot": "oracle"}]}, 400, "format.unknown_bot"),
        ({"seats": [{"kind": "me", "name": "n" * 41}]}, 400, "server.name_long"),
        ({"seats": [{"kind": "me", "name": "\u200b"}]}, 400, "server.no_name"),
        ({"options": {"powers": True, "special_stations": True}}, 422, "broken.PW-07"),
        ({"options": {"cheats": True}}, 400, "format.option"),
        ({"clock": {"kind": "turn"}}, 400, "server.clock"),
        ({"clock": {"kind": "none", "seconds": 5}}, 400, "server.clock"),
        ({"clock": {"kind": "turn", "seconds": 0}}, 400, "format.field"),
        ({"clock": {"kind": "turn", "seconds": 9}, "training": True}, 400, "server.clock_training"),
        ({"seed": 5}, 400, "server.seed_training"),
        ({"seed": -1, "training": True}, 400, "format.field"),
        ({"unknown": 1}, 400, "format.field"),
    ],
)
def test_bad_tables(server: Server, change: dict[str, Any], status: int, key: str) -> None:
    ann = server.guest()
    for lang in ("en", "fr"):
        answer = ann.http.post(f"/api/tables?lang={lang}", json=GOOD | change)
        text = sentence(answer, status, key)
        assert answer.json()["error"]["lang"] == lang
        assert "Traceback" not in text


@ON_SQLITE
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"\xff"', b"[" * 9000, b"1e999999"])
def test_bad_bodies(server: Server, body: bytes) -> None:
    ann = server.guest()
    headers = {"content-type": "application/json"}
    sentence(ann.http.post("/api/tables", content=body, headers=headers), 400)


@ON_SQLITE
def test_bodies_that_are_not_said_to_be_json(server: Server) -> None:
    """A foreign page can send these types without asking the server first."""
    ann, body = server.guest(), json.dumps(GOOD).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        headers = {"content-type": kind} if kind else {}
        answer = ann.http.post("/api/tables", content=body, headers=headers)
        sentence(answer, 415, "server.json_only")
        chunks = ann.http.post("/api/tables", content=iter([body]), headers=headers)
        sentence(chunks, 415, "server.json_only")
    for kind in ("application/json", "Application/JSON; charset=utf-8"):
        answer = ann.http.post("/api/tables", content=body, headers={"content-type": kind})
        assert answer.status_code == 201


@ON_SQLITE
def test_large_bodies(server: Server) -> None:
    ann = server.guest()
    body = json.dumps(GOOD | {"pad": "x" * 30_000}).encode()
    headers = {"content-type": "application/json"}
    sentence(ann.http.post("/api/tables", content=body, headers=headers), 413, "server.too_large")


@ON_SQLITE
@pytest.mark.parametrize(
    "path",
    ["/api/nothing", "/api/tables/nobody", "/api/tables/x/record", "/t", "/assets/../app.py",
     "/assets/%2e%2e/%2e%2e/app.py", "/%2e%2e/app.py", "/assets//etc/passwd"],
)  # fmt: skip
def test_nothing_there(server: Server, path: str) -> None:
    sentence(httpx.get(server.url + path, **PATIENT), 404)


@ON_SQLITE
def test_languages(server: Server) -> None:
    ask = {"accept-language": "de;q=1, fr-CA;q=0.8, en;q=0.5"}
    assert "adresse" in sentence(httpx.get(f"{server.url}/api/x", headers=ask, **PATIENT), 404)
    assert "address" in sentence(
        httpx.get(f"{server.url}/api/x?lang=en", headers=ask, **PATIENT), 404
    )
    odd = {"accept-language": "x;q=y,,;;q=,fr"}
    assert "adresse" in sentence(httpx.get(f"{server.url}/api/x", headers=odd, **PATIENT), 404)


@ON_SQLITE
def test_wrong_method(server: Server) -> None:
    ann = server.guest()
    sentence(ann.http.delete("/api/tables"), 405, "server.method")


@ON_SQLITE
def test_an_address_that_is_none(server: Server) -> None:
    """A browser gets the page, which says so; a program gets a sentence."""
    ann, html = server.guest(), {"accept": "text/html,*/*;q=0.8"}
    for path in ("/foo", "/foo/bar", "/t/", "/about/us"):
        shown = ann.http.get(path, headers=html)
        assert shown.status_code == 404
        assert "<script" in shown.text
        sentence(ann.http.get(path), 404, "server.not_found")
    for path in ("/api/foo", "/api/tables/bcdfgh", "/assets/none.js"):
        sentence(ann.http.get(path, headers=html), 404)


def test_rate_limits(start: Callable[..., Server]) -> None:
    server = start(HEADWAY_RATE_LIMIT=0.25)
    ann = server.guest()
    answers = [ann.post("tables", **GOOD) for _ in range(12)]
    codes = [answer.status_code for answer in answers]
    assert codes[0] == 201
    assert codes[-1] == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    sentence(answers[-1], 429, "server.too_often")
    ben = server.guest()
    assert ben.post("tables", **GOOD).status_code == 201


def test_rate_limits_are_shared_by_processes(
    start: Callable[..., Server], backing: Backing
) -> None:
    """Where channels are shared, two processes let through no more than one."""
    servers = [start(HEADWAY_RATE_LIMIT=0.25) for _ in range(2)]
    ann = servers[0].guest()
    codes = []
    for n in range(14):
        ann.moved_to(servers[n % 2])
        codes.append(ann.post("tables", **GOOD).status_code)
    assert (codes.count(201) <= 7) == bool(backing.channels), codes
    assert codes.count(201) >= 5


def test_rate_limits_hold_without_redis(tmp_path: Path) -> None:
    with services.redis() as address:
        backing = Backing("sqlite", f"sqlite:///{tmp_path / 'tables.sqlite'}", address)
        server = Server(backing, tmp_path, HEADWAY_RATE_LIMIT=0.25)
        ann = server.guest()
    codes = [ann.post("tables", **GOOD).status_code for _ in range(12)]
    until(lambda: len(server.errors()) >= 2)
    server.stop()
    assert codes[0] == 201
    assert codes[-1] == 429
    assert sorted(line["message"] for line in server.errors()) == [
        "channels lost",
        "shared limits lost",
    ]


def test_rate_limit_of_a_socket(start: Callable[..., Server]) -> None:
    server = start(HEADWAY_RATE_LIMIT=0.25)
    ann = server.guest()
    table = ann.set_up("me")
    with ann.socket(table) as ear:
        for _ in range(30):
            ear.say(type="ping")
        refused = ear.wait(lambda m: m["type"] == "refused")
        assert refused["error"]["key"] == "server.too_often"


@ON_SQLITE
def test_too_many_tokens(server: Server) -> None:
    ann = server.guest()
    codes = [ann.post("tokens", name=f"bot {n}").status_code for n in range(11)]
    assert codes == [201] * 10 + [409]


@ON_SQLITE
def test_log_is_structured_and_tells_nothing_hidden(start: Callable[..., Server]) -> None:
    server = start()
    ann, ben = server.guest("Ann-of-the-log"), server.guest()
    table = ann.set_up("me", "open", "greedy", training=True, seed=987654321987)
    token = ann.ok(ann.post("tokens", name="log"))["token"]
    ben.join(table)
    moves = []
    for seat, guest in ((0, ann), (1, ben)):
        moves.append(guest.see(table)["legal"][str(seat)][-1])
        guest.move(table, seat, moves[-1])
    ann.try_move(table, 0, "d2a2 zzz-quoted")
    ann.http.post("/api/tables", content=b'{"game": "quoted-in-a-body"')
    with ann.socket(table, "?since=0") as ear:
        ear.table()
    answer = ann.http.get("/api/me")
    lines = until(lambda: _lines(server, answer.headers["x-request-id"]))
    text = "\n".join(json.dumps(line) for line in lines)
    hidden = ["987654321987", token, ann.http.cookies["headway"], "Ann-of-the-log"]
    for secret in [*hidden, "quoted", "since=", *(m for m in moves if m != "pass")]:
        assert secret not in text
    for line in lines:
        assert {"at", "level", "logger", "message"} <= set(line)
    assert [line for line in lines if line.get("route") == "/api/tables/{table}/moves"]


def _lines(server: Server, request: str) -> list[dict[str, Any]]:
    """All lines of the log, once it has that of a request."""
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    return lines if any(line.get("id") == request for line in lines) else []
