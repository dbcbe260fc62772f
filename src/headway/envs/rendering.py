"""Pictures of a position for environments: pixels, text or SVG."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from headway.games.contract import Game, View

MODES = ["rgb_array", "ansi", "svg"]
WIDTH = 800
"""Pixels of an `rgb_array`."""


def render(game: Game, view: View, mode: str | None) -> Any:
    """Returns what a seat sees in one of the modes; None without a mode."""
    if mode == "svg":
        return game.svg(view, theme="light")
    if mode == "ansi":
        from rich.text import Text

        return Text.from_markup(game.screen(view)).plain
    if mode == "rgb_array":
        from PIL import Image

        from headway.render import png

        picture = Image.open(BytesIO(png(game.svg(view, theme="light"), WIDTH))).convert("RGB")
        return np.array(picture)
    return None
