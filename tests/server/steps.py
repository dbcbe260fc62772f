"""What people do at the server, for many tests: accounts, today's deal, events."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import msgspec
from server.services import Backing, Guest, Server
from sqlalchemy import select
from support.own_loop import run

from headway.server.core.database import open_engine
from headway.server.core.schema import METADATA
from headway.server.tables.clocks import (
    Clock,
)
from headway.server.tables.events import (
    MOVE,
    TableEvent,
)
from headway.server.tables.setup import (
    NewSeat,
    NewTable,
    Occupant,
    Persona,
    new_setup,
)
from headway.server.tables.state import TableState

PASSWORD = "a long password"

DAY = "2026-11-16"

LONDON = "today/next-station/london"


def claim(guest: Guest, name: str, password: str = PASSWORD) -> Guest:
    """The guest with an account from now on."""
    return became(guest, guest.post("account", name=name, password=password))


def sign_in(guest: Guest, name: str, password: str = PASSWORD) -> Guest:
    return became(guest, guest.post("account/session", name=name, password=password))


def became(guest: Guest, answer: httpx.Response) -> Guest:
    guest.id = guest.ok(answer)["id"]
    return guest


def key_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["key"]


def whole_database(backing: Backing) -> str:
    """Everything that is kept, as text."""
    values: list[object] = []

    async def read() -> None:
        engine = open_engine(backing.database)
        async with engine.connect() as connection:
            for rows in METADATA.sorted_tables:
                values.append((await connection.execute(select(rows))).all())
        await engine.dispose()

    run(read())
    return repr(values)


def begin(guest: Guest, path: str = LONDON) -> str:
    table: str = guest.ok(guest.post(path))["id"]
    return table


def day_of(guest: Guest, day: str = "") -> Any:
    return guest.ok(guest.http.get("/api/today", params={"day": day} if day else {}))


def deal_of(guest: Guest, day: str = "", city: str = "london") -> Any:
    deals = day_of(guest, day)["deals"]
    return next(d for d in deals if (d["game"], d["map"]) == ("next-station", city))


def profile(server: Server, name: str) -> Any:
    return Guest.ok(server.guest().http.get(f"/api/people/{name}"))


def rider_table(clock: Clock, began: float = 0.0) -> TableState:
    """A game of Ticket to Ride between two guests, in which nobody has moved."""
    seats = [NewSeat("me"), NewSeat("me")]
    setup = new_setup(
        NewTable("ticket-to-ride", "london", seats, clock=clock), "ann", Persona("Ann"), 7
    )
    chairs = Occupant("Ann", "ann"), Occupant("Ben", "ben")
    return TableState.new(
        msgspec.structs.replace(setup, created=began, occupants=chairs, confirm=False)
    )


def ask_undo(guest: Guest, table: str, seat: int) -> httpx.Response:
    return guest.post(f"tables/{table}/undo", seat=seat, client_id=str(uuid.uuid4()))


def answer_undo(guest: Guest, table: str, *, grant: bool, **more: object) -> httpx.Response:
    """Answers the request for an undo that is open."""
    asked = guest.see(table)["asked_undo"]
    body = {"seat": asked["seat"], "number": asked["number"], "client_id": str(uuid.uuid4())}
    return guest.post(f"tables/{table}/undo/answer", **(body | more), grant=grant)


def undo(guest: Guest, table: str, seat: int, *others: Guest) -> Any:
    """Takes a move back with the consent of the others."""
    seen = guest.ok(ask_undo(guest, table, seat))
    for other in others:
        seen = other.ok(answer_undo(other, table, grant=True))
    return seen


def next_event(state: TableState, seat: int, **more: object) -> TableEvent:
    fields = {"table_id": state.setup.id, "number": state.number + 1, "at": 1.0, "kind": MOVE}
    return msgspec.convert(fields | {"seat": seat, "text": "pass"} | more, TableEvent)
