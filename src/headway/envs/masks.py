"""Masks of possible actions in compiled code: a row of bytes for each game, in several copies."""

from __future__ import annotations

from typing import Any

from headway.games.kernel import kernel


@kernel
def clear(masks: Any, row: int) -> None:
    """Marks no action."""
    for copy in range(masks.shape[0]):
        for i in range(masks.shape[2]):
            masks[copy, row, i] = 0


@kernel
def mark(masks: Any, row: int, action: int) -> None:
    """Marks an action as possible."""
    for copy in range(masks.shape[0]):
        masks[copy, row, action] = 1


@kernel
def only_first(masks: Any, row: int) -> None:
    """Marks action 0 alone, for a seat that has nothing to decide: a mask is never empty."""
    clear(masks, row)
    mark(masks, row, 0)
