"""All settings: arguments, environment variables, a configuration file, and defaults.

An argument of the command comes before a variable of the environment, a variable before the file.
A key of the file is the name of a variable in lower case, without `HEADWAY_`: `port` for
`HEADWAY_PORT`. A secret can also stand in a file of its own, which `HEADWAY_SECRET_FILE` names.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from functools import cache, partial
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

DATABASE_FILE = "tables.sqlite"
"""The database in the data folder, where no other is chosen."""
SESSION_SECONDS = 365 * 86_400
"""How long a guest's cookie (`_cookies` in `web/middleware.py`) and an account's session last."""
DEFAULT_PORTS = {"http": 80, "https": 443}
LOG_LEVELS = ("debug", "info", "warning", "error")
LOG_FORMATS = ("json", "text")
MOST_PROCESSES = 64
MOST_NAME_LETTERS = 40
OPEN, ACCOUNT, INVITE = "open", "account", "invite"
"""Who may come in: everybody, everybody who opens an account, or who has an invitation to do so."""
ALL_OR_NOTHING = {"always": (0, 24), "never": (0, 0)}
"""Words for hours of the day."""
_FOLDER = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")
_PREFIX, _FILE_ENDING = "HEADWAY_", "_FILE"


class WrongSettingError(ValueError):
    """A setting has an impossible value: (key of the sentence, variable, value, more of it)."""


def texts_dir() -> Path | None:
    """Returns the folder of the host's languages and texts, `HEADWAY_TEXTS_DIR`; None if unset."""
    chosen = _early("HEADWAY_TEXTS_DIR")
    return Path(chosen) if chosen else None


def cache_dir() -> Path:
    """Returns the folder of compiled rules: `HEADWAY_CACHE_DIR`, else the user's cache folder."""
    return _own_folder("HEADWAY_CACHE_DIR", "XDG_CACHE_HOME", ".cache")


def data_dir() -> Path:
    """Returns the default folder of tables: `HEADWAY_DATA_DIR`, else the user's data folder."""
    return _own_folder("HEADWAY_DATA_DIR", "XDG_DATA_HOME", ".local/share")


def _own_folder(ours: str, shared: str, usual: str) -> Path:
    """Returns the folder of our variable, else ours in that of the user's applications."""
    if chosen := _early(ours):
        return Path(chosen)
    return Path(os.environ.get(shared) or Path.home() / usual) / "headway"


def _early(variable: str) -> str:
    """Returns a setting that is read before a command begins, which explains a broken file."""
    try:
        found = _text(variable)
    except WrongSettingError:
        return os.environ.get(variable, "")
    return found.text if found else ""


# Where a setting comes from


Source = Literal["argument", "environment", "file", "default"]


class _Found(NamedTuple):
    """The text of a setting; `place` is the file that it stands in."""

    text: str
    source: Source
    place: str = ""


def _text(variable: str, *, secret: bool = False) -> _Found | None:
    """Returns what the environment or a file says of a setting, None if nobody says anything."""
    text = os.environ.get(variable)
    file = os.environ.get(variable + _FILE_ENDING) if secret else None
    if text and file:
        raise WrongSettingError("setting.twice", variable, variable + _FILE_ENDING)
    if text:
        return _Found(text, "environment")
    if file:
        return _Found(_content(variable + _FILE_ENDING, file), "file", file)
    config = os.environ.get("HEADWAY_CONFIG", "")
    values = _configuration(config) if config else {}
    if secret and (named := values.get(variable + _FILE_ENDING)):
        return _Found(_content(variable + _FILE_ENDING, named), "file", named)
    return _Found(values[variable], "file", config) if values.get(variable) else None


def _content(variable: str, file: str) -> str:
    """Returns the text of a file that a variable names, without the line's end."""
    try:
        return Path(file).read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise WrongSettingError("setting.file", variable, file, reason) from None


@cache
def _configuration(file: str) -> Mapping[str, str]:
    """Returns the settings of a configuration file, by variable."""
    text = _content("HEADWAY_CONFIG", file)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise WrongSettingError("setting.toml", "HEADWAY_CONFIG", file, str(error)) from None
    values = {}
    known = {name.removeprefix(_PREFIX).lower(): name for name in (*IN_FILES, *SECRET_FILES)}
    for key, value in content.items():
        if key not in known:
            likely = (difflib.get_close_matches(key, known, 1) or [""])[0]
            wrong = "setting.key_likely" if likely else "setting.key"
            raise WrongSettingError(wrong, file, key, likely)
        if isinstance(value, dict):
            raise WrongSettingError("setting.group", file, key)
        values[known[key]] = _written(value)
    return values


def _written(value: Any) -> str:
    """Returns a value of the file as it would stand in a variable."""
    if isinstance(value, bool):
        return "1" if value else "0"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


# How the text of a setting is read


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


def _port(variable: str, value: str) -> int:
    if not (value.isascii() and value.isdecimal() and int(value) < 65_536):
        raise WrongSettingError("setting.port", variable, value)
    return int(value)


def _processes(variable: str, value: str) -> int:
    if not (value.isascii() and value.isdecimal() and 0 < int(value) <= MOST_PROCESSES):
        raise WrongSettingError("setting.processes", variable, value, str(MOST_PROCESSES))
    return int(value)


def _hours(variable: str, value: str) -> tuple[int, int]:
    """Returns the hours from the first to before the last."""
    if value in ALL_OR_NOTHING:
        return ALL_OR_NOTHING[value]
    match = re.fullmatch(r"(\d\d?)-(\d\d?)", value)
    if not match or (hours := (int(match[1]), int(match[2])))[0] > 23 or hours[1] > 24:
        raise WrongSettingError("setting.hours", variable, value)
    return hours


def _time_zone(variable: str, value: str) -> str:
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(value).key
    except (OSError, ValueError, KeyError):  # it is not there, or cannot be a name
        raise WrongSettingError("setting.time_zone", variable, value) from None


def _choice(known: tuple[str, ...], variable: str, value: str) -> str:
    if value not in known:
        raise WrongSettingError("setting.choice", variable, value, ", ".join(known))
    return value


def _origin(variable: str, value: str) -> str:
    """Returns an address as browsers have it: no default port, lower case, ASCII; and its path."""
    try:
        parts = urlsplit(value.strip())
        host = (parts.hostname or "").encode("idna").decode()
        port = parts.port
    except (ValueError, UnicodeError):
        host, port = "", None
    folder = host and parts.path.rstrip("/")
    strange = folder and not _FOLDER.fullmatch(folder)
    extra = host and (strange or parts.query or parts.fragment or parts.username)
    if not host or extra or parts.scheme not in DEFAULT_PORTS or set(host) & set(" ,;*"):
        raise WrongSettingError("cli.serve_origin", variable, value)
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + (
        (f":{port}" if port not in (None, DEFAULT_PORTS[parts.scheme]) else "") + folder
    )


def _contact(variable: str, value: str) -> str:
    """Returns a contact as RFC 9116 wants it; an e-mail address may come without its scheme."""
    if "@" in value and ":" not in value:
        value = f"mailto:{value}"
    scheme, _, rest = value.partition(":")
    if scheme not in ("mailto", "https", "tel") or not rest or not value.isprintable():
        raise WrongSettingError("cli.serve_contact", variable, value)
    return value


def _one_line(variable: str, value: str) -> str:
    if not value.isprintable() or len(value) > MOST_NAME_LETTERS:
        told = " ".join(value.split())
        raise WrongSettingError("setting.name", variable, told, str(MOST_NAME_LETTERS))
    return value.strip()


def _folder(variable: str, value: str) -> str:
    if not Path(value).is_dir():
        raise WrongSettingError("setting.folder", variable, value)
    return value


def _channels(variable: str, value: str) -> str:
    if urlsplit(value).scheme not in ("redis", "rediss", "unix"):
        raise WrongSettingError("setting.channels", variable, "")  # it may hold a password
    return value


def _day(variable: str, value: str) -> str:
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise WrongSettingError("setting.day", variable, value) from None


def _networks(variable: str, value: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in value.split(","))
    except ValueError:
        raise WrongSettingError("cli.serve_networks", variable, value) from None


def _setting(
    variable: str,
    default: Any = "",
    read: Callable[[str, str], Any] = lambda _, text: text,
    *,
    secret: bool = False,
) -> Any:
    """Returns a field with the variable that sets it, and how the variable's text is read.

    A secret may stand in a file, and is not shown.
    """
    return field(default=default, metadata={"variable": variable, "read": read, "secret": secret})


@dataclass(frozen=True)
class ServerSettings:
    """The settings of `headway serve`, each with the variable that sets it."""

    database: str = _setting("HEADWAY_DATABASE_URL", secret=True)
    """`sqlite:///path` or `postgresql://…`; empty for a file in the user's data folder."""
    channels: str = _setting("HEADWAY_CHANNELS_URL", "", _channels, secret=True)
    """`redis://…` when several processes share a database; empty for a single one."""
    secret: str = _setting("HEADWAY_SECRET", secret=True)
    """Signs cookies; empty for one that is created once and kept in the database."""
    host: str = _setting("HEADWAY_HOST", "127.0.0.1")
    """The address to listen on; `0.0.0.0` for all interfaces."""
    port: int = _setting("HEADWAY_PORT", 8000, _port)
    """The port to listen on; 0 for any free one."""
    socket: str = _setting("HEADWAY_SOCKET")
    """A Unix socket to listen on instead; empty for host and port."""
    processes: int = _setting("HEADWAY_PROCESSES", 1, _processes)
    """Server processes on this machine, which share PostgreSQL and Redis."""
    drain_seconds: float = _setting("HEADWAY_DRAIN_SECONDS", 0.0, _number)
    """How long a server that is to end says that it is not ready before it stops to listen."""
    time_zone: str = _setting("HEADWAY_TIME_ZONE", "UTC", _time_zone)
    """Where the day of today's deal begins and ends at midnight: `Europe/Paris`."""
    idle_work: tuple[int, int] = _setting("HEADWAY_IDLE_WORK", (0, 24), _hours)
    """The hours in which puzzles are looked for, reviews prefetched and bots play ahead: `22-6`."""
    metrics_token: str = _setting("HEADWAY_METRICS_TOKEN", secret=True)
    """Who asks for figures has to send it as a bearer token; empty to show them to everybody."""
    log_level: str = _setting("HEADWAY_LOG_LEVEL", "info", partial(_choice, LOG_LEVELS))
    """The least important lines that are logged; requests are `info`."""
    log_format: str = _setting("HEADWAY_LOG_FORMAT", "json", partial(_choice, LOG_FORMATS))
    """Lines as JSON objects, or as text for people."""
    backups: str = _setting("HEADWAY_BACKUPS")
    """The folder of daily and weekly backups; empty for none."""
    origin: str = _setting("HEADWAY_ORIGIN", read=_origin)
    """The address that browsers see, `https://play.example`; empty for the request's host.

    It may have a path, `https://example.org/headway`, below which all pages are.
    """
    entry: str = _setting("HEADWAY_ENTRY", OPEN, partial(_choice, (OPEN, ACCOUNT, INVITE)))
    """Who may come in: everybody (`open`), or only people with an account, which everybody may
    open (`account`) or only who has an invitation (`invite`)."""
    name: str = _setting("HEADWAY_NAME", read=_one_line)
    """What the server is called: `Monday club`; empty for Headway."""
    pages: str = _setting("HEADWAY_PAGES_DIR", read=_folder)
    """A folder with the texts `imprint.txt`, `contact.txt`, `privacy.txt`; empty for none."""
    contact: str = _setting("HEADWAY_CONTACT", read=_contact)
    """Whom to tell about a hole in the server, `mailto:…` or `https://…`; empty for nobody."""
    rate: float = _setting("HEADWAY_RATE_LIMIT", 1.0, _number)
    """A factor on everything that is limited for a guest or an address; 0 disables the limits."""
    countdown: float = _setting("HEADWAY_START_SECONDS", 10.0, _number)
    """Seconds after which a full table with a clock begins; 0 to wait until all are ready."""
    away: float = _setting("HEADWAY_AWAY_SECONDS", 120.0, _number)
    """Seconds after which the other players may replace an absent one by a bot."""
    bot_workers: int = _setting("HEADWAY_BOT_WORKERS", 0, _whole)
    """The number of processes for bots; 0 for one for each core, at least two."""
    seed: str = _setting("HEADWAY_SEED")
    """Makes all deals reproducible and equal for all guests; for tests only."""
    today: str = _setting("HEADWAY_TODAY", "", _day)
    """Stops the calendar on a day, `2026-11-16`; for tests only."""
    bot_seconds: float = _setting("HEADWAY_BOT_SECONDS", 20.0, _number)
    """Seconds after which a bot's move is made for it and its process is ended."""
    review_budget: int = _setting("HEADWAY_REVIEW_BUDGET", 0, _whole)
    """Simulations for each look of a review; 0 for the default of each game."""
    warm_up: bool = _setting("HEADWAY_WARM_UP", True, lambda _, text: text != "0")
    """Whether bots are compiled when the server starts instead of at their first move."""
    trusted_proxy: str = _setting("HEADWAY_TRUSTED_PROXY")
    """The networks of the proxy whose `X-Forwarded-For` is believed; `1` for private ones."""
    trusted_networks: tuple[IPv4Network | IPv6Network, ...] = _setting(
        "HEADWAY_TRUSTED_NETWORKS", (), _networks
    )
    """Networks of many people behind one address, as a school's: no limit counts the address."""
    notice_networks: tuple[IPv4Network | IPv6Network, ...] = _setting(
        "HEADWAY_NOTICE_NETWORKS", (), _networks
    )
    """Networks of the host's own that notices may go to, besides the public internet."""
    connections: int = _setting("HEADWAY_CONNECTIONS", 5000, _whole)
    """Connections open at the same time, sockets included."""
    connections_per_address: int = _setting("HEADWAY_CONNECTIONS_PER_ADDRESS", 400, _whole)
    """Connections open at the same time from one address."""

    @property
    def folder(self) -> str:
        """The path of the address that browsers see, `/headway`; empty for none."""
        return urlsplit(self.origin).path

    @property
    def site(self) -> str:
        """The address that browsers see, without its path: what they send as `Origin`."""
        return self.origin.removesuffix(self.folder)

    @property
    def database_url(self) -> str:
        """The database's address."""
        return self.database or f"sqlite:///{data_dir() / DATABASE_FILE}"


_EARLY = ("HEADWAY_CACHE_DIR", "HEADWAY_DATA_DIR", "HEADWAY_TEXTS_DIR")
"""Settings that are read while modules load."""
_SETTINGS = {setting.metadata["variable"]: setting for setting in fields(ServerSettings)}
IN_FILES = (*_EARLY, *_SETTINGS)
"""The variables that a configuration file may set."""
VARIABLES = ("HEADWAY_CONFIG", "HEADWAY_LANG", "HEADWAY_TOKEN", *IN_FILES)
"""All variables that Headway reads."""
SECRET_FILES = tuple(
    variable + _FILE_ENDING for variable, setting in _SETTINGS.items() if setting.metadata["secret"]
)
"""Variables that name a file with a secret."""


class Setting(NamedTuple):
    """A setting in force: its value, and where it comes from."""

    variable: str
    name: str
    """The field of `ServerSettings`; empty for a folder."""
    value: Any
    source: Source
    place: str
    """The file, if it comes from one."""
    secret: bool


def in_force(**chosen: str | None) -> list[Setting]:
    """Returns all settings: arguments, else the environment, else files, else the defaults.

    Raises `WrongSettingError` for the first impossible one.
    """
    folders = {"HEADWAY_CACHE_DIR": cache_dir(), "HEADWAY_DATA_DIR": data_dir()}
    folders["HEADWAY_TEXTS_DIR"] = texts_dir() or Path()
    result = []
    for variable in _EARLY:
        found = _text(variable) or _Found("", "default")
        result.append(Setting(variable, "", folders[variable], found.source, found.place, False))
    for variable, setting in _SETTINGS.items():
        argument = chosen.get(setting.name)
        secret = setting.metadata["secret"]
        given = _Found(argument, "argument") if argument else _text(variable, secret=secret)
        value = setting.metadata["read"](variable, given.text) if given else setting.default
        _, source, place = given or _Found("", "default")
        result.append(Setting(variable, setting.name, value, source, place, secret))
    return result


def server(**chosen: str | None) -> ServerSettings:
    """Returns the settings of a server; arguments come before everything else."""
    return ServerSettings(**{one.name: one.value for one in in_force(**chosen) if one.name})


def unknown_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns variables that look like Headway's and are not, with the likely ones or ""."""
    known = (*VARIABLES, *SECRET_FILES)
    names = [n for n in environment if n.startswith(_PREFIX) and n not in known]
    return {name: (difflib.get_close_matches(name, known, 1) or [""])[0] for name in names}
