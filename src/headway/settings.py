"""All defaults and environment variables."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

VARIABLES = (
    "HEADWAY_AWAY_SECONDS", "HEADWAY_BOT_SECONDS", "HEADWAY_BOT_WORKERS", "HEADWAY_CACHE_DIR",
    "HEADWAY_CHANNELS_URL", "HEADWAY_CONNECTIONS", "HEADWAY_CONNECTIONS_PER_ADDRESS",
    "HEADWAY_CONTACT", "HEADWAY_DATABASE_URL", "HEADWAY_DATA_DIR", "HEADWAY_LANG", "HEADWAY_ORIGIN",
    "HEADWAY_RATE_LIMIT", "HEADWAY_REVIEW_BUDGET", "HEADWAY_SECRET", "HEADWAY_SEED",
    "HEADWAY_TEXTS_DIR", "HEADWAY_TODAY", "HEADWAY_TOKEN", "HEADWAY_TRUSTED_PROXY",
    "HEADWAY_WARM_UP",
)  # fmt: skip
"""All variables that Headway reads."""
DATABASE_FILE = "tables.sqlite"
"""The database in the data folder, where no other is chosen."""
SESSION_SECONDS = 365 * 86_400
"""How long a guest's cookie and the session of an account last."""
DEFAULT_PORTS = {"http": 80, "https": 443}


def unknown_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns variables that look like Headway's and are not, with the likely ones or ""."""
    names = [n for n in environment if n.startswith("HEADWAY_") and n not in VARIABLES]
    return {name: (difflib.get_close_matches(name, VARIABLES, 1) or [""])[0] for name in names}


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
    contact: str = ""
    """Whom to tell about a hole in the server, `mailto:…` or `https://…`; empty for nobody."""
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
        """The database's address."""
        return self.database or f"sqlite:///{data_dir() / DATABASE_FILE}"


def server(**chosen: str | None) -> ServerSettings:
    """Returns the settings of a server: arguments, else the environment, else the defaults."""
    names = {
        "database": "HEADWAY_DATABASE_URL",
        "channels": "HEADWAY_CHANNELS_URL",
        "secret": "HEADWAY_SECRET",
        "seed": "HEADWAY_SEED",
        "today": "HEADWAY_TODAY",
    }
    texts = {name: chosen.get(name) or os.environ.get(key, "") for name, key in names.items()}
    return ServerSettings(
        **texts,
        origin=_origin(os.environ.get("HEADWAY_ORIGIN", "")),
        contact=_contact(os.environ.get("HEADWAY_CONTACT", "")),
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


class WrongSettingError(ValueError):
    """A variable has an impossible value: (key of the sentence, variable, value)."""


def _number(variable: str, default: float) -> float:
    value = os.environ.get(variable, "") or str(default)
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e9:
        raise WrongSettingError("cli.serve_number", variable, value)
    return number


def _origin(value: str) -> str:
    """Returns an origin as browsers send it: no path, no default port, lower case, ASCII."""
    if not value:
        return ""
    try:
        parts = urlsplit(value.strip())
        host = (parts.hostname or "").encode("idna").decode()
        port = parts.port
    except (ValueError, UnicodeError):
        host, port = "", None
    extra = host and (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
    if not host or extra or parts.scheme not in DEFAULT_PORTS or set(host) & set(" ,;*"):
        raise WrongSettingError("cli.serve_origin", "HEADWAY_ORIGIN", value)
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + (
        f":{port}" if port not in (None, DEFAULT_PORTS[parts.scheme]) else ""
    )


def _contact(value: str) -> str:
    """Returns a contact as RFC 9116 wants it; an e-mail address may come without its scheme."""
    if value and "@" in value and ":" not in value:
        value = f"mailto:{value}"
    scheme, _, rest = value.partition(":")
    if value and (scheme not in ("mailto", "https", "tel") or not rest or not value.isprintable()):
        raise WrongSettingError("cli.serve_contact", "HEADWAY_CONTACT", value)
    return value
