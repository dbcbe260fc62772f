"""Which events call people who do not look at their table, and what a notice says.

A notice says what everybody at the table may know: which game, who plays, that a seat has to move.
A private calendar says until when (RFC 5545).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple, get_args

from headway.i18n import say
from headway.server.tables import events
from headway.server.tables.setup import Occupant, against_people
from headway.server.tables.state import TableState
from headway.server.tables.view import occupant_name, titles

LINE_BYTES = 75
"""The longest line of a calendar."""
_ESCAPED = str.maketrans({"\\": r"\\", ";": r"\;", ",": r"\,", "\n": r"\n"})
Kind = Literal["turn", "begun", "over", "invited"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The kinds of notices, each of which can be switched off."""


class Call(NamedTuple):
    """A reason to tell somebody: its kind, and the event that the notice is about."""

    kind: Kind
    number: int


def calls_of(state: TableState) -> dict[str, list[Call]]:
    """Returns whom the last event of a table concerns, and why: the first reason they want counts.

    Who made the event knows of it. Nobody is called to a game against bots alone.
    """
    event = state.last_event
    if event is None or not against_people(state.occupants):
        return {}
    seats = {seat: who.guest for seat, who in enumerate(state.occupants) if who.guest}
    concerned: dict[str, list[Call]] = {}

    def call(kind: Kind, seat: int) -> None:
        if seat in seats and seats[seat] != event.guest:
            concerned.setdefault(seats[seat], []).append(Call(kind, event.number))

    if state.finished and event.kind in events.MOVES:
        for seat in seats:
            call("over", seat)
        return concerned
    if state.started == event.at:
        for seat in seats:
            call("begun", seat)
    for seat in state.actors():
        if state.asked(seat) == event.number:
            call("turn", seat)
    if event.kind == events.SIT:
        for seat in state.unready():
            call("begun", seat)
    return concerned


def still_holds(call: Call, state: TableState, guest: str) -> bool:
    """Tells whether there is still a reason to tell somebody, some time after the event."""
    mine = state.held_by(guest)
    if call.kind == "turn":
        return any(seat in mine and state.asked(seat) == call.number for seat in state.actors())
    return bool(mine) and (call.kind == "over" or not state.finished)


def title_of_call(kind: Kind, lang: str) -> str:
    """Returns what a notice says first."""
    return say(f"call.{kind}", lang)


def text_of_table(state: TableState, guest: str, lang: str) -> str:
    """Returns the game and the others at a table."""
    game = titles(state.setup.game, state.setup.map, len(state.occupants))[lang]
    others = [
        occupant_name(who, state.setup.game, lang)
        for who in state.occupants
        if who.guest != guest and who.kind != "open"
    ]
    return say("call.table", lang, game=game, names=", ".join(others)) if others else game


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
