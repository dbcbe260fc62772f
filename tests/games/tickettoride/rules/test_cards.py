"""Transport cards: the set-up, taking cards, the display, the empty pile (TR-01 to TR-09)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from games.tickettoride.playing import TINY, deal, display, go, hand, legal, opened, turn

from headway import Table
from headway.errors import NotYourTurn, RuleBroken
from headway.games.contract import CHANCE
from headway.games.tickettoride.state import TicketToRideState
from headway.games.tickettoride.view import TicketToRideView

CALM = ("blue", "green", "black", "pink", "yellow")


def refused(state: TicketToRideState, text: str) -> str:
    """The rule that a move breaks."""
    (seat,) = state.actors()
    with pytest.raises(RuleBroken) as error:
        state.check(seat, state.game.parse_move(text))
    return error.value.rule


@pytest.mark.rule("TR-01")
@pytest.mark.parametrize("seats", [0, 1, 5])
def test_two_to_four_players(seats: int) -> None:
    with pytest.raises(RuleBroken) as error:
        opened(seats)
    assert error.value.rule == "TR-01"


@pytest.mark.rule("TR-01")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_has_17_buses_and_no_points(seats: int) -> None:
    view = opened(seats).start().view(0)
    assert view.buses == (17,) * seats
    assert view.points == (0,) * seats


@pytest.mark.rule("TR-02")
def test_six_of_each_colour_and_eight_buses() -> None:
    state = opened().start()
    deal(state, "0")
    chances = {state.game.board.kinds[kind]: chance for kind, chance in state.chance()}
    colours = ("blue", "green", "black", "pink", "yellow", "orange")
    assert chances == {"bus": Fraction(8, 44)} | dict.fromkeys(colours, Fraction(6, 44))


@pytest.mark.rule("TR-03")
def test_two_cards_each_then_five_face_up() -> None:
    state = opened(3).start()
    deal(state, "2")
    for name in ("blue", "bus", "green", "pink", "black", "black", *CALM):
        deal(state, name)
    assert [hand(state, seat) for seat in range(3)] == [
        {"bus": 1, "blue": 1},
        {"green": 1, "pink": 1},
        {"black": 2},
    ]
    assert display(state) == CALM
    assert state.chance_name() == "tickets 1"


@pytest.mark.rule("TR-04")
def test_three_buses_in_the_first_display_are_dealt_anew() -> None:
    state = opened(2).start()
    deal(state, "0")
    for name in ("blue", "blue", "green", "green", "bus", "pink", "bus", "yellow", "bus"):
        deal(state, name)
    assert display(state) == (None,) * 5
    assert state.view(0).discards == {"bus": 3, "pink": 1, "yellow": 1}
    for name in CALM:
        deal(state, name)
    assert display(state) == CALM
    assert state.chance_name() == "tickets 1"


@pytest.mark.rule("TR-04", "TR-07")
def test_the_display_is_dealt_anew_between_the_two_cards() -> None:
    state = turn(display=("blue", "bus", "bus", "pink", "yellow"))
    go(state, "take pink", "bus", *CALM)
    assert display(state) == CALM
    assert state.view(0).taken == 1
    assert state.actors() == {0}


@pytest.mark.rule("TR-04")
@pytest.mark.parametrize(
    ("pile", "discards", "anew"),
    [
        ({"blue": 4}, {}, False),
        ({"blue": 2, "bus": 3}, {}, False),
        ({"blue": 2}, {"pink": 1, "bus": 2}, True),
        ({"blue": 3, "bus": 2}, {}, True),
    ],
)
def test_redeal_needs_five_cards_with_three_that_are_no_buses(
    pile: dict[str, int], discards: dict[str, int], anew: bool
) -> None:
    """What counts are pile and discards without the five, after the third bus was laid."""
    state = turn(
        display=("bus", "bus", "green", "green", "green"),
        pile=pile | {"bus": pile.get("bus", 0) + 1},
        discards=discards,
    )
    go(state, "take green", "bus")
    shown = display(state)
    assert (shown == (None,) * 5) == anew
    if not anew:
        assert shown == ("bus", "bus", "bus", "green", "green")
        assert state.view(0).taken == 1


@pytest.mark.rule("TR-04")
def test_at_most_three_redeals_in_a_row_and_then_a_look_at_every_change() -> None:
    state = turn(
        display=("bus", "bus", "green", "green", "green"),
        pile={"bus": 12, "blue": 3, "black": 6, "pink": 6, "yellow": 6},
    )
    three = ("bus", "bus", "bus", "black", "pink")
    go(state, "take green", "bus", *three, *three)
    assert display(state) == (None,) * 5
    assert state.view(0).redealt == 3
    for name in three:
        deal(state, name)
    assert display(state) == three
    assert (state.view(0).redealt, state.view(0).taken) == (0, 1)
    go(state, "take pile", "yellow")
    assert display(state) == three, "a card from the pile changes neither display nor discards"
    assert state.actors() == {1}
    go(state, "take pink", "blue")
    assert display(state) == (None,) * 5, "the display changed, and three buses still lie there"


@pytest.mark.rule("TR-04", "TR-09")
def test_discards_that_come_let_the_display_be_dealt_anew() -> None:
    state = turn(
        hands=[{"blue": 4}],
        display=("bus", "bus", "bus", "green", "green"),
        pile={"blue": 2, "pink": 1},
    )
    go(state, "claim british_museum-charterhouse blue 0")
    assert display(state) == (None,) * 5
    assert state.view(0).discards == {"blue": 4, "bus": 3, "green": 2}
    for name in ("blue", "blue", "pink"):
        deal(state, name)
    # The pile is empty: the five that were just laid aside are shuffled in with the discards.
    assert state.chance_name() == "reshuffles 1.1"
    assert dict(state.chance())[0] == Fraction(3, 9)


@pytest.mark.rule("TR-04")
def test_a_reshuffle_for_a_card_from_the_pile_is_a_change_of_the_discards() -> None:
    state = turn(
        display=("bus", "bus", "bus", "green", "green"),
        pile={},
        discards={"blue": 6, "pink": 3},
    )
    go(state, "take pile", "blue")
    assert display(state) == (None,) * 5
    assert state.view(0).taken == 1


@pytest.mark.rule("TR-07")
def test_two_cards_make_a_turn() -> None:
    state = turn()
    go(state, "take blue", "orange")
    assert display(state) == ("orange", "green", "black", "pink", "yellow")
    assert legal(state) == [
        "take pile", "take green", "take black", "take pink", "take yellow", "take orange",
    ]  # fmt: skip
    go(state, "take pile", "bus")
    assert hand(state, 0) == {"bus": 1, "blue": 1}
    assert state.actors() == {1}


@pytest.mark.rule("TR-07")
def test_the_leftmost_of_a_colour_is_taken_and_its_place_filled() -> None:
    state = turn(display=("pink", "blue", "green", "blue", "yellow"))
    go(state, "take blue", "black")
    assert display(state) == ("pink", "black", "green", "blue", "yellow")


@pytest.mark.rule("TR-07")
@pytest.mark.parametrize("text", ["claim big_ben-waterloo blue 0", "tickets"])
def test_nothing_else_comes_between_the_two_cards(text: str) -> None:
    state = turn(hands=[{"blue": 3}])
    go(state, "take pile", "blue")
    assert refused(state, text) == "TR-07"
    assert refused(state, "take orange") == "TR-07"


@pytest.mark.rule("TR-08")
def test_a_face_up_bus_is_the_only_card() -> None:
    state = turn(display=("bus", "green", "black", "pink", "yellow"))
    go(state, "take bus", "blue")
    assert hand(state, 0) == {"bus": 1}
    assert state.actors() == {1}


@pytest.mark.rule("TR-08")
def test_a_face_up_bus_is_never_the_second_card() -> None:
    state = turn(display=("bus", "green", "black", "pink", "yellow"))
    go(state, "take green", "bus")
    assert "take bus" not in legal(state)
    assert refused(state, "take bus") == "TR-08"


@pytest.mark.rule("TR-08")
def test_a_bus_from_the_pile_is_a_card_like_any_other() -> None:
    state = turn()
    go(state, "take pile", "bus")
    go(state, "take pile", "bus")
    assert hand(state, 0) == {"bus": 2}
    assert state.actors() == {1}


@pytest.mark.rule("TR-09")
def test_the_discards_become_the_pile_when_a_card_is_needed() -> None:
    state = turn(pile={"blue": 1}, discards={"pink": 2, "bus": 1})
    go(state, "take pile", "blue")
    view = state.view(0)
    assert (view.pile, view.discards) == (0, {"bus": 1, "pink": 2}), "not before it is needed"
    go(state, "take pile")
    assert state.chance() == [(0, Fraction(1, 3)), (4, Fraction(2, 3))]
    assert state.chance_name() == "reshuffles 1.1"
    deal(state, "pink")
    assert (state.view(0).pile, state.view(0).discards) == (2, {})


@pytest.mark.rule("TR-09")
def test_gaps_stay_open_until_there_are_discards() -> None:
    state = turn(hands=[{"blue": 3}, {"green": 2}], pile={}, ticket_pile=())
    go(state, "take blue")
    assert display(state) == (None, "green", "black", "pink", "yellow")
    go(state, "take pink")
    assert display(state) == (None, "green", "black", None, "yellow")
    assert refused(state, "take pile") == "TR-09"
    go(state, "claim globe_theatre-elephant_castle green 0", "green", "green")
    assert display(state) == ("green", "green", "black", "green", "yellow")
    assert (state.view(0).pile, state.view(0).discards) == (0, {})
    assert state.actors() == {0}


@pytest.mark.rule("TR-09")
def test_a_turn_ends_after_one_card_when_there_is_no_second() -> None:
    state = turn(display=("blue", "bus", "bus", None, None), pile={})
    go(state, "take blue")
    assert display(state) == (None, "bus", "bus", None, None)
    assert state.actors() == {1}


@pytest.mark.rule("TR-09")
def test_a_hand_has_no_limit() -> None:
    state = turn(pile={"blue": 40})
    state.players[0]["hand"][1] = 30
    go(state, "take pile", "blue")
    go(state, "take pile", "blue")
    assert state.view(1).hands[0] == 32


def begins(table: Table) -> int | None:
    view = table.view(0)
    assert isinstance(view, TicketToRideView)
    return view.first


@pytest.mark.rule("TR-06")
def test_the_first_player_is_drawn_or_chosen() -> None:
    state = opened(3).start()
    assert state.chance() == [(seat, Fraction(1, 3)) for seat in range(3)]
    assert {begins(Table("tickettoride", seats=3, seed=s)) for s in range(30)} == {0, 1, 2}
    for seat in range(3):
        table = Table("tickettoride", seats=3, seed=1, chosen={"first": seat})
        assert begins(table) == seat
        for first_seat in range(3):
            table.play(first_seat, "keep 1")
        assert table.actors() == (seat,)


@pytest.mark.rule("TR-06")
def test_turns_go_round_and_nobody_moves_out_of_turn() -> None:
    state = turn(seats=3)
    for seat in (0, 1, 2, 0):
        assert state.actors() == {seat}
        with pytest.raises(NotYourTurn):
            state.apply((seat + 1) % 3, 0)
        go(state, "take pile", "blue")
        go(state, "take pile", "green")


@pytest.mark.rule("TR-02", "TR-03")
def test_a_small_board_deals_by_its_own_numbers() -> None:
    state = opened(2, TINY).start()
    deal(state, "1")
    assert sum(chance for _, chance in state.chance()) == 1
    for name in ("blue", "bus", "green", "blue"):
        deal(state, name)
    assert display(state) == ("green", "blue")
    assert [hand(state, seat) for seat in range(2)] == [{"blue": 1}, {"bus": 1}]
    assert state.actors() == {CHANCE}
