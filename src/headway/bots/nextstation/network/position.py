"""Encodes a sheet between two turns as bits, the input of the value network."""

from __future__ import annotations

from typing import Any

from headway.games.kernel import NONE, kernel
from headway.games.nextstation.observation.ahead import lines_to_come, look_ahead
from headway.games.nextstation.observation.board import board_bits
from headway.games.nextstation.observation.layout import FEATURE_WORDS
from headway.games.nextstation.rules.arrays import (
    ROUNDS,
    CityRecord,
    ScoreRecord,
    SharedRecord,
    SheetRecord,
)
from headway.games.nextstation.rules.scoring import score


@kernel
def position_bits(
    city: CityRecord,
    shared: SharedRecord,
    sheet: SheetRecord,
    seat: int,
    score_record: ScoreRecord,
    bits: Any,
) -> int:
    """Writes the bits of a seat's sheet before the next card; returns its current score.

    `shared` is between two turns or before the first turn of a round (after `turns.end_turn`).
    """
    total = score(city, shared, sheet, score_record)
    for word in range(FEATURE_WORDS):
        bits[word] = NONE
    if int(shared["round"]) >= ROUNDS:
        return total
    way, others = board_bits(city, shared, sheet, seat, score_record, bits)
    look_ahead(city, shared, sheet, way, others, score_record, bits)
    lines_to_come(city, shared, sheet, seat, bits)
    return total
