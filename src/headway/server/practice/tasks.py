"""What a worker does for puzzles: functions that run in its process."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from headway import record
from headway.errors import HeadwayError
from headway.games.contract import Event, State
from headway.games.logbook import LogLine
from headway.reviews import puzzles
from headway.reviews.puzzles import Puzzle
from headway.reviews.report import Measure
from headway.server.tables.schema import Why
from headway.server.tables.view import GameView


class PuzzlePosition(msgspec.Struct, frozen=True):
    """The position of a puzzle as its seat sees it."""

    options: dict[str, bool]
    seats: int
    seat: int
    measure: Measure
    view: GameView
    legal: list[str]
    log: list[LogLine]


class JudgedMove(msgspec.Struct, frozen=True):
    """Whether a move is possible, and what the seat sees after the best one."""

    possible: bool
    after: GameView


@lru_cache(maxsize=32)
def _position(content: bytes) -> tuple[Puzzle, State, list[Event]]:
    puzzle = msgspec.json.decode(content, type=Puzzle)
    return puzzle, *puzzle.position()


def position(content: bytes) -> PuzzlePosition:
    """Returns the position of a puzzle."""
    puzzle, state, events = _position(content)
    game, seat = state.game, puzzle.seat
    return PuzzlePosition(
        options=dict(game.options),
        seats=game.seats,
        seat=seat,
        measure=puzzle.measure,
        view=state.view(seat),
        legal=[game.move_text(move) for move in state.legal(seat)],
        log=game.log(events, seat),
    )


def outcome(content: bytes, move: str) -> JudgedMove:
    """Returns what an answer to a puzzle leads to."""
    puzzle, state, _ = _position(content)
    game, after = state.game, state.copy()
    legal = {game.move_text(choice) for choice in state.legal(puzzle.seat)}
    after.apply(puzzle.seat, game.parse_move(puzzle.moves[0].move))
    return JudgedMove(move in legal, after.view(puzzle.seat))


def why_not(content: bytes, move: str, lang: str) -> Why:
    """Returns why a move is not possible."""
    puzzle, state, _ = _position(content)
    try:
        state.check(puzzle.seat, state.game.notation.asked_move(state, puzzle.seat, move))
    except HeadwayError as error:
        return Why(error.rule, error.sentence(lang))
    return Why()


def puzzle_at(text: bytes, seat: int, index: int, budget: int | None) -> bytes:
    """Returns the puzzle at a turn of a record as JSON; empty if it is not clear enough."""
    found = puzzles.puzzle_at(record.read(text), seat, index, budget)
    return msgspec.json.encode(found) if found else b""
