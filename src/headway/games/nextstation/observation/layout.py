"""The layout of a sheet's feature bits: which 64-bit word holds what.

`board.py` and `ahead.py` write these words.
"""

from __future__ import annotations

from typing import Any

from headway.games.kernel import BIT, kernel
from headway.games.nextstation.rules.arrays import WORDS

LINE, ENDS, VISITED, TWICE, THRICE, CIRCLED = range(6)
CLOSED = 6
SINGLE = CLOSED + WORDS
PROGRESS = SINGLE + WORDS
"""Cards left, round, pencils to come: see `board._progress`."""
LEFT = PROGRESS + 1
NUMBERS = LEFT + 1
DISTRICTS = NUMBERS + 1
"""Eight bits per district: the number of stations that the current line has there."""
SHAPE = DISTRICTS + 4
"""The number of districts of the line times the size of its fullest one."""
TASKS = SHAPE + 2
MODULES = TASKS + 2
REACHED = MODULES + 1
"""Stamps won and districts visited."""
REACH = REACHED + 1
"""Stations one section away from an end: all, those in new districts, those in the fullest.

Then stations two sections away, and stations one section away from the middle of the line.
"""
MEETS = REACH + 5
"""Stations one section away from an end that have other lines."""
BEYOND = MEETS + 1
"""Stations two sections away in new districts, and in the fullest ones."""
CHANCES = BEYOND + 2
"""By symbol: the number of stations one section away, times the number of cards left."""
HOMES = CHANCES + 1
"""By pencil to come: open sections at its departure, and lines at its departure."""
GAINS = HOMES + 1
"""By symbol: the most points of the next section, if one card is left; if two are left."""
ALIVE = GAINS + 2
"""Stations one section away whose symbol is on a card that is left."""
PACE = ALIVE + 1
"""The size of the fullest district, then the number of districts, each times undergrounds left."""
WAYS = PACE + 3
"""The number of open sections at each of two ends."""
PROSPECT = WAYS + 1
"""The average points of the next section."""
LANDS = PROSPECT + 1
"""By pencil to come: stations within two sections of its departure, and those of them with lines.
"""
FEATURE_WORDS = LANDS + 1

MOST_FULLEST = 9
MOST_DISTRICTS = 14


@kernel
def put_number(bits: Any, word: int, index: int) -> None:
    """Sets a bit, counted from the first bit of a word."""
    bits[word + (index >> 6)] |= BIT[index & 63]
