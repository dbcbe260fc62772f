"""Makes the puzzles that come with Headway from games of its bots; takes an hour of one core.

    python -m benchmarks.puzzles src/headway/reviews/puzzles.jsonl.gz

The same version makes the same file on the same machine.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from headway import Record, Table, make_bot, play_out
from headway.files import write_whole
from headway.reviews import review
from headway.reviews.puzzles import MOST_PER_SEAT, Puzzle, candidates, puzzle_at


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
    Source("ticket-to-ride", (), ("commuter", "driver"), 8),
)


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
            counts[seat] += 1
            yield puzzle


def all_puzzles() -> Iterator[Puzzle]:
    """Finds the puzzles of all games, one game of each source after the other."""
    for seed in range(max(source.games for source in SOURCES)):
        for source in SOURCES:
            if seed < source.games:
                yield from puzzles_of(record_of(source, seed))


def main(file: Path) -> None:
    """Writes the file; what is there so far is always whole."""
    lines = []
    for puzzle in all_puzzles():
        lines.append(msgspec.json.encode(puzzle))
        write_whole(file, gzip.compress(b"\n".join(lines), 9, mtime=0))
        sys.stderr.write(f"\r{len(lines)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
