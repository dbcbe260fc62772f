"""Routes, tickets, passing, the end and the score (TR-05, TR-10 to TR-19)."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from games.tickettoride.playing import TINY, deal, give_route, go, hand, legal, opened, turn

from headway import Table
from headway.errors import InputError, NotYourTurn, RuleBroken
from headway.games.contract import CHANCE
from headway.games.tickettoride.state import TicketToRideState
from headway.i18n import say


def refused(state: TicketToRideState, text: str, seat: int | None = None) -> str:
    """The rule that a move breaks."""
    seat = min(state.actors()) if seat is None else seat
    with pytest.raises(RuleBroken) as error:
        state.check(seat, state.game.parse_move(text))
    return error.value.rule


def claims(state: TicketToRideState, route: str) -> list[str]:
    """The legal ways to pay for a route."""
    head = f"claim {route} "
    return [text.removeprefix(head) for text in legal(state) if text.startswith(head)]


# The opening


def opening(seats: int = 2) -> TicketToRideState:
    """The opening choice, with the tickets dealt in the order of the board file."""
    state = opened(seats).start()
    deal(state, "0")
    for name in ["blue"] * 2 + ["green"] * 2 + ["black"] * 2 * (seats - 2):
        deal(state, name)
    for name in ("blue", "green", "pink", "pink", "yellow"):
        deal(state, name)
    for ticket in state.game.board.tickets[: 2 * seats]:
        deal(state, ticket.name)
    return state


@pytest.mark.rule("TR-05")
def test_all_choose_at_once_and_see_only_their_own() -> None:
    state = opening(3)
    assert state.actors() == {0, 1, 2}
    names = [ticket.name for ticket in state.game.board.tickets]
    assert [state.view(seat).offered for seat in range(3)] == [
        tuple(names[0:2]), tuple(names[2:4]), tuple(names[4:6]),
    ]  # fmt: skip
    state.apply(2, state.game.parse_move("keep 1 2"))
    assert state.actors() == {0, 1}
    assert state.view(0).tickets == (0, 0, 0), "nobody sees what was chosen before all have"
    assert state.view(0).chosen == (False, False, True)
    with pytest.raises(NotYourTurn):
        state.apply(2, state.game.parse_move("keep 1"))
    state.apply(1, state.game.parse_move("keep 2"))
    state.apply(0, state.game.parse_move("keep 1"))
    assert [state.view(seat).own_tickets for seat in range(3)] == [
        (names[0],), (names[3],), (names[4], names[5]),
    ]  # fmt: skip
    assert state.actors() == {0}


@pytest.mark.rule("TR-05")
def test_returned_tickets_go_under_the_pile_in_the_order_of_seats() -> None:
    state = opening(2)
    names = [ticket.name for ticket in state.game.board.tickets]
    state.apply(1, state.game.parse_move("keep 2"))
    state.apply(0, state.game.parse_move("keep 2"))
    assert state.view(0).under == (names[0], None)
    assert state.view(1).under == (None, names[2])
    state.shared["ticket_pile"] = 0
    go(state, "tickets")
    assert state.view(0).offered == (names[0], names[2])


@pytest.mark.rule("TR-05")
@pytest.mark.parametrize("text", ["keep", "keep 3", "take pile", "tickets", "pass"])
def test_at_the_opening_one_ticket_is_kept_at_least(text: str) -> None:
    assert refused(opening(), text) == "TR-05"


# Taking a route


@pytest.mark.rule("TR-10")
def test_a_route_is_paid_in_its_colour_with_buses_standing_in() -> None:
    state = turn(hands=[{"yellow": 3, "bus": 3, "pink": 4}])
    assert claims(state, "regents_park-british_museum") == [
        "bus 3", "yellow 0", "yellow 1", "yellow 2",
    ]  # fmt: skip
    go(state, "claim regents_park-british_museum yellow 1")
    assert hand(state, 0) == {"bus": 2, "yellow": 1, "pink": 4}
    assert state.view(1).discards == {"bus": 1, "yellow": 2}
    assert state.view(1).routes == {"regents_park-british_museum": 0}
    assert state.actors() == {1}


@pytest.mark.rule("TR-10")
def test_a_grey_route_takes_any_one_colour() -> None:
    state = turn(hands=[{"yellow": 1, "pink": 2, "bus": 1}])
    assert claims(state, "british_museum-piccadilly_circus") == ["pink 0", "pink 1", "yellow 1"]
    assert refused(state, "claim british_museum-piccadilly_circus yellow 0") == "TR-10"


@pytest.mark.rule("TR-10")
@pytest.mark.parametrize(
    "text",
    [
        "claim big_ben-waterloo pink 0",
        "claim regents_park-british_museum yellow 2",
        "claim big_ben-waterloo bus 1",
        "claim regents_park-kings_cross green 0",
        "claim waterloo-globe_theatre pink 0",
    ],
)
def test_without_the_cards_there_is_no_route(text: str) -> None:
    state = turn(hands=[{"yellow": 3, "blue": 1, "pink": 2}, {}])
    give_route(state, 1, "waterloo-globe_theatre")
    assert refused(state, text) == "TR-10"


@pytest.mark.rule("TR-10")
@pytest.mark.parametrize(
    ("text", "en", "fr"),
    [
        (
            "claim regents_park-british_museum yellow 1",
            "You need 3 yellow; you have 1 and 1 bus.",
            "Il vous faut 3 jaunes\u00a0; vous en avez 1 et 1 bus.",
        ),
        (
            "claim big_ben-waterloo bus 1",
            "You need 1 bus; you have 0.",
            "Il vous faut 1 bus\u00a0; vous en avez 0.",
        ),
    ],
)
def test_the_refusal_counts_what_is_needed_and_what_is_there(text: str, en: str, fr: str) -> None:
    buses = {"bus": 1} if "yellow" in text else {}
    state = turn(hands=[{"yellow": 1, **buses}, {}])
    with pytest.raises(RuleBroken) as raised:
        state.check(0, state.game.parse_move(text))
    assert [raised.value.sentence(lang) for lang in ("en", "fr")] == [en, fr]


def test_the_stage_names_who_has_the_fewest_buses() -> None:
    state = turn(hands=[{}, {"blue": 4}])
    assert state.stage().key == "tickettoride.stage_even"
    state.players["buses"][1] -= 3
    stage = state.stage()
    assert (stage.key, stage.n, stage.seat) == ("tickettoride.stage", 14, 1)
    assert say(stage.key, "en", n=stage.n, of=stage.of, name="Ada") == "14 buses left (Ada)"


@pytest.mark.rule("TR-10")
def test_any_free_route_may_be_taken_wherever_it_lies() -> None:
    state = turn(hands=[{"blue": 6, "green": 3}])
    give_route(state, 0, "regents_park-baker_street")
    assert claims(state, "brick_lane-tower_of_london") == ["blue 0"]
    assert claims(state, "charterhouse-brick_lane") == ["green 0"]


@pytest.mark.rule("TR-11")
def test_a_bus_for_each_space() -> None:
    state = turn(hands=[{"blue": 4}])
    go(state, "claim british_museum-charterhouse blue 0")
    assert state.view(1).buses == (13, 17)
    state = turn(hands=[{"blue": 4, "black": 4}])
    state.players[0]["buses"] = 3
    assert claims(state, "baker_street-hyde_park") == []
    assert refused(state, "claim baker_street-hyde_park black 0") == "TR-11"
    assert claims(state, "brick_lane-tower_of_london") == ["blue 0"]


@pytest.mark.rule("TR-12")
@pytest.mark.parametrize(
    ("route", "cards", "points"),
    [
        ("big_ben-waterloo", {"blue": 1}, 1),
        ("regents_park-baker_street", {"blue": 2}, 2),
        ("brick_lane-tower_of_london", {"blue": 3}, 4),
        ("british_museum-charterhouse", {"blue": 4}, 7),
    ],
)
def test_points_at_once(route: str, cards: dict[str, int], points: int) -> None:
    state = turn(hands=[cards])
    go(state, f"claim {route} blue 0")
    assert state.view(1).points == (points, 0)


@pytest.mark.rule("TR-13")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nobody_holds_both_halves_and_two_players_use_only_one(seats: int) -> None:
    state = turn(seats=seats, hands=[{"black": 1, "pink": 1}, {"black": 1, "pink": 1}])
    go(state, "claim covent_garden-trafalgar_square#2 pink 0")
    closed = seats == 2
    assert claims(state, "covent_garden-trafalgar_square#1") == ([] if closed else ["black 0"])
    if closed:
        assert refused(state, "claim covent_garden-trafalgar_square#1 black 0") == "TR-13"
    assert refused(state, "claim covent_garden-trafalgar_square#2 pink 0") == "TR-10"
    state.shared["seat"] = 0
    assert claims(state, "covent_garden-trafalgar_square#1") == []
    assert refused(state, "claim covent_garden-trafalgar_square#1 black 0") == "TR-13"


# Tickets


@pytest.mark.rule("TR-14")
def test_two_tickets_are_drawn_and_one_is_kept_at_least() -> None:
    state = turn()
    go(state, "tickets", "hyde_park-covent_garden", "big_ben-charterhouse")
    assert state.view(0).offered == ("hyde_park-covent_garden", "big_ben-charterhouse")
    assert state.view(1).offered == ()
    assert state.view(1).offers == (2, 0)
    assert legal(state) == ["keep 1", "keep 2", "keep 1 2"]
    for text in ("keep", "keep 3", "take pile", "pass", "tickets"):
        assert refused(state, text) == "TR-14"
    go(state, "keep 2")
    assert state.view(0).own_tickets == ("big_ben-charterhouse",)
    assert state.view(0).under == ("hyde_park-covent_garden",)
    assert state.view(1).tickets == (1, 0)
    assert state.actors() == {1}
    assert refused(state, "keep 1") == "TR-14"


@pytest.mark.rule("TR-14")
def test_a_single_ticket_is_drawn_and_must_be_kept() -> None:
    state = turn(ticket_pile=["hyde_park-st_pauls"])
    go(state, "tickets", "hyde_park-st_pauls")
    assert legal(state) == ["keep 1"]
    assert refused(state, "keep 2") == "TR-14"
    go(state, "keep 1")
    assert "tickets" not in legal(state)
    assert refused(state, "tickets") == "TR-14"


@pytest.mark.rule("TR-14")
def test_a_returned_ticket_comes_back_last() -> None:
    three = ["hyde_park-st_pauls", "big_ben-charterhouse", "kings_cross-tower_of_london"]
    state = turn(ticket_pile=three)
    go(state, "tickets", three[1], three[0])
    go(state, "keep 1")
    go(state, "tickets", three[2])
    assert state.view(1).offered == (three[2], three[0]), "the last one needs no chance"


@pytest.mark.rule("TR-14")
def test_tickets_can_be_put_back_more_often_than_there_are_tickets(tmp_path: Path) -> None:
    """45 tickets, of which each draw keeps one of four: more than a hundred are put back."""
    names = [f"p{i}" for i in range(10)]
    at = {name: [20 + 40 * i, 200] for i, name in enumerate(names)}
    text = Path(TINY).read_text("utf-8")
    text = re.sub(r"tickets_(dealt|drawn) = \d", r"tickets_\1 = 4", text)
    tables = {
        "locations": [
            f'{n} = {{ name = "{n}", district = 1, at = {at[n]}, label = [0, 0, "middle"] }}'
            for n in names
        ],
        "routes": [
            f'{a}-{b} = {{ colours = ["blue"], spaces = [[[9, 9]]] }}' for a, b in pairwise(names)
        ],
        "tickets": [f"{a}-{b} = 1" for a, b in combinations(names, 2)],
        "districts": ['1 = { points = 2, colour = "red" }'],
    }
    text = text[: text.index("[districts]")]
    text += "".join(f"[{table}]\n" + "\n".join(rows) + "\n" for table, rows in tables.items())
    board = tmp_path / "many.toml"
    board.write_text(text, "utf-8")
    table, put_back = Table(str(board), seats=2, seed=1), 0
    state = table.state
    assert isinstance(state, TicketToRideState)
    views = [state.view(seat) for seat in (0, 1)]
    while views[0].ticket_pile:
        seat = table.actors()[0]
        put_back += max(0, len(views[seat].offered) - 1)
        table.play(seat, "keep 1" if views[seat].offered else "tickets")
        views = [state.view(seat) for seat in (0, 1)]
    assert put_back > 100
    seen = [name for seen in views for name in (*seen.own_tickets, *seen.offered)]
    assert sorted(seen) == sorted(f"{a}-{b}" for a, b in combinations(names, 2))


# Passing


@pytest.mark.rule("TR-15")
def test_passing_only_when_nothing_else_can_be_done() -> None:
    gaps = (None,) * 5
    assert refused(turn(), "pass") == "TR-15"
    assert refused(turn(display=gaps, pile={}), "pass") == "TR-15"
    claim = turn(display=gaps, pile={}, ticket_pile=(), hands=[{"blue": 1}])
    assert refused(claim, "pass") == "TR-15"
    state = turn(display=gaps, pile={}, ticket_pile=(), hands=[{}, {"blue": 1}])
    assert legal(state) == ["pass"]
    go(state, "pass")
    assert "claim big_ben-waterloo blue 0" in legal(state)


@pytest.mark.rule("TR-15", "TR-16")
def test_when_all_have_passed_the_game_is_over() -> None:
    """Nothing can change any more; a ruling of our own, the specification being silent."""
    state = turn(seats=3, display=(None,) * 5, pile={}, ticket_pile=())
    for seat in range(3):
        assert state.actors() == {seat}
        go(state, "pass")
    assert state.finished()
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners == (0, 1, 2)


@pytest.mark.rule("TR-15")
def test_passing_is_no_second_card() -> None:
    state = turn()
    go(state, "take pile", "blue")
    assert refused(state, "pass") == "TR-15"


# The end


def take_two(state: TicketToRideState) -> None:
    go(state, "take pile", "blue")
    go(state, "take pile", "blue")


@pytest.mark.rule("TR-16")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_has_one_more_turn_whoever_ends_it(seats: int) -> None:
    state = turn(seats=seats, hands=[{"blue": 2}], pile={"blue": 40})
    state.players[0]["buses"] = 4
    go(state, "claim regents_park-baker_street blue 0")
    assert state.view(1).turns_left == seats
    for seat in [*range(1, seats), 0]:
        assert state.actors() == {seat}
        take_two(state)
    assert state.finished()
    assert state.actors() == frozenset()


@pytest.mark.rule("TR-16")
def test_the_last_space_ends_the_game_once() -> None:
    state = turn(hands=[{"blue": 1}, {"pink": 2, "yellow": 4}], pile={"blue": 40})
    state.players[0]["buses"], state.players[1]["buses"] = 1, 3
    go(state, "claim big_ben-waterloo blue 0")
    assert state.view(0).buses[0] == 0
    go(state, "claim waterloo-globe_theatre pink 0")
    assert state.view(0).turns_left == 1, "a second one brings no more turns"
    take_two(state)
    assert state.finished()


@pytest.mark.rule("TR-16")
def test_three_buses_are_not_the_end() -> None:
    state = turn(hands=[{"blue": 1}])
    state.players[0]["buses"] = 4
    go(state, "claim big_ben-waterloo blue 0")
    assert state.view(0).turns_left is None


# The score


@pytest.mark.rule("TR-17")
def test_tickets_are_won_or_lost_and_a_total_may_be_negative() -> None:
    state = turn(tickets=["hyde_park-covent_garden", "baker_street-tower_of_london"])
    assert state.scores()[0].tickets == -14
    give_route(state, 0, "hyde_park-piccadilly_circus#2")
    give_route(state, 0, "covent_garden-piccadilly_circus#1")
    give_route(state, 1, "baker_street-piccadilly_circus")
    sheet = state.scores()[0]
    assert (sheet.routes, sheet.tickets, sheet.completed) == (3, 3 - 11, 1)
    assert sheet.total == -5


@pytest.mark.rule("TR-18")
def test_a_district_may_be_joined_through_other_places() -> None:
    state = turn()
    for name in ("british_museum-piccadilly_circus", "covent_garden-piccadilly_circus#2"):
        give_route(state, 0, name)
    give_route(state, 1, "british_museum-covent_garden#1")
    assert [sheet.each_district for sheet in state.scores()] == [(1,), (1,)]
    assert [sheet.districts for sheet in state.scores()] == [1, 1]


@pytest.mark.rule("TR-18")
def test_every_district_scores_its_number() -> None:
    state = turn()
    for route in state.game.board.routes:
        if route.half != 2:
            give_route(state, 0, route.name)
    assert state.scores()[0].each_district == (1, 2, 3, 4, 5)
    assert state.scores()[0].districts == 15
    give_route(state, 1, "globe_theatre-tower_of_london")
    assert state.scores()[1].districts == 0


@pytest.mark.rule("TR-10")
@pytest.mark.parametrize(
    ("route", "hand", "nearest"),
    [
        ("covent_garden-st_pauls#1", {"pink": 2, "blue": 1, "bus": 4}, "pink 1"),
        ("covent_garden-st_pauls#1", {"pink": 1}, "pink 0"),
        ("covent_garden-st_pauls#1", {"bus": 3}, "bus 3"),
        ("big_ben-waterloo", {"pink": 3}, "blue 0"),
    ],
)
def test_a_question_about_a_route_means_the_nearest_payment(
    route: str, hand: dict[str, int], nearest: str
) -> None:
    state = turn(hands=[hand])
    asked = state.game.notation.asked_move(state, 0, f"claim {route}")
    assert state.game.move_text(asked) == f"claim {route} {nearest}"
    assert state.game.notation.asked_move(state, 0, "take pile") == state.game.parse_move(
        "take pile"
    )
    with pytest.raises(InputError):
        state.game.notation.asked_move(state, 0, "claim nowhere")


def ended(routes: list[list[str]], tickets: list[list[str]]) -> TicketToRideState:
    """A finished game with these routes and tickets."""
    state = turn(seats=len(routes), pile={}, display=(None,) * 5, ticket_pile=())
    for seat, names in enumerate(routes):
        for name in names:
            give_route(state, seat, name)
        for name in tickets[seat]:
            ticket = state.game.board.ticket_named[name]
            state.players[seat]["tickets"] |= 1 << ticket
    for _ in routes:
        go(state, "pass")
    return state


@pytest.mark.rule("TR-19")
def test_the_highest_score_wins() -> None:
    outcome = ended([["big_ben-waterloo"], ["waterloo-elephant_castle"]], [[], []]).outcome()
    assert outcome is not None
    assert (outcome.totals, outcome.winners) == ((1, 2), (1,))
    assert outcome.reason == "outcome.highest"
    assert turn().view(0).ranking == ()


@pytest.mark.rule("TR-19")
def test_a_tie_goes_to_more_completed_tickets() -> None:
    one = ["british_museum-piccadilly_circus"]
    four = ["waterloo-elephant_castle", "waterloo-globe_theatre"]
    outcome = ended([four[:1], one, four[1:]], [[], [], []]).outcome()
    assert outcome is not None
    assert outcome.winners == (0, 1, 2)
    assert outcome.reason == "outcome.shared"
    state = ended([["charterhouse-brick_lane"], one], [[], ["british_museum-piccadilly_circus"]])
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.totals, outcome.winners) == ((4, 4), (1,))
    assert outcome.reason == "outcome.more_tickets"
    assert state.view(0).ranking == (1, 0)


# Notation


@pytest.mark.rule("TR-10", "TR-13")
@pytest.mark.parametrize(
    "text",
    [
        "", "take", "take grey", "take pile pile", "claim", "tickets 2", "pass 1", "build x",
        "claim hyde_park-piccadilly_circus blue 1", "claim big_ben-waterloo#1 blue 0",
        "claim waterloo-big_ben blue 0", "claim big_ben-waterloo grey 0",
        "claim big_ben-waterloo blue 1", "claim big_ben-waterloo blue 2",
        "claim regents_park-baker_street bus 1", "claim big_ben-waterloo blue x",
        "claim big_ben-waterloo blue 00", "claim big_ben-waterloo blue",
        "keep 2 1", "keep 1 1", "keep 0", "keep 9", "keep one",
    ],
)  # fmt: skip
def test_what_is_no_move_cannot_be_read(text: str) -> None:
    with pytest.raises(InputError):
        opened().parse_move(text)


@pytest.mark.rule("TR-09", "TR-15")
def test_a_small_board_runs_out_of_everything() -> None:
    state = turn(
        board=TINY, hands=[{"blue": 2, "green": 3}, {"bus": 2, "blue": 1}], display=(None, None),
        ticket_pile=(),
    )  # fmt: skip
    assert legal(state) == [
        "claim north-east blue 0", "claim east-south#1 green 0", "claim east-south#2 blue 0",
        "claim east-south#2 green 0", "claim south-west blue 0", "claim south-west green 0",
        "claim west-north blue 0",
    ]  # fmt: skip
    go(state, "claim south-west green 0", "green", "green")
    assert state.view(0).display == ("green", "green")
    assert CHANCE not in state.actors()
