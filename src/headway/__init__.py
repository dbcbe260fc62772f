"""Headway: city-transit board games as a library.

import headway

table = headway.Table("london", seats=2, seed=7)
table.play(0, table.legal(0)[1])
"""

from __future__ import annotations

TYPE_CHECKING = False  # defined here, because importing `typing` takes time

if TYPE_CHECKING:
    from typing import Any

    from headway.bots import Appraisal as Appraisal
    from headway.bots import Bot as Bot
    from headway.bots import Budget as Budget
    from headway.bots import Searcher as Searcher
    from headway.bots import bots_of as bots_of
    from headway.bots import explain as explain
    from headway.bots import find_bot as find_bot
    from headway.bots import make_bot as make_bot
    from headway.bots import play_out as play_out
    from headway.errors import HeadwayError as HeadwayError
    from headway.errors import InputError as InputError
    from headway.errors import NotYourTurn as NotYourTurn
    from headway.errors import RuleBroken as RuleBroken
    from headway.games import boxes as boxes
    from headway.games.contract import CHANCE as CHANCE
    from headway.games.contract import Game as Game
    from headway.games.contract import Outcome as Outcome
    from headway.games.contract import State as State
    from headway.games.contract import View as View
    from headway.record import Record as Record
    from headway.record import Replay as Replay
    from headway.record import ReplayResult as ReplayResult
    from headway.record import load as load
    from headway.record import read as read
    from headway.record import replay as replay
    from headway.record import replay_many as replay_many
    from headway.record import verify as verify
    from headway.reviews import Review as Review
    from headway.reviews import review as review
    from headway.table import Table as Table

__version__ = "0.1.0"

_HOMES = {
    "CHANCE": "games.contract",
    "Appraisal": "bots",
    "Bot": "bots",
    "Budget": "bots",
    "Game": "games.contract",
    "HeadwayError": "errors",
    "InputError": "errors",
    "NotYourTurn": "errors",
    "Outcome": "games.contract",
    "Record": "record",
    "Replay": "record",
    "ReplayResult": "record",
    "Review": "reviews",
    "RuleBroken": "errors",
    "Searcher": "bots",
    "State": "games.contract",
    "Table": "table",
    "View": "games.contract",
    "bots_of": "bots",
    "boxes": "games",
    "explain": "bots",
    "find_bot": "bots",
    "load": "record",
    "make_bot": "bots",
    "play_out": "bots",
    "read": "record",
    "replay": "record",
    "replay_many": "record",
    "review": "reviews",
    "verify": "record",
}
"""The module of each public name."""
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    """Imports public names on first use, so that the command starts fast."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"headway.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
