"""The engine and the conductor, who shares no code with it, agree on random games."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import conductor

import headway
from headway.games.simulation import simulate
from headway.games.tickettoride.board.board_file import load_board
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import PLAYER
from headway.games.tickettoride.rules.scoring import score_sheet

BOARD = load_board("london")


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    seats=st.integers(2, 4),
    hoard=st.sampled_from((0.0, 0.5, 0.9, 0.99)),
)
def test_random_games_come_to_the_same(seed: int, seats: int, hoard: float) -> None:
    record = conductor.random_record(random.Random(seed), seats, hoard)
    verdict = conductor.judge(record)
    report = headway.replay(headway.read(json.dumps(record))).report()
    assert report == {
        "legal": verdict.legal, "scores": verdict.scores, "winners": verdict.winners,
    }  # fmt: skip


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4))
def test_the_same_moves_are_legal_at_every_point(seed: int, seats: int) -> None:
    record = conductor.random_record(random.Random(seed), seats, 0.6)
    game = conductor.Game(seats, record["deal"])
    moves = iter(record["moves"])
    for step in headway.record.steps(headway.read(json.dumps(record))):
        if step.event[0] >= 0:
            texts = [step.state.game.move_text(m) for m in step.state.legal(step.event[0])]
            assert sorted(texts) == sorted(game.moves())
            game.step(next(moves))


@pytest.mark.rule("TR-17", "TR-18")
@settings(max_examples=200, deadline=None)
@given(
    routes=st.sets(st.sampled_from(sorted(conductor.ROUTES)), max_size=44),
    tickets=st.sets(st.sampled_from(sorted(conductor.TICKETS)), max_size=20),
)
def test_connections_are_those_of_a_plain_search(routes: set[str], tickets: set[str]) -> None:
    import numpy as np

    player = np.zeros(1, PLAYER)[0]
    player["routes"] = sum(1 << BOARD.route_named[name] for name in routes)
    player["tickets"] = sum(1 << BOARD.ticket_named[name] for name in tickets)
    player["points"] = sum(BOARD.scoring[conductor.ROUTES[r].length - 1] for r in routes)
    sheet = score_sheet(BOARD, player)
    expected = conductor.score(sorted(routes), sorted(tickets))
    assert {name: getattr(sheet, name) for name in expected} == expected
    done = {ticket.name for ticket in sheet.each_ticket if ticket.completed}
    search = {t for t in tickets if conductor.joined(sorted(routes), *conductor.TICKETS[t][:2])}
    assert done == search


def test_simulated_games_are_the_same_both_ways() -> None:
    for seats in (2, 3, 4):
        game = TicketToRide("london", seats, {})
        slow = simulate(game, 2, seed=5, kernels=game.engine)
        assert simulate(game, 2, seed=5).tolist() == slow.tolist()


def test_simulated_games_do_not_depend_on_threads() -> None:
    game = TicketToRide("london", 2, {})
    assert (game.simulate(3000, seed=1) == game.simulate(3000, seed=1, threads=2)).all()
    with pytest.raises(headway.InputError):
        game.simulate(1, policy="greedy")
