"""All defaults and environment variables."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


def texts_dir() -> Path | None:
    """Returns the folder of the host's languages and texts, `HEADWAY_TEXTS_DIR`; None if unset."""
    chosen = os.environ.get("HEADWAY_TEXTS_DIR")
    return Path(chosen) if chosen else None


def cache_dir() -> Path:
    """Returns the folder of compiled rules: `HEADWAY_CACHE_DIR`, else the user's cache folder."""
    if chosen := os.environ.get("HEADWAY_CACHE_DIR"):
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "headway"


def data_dir() -> Path:
    """Returns the default folder of tables: `HEADWAY_DATA_DIR`, else the user's data folder."""
    if chosen := os.environ.get("HEADWAY_DATA_DIR"):
        return Path(chosen)
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "headway"


@dataclass(frozen=True)
class ServerSettings:
    """The settings of `headway serve`."""

    database: str = ""
    """`sqlite:///path` or `postgresql://…`; empty for a file in the user's data folder."""
    channels: str = ""
    """`redis://…` when several processes share a database; empty for a single one."""
    secret: str = ""
    """Signs cookies; empty for one that is created once and kept in the database."""
    origin: str = ""
    """The address that browsers see, `https://play.example`; empty for the request's host."""
    rate: float = 1.0
    """A factor on everything that is limited for a guest or an address; 0 disables the limits."""
    away: float = 120.0
    """Seconds after which the other players may replace an absent one by a bot."""
    bot_workers: int = 0
    """The number of processes for bots; 0 for one for each core, at least two."""
    seed: str = ""
    """Makes all deals reproducible and equal for all guests; for tests only."""
    today: str = ""
    """Stops the calendar on a day, `2026-11-16`; for tests only."""
    bot_seconds: float = 20.0
    """Seconds after which a bot's move is made for it and its process is ended."""
    review_budget: int = 0
    """Simulations for each look of a review; 0 for the default of each game."""
    warm_up: bool = True
    """Whether bots are compiled when the server starts instead of at their first move."""
    trusted_proxy: str = ""
    """The networks of the proxy whose `X-Forwarded-For` is believed; `1` for private ones."""
    connections: int = 5000
    """Connections open at the same time, sockets included."""
    connections_per_address: int = 400
    """Connections open at the same time from one address."""

    @property
    def database_url(self) -> str:
        """The database's address; creates the folder of an SQLite file."""
        if self.database:
            return self.database
        folder = data_dir()
        folder.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{folder / 'tables.sqlite'}"


def server(**chosen: str | None) -> ServerSettings:
    """Returns the settings of a server: arguments, else the environment, else the defaults."""
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
        review_budget=int(_number("HEADWAY_REVIEW_BUDGET", ServerSettings.review_budget)),
        warm_up=os.environ.get("HEADWAY_WARM_UP", "") != "0",
        trusted_proxy=os.environ.get("HEADWAY_TRUSTED_PROXY", ""),
        connections=int(_number("HEADWAY_CONNECTIONS", ServerSettings.connections)),
        connections_per_address=int(
            _number("HEADWAY_CONNECTIONS_PER_ADDRESS", ServerSettings.connections_per_address)
        ),
    )


class NotANumberError(ValueError):
    """An environment variable is not a number of at least 0: (variable, value)."""


def _number(variable: str, default: float) -> float:
    value = os.environ.get(variable, "") or str(default)
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e9:
        raise NotANumberError(variable, value)
    return number
