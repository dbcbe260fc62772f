"""Numbers that compiled episodes share with the environments: when to reset, what to reward."""

from __future__ import annotations

# When a game that is over starts again, as `gymnasium.vector.AutoresetMode` has it.
NEXT_STEP, SAME_STEP, DISABLED = range(3)

REWARDS = ("score", "final", "win")
"""What is rewarded: each change of the own total, the total at the end, or winning (1, 0 or -1)."""
CHANGES, FINAL, WINNING = range(3)

# Actions that are no decision: start a new game, only show the position, or let others play on.
START, SHOW, RESUME = -1, -2, -3
