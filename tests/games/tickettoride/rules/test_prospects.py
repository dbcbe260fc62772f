"""How tickets stand: done, possible, impossible, and the cheapest way to each."""

from __future__ import annotations

import math

import pytest
from conformance import walk
from games.tickettoride.playing import opened, turn

from headway.games.kernel import BIT
from headway.games.tickettoride.rules.scoring import Prospect
from headway.games.tickettoride.state import TicketToRideState

TICKET = "piccadilly_circus-waterloo"


def take(state: TicketToRideState, seat: int, *routes: str) -> None:
    """Gives routes to a seat, buses and all."""
    board = state.game.board
    for name in routes:
        route = board.route_named[name]
        state.shared["routes"] |= BIT[route]
        state.players[seat]["routes"] |= BIT[route]
        state.players[seat]["buses"] -= board.routes[route].length


def prospect(state: TicketToRideState) -> Prospect:
    (only,) = state.view(0).prospects
    return only


def test_the_cheapest_way_uses_what_one_has() -> None:
    state = turn(tickets=[TICKET])
    fresh = prospect(state)
    assert (fresh.name, fresh.state, fresh.spaces) == (TICKET, "possible", 3)
    take(state, 0, "trafalgar_square-waterloo")
    now = prospect(state)
    assert (now.state, now.spaces) == ("possible", 1)
    assert "trafalgar_square-waterloo" in now.way
    take(state, 0, "piccadilly_circus-trafalgar_square#1")
    assert prospect(state).state == "done"
    assert prospect(state).spaces == 0


@pytest.mark.rule("TR-13")
def test_a_closed_half_is_no_way() -> None:
    """With two players the other half of a double is closed; with three it is a way."""
    for seats, spaces in ((2, 4), (3, 3)):
        state = turn(seats=seats, tickets=[TICKET])
        take(state, 1, "piccadilly_circus-trafalgar_square#1")
        closed = prospect(state)
        assert closed.spaces == spaces
        assert ("piccadilly_circus-trafalgar_square#2" in closed.way) == (seats == 3)


@pytest.mark.rule("TR-11")
def test_too_few_buses_make_it_impossible() -> None:
    state = turn(tickets=[TICKET])
    state.players[0]["buses"] = 3
    assert prospect(state).state == "possible"
    state.players[0]["buses"] = 2
    assert prospect(state).state == "impossible"


def test_no_way_at_all() -> None:
    state = turn(seats=3, tickets=["kings_cross-tower_of_london"])
    take(state, 1, "regents_park-kings_cross", "kings_cross-british_museum")
    assert prospect(state).state == "possible"
    take(state, 1, "kings_cross-charterhouse")
    assert prospect(state) == Prospect("kings_cross-tower_of_london", "impossible", 0, ())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_whole_games_as_a_plain_search_finds_it(seats: int) -> None:
    """Every way joins its places over routes that can be had, and none is cheaper."""
    states: set[str] = set()
    for state, _ in walk(opened(seats), seats):
        assert isinstance(state, TicketToRideState)
        board, view = state.game.board, state.view(0)
        assert view.own_score
        done = {
            ticket_score.name
            for ticket_score in view.own_score.each_ticket
            if ticket_score.completed
        }
        costs = {route.name: cost(state, route.name) for route in board.routes}
        for seen in view.prospects:
            states.add(seen.state)
            ticket = board.tickets[board.ticket_named[seen.name]]
            far = distances(state, costs, ticket.a)[ticket.b]
            assert bool(seen.way) == (far < math.inf)
            assert seen.spaces == sum(costs[name] for name in seen.way)
            assert seen.spaces == (far if seen.way else 0)
            possible = far <= view.buses[0] and not view.finished
            expected = "done" if far == 0 else "possible" if possible else "impossible"
            assert seen.state == expected
            if seen.name in view.own_tickets:
                assert (seen.state == "done") == (seen.name in done)
    assert {"possible", "impossible"} <= states


def cost(state: TicketToRideState, name: str) -> float:
    """Spaces that a route costs seat 0, by the view and the rule of doubles alone."""
    board, owners = state.game.board, state.view(0).routes
    if name in owners:
        return 0 if owners[name] == 0 else math.inf
    twin = name.replace("#1", "#2") if "#1" in name else name.replace("#2", "#1")
    few = state.game.seats <= board.play.doubles_closed_to
    if twin != name and (twin in owners if few else owners.get(twin) == 0):
        return math.inf
    return board.routes[board.route_named[name]].length


def distances(state: TicketToRideState, costs: dict[str, float], start: int) -> list[float]:
    """Spaces from a place to all others, by going over all routes again and again."""
    board = state.game.board
    far = [math.inf] * len(board.locations)
    far[start] = 0
    for _ in board.locations:
        for route in board.routes:
            for a, b in ((route.a, route.b), (route.b, route.a)):
                far[b] = min(far[b], far[a] + costs[route.name])
    return far
