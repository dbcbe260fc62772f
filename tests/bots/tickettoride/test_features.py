"""What the value network of Ticket to Ride sees: nothing that its seat does not know."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import headway
from headway.bots.tickettoride.network import (
    FEATURES,
    MOST_ACTIVE,
    OTHERS_TURN,
    SHAPES,
    Race,
    add_rows,
    hand_features,
    network_features,
    others_features,
    output,
)
from headway.bots.tickettoride.player import (
    candidates,
    describe,
    new_valuer,
    prepare,
    value_of,
)
from headway.bots.tickettoride.route_plans import PLAN, planned_game
from headway.bots.value_net import untrained
from headway.games.tickettoride.board.board import (
    MOST_DISPLAY,
    MOST_DISTRICTS,
    MOST_LENGTH,
    MOST_LOCATIONS,
    MOST_ROUTES,
    MOST_SEATS,
    MOST_TICKETS,
)
from headway.games.tickettoride.rules.arrays import (
    BOARD,
    MOST_KINDS,
    OPENING,
    PLAYER,
    SHARED,
    TAKE_PILE,
    board_record,
)
from headway.games.tickettoride.state import TicketToRideState

TINY = str(Path(__file__).parents[2] / "games" / "tickettoride" / "tiny.toml")
NET = untrained(SHAPES, 1)


class Look:
    """The decision of a seat as the network sees it."""

    def __init__(self, state: TicketToRideState, seat: int) -> None:
        self.valuer = new_valuer(board_record(state.game.board), NET, state.game.seats)
        self.game = self.valuer, state.shared, state.players, seat
        prepare(*self.game)
        self.considered, n = candidates(self.valuer, seat)
        self.moves = [int(move) for move in self.valuer.moves[:n]]

    def features(self, move: int, kind: int = 1) -> list[int]:
        """All active features after a move; a card from the pile has this kind."""
        changed, n = describe(*self.game, move, kind)
        others, both = self.valuer.marks[:2]
        active = [int(feature) for feature in self.valuer.active[:n]]
        return active[:others] + active[both:] if changed else active

    def value(self, move: int) -> tuple[float, float]:
        return value_of(*self.game, move, 1)


def decisions(map_name: str, seats: int, seed: int) -> Iterator[tuple[TicketToRideState, int]]:
    """Every third decision of a game of planners."""
    table = headway.Table(map_name, seats=seats, seed=seed)
    bots = [headway.make_bot("planner", table.game, i) for i in range(seats)]
    number = 0
    while actors := table.actors():
        seat, state = actors[0], table.state
        assert isinstance(state, TicketToRideState)
        number += 1
        if number % 3 == 0:
            yield state, seat
        table.play(seat, bots[seat].choose(table.view(seat), state.legal(seat)))


@pytest.mark.parametrize(
    ("map_name", "seats"), [("ticket-to-ride", 2), ("ticket-to-ride", 4), (TINY, 3)]
)
def test_features_show_only_what_the_seat_knows(map_name: str, seats: int) -> None:
    differ = 0
    for state, seat in decisions(map_name, seats, seed=seats):
        other = state.game.resample(state.view(seat), random.Random(7))
        assert isinstance(other, TicketToRideState)
        differ += other.dump() != state.dump()
        here, there = Look(state, seat), Look(other, seat)
        assert here.moves == there.moves
        for move in here.moves:
            assert here.features(move) == there.features(move)
    assert differ > 0


def test_moves_that_differ_for_the_seat_have_different_features() -> None:
    for state, seat in decisions("ticket-to-ride", 3, seed=5):
        look = Look(state, seat)
        kinds = [tuple(look.features(move)) for move in look.moves if move != TAKE_PILE]
        assert len(set(kinds)) == len(kinds)


def test_the_largest_board_has_room_for_all_features() -> None:
    """Every ticket is joined for every seat; every route is planned and payable."""
    seats, board, shared = MOST_SEATS, np.zeros(1, BOARD)[0], np.zeros(1, SHARED)[0]
    board["locations"], board["kinds"], board["display"] = MOST_LOCATIONS, MOST_KINDS, MOST_DISPLAY
    board["tickets"], board["districts"] = MOST_TICKETS, MOST_DISTRICTS
    board["district"], every = 1, ~np.uint64(0)
    board["up_to"], board["length"] = every, 1
    shared["seats"], shared["phase"] = seats, OPENING
    shared["display"] = range(1, MOST_DISPLAY + 1)
    players, plan = np.zeros(seats, PLAYER), np.zeros(1, PLAN)[0]
    players["tickets"], players["buses"], players["hand"] = every, MOST_ROUTES, MOST_LENGTH
    plan["routes"], plan["need"] = every, MOST_LENGTH + 1
    game, active = planned_game(board, shared, players), np.zeros(4 * MOST_ACTIVE, np.int64)
    n, most, fewest = others_features(game, 0, active)
    n, lead = network_features(game, 0, plan["routes"], most, active, n)
    n = hand_features(game, 0, plan, Race(fewest, lead, OTHERS_TURN), active, n)
    assert len(set(active[:n].tolist())) == n == MOST_ACTIVE


def test_values_come_from_all_features_and_considered_moves_are_legal() -> None:
    for state, seat in decisions("ticket-to-ride", 2, seed=3):
        look = Look(state, seat)
        assert set(look.moves) <= set(state.legal(seat))
        for move in look.moves:
            active = look.features(move)
            assert len(set(active)) == len(active) <= MOST_ACTIVE
            assert all(0 <= feature < FEATURES for feature in active)
            sums = np.zeros_like(look.valuer.sums)
            add_rows(NET, np.array(active), 0, len(active), NET.first_bias, sums)
            whole = output(NET, sums, look.valuer.hidden)
            assert look.value(move) == pytest.approx(whole, abs=1e-4)
