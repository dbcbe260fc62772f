"""Which word of a sheet's bits says what: the words that `features.py` and `outlook.py` write."""

from __future__ import annotations

from typing import Any

from headway.games.kernel import BIT, kernel
from headway.games.nextstation.rules.arrays import WORDS

LINE, ENDS, VISITED, TWICE, THRICE, CIRCLED = range(6)
CLOSED = 6
SINGLE = CLOSED + WORDS
PROGRESS = SINGLE + WORDS
"""Cards left, pencils to come, and so on: see `features._progress`."""
LEFT = PROGRESS + 1
NUMBERS = LEFT + 1
DISTRICTS = NUMBERS + 1
"""Eight bits a district: how many stations of the line in hand it has."""
SHAPE = DISTRICTS + 4
"""Districts of the line times its fullest one."""
TASKS = SHAPE + 2
MODULES = TASKS + 2
REACHED = MODULES + 1
"""Stamps won and districts visited."""
REACH = REACHED + 1
"""Stations one section away from an end: all, those in new districts, those in the fullest ones;
then those two sections away, and those one section away from anywhere on the line."""
MEETS = REACH + 5
"""Stations one section away from an end where other lines are."""
BEYOND = MEETS + 1
"""Stations two sections away in new districts, and in the fullest ones."""
CHANCES = BEYOND + 2
"""By symbol: how many stations with it are one section away, times how many cards are left."""
HOMES = CHANCES + 1
"""By pencil to come: how many ways are open from its departure, and how many lines are there."""
GAINS = HOMES + 1
"""By symbol: the most points that the next section may bring, if one card is left; if two are."""
ALIVE = GAINS + 2
"""Stations one section away whose symbol is on a card that is left."""
PACE = ALIVE + 1
"""The fullest district, then the number of districts, each times the undergrounds left."""
WAYS = PACE + 3
"""How many ways are open from each of two ends."""
PROSPECT = WAYS + 1
"""The points that the next section may bring, on average."""
LANDS = PROSPECT + 1
"""By pencil to come: the stations within two sections of its departure, and those with lines."""
FEATURE_WORDS = LANDS + 1

MOST_FULLEST = 9
MOST_DISTRICTS = 14


@kernel
def put_number(bits: Any, word: int, index: int) -> None:
    """Sets a bit of those that begin with a word."""
    bits[word + (index >> 6)] |= BIT[index & 63]
