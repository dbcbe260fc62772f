"""Every text a player sees, in English and French, by key.

The files in `texts/` are for all games; each game has its own in its folder's `texts/`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from headway import settings


def say(key: str, lang: str | None = None, /, **values: object) -> str:
    """The text of a key in a language (the user's by default), its `{names}` filled in."""
    return texts(lang or settings.language())[key].format(**values)


@cache
def texts(lang: str) -> dict[str, str]:
    """All texts of a language by dotted key; a client can be served from this."""
    found: dict[str, str] = {}
    for file in _files(lang):
        found |= dict(_flat("", tomllib.loads(file.read_text("utf-8"))))
    return found


def _files(lang: str) -> list[Traversable]:
    package = files("headway")
    games = sorted(package.joinpath("games").iterdir(), key=lambda folder: folder.name)
    folders = [package, *(game for game in games if game.joinpath("texts").is_dir())]
    return [folder.joinpath("texts", f"{lang}.toml") for folder in folders]


def _flat(prefix: str, node: dict[str, Any]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for name, value in node.items():
        if isinstance(value, dict):
            pairs += _flat(f"{prefix}{name}.", value)
        else:
            pairs.append((prefix + name, value))
    return pairs
