"""The optimiser that trains value networks."""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.games.kernel import kernel

ZERO = np.float32(0.0)


@kernel
def adam(weights: Any, grad: Any, mean: Any, square: Any, rate: float, scale: float) -> None:
    """Takes an Adam step over flat layers, the gradient times `scale`; clears the gradient."""
    keep_mean, keep_square = np.float32(0.9), np.float32(0.999)
    new_mean, new_square = np.float32(0.1), np.float32(0.001)
    step, factor, tiny = np.float32(rate), np.float32(scale), np.float32(1e-8)
    for i in range(weights.shape[0]):
        g = grad[i] * factor
        grad[i] = ZERO
        mean[i] = keep_mean * mean[i] + new_mean * g
        square[i] = keep_square * square[i] + new_square * g * g
        weights[i] -= step * mean[i] / (np.sqrt(square[i]) + tiny)
