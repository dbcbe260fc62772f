"""Whose requests count as whose: addresses behind a proxy, networks, and tried passwords."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from server.services import PATIENT, Backing, Server

from headway.errors import InputError
from headway.server.web.context import client_network, proxy_networks

PROXY, STRANGER = "127.0.0.1", "127.0.0.2"


@pytest.mark.parametrize(
    ("peer", "lines", "network"),
    [
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["198.51.100.1", "203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["203.0.113.7:4711"], "203.0.113.7"),
        ("127.0.0.1", ["[2001:db8:1:2::3]:4711"], "2001:db8:1:2::/64"),
        ("127.0.0.1", ["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::/64"),
        ("127.0.0.1", ["::ffff:203.0.113.7"], "203.0.113.7"),
        ("127.0.0.1", ["unknown"], "127.0.0.1"),
        ("127.0.0.1", ["203.0.113.7, "], "127.0.0.1"),
        ("::ffff:127.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("198.51.100.9", ["203.0.113.7"], "198.51.100.9"),
        ("2001:db8:1:2::7", ["203.0.113.7"], "2001:db8:1:2::/64"),
    ],
)
def test_only_the_proxy_is_believed(peer: str, lines: list[str], network: str) -> None:
    headers = [(b"x-forwarded-for", line.encode()) for line in lines]
    scope = {"client": (peer, 1), "headers": headers}
    assert client_network(scope, proxy_networks("127.0.0.1, 10.0.0.0/8")) == network


def test_without_a_proxy_nobody_is_believed() -> None:
    scope = {"client": ("127.0.0.1", 1), "headers": [(b"x-forwarded-for", b"203.0.113.7")]}
    assert client_network(scope, proxy_networks("")) == "127.0.0.1"
    assert client_network(scope, proxy_networks("1")) == "203.0.113.7"


def test_networks_that_cannot_be_read() -> None:
    for text in ("yes", "10.0.0.0/99", "10.0.0.1/8"):
        with pytest.raises(InputError):
            proxy_networks(text)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("addresses")
    backing = Backing("sqlite", f"sqlite:///{folder / 'tables.sqlite'}", "")
    running = Server(backing, folder, HEADWAY_RATE_LIMIT=1, HEADWAY_TRUSTED_PROXY=PROXY)
    yield running
    running.stop()
    told = {line["message"].partition(" ")[0] for line in running.errors()}
    assert told <= {"X-Forwarded-For"}  # a stranger invents addresses


def sign_in(server: Server, name: str, password: str, address: str, peer: str = PROXY) -> int:
    """Tries a password; returns the status."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address=peer), **PATIENT) as client:
        return client.post(
            f"{server.url}/api/account/session",
            json={"name": name, "password": password},
            headers={"x-forwarded-for": address},
        ).status_code


def test_wrong_passwords_do_not_lock_the_owner_out(server: Server) -> None:
    ann = server.guest()
    ann.ok(ann.post("account", name="Ann", password="correct horse"))
    wrong = [sign_in(server, "Ann", "wrong password", "203.0.113.7") for _ in range(12)]
    assert wrong[:10] == [403] * 10
    assert wrong[-1] == 429
    assert sign_in(server, "Ann", "correct horse", "203.0.113.8") == 200


def test_neither_ports_nor_a_whole_network_help_to_guess(server: Server) -> None:
    ports = [sign_in(server, "Ben", "wrong password", f"203.0.113.9:{n}") for n in range(12)]
    assert ports[-1] == 429
    hosts = [sign_in(server, "Ben", "wrong password", f"2001:db8::{n}") for n in range(12)]
    assert hosts[-1] == 429


def test_a_stranger_cannot_invent_addresses(server: Server) -> None:
    tries = [sign_in(server, "Cleo", "wrong password", f"192.0.2.{n}", STRANGER) for n in range(12)]
    assert tries[-1] == 429
