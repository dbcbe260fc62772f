"""The records that compiled episodes of Ticket to Ride work on."""

from __future__ import annotations

import numpy as np

from headway.bots.tickettoride.route_plans import HABITS, PLAN, WORKSPACE
from headway.bots.tickettoride.trials import TALLY
from headway.envs.episodes import PROGRESS
from headway.envs.tickettoride.actions import MOST_ACTIONS, MOST_PLACES
from headway.games.tickettoride.board.board import MOST_LOCATIONS, MOST_SEATS
from headway.games.tickettoride.rules.arrays import (
    BOARD,
    MOST_MOVES,
    PLAYER,
    SCORE,
    SHARED,
)

SETUP = np.dtype(
    [
        ("board", BOARD),
        ("blank_shared", SHARED),
        ("blank_player", PLAYER),
        ("seats", "i8"),
        ("seat", "i8"),
        ("policies", "i8", (MOST_SEATS,)),  # RANDOM or DRIVER
        ("habits", HABITS),  # of DRIVER
        ("offers", "i8"),
        ("actions", "i8"),
        ("moves", "i8", (MOST_ACTIONS,)),  # by action
        ("action_at", "i2", (MOST_PLACES,)),  # by the move's `place`
        ("autoreset", "i8"),
        ("rewarded", "i8"),
    ],
    align=True,
)

SCRATCH = np.dtype(
    [
        ("moves", "i8", (MOST_MOVES,)),
        ("reach", "u8", (MOST_LOCATIONS,)),
        ("scores", SCORE, (1,)),
        ("plans", PLAN, (MOST_SEATS,)),
        ("workspace", WORKSPACE),
        ("tally", TALLY),
    ],
    align=True,
)

EPISODE = np.dtype([*PROGRESS, ("shared", SHARED), ("players", PLAYER, (MOST_SEATS,))], align=True)
