"""How far a table is, for lists of games: written with each event, so a list loads no game."""

from __future__ import annotations

import msgspec

from headway.games.contract import Stage
from headway.server.tables.state import TableState


class Progress(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who has to move and until when, how far the game is, and its result when it is over.

    Before the game begins, the `actors` are the seats that have to confirm.
    """

    actors: list[int] = []
    ends: dict[str, float] = {}
    stage: Stage | None = None
    totals: list[int] = []
    winners: list[int] = []


def progress(state: TableState) -> Progress:
    """Returns what everybody at the table can see of its progress."""
    if state.table is None:
        return Progress(state.unready())
    outcome, clocks = state.table.outcome(), state.clocks()
    return Progress(
        actors=list(state.actors()),
        ends=clocks.ends if clocks else {},
        stage=None if outcome else state.position.stage(),
        totals=list(outcome.totals) if outcome else [],
        winners=list(outcome.winners) if outcome else [],
    )
