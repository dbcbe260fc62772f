"""The order of a game: what is dealt when, turns, rounds, the end (NS-05 to NS-10, SP-01)."""

from __future__ import annotations

from typing import Any

from headway.games.kernel import BIT, NONE, kernel
from headway.games.nextstation.rules.arrays import (
    DEAL_OBJECTIVES,
    DEAL_POWERS,
    DEAL_SPECIAL,
    OVER,
    PLAY,
    REVEAL,
    ROUNDS,
    SWITCH_CARD,
    UNDERGROUNDS,
    SharedRecord,
)


@kernel
def next_deal_phase(shared: SharedRecord) -> None:
    """Moves on to the next thing dealt before the first card of a round."""
    phase = shared["phase"]
    if phase < DEAL_OBJECTIVES and shared["use_objectives"] != 0:
        shared["phase"] = DEAL_OBJECTIVES
    elif phase < DEAL_POWERS and shared["use_powers"] != 0:
        shared["phase"] = DEAL_POWERS
    elif phase < DEAL_SPECIAL and shared["use_special"] != 0:
        shared["phase"] = DEAL_SPECIAL
    else:
        shared["phase"] = REVEAL


@kernel
def reveal(shared: SharedRecord, card: int) -> None:
    """Reveals a card; after the switch the next one follows at once (NS-08)."""
    shared["shown"] |= BIT[card]
    if card == SWITCH_CARD:
        shared["switched"] = 1
        return
    show(shared, card)
    if card > SWITCH_CARD:
        shared["undergrounds"] += 1
    shared["turn"] += 1
    shared["phase"] = PLAY


@kernel
def show(shared: SharedRecord, card: int) -> None:
    """Makes a card the one to play; its symbol is the same for street and underground."""
    shared["card_id"] = card
    shared["card"] = card if card < SWITCH_CARD else card - SWITCH_CARD - 1


@kernel
def end_turn(shared: SharedRecord, sheets: Any) -> None:
    """Ends the turn when all seats have moved: next card, next round (NS-10) or game over."""
    shared["switched"] = 0
    shared["card_id"], shared["card"] = 0, 0
    if shared["undergrounds"] < UNDERGROUNDS:
        shared["phase"] = REVEAL
        return
    r = int(shared["round"])
    for seat in range(int(shared["seats"])):
        sheet = sheets[seat]
        sheet["ends"] = NONE
        sheet["spent"] = 0
    shared["round"] = r + 1
    shared["turn"] = 0
    shared["undergrounds"] = 0
    shared["shown"] = NONE
    if r + 1 == ROUNDS:
        shared["phase"] = OVER
    else:
        shared["phase"] = DEAL_POWERS
        next_deal_phase(shared)


@kernel
def controller(shared: SharedRecord) -> int:
    """Returns the seat that flips the cards in this round (NS-05)."""
    return int(shared["round"] % shared["seats"])
