"""A private calendar: until when somebody has to move in games of days (RFC 5545)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from headway.i18n import say
from headway.server.tables.setup import Occupant
from headway.server.tables.view import occupant_name, titles

LINE_BYTES = 75
_ESCAPED = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n"})


def calendar_of(
    heads: Iterable[tuple[Any, list[Occupant]]], guest: str, lang: str, origin: str
) -> str:
    """Returns the calendar of somebody's games, from their rows and occupants."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Headway//Headway//EN", "METHOD:PUBLISH"]
    lines += [f"X-WR-CALNAME:{say('call.calendar', lang).translate(_ESCAPED)}"]
    lines += ["REFRESH-INTERVAL;VALUE=DURATION:PT1H"]
    for row, occupants in heads:
        lines += _event(row, occupants, guest, lang, origin)
    return "".join(f"{part}\r\n" for line in [*lines, "END:VCALENDAR"] for part in _folded(line))


def _event(
    row: Any, occupants: list[Occupant], guest: str, lang: str, origin: str
) -> Iterator[str]:
    """The lines of the moment at which the time of a seat of theirs is over, if it runs."""
    ends = (row["progress"] or {}).get("ends", {})
    mine = [end for seat, end in ends.items() if occupants[int(seat)].guest == guest]
    if not mine or row["finished"] or row["clock"].get("kind") != "days":
        return
    game = titles(row["game"], row["map"], len(occupants))[lang]
    others = [occupant_name(who, row["game"], lang) for who in occupants if who.guest != guest]
    yield "BEGIN:VEVENT"
    yield f"UID:{row['id']}@headway"
    yield f"DTSTAMP:{_moment(time.time())}"
    yield f"DTSTART:{_moment(min(mine))}"
    yield "DURATION:PT0S"
    yield f"SUMMARY:{say('call.until', lang, game=game).translate(_ESCAPED)}"
    yield f"DESCRIPTION:{', '.join(others).translate(_ESCAPED)}"
    if origin:
        yield f"URL:{origin}/t/{row['id']}"
    yield "END:VEVENT"


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y%m%dT%H%M%SZ")


def _folded(line: str) -> Iterator[str]:
    """The line in parts of at most 75 bytes; those that go on begin with a space."""
    part, size = "", 0
    for char in line:
        width = len(char.encode())
        if size + width > LINE_BYTES:
            yield part
            part, size = " ", 1
        part, size = part + char, size + width
    yield part
