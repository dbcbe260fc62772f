"""Ratings as people see them: what a game changes, the ladder, firsts and records."""

from __future__ import annotations

from typing import Any

from server.services import Backing, Guest, Server, play_out
from server.steps import claim, profile
from sqlalchemy import insert, select, update
from support.own_loop import run

import headway
from headway.server.core.database import Database, open_engine
from headway.server.core.schema import ACCOUNTS, FEATS, RATINGS, RESULTS

GAME = "next-station"
NOTHING: dict[str, Any] = {"against": [], "feats": [], "best": None}


def written(backing: Backing, *statements: Any) -> None:
    async def write() -> None:
        database = Database(open_engine(backing.database))
        for statement in statements:
            await database.change(statement)
        await database.close()

    run(write())


def standing(guest: Guest, table: str) -> Any:
    return guest.ok(guest.http.get(f"/api/tables/{table}/standing"))


def ladder(guest: Guest) -> Any:
    return guest.ok(guest.http.get(f"/api/ladder/{GAME}"))


def against_greedy(guest: Guest) -> str:
    table = guest.set_up("me", "greedy")
    play_out(table, {0: guest})
    return table


def test_the_first_game_changes_a_provisional_rating(server: Server) -> None:
    ann = claim(server.guest(), "Ann Rated")
    table = against_greedy(ann)
    (mine,) = standing(ann, table)["ratings"]  # a new account moves no bot's rating
    assert (mine["seat"], mine["before"], mine["provisional"]) == (0, 1500, True)
    assert mine["after"] != 1500
    assert mine["error"] < 246
    (rating,) = profile(server, "Ann Rated")["ratings"]
    assert (rating["points"], rating["provisional"]) == (mine["after"], True)
    assert ladder(ann)["mine"]["points"] == mine["after"]
    assert "Ann Rated" not in [rung["name"] for rung in ladder(ann)["rungs"]]
    watcher = server.guest()
    assert standing(watcher, table) == {"ratings": [mine], **NOTHING}
    training = ann.set_up("me", "greedy", training=True)
    play_out(training, {0: ann})
    assert standing(ann, training) == {"ratings": [], **NOTHING}


def test_who_stands_on_the_ladder(server: Server, backing: Backing) -> None:
    ann, ben, eve = (claim(server.guest(), f"{name} Climbs") for name in ("Ann", "Ben", "Eve"))
    rows = [
        {"who": who.id, "game": GAME, "mu": mu, "sigma": 2.0, "games": games}
        for who, mu, games in ((ann, 30.0, 5), (ben, 35.0, 9), (eve, 40.0, 4))
    ]
    written(backing, insert(RATINGS).values(rows))

    def names() -> list[str]:
        return [r["name"] for r in ladder(ann)["rungs"] if r["name"].endswith("Climbs")]

    assert names() == []  # none of them is a day old
    written(backing, update(ACCOUNTS).values(created=0.0))
    assert names() == ["Ben Climbs", "Ann Climbs"]
    assert [rung["mine"] for rung in ladder(ann)["rungs"] if rung["mine"]] == [True]
    ben.http.put("/api/me/sharing", json={"sharing": "none"})
    assert names() == ["Ann Climbs"]
    assert server.guest().http.get("/api/ladder/chess").status_code == 404


def test_records_and_firsts(server: Server, backing: Backing) -> None:
    guest = server.guest("Ann")
    first, second = against_greedy(guest), against_greedy(guest)
    assert standing(guest, first)["best"]["before"] is None
    here = RESULTS.c.table_id == second
    written(backing, update(RESULTS).where(here).values(total=1000))
    record = standing(guest, second)["best"]
    assert (record["total"], record["seat"]) == (1000, 0)
    assert 0 < record["before"] < 1000
    again = FEATS.insert().from_select(
        ["guest", "feat", "table_id", "at"],
        select(RESULTS.c.guest, RESULTS.c.game, RESULTS.c.table_id, RESULTS.c.at).where(
            here, RESULTS.c.seat == 0
        ),
    )
    written(backing, again)  # as a first of the second game
    assert GAME in standing(guest, second)["feats"]
    assert GAME not in standing(guest, first)["feats"]
    claim(guest, "Ann First")  # what a guest has done first, the account has
    assert GAME in [one["feat"] for one in profile(server, "Ann First")["feats"]]
    assert GAME in standing(guest, second)["feats"]


def test_what_a_game_can_be_proud_of() -> None:
    """The longest route, and all tickets; a network in every district."""
    table = headway.Table("ticket-to-ride", seats=2, seed=5)
    greedy = [headway.make_bot("driver", table.game, seat) for seat in range(2)]
    while not table.finished():
        for seat in table.actors():
            table.play(seat, greedy[seat].choose(table.view(seat), table.state.legal(seat)))
    view: Any = table.view(0)
    lengths = {route.name: route.length for route in table.game.board.routes}  # type: ignore[attr-defined]
    for seat in range(2):
        owned = [lengths[name] for name, owner in view.routes.items() if owner == seat]
        tickets = view.scores[seat].each_ticket
        feats = table.state.feats(seat)
        assert ("longest_route" in feats) == (4 in owned)
        done = len(tickets) >= 4 and all(ticket.completed for ticket in tickets)
        assert ("every_ticket" in feats) == done
