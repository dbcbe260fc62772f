"""All defaults and environment variables."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

DATABASE_FILE = "tables.sqlite"
"""The database in the data folder, where no other is chosen."""
SESSION_SECONDS = 365 * 86_400
"""How long a guest's cookie (`_cookies` in `web/middleware.py`) and an account's session last."""
DEFAULT_PORTS = {"http": 80, "https": 443}


def texts_dir() -> Path | None:
    """Returns the folder of the host's languages and texts, `HEADWAY_TEXTS_DIR`; None if unset."""
    chosen = os.environ.get("HEADWAY_TEXTS_DIR")
    return Path(chosen) if chosen else None


def cache_dir() -> Path:
    """Returns the folder of compiled rules: `HEADWAY_CACHE_DIR`, else the user's cache folder."""
    return _own_folder("HEADWAY_CACHE_DIR", "XDG_CACHE_HOME", ".cache")


def data_dir() -> Path:
    """Returns the default folder of tables: `HEADWAY_DATA_DIR`, else the user's data folder."""
    return _own_folder("HEADWAY_DATA_DIR", "XDG_DATA_HOME", ".local/share")


def _own_folder(ours: str, shared: str, usual: str) -> Path:
    """Returns the folder of our variable, else ours in that of the user's applications."""
    if chosen := os.environ.get(ours):
        return Path(chosen)
    return Path(os.environ.get(shared) or Path.home() / usual) / "headway"


class WrongSettingError(ValueError):
    """A variable has an impossible value: (key of the sentence, variable, value)."""


def _number(variable: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e9:
        raise WrongSettingError("cli.serve_number", variable, value)
    return number


def _whole(variable: str, value: str) -> int:
    return int(_number(variable, value))


def _origin(variable: str, value: str) -> str:
    """Returns an origin as browsers send it: no path, no default port, lower case, ASCII."""
    try:
        parts = urlsplit(value.strip())
        host = (parts.hostname or "").encode("idna").decode()
        port = parts.port
    except (ValueError, UnicodeError):
        host, port = "", None
    extra = host and (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
    if not host or extra or parts.scheme not in DEFAULT_PORTS or set(host) & set(" ,;*"):
        raise WrongSettingError("cli.serve_origin", variable, value)
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + (
        f":{port}" if port not in (None, DEFAULT_PORTS[parts.scheme]) else ""
    )


def _contact(variable: str, value: str) -> str:
    """Returns a contact as RFC 9116 wants it; an e-mail address may come without its scheme."""
    if "@" in value and ":" not in value:
        value = f"mailto:{value}"
    scheme, _, rest = value.partition(":")
    if scheme not in ("mailto", "https", "tel") or not rest or not value.isprintable():
        raise WrongSettingError("cli.serve_contact", variable, value)
    return value


def _setting(
    variable: str, default: Any = "", read: Callable[[str, str], Any] = lambda _, text: text
) -> Any:
    """Returns a field with the variable that sets it, and how the variable's text is read."""
    return field(default=default, metadata={"variable": variable, "read": read})


@dataclass(frozen=True)
class ServerSettings:
    """The settings of `headway serve`, each with the variable that sets it."""

    database: str = _setting("HEADWAY_DATABASE_URL")
    """`sqlite:///path` or `postgresql://…`; empty for a file in the user's data folder."""
    channels: str = _setting("HEADWAY_CHANNELS_URL")
    """`redis://…` when several processes share a database; empty for a single one."""
    secret: str = _setting("HEADWAY_SECRET")
    """Signs cookies; empty for one that is created once and kept in the database."""
    origin: str = _setting("HEADWAY_ORIGIN", read=_origin)
    """The address that browsers see, `https://play.example`; empty for the request's host."""
    contact: str = _setting("HEADWAY_CONTACT", read=_contact)
    """Whom to tell about a hole in the server, `mailto:…` or `https://…`; empty for nobody."""
    rate: float = _setting("HEADWAY_RATE_LIMIT", 1.0, _number)
    """A factor on everything that is limited for a guest or an address; 0 disables the limits."""
    away: float = _setting("HEADWAY_AWAY_SECONDS", 120.0, _number)
    """Seconds after which the other players may replace an absent one by a bot."""
    bot_workers: int = _setting("HEADWAY_BOT_WORKERS", 0, _whole)
    """The number of processes for bots; 0 for one for each core, at least two."""
    seed: str = _setting("HEADWAY_SEED")
    """Makes all deals reproducible and equal for all guests; for tests only."""
    today: str = _setting("HEADWAY_TODAY")
    """Stops the calendar on a day, `2026-11-16`; for tests only."""
    bot_seconds: float = _setting("HEADWAY_BOT_SECONDS", 20.0, _number)
    """Seconds after which a bot's move is made for it and its process is ended."""
    review_budget: int = _setting("HEADWAY_REVIEW_BUDGET", 0, _whole)
    """Simulations for each look of a review; 0 for the default of each game."""
    warm_up: bool = _setting("HEADWAY_WARM_UP", True, lambda _, text: text != "0")
    """Whether bots are compiled when the server starts instead of at their first move."""
    trusted_proxy: str = _setting("HEADWAY_TRUSTED_PROXY")
    """The networks of the proxy whose `X-Forwarded-For` is believed; `1` for private ones."""
    connections: int = _setting("HEADWAY_CONNECTIONS", 5000, _whole)
    """Connections open at the same time, sockets included."""
    connections_per_address: int = _setting("HEADWAY_CONNECTIONS_PER_ADDRESS", 400, _whole)
    """Connections open at the same time from one address."""

    @property
    def database_url(self) -> str:
        """The database's address."""
        return self.database or f"sqlite:///{data_dir() / DATABASE_FILE}"


VARIABLES = (
    "HEADWAY_CACHE_DIR", "HEADWAY_DATA_DIR", "HEADWAY_LANG", "HEADWAY_TEXTS_DIR", "HEADWAY_TOKEN",
    *(setting.metadata["variable"] for setting in fields(ServerSettings)),
)  # fmt: skip
"""All variables that Headway reads."""


def server(**chosen: str | None) -> ServerSettings:
    """Returns the settings of a server: arguments, else the environment, else the defaults."""
    values = {}
    for setting in fields(ServerSettings):
        variable, read = setting.metadata["variable"], setting.metadata["read"]
        if text := chosen.get(setting.name) or os.environ.get(variable):
            values[setting.name] = read(variable, text)
    return ServerSettings(**values)


def unknown_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns variables that look like Headway's and are not, with the likely ones or ""."""
    names = [n for n in environment if n.startswith("HEADWAY_") and n not in VARIABLES]
    return {name: (difflib.get_close_matches(name, VARIABLES, 1) or [""])[0] for name in names}
