"""Puzzles: every one that comes with Headway is what it promises."""

from __future__ import annotations

import msgspec
import pytest

from headway.record import read
from headway.reviews.job import ReviewJob
from headway.reviews.puzzles import ERRORS, FEWEST_LOST, puzzle_at, shipped


def test_shipped_puzzles_have_one_best_move() -> None:
    assert {puzzle.record["game"] for puzzle in shipped()} == {"next-station", "ticket-to-ride"}
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
        assert not puzzle.ends_the_game()


@pytest.mark.parametrize("game", ["next-station", "ticket-to-ride"])
def test_a_puzzle_is_found_again(game: str) -> None:
    """The first puzzle of a game follows from its record; another moment of it is not clear."""
    puzzle = next(puzzle for puzzle in shipped() if puzzle.record["game"] == game)
    record = read(msgspec.json.encode(puzzle.record))
    reviewer = ReviewJob(record, budget=1).reviewer
    numbers = [reviewer.position(puzzle.seat, i) for i in range(reviewer.count(puzzle.seat))]
    again = puzzle_at(record, puzzle.seat, numbers.index(puzzle.number))
    assert again == puzzle
