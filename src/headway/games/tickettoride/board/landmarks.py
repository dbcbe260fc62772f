"""The drawings of sights, which boards name and place."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

Parts = tuple[tuple[str, str], ...]
"""The parts of a drawing, each with its kind and its SVG path."""


@cache
def drawings() -> Mapping[str, Parts]:
    """Returns all drawings by name; their base is in the middle at 0, 0."""
    text = (Path(__file__).parents[1] / "landmarks.toml").read_text("utf-8")
    return {
        name: tuple((kind, path) for kind, path in parts)
        for name, parts in tomllib.loads(text).items()
    }
