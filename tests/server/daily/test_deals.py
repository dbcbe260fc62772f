"""The deals of the day: the same for everybody, one try each, nothing told too early."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from server.in_process import serving
from server.services import ON_SQLITE, PATIENT, Backing, Guest, Server, play_out, until
from server.steps import DAY, became, begin, claim, day_of, deal_of, key_of, sign_in, whole_database
from support.own_loop import run
from websockets.exceptions import ConnectionClosed

from headway import record
from headway.games import boxes
from headway.games.contract import CHANCE
from headway.reviews.job import ReviewJob
from headway.server.core.calendar import streak, week
from headway.server.daily import deals
from headway.server.daily.deals import SIMULATIONS_PER_MOVE, bars, better, daily_bots, ranking
from headway.server.tables.results import bot_tries
from headway.server.tables.standings import beginner

Start = Callable[..., Server]
NEXT = "2026-11-17"
EARLY, LATER = "2026-10-31", "2026-11-01"


@pytest.fixture(scope="module")
def today(backing: Backing, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(backing, tmp_path_factory.mktemp("logs"), HEADWAY_TODAY=DAY)
    yield running
    running.stop()
    assert running.errors() == []


def test_one_deal_for_everybody_and_one_try_each(today: Server) -> None:
    ann, ben = today.guest("Ann"), today.guest("Ben")
    mine, other = begin(ann), begin(ben)
    assert mine != other
    seen, seen_by_ben = ann.see(mine), ben.see(other)
    assert seen["day"] == DAY
    assert not seen["training"]
    assert [seat["kind"] for seat in seen["seats"]] == ["person"]
    assert seen["views"] == seen_by_ben["views"]
    ann.move(mine, 0, "pass")
    ben.move(other, 0, "pass")
    assert ann.see(mine)["views"] == ben.see(other)["views"]
    assert begin(ann) == mine
    play_out(mine, {0: ann})
    assert begin(ann) == mine
    assert deal_of(ann)["state"] == "done"
    assert deal_of(ben)["state"] == "running"
    assert begin(ann, "today/next-station/tokyo") != mine


@ON_SQLITE
def test_the_note_of_a_map_stands_with_its_deal(today: Server) -> None:
    deals = {deal["map"]: deal["note"] for deal in day_of(today.guest("Ann"))["deals"]}
    assert deals["tokyo"]["en"].startswith("Redrawn map")
    assert deals["tokyo"]["fr"].startswith("Plan redessiné")
    assert deals["london"] == {"en": "", "fr": ""}


def test_two_tabs_at_once_make_one_table(today: Server) -> None:
    guest = today.guest()
    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(lambda _: begin(guest), range(6)))) == 1
    assert len(guest.http.get("/api/tables?which=mine").json()) == 1


@ON_SQLITE
def test_the_bus_has_its_usual_opponent(today: Server) -> None:
    ann, ben = today.guest(), today.guest()
    tables = begin(ann, "today/ticket-to-ride/london"), begin(ben, "today/ticket-to-ride/london")
    seen = ann.see(tables[0])
    assert [seat.get("bot") for seat in seen["seats"]] == [None, "commuter"]
    for _ in range(4):  # the same moves meet the same answers
        for guest, table in zip((ann, ben), tables, strict=True):
            until(lambda guest=guest, table=table: guest.see(table)["legal"]["0"])  # type: ignore[misc]
            guest.move(table, 0, guest.see(table)["legal"]["0"][0])
    until(lambda: ann.see(tables[0])["legal"]["0"] and ben.see(tables[1])["legal"]["0"])
    one, other = (guest.see(t)["log"] for guest, t in zip((ann, ben), tables, strict=True))
    for seat in (CHANCE, 0, 1):  # who is the first to choose tickets is not always the same
        assert [line["text"] for line in one if line["seat"] == seat] == [
            line["text"] for line in other if line["seat"] == seat
        ]


def test_nothing_is_spoilt(today: Server) -> None:
    ann, ben = today.guest("Ann"), today.guest("Ben")
    table = begin(ann)
    end = play_out(table, {0: ann})
    assert end["fair"] is None
    kept = ann.http.get(f"/api/tables/{table}/record")
    read = record.read(kept.text)
    assert read.seed is None
    assert read.fair is not None
    assert read.fair.salt is None
    assert len(list(record.steps(read)))
    for stranger in (ben, today.guest()):
        for path in ("", "/record", "/replay", "/review", "/picture.svg", "/picture.png"):
            answer = stranger.http.get(f"/api/tables/{table}{path}")
            assert key_of(answer) == (403, "server.today_hidden"), path
        with stranger.socket(table) as ear, pytest.raises(ConnectionClosed):
            ear.hear()
        deal = deal_of(stranger)
        assert deal["results"] >= 1
        assert (deal["spread"], deal["bots"], deal["better"]) == ([], [], None)
        assert deal["review"] is None
        begin(stranger)
        assert stranger.http.get(f"/api/tables/{table}").status_code == 403
    play_out(begin(ben), {0: ben})
    review = until(lambda: deal_of(ben)["review"], seconds=280)
    assert sum(row["mine"] for row in review["by_points"]) == 1
    assert ben.see(table)["outcome"] == end["outcome"]
    assert ben.see(table)["fair"] is None
    assert ben.http.get(f"/api/tables/{table}/replay").status_code == 200


@pytest.mark.rule("RV-08")
@pytest.mark.parametrize("backing", ["sqlite"], indirect=True, scope="module")
def test_nobody_makes_more_than_the_best_of_the_deal(today: Server) -> None:
    """Ben plays a line that the small search of Ann's review does not find."""
    ann, ben = today.guest("Ann"), today.guest("Ben")
    table, other = begin(ann), begin(ben)
    play_out(table, {0: ann})
    job = ReviewJob(record.read(ann.http.get(f"/api/tables/{table}/record").text))
    line = job.reviewer.best_line(0)
    for move in line.moves:
        ben.move(other, 0, job.played.game.move_text(move))

    def best(path: str) -> Any:
        review = ann.ok(ann.post(f"tables/{path}/review"))["review"]
        return review and review["best"]

    until(lambda: best(other), seconds=280)
    found = until(lambda: best(table), seconds=280)
    assert found["totals"][0] >= line.total
    again = record.replay(record.read(msgspec.json.encode(found["record"])))
    assert list(again.outcome.totals) == found["totals"]


def test_played_alone_to_the_end_without_help(today: Server) -> None:
    guest = today.guest()
    table = begin(guest)
    guest.move(table, 0, "pass")
    assert key_of(guest.post(f"tables/{table}/seats/0/bot", bot="greedy"))[0] == 409
    assert key_of(guest.post(f"tables/{table}/leave", seat=0)) == (409, "server.today_alone")
    assert key_of(guest.post(f"tables/{table}/hint", seat=0)) == (409, "server.hint_training")
    undo = guest.post(f"tables/{table}/undo", seat=0, client_id="undo-undo")
    assert key_of(undo) == (409, "server.undo_revealed")


@ON_SQLITE
def test_a_rematch_is_a_game_like_others(today: Server) -> None:
    guest = today.guest()
    table = begin(guest)
    play_out(table, {0: guest})
    again = guest.ok(guest.post(f"tables/{table}/rematch"))
    assert again["day"] == ""
    assert begin(guest) == table


@pytest.mark.parametrize("backing", ["sqlite"], indirect=True, scope="module")
def test_spread_and_bots(today: Server) -> None:
    guest = today.guest()
    play_out(begin(guest, "today/next-station/tokyo"), {0: guest}, pick=0)
    until(lambda: not deal_of(guest, city="tokyo")["bots_missing"], seconds=280)
    deal = deal_of(guest, city="tokyo")
    assert [bot_try["bot"] for bot_try in deal["bots"]] == [
        "tourist",
        "commuter",
        "driver",
        "expert",
    ]
    assert deal["bots"][-1]["simulations"]
    assert sum(bar["count"] for bar in deal["spread"]) == deal["results"]
    assert [bar["least"] <= deal["total"] <= bar["most"] for bar in deal["spread"]] == [
        bar["mine"] for bar in deal["spread"]
    ]
    assert daily_bots("next-station")[0] == "tourist"


def test_spread_has_steps_of_one_width() -> None:
    spread = bars(Counter([3, 47, 48, 102, 102]), 48)
    assert [(bar.least, bar.most) for bar in spread] == [(n, n + 9) for n in range(0, 110, 10)]
    assert sum(bar.count for bar in spread) == 5
    assert [bar.least for bar in spread if bar.mine] == [40]
    assert bars(Counter([-7, 2]), 2)[0].least <= -7
    assert bars(Counter(), None) == []
    assert better(Counter([1, 2, 3, 4, 5]), 5) == 100
    assert better(Counter([1, 3, 3]), 3) == 50
    assert better(Counter([9]), 9) is None


def test_rankings_have_the_first_places_and_mine() -> None:
    totals = Counter([90, 90, 80, 70, 60, 50, 40, 30])
    rows = ranking(totals, 30, largest_first=True)
    assert [(row.place, row.value, row.count) for row in rows] == [
        (1, 90, 2), (3, 80, 1), (4, 70, 1), (5, 60, 1), (6, 50, 1), (8, 30, 1),
    ]  # fmt: skip
    assert [row.mine for row in rows] == [False] * 5 + [True]
    assert ranking(totals, None, largest_first=False)[0].value == 30
    assert ranking(Counter(), 3, largest_first=True) == []


def test_streak() -> None:
    assert streak(["2026-11-14", "2026-11-15", "2026-11-16"], "2026-11-16") == 3
    assert streak(["2026-11-14", "2026-11-15"], "2026-11-16") == 2
    assert streak(["2026-11-13", "2026-11-14"], "2026-11-16") == 0
    assert streak([], "2026-11-16") == 0


def test_week_ends_today() -> None:
    played = ["2026-11-09", "2026-11-10", "2026-11-14", "2026-11-16"]
    assert week(played, "2026-11-16") == [True, False, False, False, True, False, True]


def test_tries_come_along_and_count_once(today: Server) -> None:
    """Whoever signs in brings a try along; where the account has one already, that one counts."""
    phone, laptop = claim(today.guest(), "Daily Dora"), today.guest()
    first = begin(phone)
    play_out(first, {0: phone})
    second, tokyo = begin(laptop), begin(laptop, "today/next-station/tokyo")
    play_out(second, {0: laptop}, pick=0)
    before = deal_of(phone)["results"]
    sign_in(laptop, "Daily Dora")
    assert begin(laptop) == first
    assert begin(laptop, "today/next-station/tokyo") == tokyo
    assert deal_of(laptop)["results"] == before - 1
    assert laptop.see(second)["seats"][0]["mine"]
    profile = today.guest().http.get("/api/people/daily%20dora").json()
    assert profile["played"] == []  # others still play it
    assert phone.http.get("/api/people/daily%20dora").json()["played"]


def test_deleted_tries_are_gone(today: Server, backing: Backing) -> None:
    gone, other = claim(today.guest(), "Passing Paul"), today.guest()
    play_out(begin(gone), {0: gone})
    play_out(begin(other), {0: other})
    account, results = gone.id, deal_of(other)["results"]
    became(gone, gone.post("account/delete", password="a long password"))
    assert deal_of(other)["results"] == results - 1
    assert account not in whole_database(backing)


@ON_SQLITE
@pytest.mark.parametrize("path", ["today/next-station/atlantis", "today/chess/london"])
def test_no_such_deal(today: Server, path: str) -> None:
    assert today.guest().post(path).status_code == 404


@ON_SQLITE
@pytest.mark.parametrize("day", [NEXT, "yesterday", "2026-13-01", "20261116"])
def test_no_such_day(today: Server, day: str) -> None:
    answer = today.guest().http.get("/api/today", params={"day": day})
    assert key_of(answer) == (404, "server.no_day")


def test_the_next_day_all_is_open(start: Start) -> None:
    server = start(HEADWAY_TODAY=EARLY)
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table, running = begin(ann), begin(ben)
    totals = play_out(table, {0: ann})["outcome"]["totals"]
    ben.move(running, 0, "pass")
    first = ann.see(table)["views"]["0"]
    server.stop()
    server.variables["HEADWAY_TODAY"] = LATER
    server.start()
    stranger = server.guest()
    with httpx.Client(base_url=server.url, cookies=dict(ann.http.cookies), **PATIENT) as again:
        ann.http = again
        seed = stranger.see(table)["fair"]["seed"]
        assert int(seed) > 1 << 100  # nobody tries all seeds during the day
        assert isinstance(seed, str)
        assert stranger.http.get(f"/api/tables/{table}/replay").status_code == 200
        yesterday = deal_of(ann, EARLY)
        assert (yesterday["state"], yesterday["total"]) == ("done", totals[0])
        assert deal_of(stranger, EARLY)["spread"]
        boards = [{"table": table, "total": totals[0], "mine": True}]
        assert yesterday["boards"] == boards
        assert deal_of(stranger, EARLY)["boards"] == [boards[0] | {"mine": False}]
        assert stranger.http.get(f"/api/tables/{table}/picture.png?width=60").status_code == 200
        new = begin(ann)
        assert new != table
        assert deal_of(ann)["boards"] == []
        assert deal_of(ann)["state"] == "running"
        assert day_of(ann)["streak"] == 1
        assert play_out(new, {0: ann})["views"]["0"] != first
        assert day_of(ann)["streak"] == 2
        assert day_of(ann)["week"] == [False] * 5 + [True, True]
    with httpx.Client(base_url=server.url, cookies=dict(ben.http.cookies), **PATIENT) as again:
        ben.http = again
        play_out(running, {0: ben})
        late = deal_of(ben, EARLY)
        assert late["state"] == "late"
        assert late["results"] == 1
        assert day_of(ben)["streak"] == 0


@pytest.mark.parametrize("backing", ["postgresql"], indirect=True, scope="module")
def test_two_processes_deal_the_same(start: Start) -> None:
    here, there = start(HEADWAY_TODAY=DAY), start(HEADWAY_TODAY=DAY)
    guest = here.guest()
    with ThreadPoolExecutor(2) as pool:
        twin = Guest(there)
        twin.http.cookies.update(dict(guest.http.cookies))
        assert len(set(pool.map(begin, (guest, twin)))) == 1
    other = there.guest()
    assert other.see(begin(other))["views"] == guest.see(begin(guest))["views"]


def test_documentation_names_the_budget() -> None:
    page = " ".join((Path(__file__).parents[3] / "docs/people.md").read_text().split())
    assert f"{SIMULATIONS_PER_MOVE} simulations for a move" in page
    assert f"{beginner().points()} ± {beginner().error()}" in page


def test_bots_have_played_before_a_day_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deals, "daily_bots", lambda _: ["tourist"])

    async def played(*hours: int) -> dict[str, int]:
        database = f"sqlite:///{tmp_path}/{hours[1]}.db"
        async with serving(database, today=DAY, idle_work=hours) as app:
            daily = app.app.state.process.daily
            await daily.play_ahead()
            read = daily.store.database.read
            found = {day: await read(partial(bot_tries, day=day)) for day in (DAY, NEXT)}
            return {day: len(tries) for day, tries in found.items()}

    maps = sum(len(game_box.maps) for game_box in boxes())
    assert run(played(0, 24)) == {DAY: maps, NEXT: maps}
    assert run(played(0, 0)) == {DAY: 0, NEXT: 0}
