"""The games: every package here with a `BOX` is one."""

from __future__ import annotations

import pkgutil
import re
from functools import cache
from importlib import import_module
from pathlib import Path

from headway.errors import unknown
from headway.files import read_text
from headway.games.box import Box


@cache
def boxes() -> tuple[Box, ...]:
    """Returns all games, sorted by name."""
    folders = [m.name for m in pkgutil.iter_modules(__path__) if m.ispkg]
    all_boxes = [import_module(f"{__name__}.{folder}").BOX for folder in folders]
    return tuple(sorted(all_boxes, key=lambda box: box.name))


def box(name: str) -> Box:
    """Returns the game with this name in records."""
    for candidate in boxes():
        if candidate.name == name:
            return candidate
    raise unknown("format.unknown_game", (b.name for b in boxes()), game=name)


def find(map_name: str) -> tuple[Box, str]:
    """Returns the game and map for a map name, a map file, or the name of a game."""
    for box in boxes():
        if map_name == box.name or map_name in box.aliases:
            return box, box.default_map
    file_format = _format(Path(map_name)) if map_name.endswith(".toml") else None
    for box in boxes():
        if map_name in box.maps or file_format == box.map_format:
            return box, map_name
    names = sorted({m for b in boxes() for m in b.maps} | {b.name for b in boxes()})
    raise unknown("format.unknown_map", names, map=map_name)


def _format(path: Path) -> str | None:
    """Returns the `format` of a map file."""
    match = re.search(r'^format\s*=\s*"([^"]*)"', read_text(path), re.MULTILINE)
    return match[1] if match else None
