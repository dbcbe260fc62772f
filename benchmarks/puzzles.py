"""Adds puzzles from games of the bots to those that come with Headway, until a game has 300.

    python -m benchmarks.puzzles src/headway/reviews/puzzles.jsonl.gz next-station 4000

plays games with seeds from 4000 on; take seeds that no puzzle of the file comes from. A CPU minute
finds about 25 puzzles of Next Station and 60 of Ticket to Ride. There networks look at a position
once, so the expert has to find the best move too, with three times its usual simulations.
"""

from __future__ import annotations

import gzip
import random
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from headway import Record, Table, make_bot, play_out
from headway.bots.bot import Budget
from headway.bots.tickettoride.levels import TicketExpert
from headway.files import write_whole
from headway.games import find
from headway.progress import track
from headway.reviews import review
from headway.reviews.puzzles import MOST_PER_SEAT, Puzzle, candidates, puzzle_at, shipped


class Source(NamedTuple):
    """Games on a map with some modules, played by these bots."""

    map: str
    modules: tuple[str, ...]
    bots: tuple[str, ...]


SOURCES = (
    Source("london", (), ("commuter",)),
    Source("tokyo", (), ("commuter",)),
    Source("london", ("objectives",), ("driver",)),
    Source("london", ("powers",), ("driver",)),
    Source("tokyo", ("objectives", "special_stations"), ("driver",)),
    Source("ticket-to-ride", (), ("commuter", "driver")),
)
MOST_PUZZLES = 300
"""Of a game."""
CHECKED = Budget(simulations=3000)


def record_of(source: Source, seed: int) -> Record:
    """Plays a game."""
    options: dict[str, Any] = dict.fromkeys(source.modules, True)
    table = Table(source.map, seats=len(source.bots), seed=seed, **options)
    play_out(table, [make_bot(bot, table.game, seed) for bot in source.bots])
    return table.record()


def puzzles_of(record: Record) -> Iterator[Puzzle]:
    """Finds the puzzles of a game, at most a few of each seat."""
    found = dict.fromkeys(range(record.seats), 0)
    for seat, index in candidates(review(record)):
        if found[seat] < MOST_PER_SEAT and (puzzle := puzzle_at(record, seat, index)):
            if record.game != "ticket-to-ride" or agreed(puzzle):
                found[seat] += 1
                yield puzzle


def agreed(puzzle: Puzzle) -> bool:
    """Tells whether the expert finds the same best move."""
    state, _ = puzzle.position()
    expert = TicketExpert(state.game, random.Random(puzzle.number))
    judged = expert.appraise(state.view(puzzle.seat), state.legal(puzzle.seat), CHECKED)
    return state.game.move_text(judged[0].move) == puzzle.moves[0].move


def all_puzzles(game: str, first: int) -> Iterator[Puzzle]:
    """Finds puzzles of a game for ever, from one game of each source after the other."""
    for seed in count(first):
        for source in SOURCES:
            if find(source.map)[0].name == game:
                yield from puzzles_of(record_of(source, seed))


def main(file: Path, game: str, first: int) -> None:
    """Adds to the file; what is there so far is always whole."""
    there = shipped()
    lines = [msgspec.json.encode(one) for one in there]
    missing = MOST_PUZZLES - sum(one.record["game"] == game for one in there)
    for puzzle in track(islice(all_puzzles(game, first), max(0, missing)), game, missing):
        lines.append(msgspec.json.encode(puzzle))
        write_whole(file, gzip.compress(b"\n".join(lines), 9, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
