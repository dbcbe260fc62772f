"""Masks of possible actions in compiled code: a row of bytes for each game."""

from __future__ import annotations

from typing import Any

from headway.games.kernel import kernel


@kernel
def clear(masks: Any, row: int) -> None:
    """Marks no action."""
    for i in range(masks.shape[1]):
        masks[row, i] = 0


@kernel
def mark(masks: Any, row: int, action: int) -> None:
    """Marks an action as possible."""
    masks[row, action] = 1


@kernel
def only_first(masks: Any, row: int) -> None:
    """Marks action 0 alone, for a seat that has nothing to decide: a mask is never empty."""
    clear(masks, row)
    mark(masks, row, 0)
