"""A seat's part of a game as a game for one; possible because sheets never interact."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np

from headway.games.contract import Seat, View
from headway.games.kernel import BIT
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import REVEAL, ROUNDS, SHARED, SHEET, SWITCH_CARD
from headway.games.nextstation.rules.scoring import MODULE_DEDUCTION
from headway.games.nextstation.state import NextStationState


class SoloGame(NamedTuple):
    """One seat's turn as a game for one: the shared record and the seat's sheet."""

    shared: np.ndarray
    sheet: np.ndarray
    extra: int
    """The points that a real solo game would deduct for modules (SO-01), but this one did not."""

    @property
    def card(self) -> int:
        """The card to play."""
        return int(self.shared[0]["card_id"])

    @property
    def switched(self) -> int:
        """1 if the switch came up with the card, else 0."""
        return int(self.shared[0]["switched"])

    @property
    def last_round(self) -> bool:
        """Whether this is the last round."""
        return bool(self.shared[0]["round"] == ROUNDS - 1)

    def deal_key(self) -> bytes:
        """Returns what was dealt for the game and this round; a tree is valid while it is equal."""
        shared = self.shared[0]
        names = ("pencils", "objectives", "powers", "special_symbol", "special_effect")
        return b"".join(shared[name].tobytes() for name in names)

    def before_card(self) -> np.ndarray:
        """Returns the shared record as it was before this turn's card was revealed."""
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


def solo_game_of(state: NextStationState, seat: Seat) -> SoloGame:
    """Returns the solo game of a seat, as everybody at the table knows it."""
    shared, sheet = np.zeros(1, SHARED), np.zeros(1, SHEET)
    shared[0], sheet[0] = state.shared, state.sheets[seat]
    shared[0]["seats"] = 1
    shared[0]["pencils"][0] = state.shared["pencils"][seat]
    modules = sum(int(state.shared[f"use_{name}"]) for name in ("objectives", "powers", "special"))
    extra = MODULE_DEDUCTION * modules if state.game.seats > 1 else 0
    return SoloGame(shared, sheet, extra)


def solo_games(game: NextStation, view: View, generator: random.Random) -> dict[Seat, SoloGame]:
    """Returns the solo games of all seats, as far as the seat of the view knows them."""
    sampled = game.resample(view, generator)
    return {seat: solo_game_of(sampled, seat) for seat in range(game.seats)}
