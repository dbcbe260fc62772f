"""One table, seen by a player, a guest who plays, a watcher and a former player."""

from __future__ import annotations

import json
from typing import Any

from server.services import ON_SQLITE, Guest, Server
from server.steps import claim, key_of

SECRETS = "hand", "own_tickets", "offered", "own_choice", "own_score", "prospects"
"""What only the holder of a seat sees in Ticket to Ride."""
TICKET_TO_RIDE = {"game": "ticket-to-ride", "map": "london", "chat": True}


def views(guest: Guest, table: str) -> dict[str, Any]:
    """The views of a table as a request and as a socket tell them, which must be the same."""
    asked: dict[str, Any] = guest.see(table)["views"]
    with guest.socket(table) as ear:
        assert ear.table()["views"] == asked
    return asked


@ON_SQLITE
def test_what_a_watcher_a_guest_and_a_former_player_may_see(server: Server) -> None:
    ann, ben = claim(server.guest(), "Ann Sees"), server.guest("Ben")
    eve, watcher = server.guest("Eve"), server.guest()
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    table = ann.ok(ann.post("tables", **TICKET_TO_RIDE, seats=seats))["id"]
    for seat, guest in ((1, ben), (2, eve)):
        guest.join(table, seat=seat)
    (before,) = eve.see(table)["views"].values()
    assert before["seat"] == 2
    assert before["hand"]
    ann.ok(ann.post(f"tables/{table}/remarks", text="Mind the gap"))
    eve.ok(eve.post(f"tables/{table}/seats/2/bot", bot="random"))

    seen = {guest: views(guest, table) for guest in (ann, ben, eve, watcher)}
    for guest, own in ((ann, "0"), (ben, "1")):  # each their own cards, with an account or without
        assert list(seen[guest]) == [own]
        assert seen[guest][own]["hand"]
        assert list(guest.see(table)["legal"]) == [own]
    for guest in (eve, watcher):  # no cards at all, not even those that one had
        assert list(seen[guest]) == ["-1"]
        assert [name for name in SECRETS if seen[guest]["-1"][name]] == []
        assert guest.see(table)["legal"] == {}
    assert seen[eve] == seen[watcher]
    for holder, own in ((ann, "0"), (ben, "1")):
        for secret in seen[holder][own]["offered"]:
            for other, told in seen.items():
                assert other is holder or json.dumps(secret) not in json.dumps(told)

    assert [seat["name"] for seat in watcher.see(table)["seats"]][2] == "Eve"  # a name stays
    assert [seat.get("kept", False) for seat in eve.see(table)["seats"]] == [False, False, True]
    for guest in (ann, ben, eve):  # who has left reads on
        (remark,) = guest.ok(guest.http.get(f"/api/tables/{table}/remarks"))
        assert remark["text"] == "Mind the gap"
    assert key_of(watcher.http.get(f"/api/tables/{table}/remarks")) == (403, "server.not_at_table")
    for guest in (eve, watcher):  # they look on, and that is all
        for path, body in (
            ("say", {"what": "heart"}),
            ("remarks", {"text": "Take the bus"}),
            ("moves", {"seat": 2, "move": "keep", "client_id": "not-my-seat"}),
            ("hint", {"seat": 0}),
            ("why", {"seat": 0, "move": "keep"}),
        ):
            assert guest.post(f"tables/{table}/{path}", **body).status_code == 403, path
    for guest in (ann, ben, eve, watcher):  # what was dealt shows when the game is over
        record = guest.http.get(f"/api/tables/{table}/record")
        assert key_of(record)[1] == "server.record_later"
        assert guest.see(table)["fair"] is None
