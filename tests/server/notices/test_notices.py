"""Notices: sent to a real endpoint, read as a browser reads them, and never to a private place."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from server.in_process import browser, serving
from server.notices.endpoint import CURVE, Endpoint, Phone, claims, decoded, encoded, endpoint
from support.own_loop import run

from headway.server.core.calendar import steady_time
from headway.server.core.errors import RefusedError
from headway.server.notices import service
from headway.server.notices.outbound import Outbound, UnreachableError, is_public
from headway.server.notices.web_push import Browser, encrypted
from headway.server.tables import downtime
from headway.server.tables.connections import Connection

HERE = (ipaddress.ip_network("127.0.0.0/8"),)
DAYS = {"kind": "days", "days": 3}


def test_encrypts_as_the_standard_shows() -> None:
    """The example of RFC 8291, section 5."""

    def key(text: str) -> ec.EllipticCurvePrivateKey:
        return ec.derive_private_key(int.from_bytes(decoded(text)), CURVE)

    phone = Phone(
        key("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), decoded("BTBZMqHH6r4Tts7J_aSIgg")
    )
    text = b"When I grow up, I want to be a watermelon"
    sender, salt = key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "DGv6ra1nlYgDCS1FRnbzlw"
    body = encrypted(text, Browser("", **phone.keys()), sender, decoded(salt))
    assert encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInm"
        "YWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQ"
        "exSgSxsj_Qulcy4a-fN"
    )
    assert phone.read(body) == text


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2001:4860:4860::8888", True),
        ("127.0.0.1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("169.254.169.254", False),
        ("10.1.2.3", False),
        ("100.64.0.1", False),
        ("::1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("224.0.0.1", False),
        ("0.0.0.0", False),
        ("::", False),
    ],
)
def test_what_is_public(address: str, public: bool) -> None:
    assert is_public(ipaddress.ip_address(address)) is public


class Table:
    """Ann and Ben at a game; Ann's browser and webhook are at an endpoint of the test."""

    def __init__(
        self, app: Any, ann: httpx.AsyncClient, ben: httpx.AsyncClient, to: Endpoint
    ) -> None:
        self.process = app.app.state.process
        self.ann, self.ben, self.to = ann, ben, to
        self.phone = Phone()
        self.id = ""

    async def call(self, client: httpx.AsyncClient, method: str, path: str, **body: Any) -> Any:
        answer = await client.request(method, f"/api/{path}", json=body or None)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    async def begin(self, **more: Any) -> None:
        seats = [{"kind": "me"}, {"kind": "open"}]
        body = {"game": "next-station", "map": "london", "seats": seats} | more
        self.id = (await self.call(self.ann, "POST", "tables", **body))["id"]
        await self.call(self.ben, "POST", f"tables/{self.id}/join", name="Ben")

    async def subscribe(self, path: str) -> Any:
        place = f"{self.to.url}/{path}"
        keys = self.phone.keys()
        return await self.call(self.ann, "POST", "notices/browsers", endpoint=place, **keys)

    async def move(self, client: httpx.AsyncClient) -> None:
        seat = 0 if client is self.ann else 1
        table = await self.call(client, "GET", f"tables/{self.id}")
        move = {"move": table["legal"][str(seat)][-1], "client_id": f"{time.monotonic_ns():020}"}
        await self.call(client, "POST", f"tables/{self.id}/moves", seat=seat, **move)

    async def turn(self) -> None:
        """Both move, Ann first: then she is asked again."""
        await self.move(self.ann)
        await self.move(self.ben)


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[Table]:
    database = f"sqlite:///{folder / 'tables.sqlite'}"
    async with (
        endpoint(folder) as to,
        serving(database, notice_networks=HERE, origin="http://headway") as app,
        browser(app) as ann,
        browser(app) as ben,
    ):
        await ann.get("/api/me")
        await ann.patch("/api/me", json={"name": "Ann"})
        await ben.get("/api/me")
        yield Table(app, ann, ben, to)


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs a test at a table whose server trusts the endpoint and waits for nothing."""
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    monkeypatch.setattr(service, "GRACE_SECONDS", 0.01)
    monkeypatch.setattr(service, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(service, "RETRY_SECONDS", (0.0, 0.0))

    def to_the_end(test: Callable[[Table], Coroutine[Any, Any, None]]) -> None:
        async def everything() -> None:
            async with playing(tmp_path) as table:
                await test(table)

        run(everything())

    return to_the_end


def test_a_turn_is_called_out_and_says_nothing_of_the_game(play: Any) -> None:
    async def test(table: Table) -> None:
        key = (await table.call(table.ann, "GET", "notices"))["key"]
        await table.begin(clock=DAYS)
        for client in (table.ann, table.ben):
            await client.post(f"/api/tables/{table.id}/ready")
        assert (await table.subscribe("201/ann"))["browsers"] == 1
        await table.turn()
        received = await table.to.next()
        notice = table.phone.notice(received)
        assert notice == {
            "kind": "turn",
            "title": "Your turn",
            "text": "Next Station: London, with Ben",
            "path": f"t/{table.id}",
            "table": table.id,
            "waiting": 1,
        }
        assert received.headers["topic"] == table.id
        said = claims(received.headers["authorization"], key)
        assert said["aud"] == table.to.url
        assert time.time() < said["exp"] < time.time() + 86_400
        # Who looks is not called; who only has the page open somewhere is.
        guest = (await table.call(table.ann, "GET", "me"))["id"]

        async def send(_: bytes) -> None: ...

        page = Connection(table.id, guest, send, -1)
        hub = table.process.connections
        hub.connect(page)
        await table.turn()
        await settled(table)
        hub.look(page, False)
        await table.turn()
        await settled(table)
        await table.call(table.ann, "PUT", "notices", unwanted=["turn"])
        await table.turn()
        await settled(table)
        assert table.to.received.qsize() == 1

    play(test)


async def settled(table: Table) -> None:
    """Waits until no notice is on its way."""
    while table.process.notices._tasks:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(play: Any, status: int) -> None:
    async def test(table: Table) -> None:
        await table.subscribe(f"{status}/ann")
        await table.subscribe("503/ann")
        await table.begin()
        await table.to.next()
        await table.to.next()
        await settled(table)
        assert (await table.call(table.ann, "GET", "notices"))["browsers"] == 1

    play(test)


def test_one_notice_in_a_minute(play: Any) -> None:
    async def test(table: Table) -> None:
        await table.begin()
        guest = (await table.call(table.ann, "GET", "me"))["id"]
        store = table.process.notices.store
        assert await store.take_turn(table.id, guest, 60.0) == 0
        assert 50 < await store.take_turn(table.id, guest, 60.0) <= 60
        await asyncio.sleep(0.05)
        assert await store.take_turn(table.id, guest, 0.05) == 0

    play(test)


def test_a_webhook_is_signed_and_tried_three_times(play: Any) -> None:
    async def test(table: Table) -> None:
        await table.ann.post("/api/account", json={"name": "Ann", "password": "a long password"})
        url = f"{table.to.url}/302/hook"
        secret = (await table.call(table.ann, "PUT", "notices/webhook", url=url))["secret"]
        await table.begin()
        tries = [await table.to.next() for _ in range(3)]
        assert {one.path for one in tries} == {"/302/hook"}  # no redirect is followed
        body = tries[0].body
        assert json.loads(body)["kind"] == "begun"
        assert json.loads(body)["url"] == f"http://headway/t/{table.id}"
        at, code = tries[0].headers["headway-signature"].removeprefix("t=").split(",v1=")
        assert code == hmac.digest(secret.encode(), f"{at}.".encode() + body, "sha256").hex()
        await settled(table)
        hook = (await table.call(table.ann, "GET", "notices"))["webhook"]
        assert hook == {"url": url, "failures": 1, "stopped": False}
        assert table.to.received.empty()

    play(test)


REFUSED = {
    "http://127.0.0.1/": "url",
    "https://user:word@127.0.0.1/": "url",
    "https:///": "url",
    "file:///etc/passwd": "url",
    "https://[::ffff:169.254.169.254]/": "private",
    "https://169.254.169.254/latest/meta-data": "private",
    "https://10.0.0.1/": "private",
    "https://no-such-host.invalid/": "no_host",
}


def test_what_may_not_be_called(play: Any) -> None:
    async def test(table: Table) -> None:
        answer = await table.ben.put("/api/notices/webhook", json={"url": f"{table.to.url}/201/x"})
        assert answer.json()["error"]["key"] == "server.no_account"
        await table.ann.post("/api/account", json={"name": "Ann", "password": "a long password"})
        for place, reason in REFUSED.items():
            for method, path, more in (
                ("PUT", "webhook", {"url": place}),
                ("POST", "browsers", {"endpoint": place} | table.phone.keys()),
            ):
                answer = await table.ann.request(method, f"/api/notices/{path}", json=more)
                assert answer.status_code == 400
                assert answer.json()["error"]["key"] == f"call.{reason}"
        odd = {"endpoint": f"{table.to.url}/201/x", "p256dh": "AAAA", "auth": "AAAA"}
        answer = await table.ann.post("/api/notices/browsers", json=odd)
        assert answer.json()["error"]["key"] == "call.key"

    play(test)


def test_a_name_that_changes_its_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked up once for each request, and the connection goes to what was checked."""
    asked: list[str] = []
    addresses = ["8.8.8.8", "127.0.0.1"]

    async def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return [addresses[min(len(asked), 2) - 1]]

    async def sent() -> None:
        async with endpoint(tmp_path) as to:
            url = to.url.replace("127.0.0.1", "localhost") + "/201/x"
            outbound = Outbound((), resolve)
            await outbound.check(url)  # it is a public address as yet
            with pytest.raises(RefusedError, match="private"):
                await outbound.post(url, {}, b"")
            assert asked == ["localhost"] * 2
            assert to.received.empty()
            asked.clear()
            addresses[:] = ["127.0.0.1", "192.0.2.1"]
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
            outbound = Outbound(HERE, resolve)
            assert await outbound.post(url, {}, b"") == 201
            assert asked == ["localhost"]
            monkeypatch.delenv("SSL_CERT_FILE")
            addresses[1] = "127.0.0.1"
            with pytest.raises(UnreachableError):  # nobody vouches for its certificate
                await Outbound(HERE, resolve).post(url, {}, b"")

    run(sent())


def test_a_game_of_days_in_which_nobody_has_a_page_open(
    play: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three days pass: each makes a move for both, and calls Ann once."""
    passed = [0.0]
    monkeypatch.setattr(downtime, "SILENCE_SECONDS", 1e9)  # the server serves all the time
    monkeypatch.setattr(steady_time, "_last", steady_time._last)  # it goes back after the test
    monkeypatch.setattr(steady_time, "_wall", lambda: time.time() + passed[0])

    async def test(table: Table) -> None:
        await table.subscribe("201/ann")
        await table.begin(clock={"kind": "days", "days": 1})
        kinds = [table.phone.notice(await table.to.next())["kind"]]
        for _ in range(3):
            passed[0] += 86_400 + 60
            kinds.append(table.phone.notice(await table.to.next())["kind"])
        await settled(table)
        assert kinds == ["begun", "turn", "turn", "turn"]
        assert table.to.received.empty()
        seen = await table.call(table.ann, "GET", f"tables/{table.id}")
        forced = [told["seat"] for told in seen["happenings"] if told["kind"] == "time"]
        assert sorted(forced) == [0, 0, 0, 1, 1, 1]
        assert seen["legal"]["0"]
        assert 86_000 < seen["clocks"]["ends"]["0"] - seen["now"] <= 86_400

    play(test)


def test_a_calendar_that_only_its_owner_can_name(play: Any) -> None:
    async def test(table: Table) -> None:
        await table.begin(clock=DAYS)
        for client in (table.ann, table.ben):
            await client.post(f"/api/tables/{table.id}/ready")
        path = (await table.call(table.ann, "POST", "notices/calendar"))["path"]
        async with httpx.AsyncClient(
            transport=table.ben._transport, base_url="http://headway"
        ) as reader:
            answer = await reader.get(path)
            assert answer.headers["content-type"].startswith("text/calendar")
            assert "set-cookie" not in answer.headers
            assert f"UID:{table.id}@headway\r\n" in answer.text
            assert "SUMMARY:Time to move runs out: Next Station: London" in answer.text
            assert all(len(line.encode()) <= 75 for line in answer.text.split("\r\n"))
            await table.move(table.ann)
            assert "VEVENT" not in (await reader.get(path)).text
            await table.call(table.ann, "DELETE", "notices/calendar")
            assert (await reader.get(path)).status_code == 404

    play(test)


def test_signing_out_ends_the_calls_in_this_browser(play: Any) -> None:
    async def test(table: Table) -> None:
        await table.subscribe("201/ann")
        who = {"name": "Ann", "password": "a long password"}
        await table.ann.post("/api/account", json=who)
        assert (await table.call(table.ann, "GET", "notices"))["browsers"] == 1
        await table.ann.delete("/api/account/session")
        await table.ann.post("/api/account/session", json=who)
        assert (await table.call(table.ann, "GET", "notices"))["browsers"] == 0

    play(test)


def test_recovering_an_account_ends_the_calls_in_all_browsers(play: Any) -> None:
    async def test(table: Table) -> None:
        await table.subscribe("201/ann")
        who = {"name": "Ann", "password": "a long password"}
        code = (await table.call(table.ann, "POST", "account", **who))["recovery"]
        await table.call(table.ben, "POST", "account/recover", code=code, **who)
        assert (await table.call(table.ben, "GET", "notices"))["browsers"] == 0

    play(test)
