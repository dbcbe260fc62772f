"""The log of a table as its readers have it, and what it says of events that are no moves."""

from __future__ import annotations

from msgspec.structs import replace

from headway.games.contract import CHANCE
from headway.games.logbook import LogLine
from headway.server.tables.happenings import Happening
from headway.server.tables.state import StandIn, TableState


def log_at(state: TableState, seat: int, number: int) -> list[LogLine]:
    """Returns the log lines that a seat had after an event, as far as they still hold."""
    if state.table is None or number < state.last_undo:
        return []
    if number >= state.number:
        return state.told(seat).log
    moves = sum(move.number <= number for move in state.moves)
    played = [i for i, (actor, _) in enumerate(state.table.events) if actor != CHANCE]
    count = played[moves] if moves < len(played) else len(state.table.events)
    return state.game.log(state.table.events[:count], seat)


def stand_ins_in(state: TableState, log: list[LogLine]) -> dict[int, StandIn]:
    """Returns what moved for a seat's holder, by the number of the line in somebody's log."""
    if state.table is None or not state.stand_ins:
        return {}
    lines = _lines(state, log)
    return {lines[number]: kind for number, kind in state.stand_ins.items() if number in lines}


def told_in(state: TableState, log: list[LogLine]) -> list[Happening]:
    """Returns what happened besides moves; a forced move is named if the log has it."""
    lines = _lines(state, log) if any(told.kind == "time" for told in state.happenings) else {}
    return [
        replace(told, line=lines.get(told.number, -1)) if told.kind == "time" else told
        for told in state.happenings
    ]


def _lines(state: TableState, log: list[LogLine]) -> dict[int, int]:
    """Returns the numbers of the log lines of moves, by the numbers of their events."""
    readable = {line.number for line in log}
    played = (n for n, (actor, _) in enumerate(state.playing().events) if actor != CHANCE)
    lines = zip(state.moves, played, strict=True)
    return {move.number: line for move, line in lines if line in readable}


def shared_lines(sent: list[LogLine], log: list[LogLine]) -> int:
    """Returns how many lines at the beginning are the same."""
    if log[: len(sent)] == sent:
        return len(sent)
    for i, (old, new) in enumerate(zip(sent, log, strict=False)):
        if old is not new and old != new:
            return i
    return min(len(sent), len(log))
