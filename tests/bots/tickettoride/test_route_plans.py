"""What bots of Ticket to Ride compute of routes, tickets and victories agrees with the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from games.tickettoride.playing import TINY

import headway
from headway.bots import make_bot
from headway.bots.tickettoride.levels import PlannedTurn
from headway.bots.tickettoride.playout_policy import gain, payment, result_of
from headway.bots.tickettoride.route_plans import PLAN, WORKSPACE, lacking, open_routes, unjoined
from headway.games.kernel import BIT, NONE
from headway.games.tickettoride.moves import claim_parts, what
from headway.games.tickettoride.rules.arrays import CLAIM_MOVE, SCORE, TURN, board_record
from headway.games.tickettoride.rules.scoring import join, score
from headway.games.tickettoride.rules.turns import claimable, closed
from headway.games.tickettoride.state import TicketToRideState
from headway.games.tickettoride.view import TicketToRideView

BOARDS = pytest.mark.parametrize(
    ("name", "seats"), [("ticket-to-ride", 2), ("ticket-to-ride", 4), (TINY, 3)]
)


def turns(name: str, seats: int) -> Iterator[tuple[TicketToRideState, int]]:
    """Yields every start of a turn in a game of planners, with its seat."""
    table = headway.Table(name, seats=seats, seed=seats)
    bots = [make_bot("planner", table.game, seat) for seat in range(seats)]
    while actors := table.actors():
        seat, state = actors[0], table.state
        assert isinstance(state, TicketToRideState)
        if state.phase == TURN and state.shared["taken"] == 0:
            yield state, seat
        table.play(seat, bots[seat].choose(table.view(seat), state.legal(seat)))


def routes_of(mask: Any) -> list[int]:
    return [i for i in range(64) if mask & BIT[i] != NONE]


def workspace() -> Any:
    return np.zeros(1, WORKSPACE)[0]


@BOARDS
def test_a_route_that_lacks_no_card_can_be_claimed(name: str, seats: int) -> None:
    for state, seat in turns(name, seats):
        board, player = board_record(state.game.board), state.players[seat]
        free = routes_of(open_routes(board, state.shared, player))
        paid = [route for route in free if lacking(board, player, route) == 0]
        assert paid == routes_of(claimable(board, state.shared, player))


@BOARDS
def test_a_route_brings_what_the_score_says(name: str, seats: int) -> None:
    seen = 0
    for state, seat in turns(name, seats):
        board, player, scratch = board_record(state.game.board), state.players[seat], workspace()
        total = state.scores()[seat].total
        join(board, player["routes"], scratch["reach"])
        for move in state.legal(seat):
            if what(move) == CLAIM_MOVE:
                route = claim_parts(move).route
                points = gain(board, player, scratch["reach"], route)
                assert state.score_after(seat, move) == total + points
                seen += points != int(board["points"][route])
    assert seen


@BOARDS
def test_a_payment_is_legal_and_takes_the_fewest_buses(name: str, seats: int) -> None:
    plan = np.zeros(1, PLAN)[0]
    for state, seat in turns(name, seats):
        board, player = board_record(state.game.board), state.players[seat]
        claims = [claim_parts(m) for m in state.legal(seat) if what(m) == CLAIM_MOVE]
        for route in routes_of(claimable(board, state.shared, player)):
            claim = claim_parts(payment(board, player, plan, route))
            assert claim in claims
            assert claim.buses == min(c.buses for c in claims if c.route == route)


@BOARDS
def test_tickets_are_joined_when_they_score(name: str, seats: int) -> None:
    seen = 0
    for state, seat in turns(name, seats):
        board, player, scratch = board_record(state.game.board), state.players[seat], workspace()
        score_record = np.zeros(1, SCORE)[0]
        score(board, player, np.zeros_like(scratch["reach"]), score_record)
        open_tickets = unjoined(board, player, player["tickets"], scratch)
        assert open_tickets == player["tickets"] & ~score_record["completed_tickets"]
        seen += score_record["completed_tickets"] != NONE
    assert seen


@BOARDS
def test_the_planner_uses_the_routes_that_the_rules_leave_open(name: str, seats: int) -> None:
    for state, seat in turns(name, seats):
        view, player = state.view(seat), state.players[seat]
        assert isinstance(view, TicketToRideView)
        shut = state.shared["routes"] | closed(board_record(state.game.board), state.shared, player)
        free = {i for i in range(len(state.game.board.routes)) if shut & BIT[i] == NONE}
        turn = PlannedTurn(state.game.board, view)
        assert set(turn.costs) == free | set(routes_of(player["routes"]))
        assert turn.own_routes == set(routes_of(player["routes"]))


@pytest.mark.parametrize("tied", [False, True])
def test_victories_are_shared_as_the_rules_share_them(tied: bool) -> None:
    for seats in (2, 3):
        table = headway.Table(TINY, seats=seats, seed=seats)
        headway.play_out(table, [make_bot("random", table.game, seat) for seat in range(seats)])
        state = table.state
        assert isinstance(state, TicketToRideState)
        if tied:
            state.players[1] = state.players[0]
        outcome = state.outcome()
        assert outcome
        for seat in range(seats):
            board, scores = board_record(state.game.board), np.zeros(1, SCORE)
            share, _ = result_of(board, state.players, seat, workspace(), scores[0])
            assert share == pytest.approx((seat in outcome.winners) / len(outcome.winners))
