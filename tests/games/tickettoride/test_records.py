"""Every stored game is a test by itself: replayed, judged, and played both ways."""

from __future__ import annotations

import pytest
from games.tickettoride import record_files
from games.tickettoride.twin import play_both_ways

import headway
from headway.games.tickettoride.game import TicketToRide

NAMES = record_files.names()


@pytest.mark.parametrize("name", NAMES)
def test_the_engine_s_report_is_the_conductor_s(name: str) -> None:
    assert headway.replay(record_files.load(name)).report() == record_files.expected(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_expected_report_is_the_conductor_s(name: str) -> None:
    verdict = record_files.verdict(record_files.load(name))
    assert record_files.report(verdict) == record_files.expected(name)


@pytest.mark.parametrize("name", NAMES)
def test_both_ways(name: str) -> None:
    replay = headway.replay(record_files.load(name))
    assert isinstance(replay.game, TicketToRide)
    assert play_both_ways(replay.game, replay.events) == replay.state


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_game_is_read_as_it_was_written(name: str) -> None:
    record = headway.read((record_files.FOLDER / f"{name}.json").read_text("utf-8"))
    again = headway.read(record.json())
    assert (again.seed, again.deal, again.moves) == (record.seed, record.deal, record.moves)
    replay = headway.replay(record)
    deal, moves = replay.game.records.write(replay.game, replay.events)
    assert moves == record.moves
    stored = headway.Record(
        format=record.format, game=record.game, map=record.map, seats=record.seats,
        deal=deal, moves=moves,
    )  # fmt: skip
    assert headway.replay(headway.read(stored.json())).events == replay.events


@pytest.mark.rule("TR-04", "TR-09")
def test_the_stored_games_are_of_all_kinds() -> None:
    records = {name: record_files.load(name) for name in NAMES}
    verdicts = {name: record_files.verdict(record) for name, record in records.items()}
    assert len(records) >= 20
    for seats in (2, 3, 4):
        own = [name for name in NAMES if records[name].seats == seats]
        assert len(own) >= 6
        assert any(records[name].seed is not None for name in own)
        assert any(verdicts[name].reshuffles > 1 for name in own)
        assert any(verdicts[name].redeals for name in own)
    moves = {move.split()[0] for record in records.values() for move in record.moves}
    assert moves == {"keep", "take", "claim", "tickets"}
    assert any(s["total"] < 0 for v in verdicts.values() for s in v.scores)
    assert any(s["districts"] for v in verdicts.values() for s in v.scores)


@pytest.mark.rule("TR-05", "TR-06")
def test_a_record_that_is_not_finished_goes_on_where_it_was() -> None:
    table = headway.Table("tickettoride", seats=3, seed=4)
    table.play(2, "keep 1")
    assert table.record().moves == [], "opening choices are written when all have chosen"
    table.play(0, "keep 2")
    table.play(1, "keep 1 2")
    assert table.record().moves == ["keep 2", "keep 1 2", "keep 1"]
    seat = table.actors()[0]
    table.play(seat, "take pile")
    record = table.record()
    assert record.seed is None
    assert record.deal is not None
    assert len(record.deal["transport"]) == 44
    assert len(record.deal["tickets"]) == 20
    assert record.deal["first"] == seat
    with pytest.raises(headway.RuleBroken) as error:
        headway.replay(headway.read(record.json()))
    assert error.value.rule == "TR-16"
    assert error.value.place == (("move", 5), ("seat", seat))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_table_of_a_seed_is_dealt_as_promised(seats: int) -> None:
    table = headway.Table("tickettoride", seats=seats, seed=8, names=list("abcd"[:seats]))
    players = [headway.make_bot("planner", table.game, seat) for seat in range(seats)]
    headway.play_out(table, players)
    assert headway.verify(headway.read(table.record().json())).state == table.state
