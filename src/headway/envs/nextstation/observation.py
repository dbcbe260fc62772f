"""What an environment of Next Station shows of a position: the sheet, the table and the turn.

All of it is public. The first bits are those of `games/nextstation/observation`, which our value
network also reads; the words after them say what is to be decided now.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.envs.nextstation.decisions import NOTHING
from headway.games.kernel import BIT, NONE, ONE, kernel
from headway.games.nextstation.observation import layout as at
from headway.games.nextstation.observation.ahead import lines_to_come, look_ahead
from headway.games.nextstation.observation.board import board_bits
from headway.games.nextstation.rules.arrays import (
    BARE,
    DEAL_SPECIAL,
    OVER,
    PLAY,
    POWER_DOUBLE,
    CityRecord,
    ScoreRecord,
    SharedRecord,
    SheetRecord,
)
from headway.games.nextstation.rules.building import (
    effect_up,
    from_anywhere,
    past_second_turn,
    power_held,
    starts,
)
from headway.games.nextstation.rules.playouts import DECK
from headway.games.nextstation.rules.scoring import score

TURN = at.FEATURE_WORDS
"""Card (11 bits), switch, switches work, first or second decision or circle, turn, extra."""
STARTS = TURN + 1
TARGETS = TURN + 2
CHOSEN = TURN + 3
SCORES = TURN + 4
"""32 bits for each seat, the observer first: one for each eight points."""
OBSERVED_WORDS = SCORES + 2

SWITCH_BIT = DECK
DECISION_BIT = SWITCH_BIT + 2
TURN_BIT = DECISION_BIT + 3
MOST_TURNS = 10
POWER_BIT = TURN_BIT + MOST_TURNS
EFFECT_BIT = POWER_BIT + 4
OVER_BIT = EFFECT_BIT + 4
TURN_BITS = OVER_BIT + 1
HALF = np.array([0, 32], np.uint64)
SCORE_STEP = 3
"""A bit of a score stands for 1 << SCORE_STEP points."""


@kernel
def observe(
    city: CityRecord,
    shared: SharedRecord,
    sheets: Any,
    seat: int,
    chosen: int,
    ahead: bool,
    ends: Any,
    score_record: ScoreRecord,
    bits: Any,
) -> int:
    """Writes the bits of a seat's observation; returns its total if the game ended now.

    `sheets` has one per seat. `chosen` is the first decision of this turn, or NOTHING. `ahead` adds
    the features about the future. `ends` are the two stations of each section.
    """
    for word in range(OBSERVED_WORDS):
        bits[word] = NONE
    for i in range(1, sheets.shape[0]):
        other = sheets[(seat + i) % sheets.shape[0]]
        points = _points(score(city, shared, other, score_record))
        bits[SCORES + (i >> 1)] |= points << HALF[i & 1]
    sheet = sheets[seat]
    total = score(city, shared, sheet, score_record)
    bits[SCORES] |= _points(total)
    if shared["phase"] == OVER:
        bits[TURN] = BIT[OVER_BIT]
    if shared["phase"] == OVER or shared["phase"] < DEAL_SPECIAL:
        return total
    way, others = board_bits(city, shared, sheet, seat, score_record, bits)
    if ahead:
        look_ahead(city, shared, sheet, way, others, score_record, bits)
        lines_to_come(city, shared, sheet, seat, bits)
    if shared["phase"] != PLAY:
        return total
    bits[TURN] = _turn(shared, sheet, seat, chosen)
    bits[STARTS] = starts(city, shared, sheet, seat, from_anywhere(shared, BARE))
    bits[TARGETS] = city["targets"][shared["card"]] & ~sheet["lines"][shared["round"]]
    if chosen != NOTHING:
        section = (chosen - 1) % ends.shape[0]
        bits[CHOSEN] = BIT[ends[section, 0]] | BIT[ends[section, 1]]
    return total


@kernel
def _points(total: int) -> Any:
    """Returns a bit for each full step of points, at most 31."""
    steps = min(max(total, 0) >> SCORE_STEP, 31)
    return BIT[steps] - ONE


@kernel
def _turn(shared: SharedRecord, sheet: SheetRecord, seat: int, chosen: int) -> Any:
    word = BIT[shared["card_id"]]
    if shared["switched"] != 0:
        word |= BIT[SWITCH_BIT]
    if past_second_turn(shared):
        word |= BIT[SWITCH_BIT + 1]
    power, effect = power_held(shared, sheet, seat), effect_up(shared)
    decision = 0
    if chosen != NOTHING:
        decision = 2 if power == POWER_DOUBLE else 1
    word |= BIT[DECISION_BIT + decision]
    word |= BIT[TURN_BIT + min(int(shared["turn"]), MOST_TURNS) - 1]
    if power != 0:
        word |= BIT[POWER_BIT + power - 1]
    if effect != 0:
        word |= BIT[EFFECT_BIT + effect - 1]
    return word
