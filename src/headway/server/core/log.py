"""Structured logs: one JSON object a line on stderr."""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from typing import Any, TextIO

import msgspec

_PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """A record as JSON: time, level, logger, message and whatever `extra` has."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": _moment(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _PLAIN}
        if record.exc_info and record.exc_info[1]:
            # The kind and the place only: the text of an error may quote what a player sent.
            line["error"] = type(record.exc_info[1]).__name__
            line["where"] = _where(record.exc_info[2])
        return msgspec.json.encode(line, enc_hook=str).decode()


def _moment(at: float) -> str:
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(at))}.{int(at % 1 * 1000):03d}Z"


_requests: TextIO | None = None
"""Where the lines of requests go, once `start` has been called."""


def request_line(**fields: object) -> None:
    """Writes the line of a request; a logger's record would cost more than the rest of the line."""
    if _requests:
        head = {"at": _moment(time.time()), "level": "info", "logger": "headway.access"}
        line = msgspec.json.encode(head | {"message": "request"} | fields)
        with contextlib.suppress(OSError):  # a full disk ends the log, not the request
            _requests.write(line.decode() + "\n")
            _requests.flush()


def _where(traceback: Any) -> list[str]:
    places = []
    while traceback:
        code = traceback.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]}:{traceback.tb_lineno} {code.co_name}")
        traceback = traceback.tb_next
    return places[-8:]


def start(level: str = "INFO") -> None:
    """Sends the log of Headway and its server to stderr, as JSON lines."""
    global _requests
    _requests = sys.stderr
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel("WARNING")
    logging.getLogger("headway").setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "litestar"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True
    # uvicorn's own lines would tell the whole address of every socket.
    logging.getLogger("uvicorn.error").setLevel("WARNING")
    logging.getLogger("uvicorn.access").disabled = True
