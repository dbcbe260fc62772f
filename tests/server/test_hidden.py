"""Nothing hidden ever appears in what a seat or a watcher receives.

Hidden are the deck's order (seed and salt, until the end) and the others' moves of the running
turn. Two tables that differ in nothing else must look the same, to the byte.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headway.games import boxes
from headway.server.pictures import picture
from headway.server.schema import Clock, NewSeat, NewTable
from headway.server.showing import ENCODER, Presence, show
from headway.server.sitting import MOVE, Happening, Sitting
from headway.server.tables import _setup
from server.services import Server, until

WHERE = [(box.name, name) for box in boxes() for name in box.maps]
NOBODY = Presence(frozenset(), lambda now, seat: None)


def sitting(generator: random.Random, clock: Clock) -> Sitting:
    """A table of several guests, `g0`, `g1`, …, somewhere in its game, nobody's turn over."""
    game, name = generator.choice(WHERE)
    seats = generator.randint(2, 4)
    wanted = NewTable(game, name, [NewSeat("me")] * seats, clock=clock)
    setup = _setup(wanted, "g0", "Ann")
    chairs = [msgspec.structs.replace(c, guest=f"g{s}") for s, c in enumerate(setup.chairs)]
    now = Sitting.new(msgspec.structs.replace(setup, chairs=tuple(chairs)))
    for _ in range(generator.randrange(60)):
        if now.finished:
            break
        seat = generator.choice(now.actors())
        now = played(now, seat, generator.choice(now.state.legal(seat)))
    return now


def played(now: Sitting, seat: int, move: int) -> Sitting:
    text = now.game.move_text(move)
    at = now.setup.created + now.number
    return now.after(
        Happening(
            table=now.setup.id, number=now.number + 1, at=at, kind=MOVE, seat=seat,
            guest=f"g{seat}", client_id=f"client-{now.number}", text=text,
        )
    )  # fmt: skip


def received(now: Sitting, guest: str, since: int = 0) -> bytes:
    """All that a guest can get out of a table, but for the time of day."""
    told = now.log_at((now.held_by(guest) or (-1,))[0], since)
    parts = [show(now, guest, NOBODY), show(now, guest, NOBODY, told)]
    same = [msgspec.structs.replace(part, now=0.0) for part in parts]
    drawn = picture(now, guest, None, "light", "en")
    record = now.playing().record().json()
    return b"\n".join([*(ENCODER.encode(part) for part in same), drawn.encode(), record])


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1 << 32))
def test_others_moves_of_the_running_turn(seed: int) -> None:
    generator = random.Random(seed)
    now = sitting(generator, Clock())
    if len(now.actors()) < 2:
        return
    mover = generator.choice(now.actors())
    legal = now.state.legal(mover)
    one, other = played(now, mover, legal[0]), played(now, mover, legal[-1])
    watchers = [f"g{s}" for s in range(len(now.chairs)) if s != mover]
    for guest in [*watchers, "a stranger"]:
        assert received(one, guest) == received(other, guest)
    if len(legal) > 1:
        assert received(one, f"g{mover}") != received(other, f"g{mover}")


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1 << 32))
def test_order_of_the_deck(seed: int) -> None:
    generator = random.Random(seed)
    now = sitting(generator, Clock())
    if now.finished:
        return
    twin = Sitting(
        **vars(now) | {"setup": msgspec.structs.replace(now.setup, seed=1, salt="0" * 32)}
    )
    assert twin.table
    twin.table = twin.table.copy()
    twin.table.seed = 1
    for guest in [*(f"g{s}" for s in range(len(now.chairs))), "a stranger"]:
        seen = received(now, guest)
        assert seen == received(twin, guest)
        assert str(now.setup.seed).encode() not in seen
        assert now.setup.salt.encode() not in seen


def test_everything_that_comes_over_a_socket(server: Server) -> None:
    """A whole game on a real server, heard by a player and a watcher."""
    seed = 123454321678
    ann, ben, eve = server.guest(), server.guest(), server.guest()
    table = ann.set_up("me", "open", "greedy", training=True, seed=seed)
    ben.join(table)
    secret = "b1a1"
    with ann.socket(table) as ear, eve.socket(table) as watcher:
        for turn in range(2, 12):
            seen = ben.see(table)
            secret = seen["legal"]["1"][-1]
            ben.move(table, 1, secret)
            number = ben.see(table)["number"]
            for other in (ear, watcher):
                heard = other.table(lambda t, number=number: t["number"] >= number)
                view = next(iter(heard["views"].values()))
                assert view["own_move"] is None
                lines = [line["text"] for line in heard["log"] if line["seat"] == 1]
                if view["turn"] == turn - 1:
                    assert secret not in lines[-1:] or lines.count(secret) < turn
            ann.move(table, 0)
            until(lambda turn=turn: ann.see(table)["finished"] or _turns(ann.see(table)) >= turn)
        whole = str(ear.heard) + str(watcher.heard)
    assert str(seed) not in whole
    assert "salt" not in whole


def _turns(seen: dict[str, dict[str, dict[str, int]]]) -> int:
    view = seen["views"]["0"]
    return (view["round"] - 1) * 100 + view["turn"]


@pytest.mark.parametrize("look", [lambda now: now.drops(0), lambda now: now.can_undo(0)])
def test_undo_tells_nothing_about_others(look: Callable[[Sitting], object]) -> None:
    """Whether a seat may take back depends on nothing that it cannot know."""
    now = Sitting.new(
        msgspec.structs.replace(
            (setup := _setup(NewTable("next-station", "london", [NewSeat("me")] * 3), "g0", "A")),
            chairs=tuple(
                msgspec.structs.replace(c, guest=f"g{s}") for s, c in enumerate(setup.chairs)
            ),
        )
    )
    now = played(now, 0, now.state.legal(0)[-1])
    legal = now.state.legal(1)
    assert look(played(now, 1, legal[0])) == look(played(now, 1, legal[-1])) == look(now)
