"""Servers for the tests: on SQLite alone, and on PostgreSQL with Redis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from server import services
from server.services import Backing, Server

BACKINGS = ("sqlite", "postgresql")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share a server stay in one process when several run tests."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            backing = getattr(item, "callspec", None)
            name = backing.params.get("backing", "") if backing else ""
            item.add_marker(pytest.mark.xdist_group(f"{item.path.stem} {name}"))


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    with services.postgresql() as address:
        yield address


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    with services.redis() as address:
        yield address


@pytest.fixture(params=BACKINGS, scope="module")
def backing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Backing:
    """A fresh database, and channels where there are several processes."""
    if request.param == "sqlite":
        file = tmp_path_factory.mktemp("tables") / "tables.sqlite"
        return Backing("sqlite", f"sqlite:///{file}", "")
    address: str = request.getfixturevalue("postgresql")
    channels: str = request.getfixturevalue("redis")
    return Backing("postgresql", services.new_database(address), channels)


@pytest.fixture(scope="module")
def server(backing: Backing, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of a module; at its end nothing may have gone wrong in it."""
    running = Server(backing, tmp_path_factory.mktemp("logs"), HEADWAY_AWAY_SECONDS=0.3)
    yield running
    running.stop()
    told = [line["message"] for line in running.errors()]
    # Tests invent addresses, as strangers do.
    assert [line for line in told if not line.startswith("X-Forwarded-For")] == []


@pytest.fixture
def start(
    backing: Backing, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Server]]:
    """Starts servers that end with the test."""
    started: list[Server] = []
    folder: Path = tmp_path_factory.mktemp("logs")

    def begin(constants: Mapping[str, object] | None = None, /, **variables: object) -> Server:
        started.append(Server(backing, folder, constants, **variables))
        return started[-1]

    yield begin
    for running in started:
        running.stop()
