"""What caches may keep: nothing personal, and no cookie with what is the same for everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest
from server.services import PATIENT, Backing, Server

from headway.server.content.site import STATIC, icons

ASSET = next(file.name for file in (STATIC / "assets").glob("*.js"))
SHARED = [
    "/api/shelf",
    "/api/shelf/next-station/london",
    "/api/shelf/next-station/london/sheet.svg",
    "/api/shelf/next-station/london/sheet.pdf",
    "/api/shelf/next-station/london/picture.png",
    "/api/texts/fr",
    "/api/rules/next-station/en",
    f"/assets/{ASSET}",
    *(f"/icons/{name}" for name in icons()),
    "/worker.js",
    "/manifest.webmanifest",
]
PERSONAL = ["/api/me", "/api/tables", "/api/today", "/api/people/nobody", "/nowhere"]


@pytest.fixture(params=["sqlite"], scope="module")
def backing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Backing:
    """One database is enough: nothing here depends on it."""
    file = tmp_path_factory.mktemp("tables") / "tables.sqlite"
    return Backing("sqlite", f"sqlite:///{file}", "")


@pytest.mark.parametrize("path", SHARED)
def test_what_everybody_shares_has_no_cookie(server: Server, path: str) -> None:
    answer = httpx.get(server.url + path, **PATIENT)
    assert answer.status_code == 200
    assert "public" in answer.headers["cache-control"]
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", PERSONAL)
def test_what_is_personal_is_kept_nowhere(server: Server, path: str) -> None:
    answer = httpx.get(server.url + path, **PATIENT)
    assert answer.headers["cache-control"] == "private, no-store"


def test_a_table_is_kept_nowhere(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me")
    for part in ("", "/record", "/picture.svg", "/picture.png?width=64"):
        answer = ann.http.get(f"/api/tables/{table}{part}")
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "private, no-store", part


def test_the_page_is_kept_only_without_a_cookie(server: Server) -> None:
    browser = httpx.Client(base_url=server.url, headers={"accept": "text/html"}, **PATIENT)
    first, second = browser.get("/"), browser.get("/")
    browser.close()
    assert "set-cookie" in first.headers
    assert first.headers["cache-control"] == "private, no-store"
    assert "set-cookie" not in second.headers
    assert second.headers["cache-control"] == "private, no-cache"


@pytest.fixture(scope="module", params=["origin", "proxy"])
def secure(
    request: pytest.FixtureRequest, backing: Backing, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., httpx.Response]]:
    """Asks a server behind HTTPS, which knows it from its settings or from its proxy."""
    by_origin = request.param == "origin"
    variable = "HEADWAY_ORIGIN" if by_origin else "HEADWAY_TRUSTED_PROXY"
    running = Server(
        backing,
        tmp_path_factory.mktemp("logs"),
        **{variable: "https://play.example" if by_origin else "1"},
    )
    headers = {} if by_origin else {"x-forwarded-proto": "https"}

    def ask(**more: str) -> httpx.Response:
        return httpx.get(f"{running.url}/api/me", headers=headers | more, **PATIENT)

    yield ask
    running.stop()


def test_a_cookie_behind_https_is_bound_to_the_host(secure: Callable[..., httpx.Response]) -> None:
    cookie = secure().headers["set-cookie"]
    name, *attributes = cookie.split("; ")
    assert name.startswith("__Host-headway=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(attributes)
    assert not any(part.lower().startswith("domain") for part in attributes)
    assert "set-cookie" not in secure(cookie=name).headers


def test_a_cookie_that_another_host_could_set_is_not_believed(
    secure: Callable[..., httpx.Response],
) -> None:
    value = secure().headers["set-cookie"].split(";")[0].partition("=")[2]
    assert "set-cookie" in secure(cookie=f"headway={value}").headers


def test_a_stranger_cannot_pretend_https(server: Server) -> None:
    answer = httpx.get(f"{server.url}/api/me", headers={"x-forwarded-proto": "https"}, **PATIENT)
    assert answer.headers["set-cookie"].startswith("headway=")
