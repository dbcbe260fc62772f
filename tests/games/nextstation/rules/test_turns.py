"""Table, pencils, cards and turns: NS-01 to NS-10."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

import pytest
from games.nextstation.playing import Play

import headway
from headway.errors import NotYourTurn, RuleBroken
from headway.games.contract import CHANCE
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.moves import PASS
from headway.games.nextstation.rules.arrays import CARDS
from headway.games.nextstation.view import NextStationView

LONDON = ("purple", "blue", "pink", "green")


def view_of(table: headway.Table, seat: int = 0) -> NextStationView:
    view = table.view(seat)
    assert isinstance(view, NextStationView)
    return view


def rings(seats: int) -> list[tuple[tuple[str, ...], ...]]:
    """Everything that may be dealt as pencils: colours by seat and round."""
    game = NextStation("london", seats, {})
    orders = []
    for move in game.start().legal(CHANCE):
        state = game.start()
        state.apply(CHANCE, move)
        orders.append(state.view(CHANCE).pencils)
    return orders


# The table


@pytest.mark.rule("NS-01")
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_everybody_draws_four_lines_of_four_colours(seats: int) -> None:
    table = headway.Table("london", seats=seats, seed=5)
    headway.play_out(table, [headway.make_bot("random", table.game, s) for s in range(seats)])
    view = view_of(table)
    assert len(view.sheets) == seats
    for sheet in view.sheets:
        assert sorted(line.colour for line in sheet.lines) == sorted(LONDON)
        assert all(line.sections for line in sheet.lines)


@pytest.mark.rule("NS-01")
@pytest.mark.parametrize("seats", [0, 5, -1])
def test_one_to_four_players(seats: int) -> None:
    with pytest.raises(RuleBroken) as refused:
        headway.Table("london", seats=seats, seed=1)
    assert refused.value.rule == "NS-01"


@pytest.mark.rule("NS-01")
def test_sheets_do_not_interact() -> None:
    idle = Play("london", "green", seats=2).turn("circle", "pass", "pass")
    busy = Play("london", "green", seats=2).turn("circle", "d2a2", "pass")
    for play in (idle, busy):
        play.end_round().end_round()
        assert play.state.view(1).pencils[1][2] == "green"
        play.turn("circle", "pass", "d2a2")  # the same section on the other sheet
    assert idle.score(1) == busy.score(1)
    assert idle.score(0) != busy.score(0)


@pytest.mark.rule("NS-02", "NS-04")
def test_four_players_fill_the_ring() -> None:
    orders = rings(4)
    assert {tuple(row[0] for row in ring) for ring in orders} == set(permutations(LONDON))
    assert len(orders) == 24
    for ring in orders:
        for seat, r in ((seat, r) for seat in range(4) for r in range(3)):
            assert ring[(seat + 1) % 4][r + 1] == ring[seat][r]


@pytest.mark.rule("NS-02", "NS-04")
def test_three_players_have_a_spare_between_two_of_them() -> None:
    orders = rings(3)
    assert len(set(orders)) == len(orders) == 3 * 24
    gaps = Counter[int]()
    for ring in orders:
        passed = [
            seat
            for seat in range(3)
            if all(ring[(seat + 1) % 3][r + 1] == ring[seat][r] for r in range(3))
        ]
        [gap] = set(range(3)) - set(passed)
        assert all(ring[(gap + 1) % 3][r + 2] == ring[gap][r] for r in range(2))
        gaps[gap] += 1
    assert gaps == {0: 24, 1: 24, 2: 24}


@pytest.mark.rule("NS-02", "NS-04")
def test_two_players_sit_opposite_with_a_spare_to_the_left_of_each() -> None:
    orders = rings(2)
    assert len(orders) == 24
    for one, two in orders:
        assert two == (one[2], one[3], one[0], one[1])


@pytest.mark.rule("NS-02", "SO-01")
def test_alone_the_colours_come_in_an_order_that_is_public_from_the_start() -> None:
    assert sorted(row for (row,) in rings(1)) == sorted(permutations(LONDON))
    view = view_of(headway.Table("london", seed=3))
    assert (view.round, view.turn, len(view.pencils[0])) == (1, 1, 4)


@pytest.mark.rule("NS-03")
def test_pencils_are_dealt_at_random() -> None:
    game = NextStation("london", 2, {})
    chances = game.start().chance()
    assert len(chances) == 24
    assert {probability for _, probability in chances} == {Fraction(1, 24)}
    dealt = {view_of(headway.Table("london", seats=2, seed=n)).pencils for n in range(200)}
    assert len(dealt) == 24


@pytest.mark.rule("NS-03")
def test_the_host_may_choose_the_pencils() -> None:
    pencils = [["green", "purple", "blue", "pink"], ["blue", "pink", "green", "purple"]]
    chosen = headway.Table("london", seats=2, seed=9, chosen={"pencils": pencils})
    dealt = headway.Table("london", seats=2, seed=9)
    assert [list(row) for row in view_of(chosen).pencils] == pencils
    assert view_of(chosen).cards_shown == view_of(dealt).cards_shown  # nothing else changes
    with pytest.raises(RuleBroken) as refused:
        headway.Table("london", seats=2, seed=9, chosen={"pencils": [pencils[0], pencils[0]]})
    assert refused.value.rule == "NS-04"


@pytest.mark.rule("NS-05")
def test_the_controller_goes_to_the_left() -> None:
    play = Play("london", seats=3)
    seen = []
    for _ in range(4):
        play.reveal("circle")
        seen.append(play.state.view(0).controller)
        play.move("pass", "pass", "pass").end_round()
    assert seen == [0, 1, 2, 0]


# Cards and turns


@pytest.mark.rule("NS-06")
def test_eleven_cards_are_shuffled_for_every_round() -> None:
    street = ["circle", "triangle", "square", "pentagon", "joker", "switch"]
    under = ["circle", "triangle", "square", "pentagon", "joker"]
    names = {f"street:{name}" for name in street} | {f"underground:{name}" for name in under}
    play = Play("london")
    for _ in range(4):
        assert set(play.state.view(0).cards_left) == names
        assert {probability for _, probability in play.state.chance()} == {Fraction(1, 11)}
        play.turn("circle", "pass").turn("switch joker", "pass")
        view = play.state.view(0)
        assert set(view.cards_shown) == {"street:circle", "street:switch", "street:joker"}
        assert set(view.cards_left) == names - set(view.cards_shown)
        assert {CARDS[card] for card in play.state.legal(CHANCE)} == set(view.cards_left)
        assert {probability for _, probability in play.state.chance()} == {Fraction(1, 8)}
        play.end_round()


@pytest.mark.rule("NS-06")
def test_no_card_comes_twice_in_a_round() -> None:
    play = Play("london").turn("circle", "pass")
    with pytest.raises(RuleBroken) as refused:
        play.state.apply(CHANCE, CARDS.index("street:circle"))
    assert refused.value.rule == "NS-06"


@pytest.mark.rule("NS-07")
def test_all_act_at_the_same_time() -> None:
    play = Play("london", "green", seats=2).reveal("circle")
    assert play.state.actors() == {0, 1}
    before = play.state.view(1)
    play.state.apply(0, play.game.parse_move("d2a2"))
    assert play.state.actors() == {1}
    seen, own = play.state.view(1), play.state.view(0)
    assert seen.sheets == before.sheets  # nothing of it is seen
    assert (seen.moved, seen.own_move, own.own_move) == ((True, False), None, "d2a2")
    with pytest.raises(NotYourTurn) as refused:
        play.state.apply(0, play.game.parse_move("pass"))
    assert refused.value.rule == "NS-07"
    with pytest.raises(NotYourTurn):
        play.state.apply(CHANCE, CARDS.index("street:square"))
    play.state.apply(1, play.game.parse_move("pass"))
    assert play.state.actors() == {CHANCE}  # the next card comes when all have acted
    assert play.state.view(1).sheets[0].lines[0].sections == ("a2d2",)


@pytest.mark.rule("NS-07")
def test_a_seat_draws_one_section_in_a_turn() -> None:
    play = Play("london", "green").turn("joker", "d2a2")
    assert play.state.actors() == {CHANCE}
    assert all(len(move.split()) == 1 for move in play.reveal("joker").legal())


@pytest.mark.rule("NS-08")
def test_the_switch_and_the_next_card_are_one_turn() -> None:
    play = Play("london", "green").turn("circle", "d2a2").turn("square", "a2a3")
    play.reveal("switch")
    assert play.state.actors() == {CHANCE}
    play.reveal("pentagon")
    view = play.state.view(0)
    assert (view.turn, view.card, view.switch) == (3, "street:pentagon", True)
    assert play.broken("a2b1") is None  # from the middle
    assert play.broken("a3a5") is None  # from an end
    assert play.broken("h3i4") == "NS-08"  # off the line
    play.move("a2b1").reveal("pentagon")
    assert not play.state.view(0).switch
    assert play.broken("a2a0") == "NS-14"  # one turn only


@pytest.mark.rule("NS-08", "NT-03")
def test_a_double_track_may_start_from_the_middle_on_a_switch() -> None:
    play = Play("tokyo", "brown").turn("circle", "h8h6").turn("square", "h6g6")
    plain = play.state.copy()
    play.reveal("switch joker")
    assert {"=h6h4", "=h6f7"} <= play.legal()
    play.state = plain
    play.reveal("joker")
    assert play.broken("=h6h4") == "NS-14"


@pytest.mark.rule("NS-08", "NS-13")
def test_an_empty_line_starts_at_its_departure_on_a_switch_too() -> None:
    play = Play("london", "green").turn("circle", "pass").turn("square", "pass")
    play.reveal("switch pentagon")
    assert play.legal() == {"pass", "d2c3", "d2d6"}
    assert play.broken("h3i4") == "NS-13"


@pytest.mark.rule("NS-09", "NS-14")
def test_a_switch_in_the_first_two_turns_has_no_effect() -> None:
    # A line has its first middle after two sections: the power `second` draws them in turn 1.
    play = Play("london", "green", power="second").turn("circle", "d2a2 +d2f0")
    plain = play.state.copy()
    play.reveal("switch square")
    assert play.state.view(0).turn == 2
    assert play.broken("d2d1") == "NS-14"
    assert play.broken("a2a3") is None
    with_switch = play.legal()
    play.state = plain
    assert with_switch == play.reveal("square").legal()


@pytest.mark.rule("NS-09")
def test_a_switch_in_turn_one_brings_the_next_card_at_once() -> None:
    play = Play("london", "green").reveal("switch circle")
    assert play.state.view(0).turn == 1
    assert play.legal() == {"pass", "d2a2", "d2f0"}
    play.move("d2a2").turn("square", "a2a3").reveal("pentagon")
    assert play.broken("a2b1") == "NS-14"  # it is over, turn 3 or not


@pytest.mark.rule("NS-10")
def test_a_round_ends_after_the_turn_of_the_fifth_underground_card() -> None:
    play = Play("london", "green").turn("circle", "pass")
    for symbol in ("circle", "triangle", "square", "pentagon"):
        play.turn(f"underground:{symbol}", "pass")
    assert play.round == 1
    play.reveal("underground:joker")
    assert play.round == 1
    play.move("d2d6")  # that turn is played in full
    assert play.round == 2
    assert play.score().lines[0].points == 4


@pytest.mark.rule("NS-10")
@pytest.mark.parametrize(
    ("streets", "turns"),
    [
        ([], 5),
        (["switch"], 5),
        (["circle", "triangle"], 7),
        (["circle", "triangle", "square", "pentagon", "joker"], 10),
        (["circle", "triangle", "square", "pentagon", "switch joker"], 10),
    ],
)
def test_five_to_ten_turns(streets: list[str], turns: int) -> None:
    play = Play("london")
    for cards in streets:
        play.reveal(cards)
        if cards != "switch":
            play.move("pass")
    number = 0
    while play.round == 1:
        if CHANCE in play.state.actors():
            play.state.apply(CHANCE, max(play.state.cards_left()))  # the underground cards
        number = play.state.view(0).turn
        play.move("pass")
    assert number == turns


@pytest.mark.rule("NS-10")
def test_the_exact_law_of_the_length_of_a_round() -> None:
    game = NextStation("london", 1, {})
    start = game.start()
    start.apply(CHANCE, 0)

    @cache
    def law(position: bytes) -> dict[int, Fraction]:
        """The number of turns of the round and its probability, from a position on."""
        probabilities: dict[int, Fraction] = defaultdict(Fraction)
        for card, probability in game.load(position).chance():
            for turns, share in after(position, card).items():
                probabilities[turns] += probability * share
        return probabilities

    def after(position: bytes, card: int) -> dict[int, Fraction]:
        state = game.start()
        state.restore(position)
        state.apply(CHANCE, card)
        turn = int(state.shared["turn"])
        if 0 in state.actors():
            state.apply(0, PASS)
        return {turn: Fraction(1)} if state.shared["round"] == 1 else law(state.dump())

    lengths = law(start.dump())
    assert {turns: round(float(share), 4) for turns, share in sorted(lengths.items())} == {
        5: 0.0040,
        6: 0.0198,
        7: 0.0595,
        8: 0.1389,
        9: 0.2778,
        10: 0.5000,
    }
    assert sum(turns * share for turns, share in lengths.items()) == Fraction(55, 6)


@pytest.mark.rule("NS-10")
@pytest.mark.parametrize("seed", range(20))
def test_the_switch_never_ends_a_round(seed: int) -> None:
    table = headway.Table("tokyo", seed=seed)
    while table.actors():
        table.play(0, "pass")
    deal: Any = table.game.records.write(table.game, table.events)[0]
    assert all(cards[-1].startswith("underground:") for cards in deal["cards"])
