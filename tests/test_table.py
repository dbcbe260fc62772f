"""The table: dealing, refusing, hiding, and the promise of a fair deal."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

import headway
from headway import record
from headway.dealer import promise
from headway.games.contract import CHANCE
from headway.games.nextstation.view import NextStationView
from headway.games.tickettoride.view import TicketToRideView


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


@pytest.mark.parametrize(
    "seed", [0, -7, 1 << 60, 10**100 - 1, "12", "-3", np.int64(5), np.uint8(7)], ids=str
)
def test_a_record_replays_with_every_seed_that_a_table_takes(seed: Any) -> None:
    table = finished(headway.Table("london", seed=seed))
    assert type(table.seed) is int
    replayed = headway.replay(headway.read(table.record().json()))
    assert replayed.events == table.events
    assert replayed.record.seed == table.seed == int(seed)


@pytest.mark.parametrize(
    "seed", [1.5, 7.0, float("nan"), True, np.True_, "abc", "07", "", 10**100, [1], b"1"], ids=str
)
def test_a_seed_that_no_record_can_hold_is_refused(seed: Any) -> None:
    with pytest.raises(headway.InputError, match="A seed is a whole number of at most 100 digits"):
        headway.Table("london", seed=seed)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"map": 5}, "There is no map 5"),
        ({"seats": 2.0}, "seats must be a whole number, not 2.0"),
        ({"seats": True}, "seats must be a whole number, not True"),
        ({"seats": "2"}, "seats must be a whole number, not '2'"),
        ({"powers": "no"}, "The option powers is either True or False, not 'no'"),
        ({"powers": 1}, "The option powers is either True or False, not 1"),
        ({"salt": 5}, "A salt is a text"),
        ({"seats": 2, "names": ["Ann"]}, "one name for each seat"),
        ({"seats": 2, "names": "ab"}, "one name for each seat"),
        ({"seats": 2, "names": ["Ann", 7]}, "one name for each seat"),
    ],
    ids=str,
)
def test_a_wrong_setting_of_a_table_is_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(headway.InputError, match=sentence):
        headway.Table(**({"map": "london"} | settings))


@pytest.mark.parametrize("name", ["london", "ticket-to-ride"])
def test_a_wrong_seat_or_theme_is_refused(name: str) -> None:
    table = headway.Table(name, seats=2, seed=1)
    for shown in (table.view, table.log, table.svg, table.legal):
        with pytest.raises(headway.NotYourTurn, match="There is no seat 2"):
            shown(2)
    replayed = headway.replay(finished(table).record())
    with pytest.raises(headway.InputError, match="There is no seat 2"):
        replayed.svg(2)
    for pictured in (table, replayed):
        with pytest.raises(headway.InputError, match=r"no theme pink.* light, dark, auto"):
            pictured.svg(theme="pink")  # type: ignore[arg-type]


def test_wrong_moves_bots_and_budgets_are_refused() -> None:
    table = headway.Table("london", seats=2, seed=1)
    for move in (None, 1.5, True, [1]):
        with pytest.raises(headway.InputError, match="is not a move"):
            table.play(0, move)  # type: ignore[arg-type]
    with pytest.raises(headway.InputError, match="There is no bot 5"):
        headway.make_bot(5, table.game, 1)  # type: ignore[arg-type]
    with pytest.raises(headway.InputError, match="A seed is"):
        headway.make_bot("greedy", table.game, 1.5)  # type: ignore[arg-type]
    with pytest.raises(headway.InputError, match="Each seat needs a bot: 2, not 1"):
        headway.play_out(table, [headway.make_bot("greedy", table.game, 1)])
    record = finished(table).record()
    for budget in (0, -3, 1.5):
        with pytest.raises(headway.InputError, match="budget must be"):
            headway.review(record, budget=budget)  # type: ignore[arg-type]


def test_wrong_numbers_of_simulated_games_are_refused() -> None:
    game = headway.Table("london", seed=1).game
    for wrong, sentence in (
        ({"games": -1}, "games must be 0 or more, not -1"),
        ({"games": 1.5}, "games must be a whole number, not 1.5"),
        ({"games": 1, "threads": 0}, "threads must be 1 or more, not 0"),
    ):
        with pytest.raises(headway.InputError, match=sentence):
            game.simulate(**wrong)


def test_same_seed_deals_the_same_cards_with_and_without_modules() -> None:
    bare = finished(headway.Table("london", seed=3))
    full = finished(headway.Table("london", seed=3, objectives=True, powers=True))
    assert (
        bare.game.records.write(bare.game, bare.events)[0]["cards"]
        == full.game.records.write(full.game, full.events)[0]["cards"]
    )


def test_refused_move_changes_nothing() -> None:
    table = headway.Table("london", seed=1)
    before = table.state.dump(), list(table.events)
    for wrong in ("a0b0", "d2", "pass pass", "z9a0"):
        with pytest.raises(headway.HeadwayError):
            table.play(0, wrong)
    with pytest.raises(headway.NotYourTurn):
        table.play(1, "pass")
    assert (table.state.dump(), table.events) == before


@pytest.mark.parametrize("name", ["london", "ticket-to-ride"])
def test_checked_moves_lead_to_the_same_table(name: str) -> None:
    table, twin = (headway.Table(name, seats=2, seed=8) for _ in range(2))
    while (seats := table.actors()) and len(table.events) < 200:
        move = table.legal(seats[0])[-1]
        table.play(seats[0], move)
        twin.play(seats[0], move, checked=True)
        assert twin.state.dump() == table.state.dump()
    assert twin.events == table.events
    assert [twin.log(seat) for seat in (0, 1)] == [table.log(seat) for seat in (0, 1)]


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


def test_host_chooses_one_pencil_the_spare_and_the_controller() -> None:
    """NS-02, NS-03, NS-05: what is not chosen stays random, and the record says what was chosen."""
    chosen = {"pencils": [None, "green", None], "spare": 1, "controller": 2}
    dealt = set()
    for seed in range(30):
        table = headway.Table("london", seats=3, seed=seed, chosen=chosen)
        view = table.view(0)
        assert isinstance(view, NextStationView)
        assert view.pencils[1][0] == "green"
        # The spare lies between seats 1 and 2: seat 2 gets the spare, the others a neighbour's.
        assert view.pencils[2][1] != "green"
        assert view.pencils[0][1] == view.pencils[2][0]
        assert view.pencils[1][1] == view.pencils[0][0]
        assert view.controller == 2
        dealt.add(view.pencils)
    assert len(dealt) == 6
    stored = record.read(finished(table).record().json())
    assert stored.chosen == chosen
    assert record.verify(stored).events == table.events
    stored.chosen = chosen | {"spare": 2}
    with pytest.raises(headway.HeadwayError):
        record.verify(stored)


def test_host_chooses_which_spare_of_two_players_lies_where() -> None:
    """NS-02: seat 1 takes up, in the second round, the spare to the left of seat 0."""
    chosen = {"pencils": ["green", None], "spare": "pink"}
    dealt = set()
    for seed in range(20):
        table = headway.Table("london", seats=2, seed=seed, chosen=chosen)
        view = table.view(0)
        assert isinstance(view, NextStationView)
        assert (view.pencils[0][0], view.pencils[1][1]) == ("green", "pink")
        dealt.add(view.pencils)
    assert len(dealt) == 2
    stored = record.read(finished(table).record().json())
    assert record.verify(stored).events == table.events


def test_host_chooses_who_begins_and_the_colours_of_buses() -> None:
    """TR-06: a choice of the host is public, and the rest of the deal stays the seed's."""
    chosen = {"first": 1, "buses": ["brown", None]}
    for seed in range(6):
        table = headway.Table("ticket-to-ride", seats=2, seed=seed, chosen=chosen)
        view = table.view(CHANCE)
        assert isinstance(view, TicketToRideView)
        assert view.first == 1
        assert view.bus_colours == ("brown", "red")
    plain = headway.Table("ticket-to-ride", seats=2, seed=seed)
    assert table.events[1:] == plain.events[1:]
    stored = record.read(finished(table).record().json())
    assert record.verify(stored).events == table.events


@pytest.mark.parametrize(
    ("map_name", "seats", "chosen", "sentence"),
    [
        ("london", 2, {"card": "street:joker"}, "The host cannot choose card here."),
        ("london", 2, {"cards": [["street:joker"]]}, "Possible: pencils, spare, controller."),
        ("london", 1, {"controller": 0}, "There is nothing to choose for this table"),
        ("london", 4, {"spare": 0}, "The host cannot choose spare here."),
        ("london", 2, {"spare": 0}, "spare: 0 is not possible."),
        ("london", 2, {"spare": "pink", "pencils": [None, "pink"]}, "not a spare one"),
        ("london", 2, {"powers": {}}, "The host cannot choose powers here."),
        ("london", 2, {"pencils": ["green", "green"]}, "two seats cannot have the same"),
        ("london", 2, {"pencils": ["red", None]}, "pencils: red is not possible."),
        ("london", 2, {"pencils": ["green"]}, "does not have the form for a table of 2 seats"),
        ("london", 2, {"controller": 2}, "controller: 2 is not possible. Possible: 0, 1."),
        ("london", 2, {"controller": True}, "controller: True is not possible."),
        ("ticket-to-ride", 2, {"transport": []}, "Possible: first, buses."),
        ("ticket-to-ride", 2, {"buses": "red"}, "does not have the form"),
    ],
)
def test_unknown_and_impossible_choices_are_refused(
    map_name: str, seats: int, chosen: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(headway.InputError) as refused:
        headway.Table(map_name, seats=seats, chosen=chosen)
    assert sentence in refused.value.sentence("en")


def test_an_unfinished_game_says_what_the_host_chose() -> None:
    table = headway.Table("london", seats=2, seed=5, chosen={"controller": 1})
    stored = record.read(table.record().json())
    assert stored.seed is None
    assert stored.chosen == {"controller": 1}


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
    assert "Redrawn map" in table.svg(lang="en")
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
