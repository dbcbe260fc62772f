"""Fits the limits in `reviews/arithmetic.py`: the losses between which a game is played as a level.

    python -m benchmarks.grades tests/reviews/losses.jsonl 60

reviews 60 games of every level with the default budget and prints what `LEVEL_LIMITS` and `LOST`
should say. The file keeps the games; the same command continues it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median, quantiles

from benchmarks.review_games import Kind, ReviewedGame, games_of
from headway.reviews.arithmetic import LEVEL_LIMITS, Fitted, level_of
from headway.reviews.job import reviewers
from headway.reviews.report import Level

LEVELS: dict[str, dict[Level, str]] = {
    "next-station": {
        "tourist": "tourist", "commuter": "commuter", "driver": "driver", "expert": "expert@300",
    },
    "ticket-to-ride": {
        "tourist": "tourist", "commuter": "commuter", "driver": "driver", "expert": "expert@1000",
    },
}  # fmt: skip
"""The bot of each level, by game."""
ENDS: tuple[Level, Level] = ("expert", "tourist")
"""Levels that get their word in nine games of ten (RV-07)."""
FRESH_SEED = 1000
"""Limits come from games with lower seeds; those from here on check them."""


def level_kinds(game: str, map_name: str) -> dict[Level, Kind]:
    """Returns the games among equals of each level, reviewed with the default budget."""
    budget = reviewers()[game].simulations
    seats = 1 if game == "next-station" else 2
    return {
        level: Kind(game, map_name, seats, (), bot, budget) for level, bot in LEVELS[game].items()
    }


def losses_by_level(
    kinds: dict[Level, Kind], games: Sequence[ReviewedGame]
) -> dict[Level, list[int]]:
    """Returns what the games of each level lost."""
    return {
        level: [game.loss for game in games if game.kind == kind] for level, kind in kinds.items()
    }


def fitted(losses: dict[Level, list[int]]) -> Fitted:
    """Returns the limits of the levels that follow from what their games lost.

    19 of 20 games of the expert lie below its limit, 19 of 20 of the tourist above the commuter's:
    nine of ten are asked for, also in other games than these. Between them, the driver's limit lies
    in the middle of the two medians.
    """
    highest = quantiles(losses["expert"], n=20, method="inclusive")[-1]
    lowest = quantiles(losses["tourist"], n=20, method="inclusive")[0]
    between = (median(losses["driver"]) + median(losses["commuter"])) / 2
    limits = highest, min(max(between, highest), lowest), lowest
    return Fitted(*(round(limit) for limit in limits))


def share_of_word(level: Level, losses: Sequence[int], limits: Fitted) -> float:
    """Returns the share of games that get the word of a level."""
    return mean(level_of(loss, limits) == level for loss in losses)


def main(file: Path, games: int) -> None:
    """Prints the limits and the medians of London in each game."""
    for game in LEVEL_LIMITS:
        kinds = level_kinds(game, "london")
        losses = losses_by_level(kinds, games_of(list(kinds.values()), range(games), file))
        sys.stdout.write(f"{game}: {fitted(losses)}\n")
        for level, lost in losses.items():
            middle = round(median(lost))
            sys.stdout.write(f"{level}: {middle}, from {min(lost)} to {max(lost)}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
