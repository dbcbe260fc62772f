"""Writes the stored games of `tests/records/ticket-to-ride` and what the conductor says of them.

    python -m games.tickettoride.record_files     (in the folder tests)

A game that is stored stays as it is; only new ones are written. Each has its report, as
`headway replay --json` prints it, under `expected/`: the conductor's, never the engine's own.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reference import conductor

import headway

FOLDER = Path(__file__).parents[2] / "records" / "ticket-to-ride"


def names() -> list[str]:
    """All stored games."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load(name: str) -> headway.Record:
    """A stored game."""
    return headway.load(FOLDER / f"{name}.json")


def expected(name: str) -> dict[str, Any]:
    """What the conductor says of a stored game."""
    report: dict[str, Any] = json.loads((FOLDER / "expected" / f"{name}.json").read_text("utf-8"))
    return report


def verdict(record: headway.Record) -> conductor.Verdict:
    """The conductor's verdict on a record, with the deal in full where a seed deals it."""
    deal = record.deal
    if deal is None:
        replay = headway.replay(record)
        deal, _ = replay.game.records.write(replay.game, replay.events)
    return conductor.judge({"seats": record.seats, "deal": deal, "moves": record.moves})


def report(verdict: conductor.Verdict) -> dict[str, Any]:
    """A verdict as `headway replay --json` prints it."""
    return {"legal": verdict.legal, "scores": verdict.scores, "winners": verdict.winners}


def games() -> Iterator[tuple[str, headway.Record]]:
    """The games to store: random ones, those of hoarders, and games of the planner by seed."""
    for seats in (2, 3, 4):
        for n, hoard in enumerate((0.0, 0.0, 0.5, 0.8, 0.95, 0.99)):
            rng = random.Random(1000 * seats + n)
            random_game = conductor.random_record(rng, seats, hoard)
            yield f"{seats}-seats-deal-{n + 1}", headway.read(json.dumps(random_game))
        for n, bot in enumerate(("planner", "greedy", "random")):
            table = headway.Table("tickettoride", seats=seats, seed=10 * seats + n)
            bots = [headway.make_bot(bot, table.game, seat) for seat in range(seats)]
            headway.play_out(table, bots)
            yield f"{seats}-seats-{bot}", table.record()


def main() -> None:
    """Writes what is not there yet."""
    FOLDER.joinpath("expected").mkdir(parents=True, exist_ok=True)
    for name, record in games():
        path = FOLDER / f"{name}.json"
        if not path.exists():
            path.write_bytes(record.json())
            text = json.dumps(report(verdict(record)))
            FOLDER.joinpath("expected", f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
