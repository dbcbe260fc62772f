"""What happens at a table besides moves is told to everybody, and nothing hidden with it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from server.services import Guest, Server
from server.steps import PASSWORD, became, claim, next_event, rider_table

from headway.server.tables import events
from headway.server.tables.clocks import Clock
from headway.server.tables.state import TableState
from headway.server.tables.view import told_in

CLOCK = Clock("turn", seconds=30)


def told(state: TableState, seat: int) -> list[tuple[str, int, int]]:
    return [(one.kind, one.seat, one.by) for one in told_in(state, state.told(seat).log)]


def after(state: TableState, kind: str, seat: int, guest: str | None, text: str = "") -> TableState:
    return state.after(next_event(state, seat, kind=kind, guest=guest, text=text))


def test_who_leaves_and_comes_back_and_whose_bot_plays() -> None:
    state = rider_table(CLOCK)
    state = after(state, events.LEAVE, 1, "ben")
    state = after(state, events.BOT, 1, "ann", "random")
    state = after(state, events.SIT, 1, "ben", "Ben")
    state = after(state, events.BOT, 1, "ben", "random")
    state = after(state, events.DOWNTIME, -1, None, "12.5")
    expected = [("left", 1, -1), ("bot", 1, 0), ("back", 1, -1), ("bot", 1, 1), ("pause", -1, -1)]
    assert told(state, 0) == told(state, -1) == expected
    assert state.occupants[1].name == "Ben"
    assert state.happenings[-1].seconds == 12.5


def test_a_forced_move_is_named_to_those_who_may_know_it() -> None:
    """Everybody chooses first tickets in secret; whose time was over is no secret."""
    state = rider_table(CLOCK)
    move = state.game.move_text(state.game.idle_move(state.position, 1))
    state = after(state, events.FLAG, 1, None, move)
    (own,), (other,) = (told_in(state, state.told(seat).log) for seat in (1, 0))
    assert (own.kind, other.kind) == ("time", "time")
    assert other.line == -1
    assert [line.text for line in state.told(1).log if line.number == own.line] == [move]


def test_every_process_tells_the_same() -> None:
    """A process that loads the table has not seen the move that was taken back."""
    state = rider_table(CLOCK)
    start, committed = state.setup, []
    move = state.told(0).legal[0]

    def add(seat: int, **more: Any) -> None:
        nonlocal state
        event = next_event(state, seat, **more)
        committed.append(event)
        state = state.after(event)

    add(0, guest="ann", text=move)
    add(1, kind=events.LEAVE, guest="ben", text="")
    add(0, kind=events.UNDO, guest="ann", text="", drops=(1,))
    add(1, kind=events.SIT, guest="ben", text="Ben")
    loaded = TableState.replayed(replace(start), committed)
    assert loaded.happenings == state.happenings
    assert told(state, 1) == [("left", 1, -1), ("undone", 0, -1), ("back", 1, -1)]


def test_the_name_of_a_deleted_account_is_nobodys(server: Server) -> None:
    ann, ben = claim(server.guest("Ann of Arles"), "Ann of Arles"), server.guest("Ben")
    ann.ok(ann.http.put("/api/me/face", json={"face": "31420"}))
    table = ann.set_up("me", "open")
    ben.join(table)
    seat = ben.see(table)["seats"][0]
    assert (seat["name"], seat["face"]) == ("Ann of Arles", "31420")
    ann.move(table, 0)
    became(ann, ann.post("account/delete", password=PASSWORD))
    seat = ben.see(table)["seats"][0]
    assert (seat["name"], seat.get("face", ""), seat["former"]) == ("", "", True)
    assert [one["kind"] for one in ben.see(table)["happenings"]] == ["bot"]
    assert Guest.ok(ben.http.get(f"/api/tables/{table}/record"))["names"] == ["", "Ben"]


@pytest.mark.parametrize("face", ["", "3142", "314200", "31a20"])
def test_a_face_is_five_digits(server: Server, face: str) -> None:
    ann = server.guest()
    assert ann.http.put("/api/me/face", json={"face": face}).status_code == 400
    assert ann.ok(ann.http.get("/api/me"))["face"] == ""
