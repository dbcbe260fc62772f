"""Undo never leaves knowledge behind: the attacks of a player who moves, looks and takes back."""

from __future__ import annotations

import uuid

import httpx
from server.services import Guest, Server

REVEALED = (409, "server.undo_revealed")


def undo(guest: Guest, table: str, seat: int) -> httpx.Response:
    return guest.post(f"tables/{table}/undo", seat=seat, client_id=str(uuid.uuid4()))


def refusal(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["key"]


def opening(server: Server) -> tuple[str, list[Guest]]:
    """A table of two, before anybody has chosen tickets."""
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open", game="ticket-to-ride", map_name="london")
    ben.join(table)
    return table, [ann, ben]


def test_the_last_to_choose_sees_how_many_tickets_others_kept(server: Server) -> None:
    table, (ann, ben) = opening(server)
    ann.move(table, 0)
    assert ann.see(table)["can_undo"] == {"0": True}
    ann.ok(undo(ann, table, 0))
    ann.move(table, 0)
    assert ben.see(table)["views"]["1"]["tickets"] == [0, 0]
    seen = ben.move(table, 1)
    assert seen["views"]["1"]["tickets"][0] > 0
    assert seen["can_undo"] == {"1": False}
    assert refusal(undo(ben, table, 1)) == REVEALED
    assert refusal(undo(ann, table, 0)) == REVEALED


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
            assert refusal(undo(guest, table, seat)) == REVEALED
            looked += 1
        guest.move(table, seat, guest.see(table)["legal"][str(seat)][0])


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
    again = guest.ok(undo(guest, table, seat))
    assert again["views"][str(seat)] == before
