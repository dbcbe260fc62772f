"""Puzzles: every one that comes with Headway is what it promises."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from headway.record import read
from headway.reviews.job import ReviewJob
from headway.reviews.puzzles import ERRORS, FEWEST_LOST, puzzle_at, shipped


def test_shipped_puzzles_have_one_best_move() -> None:
    games = Counter(puzzle.record["game"] for puzzle in shipped())
    assert games == {"next-station": 300, "ticket-to-ride": 300}
    places = {(str(puzzle.record), puzzle.seat, puzzle.number) for puzzle in shipped()}
    assert len(places) == len(shipped()), "no position is there twice"
    for puzzle in shipped():
        state, events = puzzle.position()
        legal = {state.game.move_text(move) for move in state.legal(puzzle.seat)}
        assert len(events) == puzzle.number
        assert {move.move for move in puzzle.moves} | {puzzle.played} <= legal
        best, *others = puzzle.moves
        assert best.loss == 0
        for move in others:
            assert move.loss >= FEWEST_LOST[puzzle.measure]
        second = min(others, key=lambda move: move.loss)
        assert second.loss >= ERRORS * second.error
        assert not puzzle.record.get("names")
        state.apply(puzzle.seat, state.game.parse_move(best.move))
        assert not state.finished(), "a board is left to show the move on"


@pytest.mark.parametrize("game", ["next-station", "ticket-to-ride"])
def test_a_puzzle_is_found_again(game: str) -> None:
    """The first puzzle of a game follows from its record; another moment of it is not clear."""
    puzzle = next(puzzle for puzzle in shipped() if puzzle.record["game"] == game)
    record = read(msgspec.json.encode(puzzle.record))
    reviewer = ReviewJob(record, budget=1).reviewer
    numbers = [reviewer.position(puzzle.seat, i) for i in range(reviewer.count(puzzle.seat))]
    again = puzzle_at(record, puzzle.seat, numbers.index(puzzle.number))
    assert again == puzzle
