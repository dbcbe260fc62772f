"""Grades: the ends of the scale get their word, on stored losses of bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.grades import (
    ENDS,
    FRESH_SEED,
    fitted,
    level_kinds,
    losses_by_level,
    share_of_word,
)
from benchmarks.review_games import load
from headway.reviews.arithmetic import LEVEL_LIMITS, Fitted

GAMES = load(Path(__file__).parent / "losses.jsonl")
"""Games of Next Station at all levels; those with fresh seeds had no part in the limits."""


@pytest.mark.rule("RV-07")
@pytest.mark.parametrize("map_name", ["london", "tokyo"])
def test_the_ends_get_their_word_in_nine_games_of_ten(map_name: str) -> None:
    fresh = [game for game in GAMES if game.seed >= FRESH_SEED]
    losses = losses_by_level(level_kinds("next-station", map_name), fresh)
    for level in ENDS:
        assert len(losses[level]) >= 30
        assert share_of_word(level, losses[level], LEVEL_LIMITS["next-station"]) >= 0.9


@pytest.mark.rule("RV-07")
def test_limits_follow_from_losses() -> None:
    expert, driver = list(range(21)), [30, 40, 50]
    commuter, tourist = [80, 100, 120], list(range(100, 121))
    limits = fitted({"tourist": tourist, "commuter": commuter, "driver": driver, "expert": expert})
    assert limits == Fitted(expert=19, driver=70, commuter=101)
    assert share_of_word("expert", expert, limits) == 20 / 21
    assert share_of_word("tourist", tourist, limits) == 19 / 21
