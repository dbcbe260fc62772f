"""Logs on stderr: a line is a JSON object, or text for people.

`Outage` writes about a service that is away: once, then ever more seldom, and when it is back.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, TextIO

import msgspec

_PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_everywhere: dict[str, Any] = {}
"""What every line has."""
_requests: TextIO | None = None
"""Where the lines of requests go, once `start` has been called."""
FIRST_REMINDER_SECONDS = 60.0
LAST_REMINDER_SECONDS = 3600.0


class LineFormatter(logging.Formatter):
    """A record as a line: time, level, logger, message and whatever `extra` has."""

    def format(self, record: logging.LogRecord) -> str:
        return _write(_fields(record))


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    line: dict[str, Any] = {
        "at": _moment(record.created),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": record.getMessage(),
        **_everywhere,
    }
    line |= {name: value for name, value in vars(record).items() if name not in _PLAIN}
    if record.exc_info and record.exc_info[1]:
        # The kind and the place only: the text of an error may quote what a player sent.
        line["error"] = type(record.exc_info[1]).__name__
        line["where"] = _where(record.exc_info[2])
    return line


def _json(line: Mapping[str, Any]) -> str:
    return msgspec.json.encode(line, enc_hook=str).decode()


def _text(line: Mapping[str, Any]) -> str:
    facts = "".join(
        f" {name}={msgspec.json.encode(value, enc_hook=str).decode()}"
        for name, value in line.items()
        if name not in ("at", "level", "logger", "message")
    )
    return f"{line['at']} {line['level']:7} {line['logger']}: {line['message']}{facts}"


def _moment(at: float) -> str:
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(at))}.{int(at % 1 * 1000):03d}Z"


def request_line(**fields: object) -> None:
    """Writes the line of a request; a logger's record would cost more than the rest of the line."""
    if _requests:
        head = {"at": _moment(time.time()), "level": "info", "logger": "headway.access"}
        line = _write(head | {"message": "request"} | _everywhere | fields)
        with contextlib.suppress(OSError):  # a full disk ends the log, not the request
            _requests.write(line + "\n")
            _requests.flush()


def _where(traceback: Any) -> list[str]:
    places = []
    while traceback:
        code = traceback.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]}:{traceback.tb_lineno} {code.co_name}")
        traceback = traceback.tb_next
    return places[-8:]


def start(level: str = "info", style: str = "json", process: int = 0) -> None:
    """Sends the log of Headway and its server to stderr, from a level on, as `json` or `text`.

    Lines of one of several processes have its number.
    """
    global _requests, _write, _everywhere
    _everywhere = {"process": process} if process else {}
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter())
    _write = _json if style == "json" else _text
    root = logging.getLogger()
    root.handlers = [handler]
    own = logging.getLogger("headway")
    own.setLevel(level.upper())
    root.setLevel(max(logging.WARNING, own.level))
    _requests = sys.stderr if own.isEnabledFor(logging.INFO) else None
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "litestar"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True
    # uvicorn's own lines would tell the whole address of every socket.
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, own.level))
    logging.getLogger("uvicorn.access").disabled = True


_write: Callable[[Mapping[str, Any]], str] = _json


class Outage:
    """Whether a service is away, as the parts of a process that use it find out."""

    def __init__(
        self, log: logging.Logger, service: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.log = log
        self.service = service
        self._clock = clock
        self._without: set[str] = set()
        self._since = 0.0
        self._remind_at = 0.0
        self._pause = 0.0

    @property
    def away(self) -> bool:
        """Whether the service is away for any part."""
        return bool(self._without)

    def lost(self, error: Exception, part: str = "") -> None:
        """Notes that a part failed: the first failure is logged, then a reminder now and then."""
        now, kind = self._clock(), type(error).__name__
        if not self._without:
            self._since, self._pause = now, FIRST_REMINDER_SECONDS
            self._remind_at = now + self._pause
            self.log.warning("%s lost", self.service, extra={"error": kind}, exc_info=error)
        elif now >= self._remind_at:
            self._pause = min(LAST_REMINDER_SECONDS, 2 * self._pause)
            self._remind_at = now + self._pause
            extra = {"error": kind, "seconds": round(now - self._since)}
            self.log.warning("%s still lost", self.service, extra=extra)
        self._without.add(part)

    def back(self, part: str = "") -> None:
        """Notes that a part succeeded; when nobody misses the service any more, a line says so."""
        if part in self._without:
            self._without.discard(part)
            if not self._without:
                seconds = round(self._clock() - self._since)
                self.log.info("%s back", self.service, extra={"seconds": seconds})
