"""The records that compiled episodes of Next Station work on."""

from __future__ import annotations

import numpy as np

from headway.envs.episodes import PROGRESS
from headway.envs.nextstation.observation import OBSERVED_WORDS
from headway.games.nextstation.city.city import MOST_SECTIONS
from headway.games.nextstation.rules.arrays import CITY, MOST_MOVES, SCORE, SHARED, SHEET

SETUP = np.dtype(
    [
        ("city", CITY),
        ("blank", SHEET),
        ("sections", "i8"),
        ("ends", "i8", (MOST_SECTIONS, 2)),  # the two stations of each section
        ("ahead", "i8"),  # whether observations have features about the future
        ("parts", "i8"),
        ("part", "i8", (OBSERVED_WORDS, 2)),  # see `unpacking.layout`
        ("autoreset", "i8"),
        ("rewarded", "i8"),
    ],
    align=True,
)

SCRATCH = np.dtype(
    [
        ("sheets", SHEET, (2,)),  # of the seat, and one for trials, as `legal_moves` wants them
        ("moves", "i8", (MOST_MOVES,)),
        ("score", SCORE),
        ("words", "u8", (OBSERVED_WORDS,)),
    ],
    align=True,
)

EPISODE = np.dtype([*PROGRESS, ("shared", SHARED), ("sheet", SHEET)], align=True)
