"""The weakest level of Next Station: greedy, with oversights."""

from __future__ import annotations

from collections.abc import Sequence

from headway.bots.baselines import GreedyBot
from headway.bots.mistakes import overlook
from headway.games.contract import Move, View

OVERLOOKED_SHARE = 0.3


class Tourist(GreedyBot):
    """Takes the section that scores most now, but overlooks about one in three."""

    name = "tourist"
    games = ("next-station",)

    def choose(self, view: View, legal: Sequence[Move], clock: float | None = None) -> Move:
        return super().choose(view, overlook(legal, OVERLOOKED_SHARE, self.generator), clock)
