"""Defaults and environment variables, all of them, in one place."""

from __future__ import annotations

import os
from pathlib import Path

LANGUAGES = ("en", "fr")


def language() -> str:
    """The language of texts: `HEADWAY_LANG`, else the system's locale, else English."""
    for variable in ("HEADWAY_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        chosen = os.environ.get(variable, "")[:2].lower()
        if chosen in LANGUAGES:
            return chosen
    return LANGUAGES[0]


def cache_dir() -> Path:
    """Where compiled rules are kept: `HEADWAY_CACHE_DIR`, else the user's cache folder."""
    if chosen := os.environ.get("HEADWAY_CACHE_DIR"):
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "headway"
