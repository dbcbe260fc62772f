"""The lobby: who is paired with whom, and what everybody there is told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from server.commands import done, headway
from server.in_process import idle_process
from server.services import DEADLINE, ON_SQLITE, Backing, Guest, Server
from server.steps import claim
from support.own_loop import run
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from headway.server.lobby.hub import NewSeek
from headway.server.lobby.seeks import SeekStore, Waiting, in_turn, pairs
from headway.server.tables.setup import Persona
from headway.server.web.sockets import Peer

GAME = "next-station"
CLOCK = {"kind": "turn", "seconds": 60}
OFTEN = {
    "headway.server.lobby.hub.PULSE_SECONDS": 0.1,
    "headway.server.lobby.hub.LISTS_SECONDS": 0.2,
}
"""A lobby that tells its news sooner: ours waits, so that a crowd costs little."""


def looking(guest: str, network: str = "", asked: float = 0.0, **more: Any) -> Waiting:
    wish: dict[str, Any] = {
        "game": "next-station",
        "map": "",
        "clock": CLOCK,
        "points": 1500,
    } | more
    return Waiting(guest, guest, "", network or guest, asked=asked, **wish)


def paired(*waiting: Waiting, at: float = 0.0, apart: Any = ()) -> list[str]:
    return [f"{one.guest} {other.guest}" for one, other in pairs(waiting, apart, at)]


def test_game_clock_and_map_agree() -> None:
    ann = looking("ann", map="london")
    assert paired(ann, looking("ben")) == ["ann ben"]
    assert paired(ann, looking("ben", map="london")) == ["ann ben"]
    assert paired(ann, looking("ben", map="tokyo")) == []
    assert paired(ann, looking("ben", game="ticket-to-ride")) == []
    assert paired(ann, looking("ben", clock={"kind": "none"})) == []
    assert paired(ann, looking("ben"), apart={frozenset(("ann", "ben"))}) == []


def test_ratings_are_near_unless_somebody_waits() -> None:
    ann, far = looking("ann", asked=0), looking("far", points=1900, asked=5)
    assert paired(ann, far, at=6) == []
    assert paired(ann, far, at=15) == ["ann far"]
    near = looking("near", points=1560, asked=14)
    assert paired(ann, far, near, at=15) == ["ann near"]


def test_addresses_take_turns() -> None:
    hog = [looking(f"hog {k}", "one address", asked=k) for k in range(3)]
    ann = looking("ann", asked=10)
    assert [one.guest for one in in_turn([*hog, ann])] == ["hog 0", "ann", "hog 1", "hog 2"]
    assert paired(*hog, ann, at=10) == ["hog 0 ann", "hog 1 hog 2"]


class Visit:
    """A home page's end of the lobby's socket."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.known: dict[str, Any] = {}

    def wait(self, condition: Callable[[dict[str, Any]], Any]) -> Any:
        end = time.monotonic() + DEADLINE
        while not (found := self.known and condition(self.known)):
            assert time.monotonic() < end, self.known
            self.known |= json.loads(self.line.recv(DEADLINE))
        return found


@contextlib.contextmanager
def visiting(guest: Guest) -> Iterator[Visit]:
    cookies = "; ".join(f"{c.name}={c.value}" for c in guest.http.cookies.jar)
    url = f"{guest.server.url.replace('http', 'ws')}/api/lobby/live"
    settings: dict[str, Any] = {"origin": guest.server.url, "max_size": None}
    with connect(url, additional_headers={"cookie": cookies}, **settings) as line:
        visit = Visit(line)
        visit.wait(lambda known: "open" in known)
        yield visit


def seek(guest: Guest, game: str = "next-station", **wish: Any) -> Any:
    return guest.ok(guest.post("lobby/seek", game=game, clock=CLOCK, **wish))


def test_two_who_look_are_paired(backing: Backing, start: Callable[..., Server]) -> None:
    """Also if they are connected to different processes."""
    server = start(OFTEN)
    other = start(OFTEN) if backing.channels else server
    ann, ben, eve = server.guest("Ann"), other.guest("Ben"), server.guest("Eve")
    refused = ann.post("lobby/seek", game="next-station", clock=CLOCK)
    assert refused.json()["error"]["key"] == "server.not_in_lobby"
    with visiting(ann) as at_ann, visiting(ben) as at_ben, visiting(eve) as at_eve:
        seek(ann, map="tokyo")
        at_ann.wait(lambda known: known["seek"])
        at_eve.wait(lambda known: known["seeking"] == {"next-station": 1})
        seek(ben)
        table = at_ann.wait(lambda known: known.get("paired"))
        assert at_ben.wait(lambda known: known.get("paired")) == table
        assert at_ann.known["seek"] is None
        seen = ann.see(table)
        assert sorted(seat["name"] for seat in seen["seats"]) == ["Ann", "Ben"]
        assert (seen["map"], seen["clock"], seen["public"]) == ("tokyo", CLOCK, True)
        # A game that begins can be watched; its players hear of each change of theirs.
        before = at_ben.known["mine"]
        for guest in (ann, ben):
            guest.post(f"tables/{table}/ready")
        at_eve.wait(lambda known: [one["id"] for one in known["running"]] == [table])
        if not backing.channels:
            at_ben.wait(lambda known: known["mine"] > before)
        opened = eve.set_up("me", "open", public=True)
        at_ann.wait(lambda known: [one["id"] for one in known["open"]] == [opened])
        assert not any(seat["mine"] for seat in at_eve.wait(lambda k: k["open"])[0]["seats"])


@ON_SQLITE
def test_many_who_come_at_once_stay(start: Callable[..., Server]) -> None:
    server = start()
    guests = [server.guest() for _ in range(40)]
    with contextlib.ExitStack() as stack, ThreadPoolExecutor(len(guests)) as threads:
        list(threads.map(lambda guest: stack.enter_context(visiting(guest)), guests))
        for guest in guests:
            assert guest.post("lobby/seek", game=GAME, clock=CLOCK).status_code == 200


@ON_SQLITE
def test_who_gives_up_or_leaves_is_not_paired(start: Callable[..., Server]) -> None:
    server = start(OFTEN)
    ann, ben, eve = (server.guest(name) for name in ("Ann", "Ben", "Eve"))
    with visiting(eve) as at_eve, visiting(ben) as at_ben:
        with visiting(ann):
            seek(ann)
            at_eve.wait(lambda known: known["seeking"] == {"next-station": 1})
        at_eve.wait(lambda known: known["seeking"] == {})
        seek(eve)
        eve.http.delete("/api/lobby/seek")
        at_eve.wait(lambda known: known["seek"] is None)
        seek(ben)
        at_ben.wait(lambda known: known["seeking"] == {"next-station": 1})
        assert "paired" not in at_ben.known


def test_somebody_who_leaves_as_a_table_is_found(tmp_path: Path) -> None:
    """The lobby goes on: nobody else would be paired any more."""

    async def check() -> None:
        async with idle_process(tmp_path) as process:
            lobby = process.lobby
            visitor = Peer("ann", "home", send=lambda _: asyncio.sleep(0))

            class Leaving(SeekStore):
                async def found(self, guests: Collection[str]) -> dict[str, str]:
                    tables = await super().found(guests)
                    lobby.disconnect(visitor)
                    return tables

            lobby.seeks = Leaving(process.database)
            await lobby.connect(visitor)
            await lobby.seek("ann", Persona("Ann"), NewSeek(GAME), "home")
            await lobby.seeks.seat(["ann"], "a table")
            await lobby.pair()
            assert await SeekStore(process.database).found(["ann"]) == {}

    run(check())


def test_whose_table_is_never_set_up_waits_again(tmp_path: Path) -> None:
    """A process may end between its claim of two people and the table of both."""

    async def check() -> None:
        async with idle_process(tmp_path) as process:
            seeks = SeekStore(process.database)
            await seeks.add(looking("ann"), lease=20.0)
            assert await seeks.claim(["ann"])
            await seeks.renew(["ann"], 15.0, 35.0)
            assert await seeks.waiting(16.0) == []
            await seeks.renew(["ann"], 25.0, 45.0)
            assert [one.guest for one in await seeks.waiting(26.0)] == ["ann"]

    run(check())


def test_blocked_people_are_kept_apart(start: Callable[..., Server]) -> None:
    server = start(OFTEN)
    ann, ben, eve = (server.guest(name) for name in ("Ann", "Ben", "Eve"))
    table = ann.set_up("me", "open")
    ben.join(table)
    ann.ok(ann.post(f"tables/{table}/seats/1/avoid", how="block"))
    claim(ben, "Ben again")  # the block follows into an account
    with visiting(ann) as at_ann, visiting(ben), visiting(eve):
        game = "ticket-to-ride"  # what a test before looks for counts for a while
        seek(ann, game)
        seek(ben, game)
        at_ann.wait(lambda known: known["seeking"].get(game) == 2)
        seek(eve, game)
        table = at_ann.wait(lambda known: known.get("paired"))
        assert {seat["name"] for seat in ann.see(table)["seats"]} == {"Ann", "Eve"}


@ON_SQLITE
@pytest.mark.parametrize(
    ("wish", "key"),
    [
        ({"game": "next-station", "map": "paris"}, "server.no_map"),
        ({"game": "next-station", "clock": {"kind": "turn"}}, "server.clock"),
    ],
)
def test_what_cannot_be_looked_for(
    start: Callable[..., Server], wish: dict[str, Any], key: str
) -> None:
    ann = start(OFTEN).guest("Ann")
    with visiting(ann):
        assert ann.post("lobby/seek", **wish).json()["error"]["key"] == key


def test_who_is_signed_out_by_the_operator_leaves_the_lobby(
    backing: Backing, start: Callable[..., Server]
) -> None:
    claim(ann := start(OFTEN).guest(), "Ann")
    with visiting(ann) as visit:
        done(headway(backing, "admin", "people", "sign-out", "Ann"))
        with pytest.raises(ConnectionClosed):
            visit.wait(lambda _: False)
