"""Makes the puzzles that come with Headway from games of its bots; takes an hour of one core.

    python -m benchmarks.puzzles src/headway/reviews/puzzles.jsonl.gz [GAME]

With a game, only its puzzles are made again. The same version makes the same file on the same
machine. In Ticket to Ride networks look at a position once, so the expert has to find the best move
too, with three times its usual simulations.
"""

from __future__ import annotations

import gzip
import random
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from headway import Record, Table, make_bot, play_out
from headway.bots.bot import Budget
from headway.bots.tickettoride.levels import TicketExpert
from headway.files import write_whole
from headway.games import find
from headway.reviews import review
from headway.reviews.puzzles import MOST_PER_SEAT, Puzzle, candidates, puzzle_at, shipped


class Source(NamedTuple):
    """Games on a map with some modules, played by these bots."""

    map: str
    modules: tuple[str, ...]
    bots: tuple[str, ...]
    games: int


SOURCES = (
    Source("london", (), ("commuter",), 14),
    Source("tokyo", (), ("commuter",), 10),
    Source("london", ("objectives",), ("driver",), 6),
    Source("london", ("powers",), ("driver",), 6),
    Source("tokyo", ("objectives", "special_stations"), ("driver",), 4),
    Source("ticket-to-ride", (), ("commuter", "driver"), 90),
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
    counts = dict.fromkeys(range(record.seats), 0)
    for seat, index in candidates(review(record)):
        if counts[seat] < MOST_PER_SEAT and (puzzle := puzzle_at(record, seat, index)):
            if record.game != "ticket-to-ride" or agreed(puzzle):
                counts[seat] += 1
                yield puzzle


def agreed(puzzle: Puzzle) -> bool:
    """Tells whether the expert finds the same best move."""
    state, _ = puzzle.position()
    expert = TicketExpert(state.game, random.Random(puzzle.number))
    found = expert.appraise(state.view(puzzle.seat), state.legal(puzzle.seat), CHECKED)
    return state.game.move_text(found[0].move) == puzzle.moves[0].move


def all_puzzles(games: Collection[str]) -> Iterator[Puzzle]:
    """Finds the puzzles of some games, one of each source after the other."""
    for seed in range(max(source.games for source in SOURCES)):
        for source in SOURCES:
            if seed < source.games and find(source.map)[0].name in games:
                yield from puzzles_of(record_of(source, seed))


def main(file: Path, games: Collection[str]) -> None:
    """Writes the file; what is there so far is always whole."""
    lines = [msgspec.json.encode(one) for one in shipped() if one.record["game"] not in games]
    before = len(lines)
    for puzzle in all_puzzles(games):
        lines.append(msgspec.json.encode(puzzle))
        write_whole(file, gzip.compress(b"\n".join(lines), 9, mtime=0))
        sys.stderr.write(f"\r{len(lines)}")
        if len(lines) - before == MOST_PUZZLES * len(games):
            break


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or ("next-station", "ticket-to-ride"))
