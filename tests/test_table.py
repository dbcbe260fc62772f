"""The table: dealing, refusing, hiding, and the promise of a fair deal."""

from __future__ import annotations

import hashlib

import pytest

import headway
from headway import record
from headway.dealer import promise
from headway.games.nextstation.view import NextStationView


def finished(table: headway.Table, *bots: str) -> headway.Table:
    names = bots or ("random",) * table.seats
    headway.play_out(table, [headway.make_bot(n, table.game, k) for k, n in enumerate(names)])
    return table


def test_same_seed_same_game() -> None:
    one, two = (finished(headway.Table("london", seats=2, seed=9)) for _ in range(2))
    assert one.events == two.events
    assert one.outcome() == two.outcome()


def test_table_without_a_seed_takes_one_nobody_knows() -> None:
    assert headway.Table("london").seed != headway.Table("london").seed


def test_same_seed_deals_the_same_cards_with_and_without_modules() -> None:
    bare = finished(headway.Table("london", seed=3))
    full = finished(headway.Table("london", seed=3, objectives=True, powers=True))
    assert bare.game.write(bare.events)[0]["cards"] == full.game.write(full.events)[0]["cards"]


def test_refused_move_changes_nothing() -> None:
    table = headway.Table("london", seed=1)
    before = table.state.dump(), list(table.events)
    for wrong in ("a0b0", "d2", "pass pass", "z9a0"):
        with pytest.raises(headway.HeadwayError):
            table.play(0, wrong)
    with pytest.raises(headway.NotYourTurn):
        table.play(1, "pass")
    assert (table.state.dump(), table.events) == before


def test_moves_of_the_running_turn_stay_unseen() -> None:
    tables = [headway.Table("london", seats=2, seed=4) for _ in range(2)]
    for table, move in zip(tables, (tables[0].legal(1)[0], tables[0].legal(1)[-1]), strict=True):
        table.play(1, move)
    views = [table.view(0) for table in tables]
    assert views[0] == views[1]
    view = views[0]
    assert isinstance(view, NextStationView)
    assert view.moved == (False, True)
    assert [table.record().moves for table in tables] == [[], []]


def test_promise_is_kept() -> None:
    table = headway.Table("tokyo", seed=12)
    commitment = table.commitment
    before = record.read(table.record().json())
    assert before.seed is None
    assert before.fair
    assert (before.fair.commitment, before.fair.salt) == (commitment, None)
    stored = record.read(finished(table).record().json())
    assert stored.fair
    assert stored.fair.commitment == commitment
    text = f"headway-fair/1|12|{stored.fair.salt}"
    assert hashlib.sha256(text.encode()).hexdigest() == commitment
    assert record.verify(stored).outcome == table.outcome()
    assert promise(12).commitment != promise(12).commitment


def test_host_chooses_the_pencils() -> None:
    """NS-03: the host may choose the first pencils; the rest of the deal stays the seed's."""
    ring = [["blue", "purple", "green", "pink"], ["green", "pink", "blue", "purple"]]
    table = headway.Table("london", seats=2, seed=5, chosen={"pencils": ring})
    view = table.view(0)
    assert isinstance(view, NextStationView)
    assert [list(row) for row in view.pencils] == ring
    stored = record.read(finished(table).record().json())
    assert record.verify(stored).events == table.events
    with pytest.raises(headway.RuleBroken) as refused:
        headway.Table("london", seats=2, chosen={"pencils": [ring[0], ring[0]]})
    assert refused.value.rule == "NS-04"


def test_unfinished_game_is_recorded_without_seed() -> None:
    table = headway.Table("london", seats=2, seed=6)
    for seat in (0, 1):
        table.play(seat, table.legal(seat)[1])
    stored = record.read(table.record().json())
    assert stored.seed is None
    assert stored.deal
    with pytest.raises(headway.RuleBroken) as refused:
        record.replay(stored)
    assert refused.value.rule == "NS-10"


def test_no_such_seat() -> None:
    table = headway.Table("london", seats=2, seed=1)
    with pytest.raises(headway.NotYourTurn, match="seat 2"):
        table.legal(2)


def test_pictures_show_in_notebooks() -> None:
    table = headway.Table("tokyo", seed=2)
    assert table._repr_svg_().startswith("<svg")
    assert "reconstruction" in table.svg(lang="en")
    finished(table)
    assert record.replay(table.record())._repr_svg_().startswith("<svg")


def test_bots_see_views_only() -> None:
    """A bot that is given the same view and legal moves chooses the same, whatever is hidden."""
    tables = [headway.Table("london", seats=2, seed=4) for _ in range(2)]
    tables[0].play(1, tables[0].legal(1)[0])
    tables[1].play(1, tables[1].legal(1)[-1])
    for name in headway.bots_of("next-station"):
        choices = {
            headway.make_bot(name, t.game, 3).choose(t.view(0), t.state.legal(0)) for t in tables
        }
        assert len(choices) == 1


def test_greedy_beats_random() -> None:
    table = finished(headway.Table("london", seats=4, seed=8), "greedy", *["random"] * 3)
    outcome = table.outcome()
    assert outcome
    assert outcome.winners == (0,)


def test_unknown_bot() -> None:
    table = headway.Table("london", seed=1)
    with pytest.raises(headway.InputError, match="greedy"):
        headway.make_bot("deep-blue", table.game, 1)
