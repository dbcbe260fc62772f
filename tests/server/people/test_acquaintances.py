"""People I have played with: results against them, challenges, mute and block."""

from __future__ import annotations

from typing import Any

from server.services import ON_SQLITE, Guest, Server, play_out
from server.steps import claim, profile


def people(guest: Guest) -> Any:
    return guest.ok(guest.http.get("/api/me/people"))


def played(ann: Guest, ben: Guest) -> str:
    """A finished game of the two, in which Ann draws all she can and Ben nothing."""
    table = ann.set_up("me", "open")
    ben.join(table)
    play_out(table, {0: ann, 1: ben})
    return table


def test_results_against_somebody(server: Server) -> None:
    ann, ben = claim(server.guest(), "Ann One"), server.guest("Ben")
    assert people(ann)["people"] == []
    table = played(ann, ben)
    (met,) = people(ann)["people"]
    assert (met["name"], met["account"], met["table"], met["seat"]) == ("Ben", False, table, 1)
    (against,) = met["against"]
    assert against["won"] + against["lost"] + against["level"] == 1
    (back,) = people(ben)["people"]
    (other,) = back["against"]
    assert (other["won"], other["lost"]) == (against["lost"], against["won"])
    standing = ann.ok(ann.http.get(f"/api/tables/{table}/standing"))["against"]
    assert standing == [{"seat": 1} | {key: against[key] for key in ("won", "lost", "level")}]
    assert (back["name"], back["account"]) == ("Ann One", True)
    with ben.socket(table) as ear:
        ear.table()
        assert people(ann)["people"][0]["online"]
    assert "id" not in met  # nobody learns what others are called in cookies
    others = profile(server, "Ann One")["played"][0]["others"]
    assert others == [{"name": "Ben", "account": False, "bot": None}]


def test_a_challenge_is_a_table_like_the_last_one(server: Server) -> None:
    ann, ben, eve = server.guest("Ann"), server.guest("Ben"), server.guest("Eve")
    table = played(ann, ben)
    assert eve.post(f"tables/{table}/seats/1/challenge").status_code == 404
    assert ann.post(f"tables/{table}/seats/0/challenge").status_code == 404
    new = ann.ok(ann.post(f"tables/{table}/seats/1/challenge"))["id"]
    (asked,) = people(ben)["challenges"]
    assert (asked["table"], asked["name"], asked["account"]) == (new, "Ann", False)
    assert people(eve)["challenges"] == []
    assert eve.post(f"me/challenges/{new}/decline").status_code == 404
    assert ben.ok(ben.post(f"me/challenges/{new}/decline"))["challenges"] == []
    again = ann.ok(ann.post(f"tables/{table}/seats/1/challenge"))["id"]
    ben.join(again)
    assert people(ben)["challenges"] == []


def test_who_is_blocked_stays_away(server: Server) -> None:
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = played(ann, ben)
    seen = ann.ok(ann.post(f"tables/{table}/seats/1/avoid", how="mute"))
    assert seen == [{"seat": 1, "account": False, "muted": True, "blocked": False}]
    ann.ok(ann.post(f"tables/{table}/seats/1/avoid", how="block"))
    invited = ann.set_up("me", "open")
    for guest, path in (
        (ben, f"tables/{invited}/join"),
        (ben, f"tables/{table}/seats/0/challenge"),
        (ann, f"tables/{table}/seats/1/challenge"),
        (ben, f"tables/{table}/rematch"),
    ):
        assert guest.post(path).json()["error"]["key"] == "server.apart"
    # He does not hear that it is Ann who blocked him, nor of which.
    assert ben.ok(ben.http.get(f"/api/tables/{table}/people")) == [
        {"seat": 0, "account": False, "muted": False, "blocked": False}
    ]
    # The block follows both into accounts, and ends when Ann says so.
    claim(ben, "Ben Two")
    claim(ann, "Ann Two")
    assert ben.post(f"tables/{invited}/join").status_code == 403
    listed = people(ann)["avoided"]
    assert [(one["name"], one["how"]) for one in listed] == [("Ben", "block"), ("Ben", "mute")]
    ann.ok(ann.http.delete("/api/me/people/avoided/0"))
    ben.join(invited)


@ON_SQLITE
def test_an_account_that_is_deleted_is_on_no_list(server: Server) -> None:
    ann, ben = server.guest("Ann"), claim(server.guest(), "Ben Gone")
    table = played(ann, ben)
    ann.ok(ann.post(f"tables/{table}/seats/1/avoid", how="block"))
    ben.ok(ben.post("account/delete", password="a long password"))
    assert people(ann) == {"people": [], "challenges": [], "avoided": []}
