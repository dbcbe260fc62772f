"""Nothing hidden ever appears in what a seat or a watcher receives.

Hidden are the deck's order (seed and salt, until the end) and the others' moves of the running
turn. Two tables that differ in nothing else must look the same, to the byte.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import copy

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from server.services import ON_SQLITE, Server, await_turn, turn_of

from headway import dealer
from headway.games import boxes
from headway.games.contract import CHANCE
from headway.server.content.pictures import Style, board_of
from headway.server.tables.clocks import Clock
from headway.server.tables.decisions import can_undo, undo_drops
from headway.server.tables.events import MOVE, TableEvent
from headway.server.tables.schema import TableNews, table_changes
from headway.server.tables.setup import NewSeat, NewTable, Persona, new_setup
from headway.server.tables.state import TableState
from headway.server.tables.view import (
    ENCODER,
    Presence,
    TableView,
    log_at,
    rest_of_log,
    shared_lines,
    table_view,
)

WHERE = [(box.name, name) for box in boxes() for name in box.maps]


def sitting(generator: random.Random, clock: Clock) -> TableState:
    """A table of several guests, `g0`, `g1`, …, somewhere in its game, nobody's turn over."""
    game, name = generator.choice(WHERE)
    seats = generator.randint(2, 4)
    new_table = NewTable(game, name, [NewSeat("me")] * seats, clock=clock)
    setup = new_setup(new_table, "g0", Persona("Ann"), dealer.new_seed())
    chairs = [msgspec.structs.replace(c, guest=f"g{s}") for s, c in enumerate(setup.occupants)]
    state = TableState.new(msgspec.structs.replace(setup, occupants=tuple(chairs)))
    for _ in range(generator.randrange(60)):
        if state.finished:
            break
        seat = generator.choice(state.actors())
        state = played(state, seat, generator.choice(state.position.legal(seat)))
    return state


def played(state: TableState, seat: int, move: int) -> TableState:
    text = state.game.move_text(move)
    at = state.setup.created + state.number
    return state.after(
        TableEvent(
            table_id=state.setup.id, number=state.number + 1, at=at, kind=MOVE, seat=seat,
            guest=f"g{seat}", client_id=f"client-{state.number}", text=text,
        )
    )  # fmt: skip


def seen(state: TableState, guest: str) -> TableView:
    nobody = Presence(state, frozenset(), lambda state, seat: None)
    return msgspec.structs.replace(table_view(guest, nobody), now=0.0)


def received(state: TableState, guest: str, before: TableState) -> bytes:
    """All that a guest can get out of a table, but for the time of day.

    The socket has told everything about the table `before`.
    """
    table = seen(state, guest)
    lines = log_at(state, (state.held_by(guest) or (-1,))[0], before.number)
    changes = TableNews(table_changes(seen(before, guest), table))
    same = [table, rest_of_log(table, shared_lines(lines, table.log)), changes]
    drawn = board_of(state, guest, None, Style("light", "en")).draw()
    told_all = state.game.secret_hands and not state.finished  # then the server gives no record
    record = b"" if told_all else state.playing().record().json()
    return b"\n".join([*map(ENCODER.encode, same), drawn, record])


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1 << 32))
def test_others_moves_of_the_running_turn(seed: int) -> None:
    generator = random.Random(seed)
    state = sitting(generator, Clock())
    if len(state.actors()) < 2:
        return
    mover = generator.choice(state.actors())
    legal = state.position.legal(mover)
    one, other = played(state, mover, legal[0]), played(state, mover, legal[-1])
    watchers = [f"g{s}" for s in range(len(state.occupants)) if s != mover]
    for guest in [*watchers, "a stranger"]:
        assert received(one, guest, state) == received(other, guest, state)
    if len(legal) > 1:
        assert received(one, f"g{mover}", state) != received(other, f"g{mover}", state)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1 << 32))
def test_order_of_the_deck(seed: int) -> None:
    generator = random.Random(seed)
    state = sitting(generator, Clock())
    if state.finished:
        return
    before = TableState.new(state.setup)
    twin = copy(state)
    twin.setup = msgspec.structs.replace(state.setup, seed=1, salt="0" * 32)
    assert twin.table
    twin.table = twin.table.copy()
    twin.table.seed = 1
    for guest in [*(f"g{s}" for s in range(len(state.occupants))), "a stranger"]:
        told = received(state, guest, before)
        assert told == received(twin, guest, before)
        assert str(state.setup.seed).encode() not in told
        assert state.setup.salt.encode() not in told


@ON_SQLITE
def test_everything_that_comes_over_a_socket(server: Server) -> None:
    """Many turns on a real server, heard by a player and a watcher while another has moved."""
    seed = 123454321678
    ann, ben, eve = server.guest(), server.guest(), server.guest()
    table = ann.set_up("me", "open", "greedy", training=True, seed=seed)
    ben.join(table)
    with ann.socket(table) as ear, eve.socket(table) as watcher:
        for _ in range(12):
            move = ben.see(table)["legal"]["1"][-1]
            number = ben.move(table, 1, move)["number"]
            turn = turn_of(ben.see(table))
            for other in (ear, watcher):
                heard = other.table(lambda t, n=number: t["number"] >= n)  # type: ignore[misc]
                assert next(iter(heard["views"].values()))["own_move"] is None
                assert heard["log"][-1]["seat"] == CHANCE
                assert turn_of(heard) == turn
            ann.move(table, 0)
            await_turn(ann, table, turn + 1)
        whole = str(ear.heard) + str(watcher.heard)
    assert str(seed) not in whole
    assert "salt" not in whole


@pytest.mark.parametrize(
    "look", [lambda state: undo_drops(state, 0), lambda state: can_undo(state, 0)]
)
def test_undo_tells_nothing_about_others(look: Callable[[TableState], object]) -> None:
    """Whether a seat may take back depends on nothing that it cannot know."""
    state = TableState.new(
        msgspec.structs.replace(
            (
                setup := new_setup(
                    NewTable("next-station", "london", [NewSeat("me")] * 3), "g0", Persona("A"), 7
                )
            ),
            occupants=tuple(
                msgspec.structs.replace(c, guest=f"g{s}") for s, c in enumerate(setup.occupants)
            ),
        )
    )
    state = played(state, 0, state.position.legal(0)[-1])
    legal = state.position.legal(1)
    assert look(played(state, 1, legal[0])) == look(played(state, 1, legal[-1])) == look(state)
