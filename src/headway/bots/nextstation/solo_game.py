"""A seat's own game, taken out of its view: sheets never interact, so it is a game for one."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np

from headway.games.contract import Seat, View
from headway.games.kernel import BIT
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import REVEAL, ROUNDS, SHARED, SHEET, SWITCH_CARD
from headway.games.nextstation.rules.scoring import MODULE_DEDUCTION


class SoloGame(NamedTuple):
    """A turn of one seat, as a game for one: what lies on the table, and its sheet."""

    shared: np.ndarray
    sheet: np.ndarray
    extra: int
    """What the seat has more than it would have in a real game for one (SO-01)."""

    @property
    def card(self) -> int:
        """The card to play."""
        return int(self.shared[0]["card_id"])

    @property
    def switched(self) -> int:
        """1 if the switch came up with it."""
        return int(self.shared[0]["switched"])

    @property
    def last_round(self) -> bool:
        """Whether this line is the last one."""
        return bool(self.shared[0]["round"] == ROUNDS - 1)

    def deal_key(self) -> bytes:
        """What was dealt for the whole game or this round; while it stays, a tree stays true."""
        shared = self.shared[0]
        names = ("pencils", "objectives", "powers", "special_symbol", "special_effect")
        return b"".join(shared[name].tobytes() for name in names)

    def before_card(self) -> np.ndarray:
        """The table as it lay before this turn's card was revealed."""
        between_turns: np.ndarray = self.shared.copy()
        shared = between_turns[0]
        shared["shown"] &= ~BIT[self.card]
        if self.switched:
            shared["shown"] &= ~BIT[SWITCH_CARD]
        shared["undergrounds"] -= self.card > SWITCH_CARD
        shared["turn"] -= 1
        shared["switched"] = shared["card"] = shared["card_id"] = 0
        shared["phase"] = REVEAL
        return between_turns


def solo_games(game: NextStation, view: View, generator: random.Random) -> dict[Seat, SoloGame]:
    """The games of all seats as the seat of a view knows them, its own with the others'."""
    world = game.resample(view, generator)
    games = {}
    for seat in range(game.seats):
        shared, sheet = np.zeros(1, SHARED), np.zeros(1, SHEET)
        shared[0], sheet[0] = world.shared, world.sheets[seat]
        shared[0]["seats"] = 1
        shared[0]["pencils"][0] = world.shared["pencils"][seat]
        modules = sum(
            int(world.shared[f"use_{name}"]) for name in ("objectives", "powers", "special")
        )
        extra = MODULE_DEDUCTION * modules if game.seats > 1 else 0
        games[seat] = SoloGame(shared, sheet, extra)
    return games
