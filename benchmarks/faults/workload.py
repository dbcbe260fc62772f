"""People who play while things break, and what the servers acknowledged to them."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from typing import Any

import httpx
import msgspec
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.faults.lab import (
    DATABASE_HOST,
    POSTGRESQL_PORT,
    SERVER_HOSTS,
    SERVER_PORT,
    address,
)

REQUEST_SECONDS = 15.0
PAUSE_SECONDS = 0.15
HEAL_SECONDS = 120.0


class Answer(msgspec.Struct, frozen=True):
    """The status of an answer, 0 if none came, and its content."""

    status: int
    content: Any = None


class Ledger:
    """What was acknowledged: the event number of each move, and when each host last did it."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[str, str], int] = {}
        self.last: dict[int, float] = dict.fromkeys(SERVER_HOSTS, 0.0)
        self.unanswered = 0
        self.contradictions: list[str] = []

    def acknowledge(self, host: int, table: str, client_id: str, number: int) -> None:
        """Notes an acknowledged move; a move sent twice must keep its number."""
        before = self.numbers.setdefault((table, client_id), number)
        if before != number:
            self.contradictions.append(f"{table} {client_id}: {before} and {number}")
        self.last[host] = time.monotonic()


class Visitor:
    """A guest who talks to any of the hosts, one connection for each request."""

    def __init__(self) -> None:
        alone = httpx.Limits(max_keepalive_connections=0)
        self._client = httpx.AsyncClient(timeout=REQUEST_SECONDS, limits=alone, trust_env=False)
        self._cookies: dict[str, str] = {}

    async def ask(self, host: int, method: str, path: str, body: object = None) -> Answer:
        """Returns the answer of a host; status 0 if it does not come in time."""
        cookie = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        url = f"http://{address(host)}:{SERVER_PORT}{path}"
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                answer = await self._client.request(
                    method, url, json=body, headers={"cookie": cookie}
                )
            # A killed server may have sent the head alone: then nothing is acknowledged.
            content = answer.json() if answer.content else None
        except (httpx.HTTPError, OSError, TimeoutError, ValueError):
            return Answer(0)
        # One guest at all hosts: the client would keep the cookie of each host apart.
        self._cookies |= dict(answer.cookies)
        self._client.cookies.clear()
        return Answer(answer.status_code, content)

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._client.aclose()

    async def insist(self, method: str, path: str, body: object = None) -> Any:
        """Asks one host after the other until one has done it."""
        while True:
            for host in SERVER_HOSTS:
                answer = await self.ask(host, method, path, body)
                if answer.status in (200, 201):
                    return answer.content
            await asyncio.sleep(PAUSE_SECONDS)


async def play(ledger: Ledger, chance: random.Random) -> None:
    """Plays one game after the other alone, each move at any host, for ever."""
    seats = {"game": "next-station", "map": "london", "seats": [{"kind": "me"}]}
    while True:
        async with contextlib.aclosing(Visitor()) as visitor:
            await visitor.insist("GET", "/api/me")
            table = (await visitor.insist("POST", "/api/tables", seats))["id"]
            while True:
                view = await visitor.insist("GET", f"/api/tables/{table}")
                if view["finished"]:
                    break
                if legal := view["legal"].get("0"):
                    await _move(ledger, visitor, table, chance.choice(legal), chance)
                await asyncio.sleep(PAUSE_SECONDS)


async def _move(
    ledger: Ledger, visitor: Visitor, table: str, move: str, chance: random.Random
) -> None:
    """Sends a move until it is acknowledged, the same id every time; then once more elsewhere."""
    client_id = secrets.token_hex(8)
    body = {"seat": 0, "move": move, "client_id": client_id}
    acknowledged = 0
    while acknowledged < 2:
        host = chance.choice(SERVER_HOSTS)
        answer = await visitor.ask(host, "POST", f"/api/tables/{table}/moves", body)
        if answer.status == 200:
            ledger.acknowledge(host, table, client_id, answer.content["number"])
            acknowledged += 1
        elif answer.status in (0, 503):
            ledger.unanswered += 1
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            ledger.contradictions.append(f"{table} {client_id}: {answer}")
            return


async def healed(ledger: Ledger, since: float) -> float:
    """Waits until every server has acknowledged a move after a time; returns the seconds."""
    while min(ledger.last[host] for host in SERVER_HOSTS) <= since:
        if time.monotonic() > since + HEAL_SECONDS:
            raise TimeoutError("a server does not heal")
        await asyncio.sleep(0.01)
    return time.monotonic() - since


def database_url(name: str = "headway") -> str:
    """Returns the address of a database of the lab."""
    return f"postgresql://headway@{address(DATABASE_HOST)}:{POSTGRESQL_PORT}/{name}"


async def audit(ledger: Ledger, database: str = "headway") -> tuple[int, int]:
    """Compares the ledger with a database: how many acknowledged moves are lost or doubled."""
    engine = create_async_engine(database_url(database).replace("://", "+asyncpg://"))
    query = text("SELECT table_id, client_id, number FROM events WHERE client_id IS NOT NULL")
    stored: dict[tuple[str, str], list[int]] = {}
    async with engine.connect() as connection:
        for table, client_id, number in await connection.execute(query):
            stored.setdefault((table, client_id), []).append(number)
    await engine.dispose()
    lost = sum(number not in stored.get(key, []) for key, number in ledger.numbers.items())
    doubled = sum(len(numbers) > 1 for numbers in stored.values())
    return lost, doubled + len(ledger.contradictions)
