"""Headway: city-transit board games as a library.

import headway

table = headway.Table("london", seats=2, seed=7)
table.play(0, table.legal(0)[1])
"""

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
from headway.errors import HeadwayError, NotYourTurn, RuleBroken, Unreadable
from headway.games import boxes
from headway.games.contract import CHANCE, Game, Outcome, State, View
from headway.record import Record, Replay, load, read, replay, verify
from headway.table import Table

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "Appraisal",
    "Bot",
    "Budget",
    "Game",
    "HeadwayError",
    "NotYourTurn",
    "Outcome",
    "Record",
    "Replay",
    "RuleBroken",
    "Searcher",
    "State",
    "Table",
    "Unreadable",
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
    "verify",
]
