"""The level of the bots that loses as much as a player.

The limits lie between the losses of the bots in London (docs/review.md has the table). In Ticket to
Ride the levels overlap, so the limits lie in the middle between the medians of few games.
`python -m headway.bench.grades` reviews more games and prints the limits that follow from them.
"""

from __future__ import annotations

from typing import NamedTuple

from headway.reviews.report import Level


class Fitted(NamedTuple):
    """Up to these losses a game is played like each level, best first; above all: the lowest."""

    expert: int
    driver: int
    commuter: int


LIMITS: dict[str, dict[str, Fitted]] = {
    "next-station": {
        "london": Fitted(2500, 8000, 27500),
    },
    "ticket-to-ride": {
        "london": Fitted(91000, 124000, 163500),
    },
}
"""In thousandths, by game and map; other maps use the first map of the game."""

LOST: dict[str, dict[Level, int]] = {
    "next-station": {"tourist": 51800, "commuter": 21100, "driver": 2800, "expert": 0},
    "ticket-to-ride": {"tourist": 190500, "commuter": 136500, "driver": 111000, "expert": 71000},
}
"""What each level loses in a game in the median, in thousandths: the table of docs/review.md."""


def limits_of(game: str, map_name: str) -> Fitted:
    """Returns the limits of a map."""
    fitted = LIMITS[game]
    return fitted.get(map_name) or next(iter(fitted.values()))


def level_of(loss: int, limits: Fitted) -> Level:
    """Returns the level that loses as much in a game."""
    if loss <= limits.expert:
        return "expert"
    if loss <= limits.driver:
        return "driver"
    return "commuter" if loss <= limits.commuter else "tourist"
