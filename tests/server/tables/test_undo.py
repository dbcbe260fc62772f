"""Undo never leaves knowledge behind: the attacks of a player who moves, looks and takes back."""

from __future__ import annotations

import httpx
from server.services import ON_SQLITE, Guest, Server
from server.steps import answer_undo, ask_undo, undo

REVEALED = (409, "server.undo_revealed")


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["key"]


def opening(server: Server) -> tuple[str, list[Guest]]:
    """A table of two, before anybody has chosen tickets."""
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open", game="ticket-to-ride")
    ben.join(table)
    return table, [ann, ben]


@ON_SQLITE
def test_the_last_to_choose_sees_how_many_tickets_others_kept(server: Server) -> None:
    table, (ann, ben) = opening(server)
    ann.move(table, 0)
    assert ann.see(table)["can_undo"] == {"0": True}
    undo(ann, table, 0, ben)
    ann.move(table, 0)
    assert ben.see(table)["views"]["1"]["tickets"] == [0, 0]
    seen = ben.move(table, 1)
    assert seen["views"]["1"]["tickets"][0] > 0
    assert seen["can_undo"] == {"1": False}
    assert refusal(ask_undo(ben, table, 1)) == REVEALED
    assert refusal(ask_undo(ann, table, 0)) == REVEALED


@ON_SQLITE
def test_tickets_that_others_put_under_the_pile(server: Server) -> None:
    """Once the pile is empty, drawing shows tickets that others gave back, without any deal."""
    table, players = opening(server)
    for seat, guest in enumerate(players):
        guest.move(table, seat)
    looked = 0
    while looked < 2:
        seat = players[0].see(table)["views"]["0"]["actors"][0]
        guest = players[seat]
        before = guest.see(table)["views"][str(seat)]
        assert before["ticket_pile"], "the tickets ran out"
        known = before["under"][:2]
        dealt = before["tickets_seen"]
        after = guest.move(table, seat, "tickets")["views"][str(seat)]
        if after["tickets_seen"] == dealt and None in known:
            assert refusal(ask_undo(guest, table, seat)) == REVEALED
            looked += 1
        guest.move(table, seat, guest.see(table)["legal"][str(seat)][0])


@ON_SQLITE
def test_a_move_that_told_nothing_is_taken_back(server: Server) -> None:
    table, players = opening(server)
    for seat, guest in enumerate(players):
        guest.move(table, seat)
    while True:
        seat = players[0].see(table)["views"]["0"]["actors"][0]
        guest = players[seat]
        seen = guest.see(table)
        claims = [move for move in seen["legal"][str(seat)] if move.startswith("claim")]
        if claims:
            break
        guest.move(table, seat, seen["legal"][str(seat)][0])
    before = seen["views"][str(seat)]
    guest.move(table, seat, claims[0])
    undo(guest, table, seat, players[1 - seat])
    again = guest.see(table)
    assert again["views"][str(seat)] == before


def asked(server: Server, people: int = 2) -> tuple[str, list[Guest]]:
    """A table at which the first one has asked to take the first move back."""
    guests = [server.guest(name) for name in ("Ann", "Ben", "Cleo")[:people]]
    table = guests[0].set_up("me", *["open"] * (people - 1))
    for guest in guests[1:]:
        guest.join(table)
    guests[0].move(table, 0)
    guests[0].ok(ask_undo(guests[0], table, 0))
    return table, guests


def test_between_people_an_undo_is_a_request(server: Server) -> None:
    """Everybody else has to allow it; one refusal is the end of it, and said in words."""
    table, (ann, ben, cleo) = asked(server, 3)
    seen = ben.see(table)
    assert [(one["kind"], one["seat"]) for one in seen["happenings"]] == [("asked", 0)]
    assert seen["asked_undo"] == {"number": seen["number"], "seat": 0, "waiting": [1, 2]}
    assert server.guest().see(table)["asked_undo"]["waiting"] == [1, 2]
    assert refusal(ask_undo(ann, table, 0)) == (409, "server.undo_asked")
    assert refusal(answer_undo(ann, table, grant=True)) == (403, "server.undo_not_asked")
    stranger = server.guest()
    assert refusal(answer_undo(stranger, table, grant=True)) == (403, "server.not_at_table")
    ben.ok(answer_undo(ben, table, grant=True))
    assert refusal(answer_undo(ben, table, grant=False)) == (403, "server.undo_not_asked")
    assert ann.see(table)["views"]["0"]["own_move"]
    cleo.ok(answer_undo(cleo, table, grant=False))
    seen = ann.see(table)
    assert (seen["asked_undo"], seen["can_undo"]) == (None, {"0": False})
    last = seen["happenings"][-1]
    assert (last["kind"], last["seat"], last["by"]) == ("refused", 0, 2)
    assert refusal(ask_undo(ann, table, 0)) == (409, "server.undo_refused")


@ON_SQLITE
def test_all_others_allow_it_once(server: Server) -> None:
    table, (ann, ben, cleo) = asked(server, 3)
    ben.ok(answer_undo(ben, table, grant=True))
    number = cleo.see(table)["asked_undo"]["number"]
    body = {"seat": 0, "number": number, "grant": True, "client_id": "granted-once"}
    first = cleo.ok(cleo.post(f"tables/{table}/undo/answer", **body))
    assert cleo.ok(cleo.post(f"tables/{table}/undo/answer", **body))["number"] == first["number"]
    assert ann.see(table)["views"]["0"]["own_move"] is None
    last = ben.see(table)["happenings"][-1]
    assert (last["kind"], last["seat"], last["by"]) == ("undone", 0, 2)


@ON_SQLITE
def test_silence_grants_nothing(server: Server) -> None:
    """The others move on instead of answering: the request has ended, whatever comes then."""
    table, (ann, ben) = asked(server)
    request = ben.see(table)["asked_undo"]
    ben.move(table, 1)
    for seen in (ann.see(table), ben.see(table)):
        assert seen["asked_undo"] is None
    late = ben.post(
        f"tables/{table}/undo/answer",
        seat=0,
        number=request["number"],
        grant=True,
        client_id="x" * 8,
    )
    assert refusal(late) == (409, "server.undo_gone")
    assert [one["kind"] for one in ann.see(table)["happenings"]] == ["asked"]


@ON_SQLITE
def test_who_gives_way_to_a_bot_is_not_asked(server: Server) -> None:
    table, (ann, ben) = asked(server)
    ben.ok(ben.post(f"tables/{table}/leave", seat=1))
    assert ann.see(table)["asked_undo"] is None
    ann.ok(ask_undo(ann, table, 0))
    assert ann.see(table)["views"]["0"]["own_move"] is None
