"""Writes a whole game as readable text: `tests/playthroughs/ticket-to-ride.txt`.

    python -m games.tickettoride.playthrough     (in the folder tests)

Every event with what was legal before it, and what everybody sees after each turn. A change of the
rules shows as a change of this text.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from games.tickettoride import record_files

import headway
from headway.games.contract import CHANCE
from headway.games.tickettoride.state import TicketToRideState
from headway.record import steps

FILE = Path(__file__).parents[2] / "playthroughs" / "ticket-to-ride.txt"
GAME = "2-seats-planner"
SHOWN = 6
"""So many legal moves are written out; of more, only their number."""


def lines() -> Iterator[str]:
    """The game, a line for each event and a block for each position between turns."""
    record = record_files.load(GAME)
    state: TicketToRideState | None = None
    turns = 0
    for step in steps(record):
        state = step.state if isinstance(step.state, TicketToRideState) else None
        assert state
        seat, move = step.event
        if seat == CHANCE:
            yield f"  chance  {state.chance_name()}: {state.game.notation.chance_text(state, move)}"
            continue
        view = state.view(seat)
        if view.phase == "turn" and view.taken == 0:
            turns += 1
            yield from position(state, turns)
        legal = [state.game.move_text(choice) for choice in state.legal(seat)]
        more = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
        yield f"  seat {seat}  {state.game.move_text(move)}"
        yield f"          of {', '.join(legal[:SHOWN])}{more}"
    assert state
    yield ""
    yield "THE END"
    for row in state.game.presentation.score_table(state, "en"):
        yield "  " + " | ".join(f"{cell:<38}" for cell in row).rstrip()
    yield f"  {state.outcome()}"


def position(state: TicketToRideState, turn: int) -> Iterator[str]:
    """What lies on the table, and all hands: this text is for readers, not for players."""
    view = state.view(CHANCE)
    yield ""
    yield f"TURN {turn}, seat {view.turn}" + (
        "" if view.turns_left is None else f", {view.turns_left} turns to the end"
    )
    yield f"  face up {' '.join(kind or '-' for kind in view.display)}"
    yield f"  pile {view.pile}, discards {written(view.discards)}, tickets {view.ticket_pile}"
    for seat in range(view.seats):
        own = state.view(seat)
        assert own.own_score
        tickets = " ".join(
            f"{ticket.name}:{'+' if ticket.completed else '-'}{ticket.points}"
            for ticket in own.own_score.each_ticket
        )
        routes = " ".join(name for name, owner in view.routes.items() if owner == seat)
        yield f"  seat {seat}: {view.points[seat]} points, {view.buses[seat]} buses"
        yield f"    hand {written(own.hand)}"
        yield f"    tickets {tickets}"
        yield f"    routes {routes or '-'}"


def written(cards: dict[str, int]) -> str:
    return " ".join(f"{number}×{kind}" for kind, number in cards.items()) or "-"


def text() -> str:
    """The whole playthrough."""
    title = headway.replay(record_files.load(GAME)).game.title("en")
    return "\n".join([f"{title}, the stored game {GAME}", "", "SET-UP", *lines()]) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
