"""Before the game: readiness, bots on free seats, fewer players, choices, and the rematch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from server.services import ON_SQLITE, Guest, Server, play_out, start_clock, table_request, until

from headway import record
from headway.server.tables.clocks import Clock
from headway.server.tables.events import SIT, TableEvent
from headway.server.tables.setup import NewSeat, NewTable, Persona, new_setup
from headway.server.tables.state import TableState

MINUTE = {"kind": "turn", "seconds": 60}
DAY = {"kind": "days", "days": 1}


@pytest.fixture
def people(server: Server) -> Callable[[int], list[Guest]]:
    return lambda count: [server.guest(f"Player {n + 1}") for n in range(count)]


People = Callable[[int], list[Guest]]


def key(answer: Any) -> str:
    """The key of the sentence that refuses a request."""
    assert answer.status_code >= 400
    error_key: str = answer.json()["error"]["key"]
    return error_key


@ON_SQLITE
def test_a_clock_starts_when_everybody_is_ready(people: People) -> None:
    ann, ben = people(2)
    table = ann.set_up("me", "open", clock=MINUTE)
    assert key(ann.post(f"tables/{table}/ready")) == "server.not_started"
    seen = ben.join(table)
    assert seen["started"] is None
    assert [seat["ready"] for seat in seen["seats"]] == [False, False]
    seen = start_clock(table, ben)
    assert seen["started"] is None
    assert [seat["ready"] for seat in seen["seats"]] == [False, True]
    assert start_clock(table, ben)["number"] == seen["number"], "again changes nothing"
    assert key(people(1)[0].post(f"tables/{table}/ready")) == "server.not_at_table"
    began = start_clock(table, ann)
    assert began["clocks"]["turn_ends"] == began["started"] + 60
    assert "ready" not in began["seats"][0]


@ON_SQLITE
def test_a_change_of_a_seat_asks_everybody_again(people: People) -> None:
    ann, ben, eve = people(3)
    table = ann.set_up("me", "open", clock=MINUTE)
    ben.join(table)
    start_clock(table, ann)
    ben.ok(ben.post(f"tables/{table}/leave", seat=1))
    assert [seat["ready"] for seat in eve.join(table)["seats"]] == [False, False]


@ON_SQLITE
def test_nobody_confirms_without_a_clock_or_alone(people: People) -> None:
    ann, ben = people(2)
    table = ann.set_up("me", "open")
    assert ben.join(table)["started"]
    assert ann.see(ann.set_up("me", "greedy", clock=MINUTE))["started"]
    assert ann.see(ann.set_up("me", "me", clock=MINUTE))["started"]


@ON_SQLITE
def test_a_clock_of_days_needs_other_people(people: People) -> None:
    ann, ben = people(2)
    for seats in (["me", "greedy"], ["me", "me"], ["me"]):
        refused = ann.post("tables", **table_request(*seats, clock=DAY))
        assert key(refused) == "server.clock_days"
    table = ann.set_up("me", "greedy", "open", clock=DAY)
    assert key(ann.post(f"tables/{table}/seats/2/bot", bot="greedy")) == "server.clock_days"
    assert key(ann.post(f"tables/{table}/begin")) == "server.clock_days"
    ben.join(table)
    assert start_clock(table, ann, ben)["started"]


@ON_SQLITE
def test_the_host_fills_seats_with_bots_of_any_level(people: People) -> None:
    ann, ben = people(2)
    table = ann.set_up("me", "open", "open", "open")
    ben.join(table, seat=2)
    assert not ben.see(table)["hosting"]
    assert key(ben.post(f"tables/{table}/seats/1/bot", bot="greedy")) == "server.host_only"
    assert ann.see(table)["hosting"]
    ann.ok(ann.post(f"tables/{table}/seats/1/bot", bot="tourist"))
    seen = ann.ok(ann.post(f"tables/{table}/seats/3/bot", bot="random"))
    assert [seat.get("bot") for seat in seen["seats"]] == [None, "tourist", None, "random"]
    assert seen["started"]


@ON_SQLITE
def test_the_host_begins_with_fewer_players(people: People) -> None:
    ann, ben = people(2)
    chosen = {"pencils": [None, "pink", "green", "blue"], "controller": 2}
    table = ann.set_up("me", "open", "open", "open", chosen=chosen)
    ben.join(table, seat=2)
    assert key(ben.post(f"tables/{table}/begin")) == "server.host_only"
    began = ann.ok(ann.post(f"tables/{table}/begin"))
    assert [seat["name"] for seat in began["seats"]] == ["Player 1", "Player 2"]
    assert began["chosen"] == {"pencils": [None, "green"], "controller": 1}
    assert ben.see(table)["seats"][1]["mine"]
    assert began["views"]["0"]["seats"] == 2
    assert key(ann.post(f"tables/{table}/begin")) == "server.full"
    mine = ann.ok(ann.http.get("/api/tables", params={"which": "mine"}))
    assert [len(head["seats"]) for head in mine if head["id"] == table] == [2]
    seen = play_out(table, {0: ann, 1: ben})
    assert len(seen["outcome"]["totals"]) == 2
    stored = record.read(ann.http.get(f"/api/tables/{table}/record").content)
    assert stored.chosen == began["chosen"]
    assert record.verify(stored).outcome.totals == tuple(seen["outcome"]["totals"])


@ON_SQLITE
def test_too_few_players_cannot_begin(people: People) -> None:
    (ann,) = people(1)
    table = ann.set_up("me", "open", game="ticket-to-ride")
    assert key(ann.post(f"tables/{table}/begin")) == "broken.TR-01"


def test_an_old_table_with_a_clock_still_loads() -> None:
    """A table of the version before began when its last seat was taken."""
    seats = [NewSeat("me"), NewSeat("open")]
    clock = Clock("turn", seconds=60)
    request = NewTable(game="next-station", map="london", seats=seats, clock=clock)
    setup = replace(new_setup(request, "ann", Persona("Ann"), 1), confirm=False)
    sit = TableEvent(table_id=setup.id, number=1, at=5.0, kind=SIT, seat=1, guest="ben", text="Ben")
    assert TableState.replayed(setup, [sit]).started == 5.0
    assert TableState.replayed(replace(setup, confirm=True), [sit]).started is None


@ON_SQLITE
def test_everybody_sees_what_the_host_chose(people: People) -> None:
    ann, ben = people(2)
    chosen = {"pencils": ["green", None], "controller": 1}
    table = ann.set_up("me", "open", chosen=chosen, public=True)
    assert ben.see(table)["chosen"] == chosen
    heads = ben.ok(ben.http.get("/api/tables"))
    assert [head["chosen"] for head in heads if head["id"] == table] == [chosen]
    view = ben.join(table)["views"]["1"]
    assert view["pencils"][0][0] == "green"
    assert view["controller"] == 1
    assert ben.http.get(f"/api/tables/{table}/record").json()["chosen"] == chosen


@ON_SQLITE
def test_everybody_picks_a_pencil_while_the_table_waits(people: People) -> None:
    """First come, first served, also when joining; records replay with what was picked."""
    ann, ben, eve = people(3)
    table = ann.set_up("me", "open", "open")
    pick = f"tables/{table}/pick"
    ann.ok(ann.post(pick, part="pencils", value="green", seat=0))
    assert eve.see(table)["chosen"] == {"pencils": ["green", None, None]}
    taken = {"part": "pencils", "value": "green"}
    assert key(ben.post(f"tables/{table}/join", pick=taken)) == "server.picked"
    assert not any(seat["mine"] for seat in ben.see(table)["seats"])
    ben.join(table, pick=taken | {"value": "blue"})
    assert key(ben.post(pick, part="pencils", value="pink", seat=0)) == "server.not_yours"
    assert key(ben.post(pick, part="controller", value=1)) == "server.host_only"
    assert key(ben.post(pick, part="pencils", value="gold", seat=1)) == "choice.value"
    assert key(ann.post(pick, part="pencils", value="pink")) == "choice.seats"
    ann.ok(ann.post(pick, part="controller", value=1))
    ann.ok(ann.post(pick, part="spare", value=2))
    began = eve.join(table, pick={"part": "pencils", "value": "pink"})
    assert began["started"]
    view = began["views"]["2"]
    assert [row[0] for row in view["pencils"]] == ["green", "blue", "pink"]
    assert view["controller"] == 1
    assert key(ann.post(pick, part="pencils", value="purple", seat=0)) == "server.begun"
    seen = play_out(table, {0: ann, 1: ben, 2: eve})
    stored = record.read(ann.http.get(f"/api/tables/{table}/record").content)
    assert stored.chosen == began["chosen"]
    assert record.verify(stored).outcome.totals == tuple(seen["outcome"]["totals"])


@ON_SQLITE
def test_the_host_places_the_spares_of_two_players(people: People) -> None:
    ann, ben = people(2)
    table = ann.set_up("me", "open", clock=MINUTE)
    ben.join(table, pick={"part": "pencils", "value": "blue"})
    assert key(ann.post(f"tables/{table}/pick", part="spare", value="blue")) == "choice.spare_taken"
    ann.ok(ann.post(f"tables/{table}/pick", part="spare", value="pink"))
    taken = ben.post(f"tables/{table}/pick", part="pencils", value="pink", seat=1)
    assert key(taken) == "choice.spare_taken"
    pencils = start_clock(table, ann, ben)["views"]["1"]["pencils"]
    assert (pencils[1][0], pencils[1][1]) == ("blue", "pink")


@ON_SQLITE
def test_who_leaves_gives_the_colour_back(people: People) -> None:
    """The host picks for a bot; a seat that is taken away takes what it had along."""
    ann, ben, eve = people(3)
    table = ann.set_up("me", "open", "open", "greedy", game="ticket-to-ride")
    ben.join(table, seat=1, pick={"part": "buses", "value": "teal"})
    eve.join(table, seat=2, pick={"part": "buses", "value": "brown"})
    assert eve.see(table)["views"]["2"]["bus_colours"] == ["red", "teal", "brown", "purple"]
    table = ann.set_up("me", "open", "open", "greedy", game="ticket-to-ride")
    ben.join(table, seat=1, pick={"part": "buses", "value": "teal"})
    ben.ok(ben.post(f"tables/{table}/leave", seat=1))
    assert ann.see(table)["chosen"] == {}
    pick = f"tables/{table}/pick"
    assert key(ben.post(pick, part="buses", value="teal", seat=3)) == "server.host_only"
    ann.ok(ann.post(pick, part="buses", value="teal", seat=3))
    ann.ok(ann.post(pick, part="buses", value="brown", seat=0))
    began = ann.ok(ann.post(f"tables/{table}/begin"))
    assert began["views"]["0"]["bus_colours"] == ["brown", "teal"]


@ON_SQLITE
@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"cards": "street:joker"}, "choice.unknown"),
        ({"objectives": "tourist"}, "choice.unknown"),
        ({"spare": 0}, "choice.value"),
        ({"spare": "pink", "pencils": ["pink", None]}, "choice.spare_taken"),
        ({"pencils": ["green", "green"]}, "choice.twice"),
        ({"controller": 7}, "choice.value"),
    ],
)
def test_the_server_refuses_impossible_choices(
    people: People, chosen: dict[str, Any], sentence: str
) -> None:
    (ann,) = people(1)
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "next-station", "map": "london", "seats": seats, "chosen": chosen}
    assert key(ann.post("tables", **body)) == sentence


@ON_SQLITE
def test_the_shelf_says_what_can_be_chosen(people: People) -> None:
    (ann,) = people(1)
    games = {game["name"]: game for game in ann.ok(ann.http.get("/api/shelf"))["games"]}
    (london, _) = games["next-station"]["maps"]
    names = {n: [choice["name"] for choice in choices] for n, choices in london["choices"].items()}
    with_spare = ["pencils", "spare", "controller"]
    four = ["pencils", "controller"]
    assert names == {"1": [], "2": with_spare, "3": with_spare, "4": four}
    (board,) = games["ticket-to-ride"]["maps"]
    assert [choice["name"] for choice in board["choices"]["2"]] == ["first", "buses"]


def test_a_rematch_waits_for_everybody(people: People) -> None:
    ann, ben = people(2)
    table = ann.set_up("me", "open", clock=MINUTE)
    ben.join(table)
    start_clock(table, ann, ben)
    play_out(table, {0: ann, 1: ben})
    with people(1)[0].socket(table) as watcher:
        following = ben.ok(ben.post(f"tables/{table}/rematch"))
        seen_table = watcher.table(lambda seen: seen["next"])
    assert seen_table["next"] == following["id"]
    assert seen_table["rematch_by"] == 1
    assert following["started"] is None
    assert following["clocks"] is None or not following["clocks"].get("ends")
    assert [seat["ready"] for seat in following["seats"]] == [False, True]
    began = ann.ok(ann.post(f"tables/{table}/rematch"))
    assert began["id"] == following["id"]
    assert began["started"]


@ON_SQLITE
def test_a_seat_whose_holder_does_not_come_goes_to_a_bot(people: People) -> None:
    """The server of these tests calls a player away after 0.3 seconds."""
    ann, ben = people(2)
    table = ann.set_up("me", "open", clock=MINUTE)
    ben.join(table)
    start_clock(table, ann)
    bot = f"tables/{table}/seats/1/bot"
    until(lambda: ann.post(bot, bot="greedy").status_code == 200)
    assert ann.see(table)["started"]


def test_my_list_says_whose_turn_it_is_and_how_it_ended(people: People) -> None:
    ann, ben = people(2)
    table = ann.set_up("me", "open", clock=MINUTE)
    waiting = listed(ann, table)
    assert waiting["progress"] == {}
    ben.join(table)
    assert listed(ann, table)["progress"]["actors"] == [0, 1]
    start_clock(table, ann, ben)
    progress = listed(ann, table)["progress"]
    assert progress["actors"] == [0, 1]
    assert progress["stage"] == {"key": "nextstation.stage", "n": 1, "of": 4}
    assert set(progress["ends"]) == {"0", "1"}
    ann.move(table, 0)
    assert listed(ben, table)["progress"]["actors"] == [1]
    assert key(ann.post(f"tables/{table}/remove")) == "server.leave_first"
    outcome = play_out(table, {0: ann, 1: ben})["outcome"]
    progress = listed(ann, table)["progress"]
    assert progress == {"totals": outcome["totals"], "winners": outcome["winners"]}
    assert ann.post(f"tables/{table}/remove").status_code == 204
    assert listed(ann, table) is None
    assert listed(ben, table)


def test_a_game_against_bots_can_be_removed(people: People) -> None:
    (ann,) = people(1)
    table = ann.set_up("me", "greedy")
    assert ann.post(f"tables/{table}/remove").status_code == 204
    assert listed(ann, table) is None
    ann.move(table, 0)
    assert listed(ann, table) is None


def listed(guest: Guest, table: str) -> Any:
    """A table in a guest's list of games; None if it is not there."""
    heads = guest.ok(guest.http.get("/api/tables", params={"which": "mine"}))
    return next((head for head in heads if head["id"] == table), None)


@pytest.fixture
def counting(start: Callable[..., Server]) -> Server:
    """A server at which a full table begins after a second."""
    return start(HEADWAY_START_SECONDS=1)


TURN_CLOCK = {"kind": "turn", "seconds": 600}


@ON_SQLITE
def test_a_full_table_begins_by_itself_when_everybody_is_there(counting: Server) -> None:
    ann, ben = counting.guest("Ann"), counting.guest("Ben")
    table = ann.set_up("me", "open", clock=TURN_CLOCK)
    with ann.socket(table) as ear, ben.socket(table):
        ear.await_people([0], 1, ["Ben"])
        seen = ben.join(table)
        assert seen["starts_at"] > seen["now"]
        assert ear.table(lambda now: now["started"])["starts_at"] is None


@ON_SQLITE
def test_a_table_waits_for_who_is_not_there_and_for_who_holds_it(counting: Server) -> None:
    ann, ben, eve = counting.guest("Ann"), counting.guest("Ben"), counting.guest("Eve")
    table = ann.set_up("me", "open", clock=TURN_CLOCK)
    with ann.socket(table) as ear:
        ben.join(table)
        seen = ear.table(lambda now: now["seats"][1]["kind"] == "person" and not now["starts_at"])
        assert (seen["started"], seen["seats"][1]["ready"]) == (None, False)
        assert key(ben.post(f"tables/{table}/hold")) == "server.moved_on"
    slow = ann.set_up("me", "open", clock=TURN_CLOCK | {"seconds": 601})
    with ann.socket(slow) as ear, ben.socket(slow):
        ear.await_people([0], 1, ["Ben"])
        ben.join(slow)
        assert key(eve.post(f"tables/{slow}/hold")) == "server.not_at_table"
        held = ann.post(f"tables/{slow}/hold")
        if held.is_success:  # else the machine took a second for it
            assert held.json()["starts_at"] is None
            for guest in (ann, ben):
                guest.ok(guest.post(f"tables/{slow}/ready"))
            assert ann.see(slow)["started"]


@ON_SQLITE
def test_a_game_of_days_begins_when_it_is_full(people: People) -> None:
    ann, ben = people(2)
    table = ann.set_up("me", "open", clock={"kind": "days", "days": 2})
    assert ben.join(table)["started"]
