"""A server in the process of the test: the order of its answers and its insides are known."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from headway.server.app import create_app
from headway.server.core.database import Database, open_engine
from headway.server.core.migrations import upgrade
from headway.server.notices.web_push import new_key
from headway.server.process import ServerProcess
from headway.settings import ServerSettings


@asynccontextmanager
async def serving(database: str, rate: float = 0.0, **more: Any) -> AsyncIterator[Any]:
    """The application while it runs; `app.app.state.process` is its process."""
    app = create_app(ServerSettings(database, rate=rate, warm_up=False, review_budget=4, **more))
    async with app.app.lifespan():
        yield app


def browser(app: Any, address: str = "127.0.0.1") -> httpx.AsyncClient:
    """A client from an address."""
    transport = httpx.ASGITransport(app=app, client=(address, 5000))
    return httpx.AsyncClient(transport=transport, base_url="http://headway")


@asynccontextmanager
async def idle_process(folder: Path) -> AsyncIterator[ServerProcess]:
    """The parts of a process on a new SQLite database; none of its services runs."""
    address = f"sqlite:///{folder / 'tables.sqlite'}"
    database = Database(open_engine(address))
    await upgrade(database.engine)
    yield ServerProcess(ServerSettings(address), database, b"secret", new_key())
    await database.close()
