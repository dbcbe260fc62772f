"""Rewards of a position, for games that are played through the contract."""

from __future__ import annotations

from headway.envs.modes import CHANGES, WINNING
from headway.games.contract import Seat, State


def rewards_of(state: State, seat: Seat, rewarded: int, before: int) -> tuple[float, int]:
    """Returns the reward of a seat, and its total; `before` was the total after the last reward."""
    total = int(state.scores()[seat].total)
    if rewarded == CHANGES:
        return float(total - before), total
    outcome = state.outcome()
    if outcome is None:
        return 0.0, total
    if rewarded == WINNING:
        shared = len(outcome.winners) > 1
        return (0.0 if shared else 1.0) if seat in outcome.winners else -1.0, total
    return float(total), total
