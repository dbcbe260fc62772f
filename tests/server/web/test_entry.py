"""Who may come in: `HEADWAY_ENTRY`, invitations, trusted networks and the host's own pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
from server.commands import done, headway, refused
from server.in_process import browser, serving
from server.services import ON_SQLITE, PATIENT, Backing, Guest, Server
from server.steps import PASSWORD, claim, key_of
from support.own_loop import run
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from headway.server.app import create_app
from headway.server.people.ways_in import make_invitation
from headway.settings import ServerSettings

Start = Callable[..., Server]
STRANGER = 403, "server.stranger"
FOR_EVERYBODY = {
    "GET /api/me", "GET /api/operator/notice", "GET /api/house/{page:str}", "GET /api/shelf",
    "GET /api/shelf/{game:str}/{map_name:str}", "GET /api/texts/{lang_name:str}",
    "GET /api/shelf/{game:str}/{map_name:str}/picture.png",
    "GET /api/shelf/{game:str}/{map_name:str}/sheet.svg",
    "GET /api/shelf/{game:str}/{map_name:str}/sheet.pdf",
    "GET /api/rules/{game:str}/{lang_name:str}", "GET /api/rules/pictures/{name:str}",
    "GET /api/calendar/{name:str}", "POST /api/account", "POST /api/account/session",
    "DELETE /api/account/session", "POST /api/account/recover", "POST /api/account/invitation",
    "POST /api/account/session/passkey/begin", "POST /api/account/session/passkey",
    "POST /api/account/device/whose", "POST /api/account/session/device",
    "GET /schema", "GET /schema/openapi.json",
    "GET /health", "GET /health/live", "GET /health/ready", "GET /metrics",
}  # fmt: skip
"""What strangers may ask for besides the page and its files."""
EXAMPLES = {"int": "1", "str": "london", "path": "x", "date": "2026-01-31"}


def routes() -> Iterator[tuple[str, str, bool]]:
    """Method, address and whether it is a page or a file, of everything that can be asked for."""
    for route in create_app(ServerSettings("sqlite:///never-opened.sqlite")).app.routes:
        handlers = getattr(route, "route_handlers", [])
        for handler in handlers:
            for method in sorted(handler.http_methods - {"OPTIONS"}):
                file = handler.fn.__module__.endswith("content.site")
                yield method, str(route.path), file
        if not handlers:
            yield "socket", str(route.path), False


def opens(guest: Guest, path: str) -> bool:
    """Whether the server lets somebody open a socket."""
    url, site = guest.server.url.replace("http", "ws"), Origin(guest.server.url)
    cookies = "; ".join(f"{c.name}={c.value}" for c in guest.http.cookies.jar)
    try:
        with connect(url + path, origin=site, additional_headers={"cookie": cookies}):
            return True
    except InvalidStatus as error:
        return error.response.status_code != 403


@ON_SQLITE
def test_strangers_get_no_further_than_the_door(start: Start) -> None:
    server = start(HEADWAY_ENTRY="account")
    stranger = server.guest()
    for method, address, file in routes():
        path = re.sub(r"\{\w+:(\w+)\}", lambda kind: EXAMPLES[kind[1]], address)
        if method == "socket":
            assert not opens(stranger, path)
            continue
        answer = stranger.http.request(method, path, json=None if method == "GET" else {})
        out = answer.status_code == 403 and key_of(answer) == STRANGER
        assert out != (file or f"{method} {address}" in FOR_EVERYBODY), (method, address)


@ON_SQLITE
def test_an_account_opens_the_door(start: Start) -> None:
    before = start()
    ann = before.guest("Ann")
    table = ann.set_up("me", "greedy")
    token = ann.ok(ann.post("tokens"))["token"]
    before.stop()
    closed = start(HEADWAY_ENTRY="account")
    ann.http.close()
    ann.http = httpx.Client(base_url=closed.url, cookies=ann.http.cookies, **PATIENT)
    ann.server = closed
    closed.guests.append(ann)

    def as_program(token: str) -> httpx.Response:
        headers = {"authorization": f"Bearer {token}"}
        return httpx.get(f"{closed.url}/api/tables/{table}", headers=headers, **PATIENT)

    assert key_of(ann.http.get(f"/api/tables/{table}")) == STRANGER
    assert key_of(as_program(token)) == STRANGER
    assert not opens(ann, f"/api/tables/{table}/live")
    claim(ann, "Ann")  # and what the guest has played comes along
    ann.move(table, 0)
    with ann.socket(table) as ear:
        assert ear.table()["id"] == table
    assert as_program(ann.ok(ann.post("tokens"))["token"]).status_code == 200
    # Programs that show a link learn nothing of the table.
    page = httpx.get(f"{closed.url}/t/{table}", **PATIENT).text
    assert "Ann" not in page
    assert f"{table}/" not in page
    assert 'data-entry="account"' in page
    ann.ok(ann.http.delete("/api/account/session"))
    assert key_of(ann.http.get("/api/tables")) == STRANGER


def test_invitations_let_people_in(start: Start, backing: Backing) -> None:
    servers = [start(HEADWAY_ENTRY="invite") for _ in range(2 if backing.channels else 1)]

    def admin(*words: str) -> str:
        return done(headway(backing, "admin", "invitations", *words)).stdout

    made = json.loads(admin("make", "--uses", "2", "--note", "club", "--json"))
    assert made["link"].endswith(f"/invitation#{made['code']}")
    ann, ben, cat = (servers[k % len(servers)].guest() for k in range(3))

    def opened(guest: Guest, name: str, code: str = made["code"]) -> tuple[int, str]:
        answer = guest.post("account", name=name, password=PASSWORD, invitation=code)
        return (201, "") if answer.status_code == 201 else key_of(answer)

    assert opened(ann, "Ada", "") == (403, "server.needs_invitation")
    assert opened(ann, "Ada", "wrong") == (403, "server.invitation")
    assert opened(ann, "Ada") == (201, "")
    assert opened(ben, "Ada") == (409, "server.name_taken")  # which uses nothing
    assert ben.ok(ben.post("account/invitation", code=made["code"])) == {"until": made["until"]}
    assert opened(ben, "Bea") == (201, "")
    assert key_of(cat.post("account/invitation", code=made["code"])) == (403, "server.invitation")
    assert opened(cat, "Cleo") == (403, "server.invitation")
    for guest in (ann, ben):
        guest.set_up("me", "greedy")
    assert [(i["id"], i["note"], i["uses_left"]) for i in json.loads(admin("list", "--json"))] == [
        (made["id"], "club", 0)
    ]
    another = json.loads(admin("make", "--json"))
    admin("revoke", another["id"])
    assert opened(cat, "Cleo", another["code"]) == (403, "server.invitation")
    refused(headway(backing, "admin", "invitations", "revoke", another["id"]), another["id"])
    for server in servers:
        assert server.errors() == []


def test_an_invitation_ends(tmp_path: Path) -> None:
    async def ask() -> httpx.Response:
        async with serving(f"sqlite:///{tmp_path / 'x.sqlite'}", entry="invite") as app:
            process = app.app.state.process
            _, code = await process.database.write(lambda c: make_invitation(c, "", 1.0, 5))
            async with browser(app) as guest:
                body = {"name": "Ann", "password": PASSWORD, "invitation": code}
                return await guest.post("/api/account", json=body)

    assert key_of(run(ask())) == (403, "server.invitation")


@ON_SQLITE
def test_no_limit_counts_the_address_of_a_trusted_network(start: Start) -> None:
    server = start(
        HEADWAY_RATE_LIMIT=0.05, HEADWAY_TRUSTED_PROXY=1, HEADWAY_TRUSTED_NETWORKS="192.0.2.0/24"
    )

    def refusals(address: str) -> int:
        asked = [
            httpx.post(
                f"{server.url}/api/account/session/passkey/begin",
                headers={"x-forwarded-for": address},
                **PATIENT,
            )
            for _ in range(8)
        ]
        return sum(answer.status_code == 429 for answer in asked)

    assert refusals("192.0.2.7") == 0
    assert refusals("198.51.100.7") > 0


@ON_SQLITE
def test_the_host_has_a_name_and_pages(start: Start, tmp_path: Path) -> None:
    (tmp_path / "imprint.txt").write_text("# Monday club\n\nWrite to club@example.org")
    (tmp_path / "imprint.fr.txt").write_text("Club du lundi")
    server = start(HEADWAY_NAME='The "M" club', HEADWAY_PAGES_DIR=tmp_path)
    guest = server.guest()
    page = guest.http.get("/").text
    assert 'data-name="The &quot;M&quot; club" data-pages="imprint"' in page
    assert 'og:site_name" content="The &quot;M&quot; club"' in page
    assert guest.ok(guest.http.get("/manifest.webmanifest"))["name"] == 'The "M" club'
    text = guest.ok(guest.http.get("/api/house/imprint"))["text"]
    assert text == "# Monday club\n\nWrite to club@example.org"
    assert guest.http.get("/api/house/imprint?lang=fr").json() == {"text": "Club du lundi"}
    assert guest.http.get("/api/house/privacy").status_code == 404
    assert guest.http.get("/api/house/..%2f..%2fetc").status_code in (400, 404)
