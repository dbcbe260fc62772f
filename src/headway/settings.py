"""Defaults and environment variables, all of them, in one place."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


def texts_dir() -> Path | None:
    """Where a host keeps languages and texts of its own: `HEADWAY_TEXTS_DIR`, else nowhere."""
    chosen = os.environ.get("HEADWAY_TEXTS_DIR")
    return Path(chosen) if chosen else None


def cache_dir() -> Path:
    """Where compiled rules are kept: `HEADWAY_CACHE_DIR`, else the user's cache folder."""
    if chosen := os.environ.get("HEADWAY_CACHE_DIR"):
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "headway"


def data_dir() -> Path:
    """Where tables are kept by default: `HEADWAY_DATA_DIR`, else the user's data folder."""
    if chosen := os.environ.get("HEADWAY_DATA_DIR"):
        return Path(chosen)
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "headway"


@dataclass(frozen=True)
class ServerSettings:
    """Everything a host can choose for `headway serve`."""

    database: str = ""
    """`sqlite:///path` or `postgresql://…`; empty for a file in the user's data folder."""
    channels: str = ""
    """`redis://…` when several processes share a database; empty for a single one."""
    secret: str = ""
    """Signs cookies; empty for one that is made once and kept in the database."""
    origin: str = ""
    """The address that browsers see, `https://play.example`; empty for the request's own host."""
    rate: float = 1.0
    """A factor on all rate limits; 0 switches them off."""
    away: float = 120.0
    """Seconds after which the others may give a seat that keeps them waiting to a bot."""
    bot_workers: int = 0
    """Processes in which bots think; 0 for one less than there are cores."""
    seed: str = ""
    """Makes all deals repeatable, the same ones for every guest: for tests, never for play."""
    today: str = ""
    """Stops the calendar on a day, `2026-11-16`: for tests, never for play."""
    bot_seconds: float = 20.0
    """After so long another move is made for a bot, and its process ended."""
    warm_up: bool = True
    """Whether bots are compiled when the server starts, and not when they first move."""
    trusted_proxy: bool = False
    """Whether a proxy in front tells the address of a client in `X-Forwarded-For`."""

    @property
    def database_url(self) -> str:
        """The database's address; for SQLite the folder is there afterwards."""
        if self.database:
            return self.database
        folder = data_dir()
        folder.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{folder / 'tables.sqlite'}"


def server(**chosen: str | None) -> ServerSettings:
    """The settings of a server: what is chosen, else the environment, else the defaults."""
    names = {
        "database": "HEADWAY_DATABASE_URL",
        "channels": "HEADWAY_CHANNELS_URL",
        "secret": "HEADWAY_SECRET",
        "origin": "HEADWAY_ORIGIN",
        "seed": "HEADWAY_SEED",
        "today": "HEADWAY_TODAY",
    }
    texts = {name: chosen.get(name) or os.environ.get(key, "") for name, key in names.items()}
    return ServerSettings(
        **texts,
        rate=_number("HEADWAY_RATE_LIMIT", ServerSettings.rate),
        away=_number("HEADWAY_AWAY_SECONDS", ServerSettings.away),
        bot_workers=int(_number("HEADWAY_BOT_WORKERS", ServerSettings.bot_workers)),
        bot_seconds=_number("HEADWAY_BOT_SECONDS", ServerSettings.bot_seconds),
        warm_up=os.environ.get("HEADWAY_WARM_UP", "") != "0",
        trusted_proxy=os.environ.get("HEADWAY_TRUSTED_PROXY", "") == "1",
    )


class NotANumberError(ValueError):
    """An environment variable that should be a number from 0 on is none: (variable, value)."""


def _number(variable: str, default: float) -> float:
    value = os.environ.get(variable, "") or str(default)
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e9:
        raise NotANumberError(variable, value)
    return number
