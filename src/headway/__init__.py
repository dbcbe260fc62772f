"""Headway: city-transit board games as a library.

import headway

table = headway.Table("london", seats=2, seed=7)
table.play(0, table.legal(0)[1])
"""

from __future__ import annotations

TYPE_CHECKING = False  # defined here, because importing `typing` takes time

if TYPE_CHECKING:
    from typing import Any

    from headway.bots import (
        Appraisal,
        Bot,
        Budget,
        Searcher,
        bots_of,
        explain,
        find_bot,
        make_bot,
        play_out,
    )
    from headway.errors import HeadwayError, InputError, NotYourTurn, RuleBroken
    from headway.games import boxes
    from headway.games.contract import CHANCE, Game, Outcome, State, View
    from headway.record import Record, Replay, ReplayResult, load, read, replay, replay_many, verify
    from headway.reviews import Review, review
    from headway.table import Table

__version__ = "0.1.0"

_HOMES = {
    "bots": (
        "Appraisal",
        "Bot",
        "Budget",
        "Searcher",
        "bots_of",
        "explain",
        "find_bot",
        "make_bot",
        "play_out",
    ),
    "errors": ("HeadwayError", "NotYourTurn", "RuleBroken", "InputError"),
    "games": ("boxes",),
    "games.contract": ("CHANCE", "Game", "Outcome", "State", "View"),
    "record": (
        "Record",
        "Replay",
        "ReplayResult",
        "load",
        "read",
        "replay",
        "replay_many",
        "verify",
    ),
    "reviews": ("Review", "review"),
    "table": ("Table",),
}


def __getattr__(name: str) -> Any:
    """Imports public names on first use, so that the command starts fast."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(f"headway.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "CHANCE",
    "Appraisal",
    "Bot",
    "Budget",
    "Game",
    "HeadwayError",
    "InputError",
    "NotYourTurn",
    "Outcome",
    "Record",
    "Replay",
    "ReplayResult",
    "Review",
    "RuleBroken",
    "Searcher",
    "State",
    "Table",
    "View",
    "bots_of",
    "boxes",
    "explain",
    "find_bot",
    "load",
    "make_bot",
    "play_out",
    "read",
    "replay",
    "replay_many",
    "review",
    "verify",
]
