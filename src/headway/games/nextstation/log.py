"""The log of a game as a seat sees it: everything dealt and moved in finished turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from headway.games.contract import CHANCE, Event, Logbook, LogLine, Seat, State
from headway.games.nextstation.state import NextStationState

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation


class NextStationLog(Logbook):
    """Adds lines as events happen. Other seats see a move when its turn is finished."""

    def __init__(self, game: NextStation) -> None:
        self.game: NextStation = game
        self.number = 0
        self.turn = 0
        self.shown: list[LogLine] = []
        self.waiting: list[LogLine] = []

    def add(self, state: State, event: Event) -> None:
        assert isinstance(state, NextStationState)
        actor, move = event
        if actor == CHANCE:
            text = self.game.chance_text(state, move)
            self.shown.append(LogLine(self.number, actor, text, self.turn))
        else:
            self.waiting.append(LogLine(self.number, actor, self.game.move_text(move), self.turn))
            if state.actors() == {actor}:
                self.shown += self.waiting
                self.waiting = []
                self.turn += 1
        self.number += 1

    def lines(self, seat: Seat) -> list[LogLine]:
        return self.shown + [line for line in self.waiting if line.seat == seat]

    def copy(self) -> NextStationLog:
        twin = NextStationLog(self.game)
        twin.number, twin.turn = self.number, self.turn
        twin.shown, twin.waiting = self.shown[:], self.waiting[:]
        return twin


def log(game: NextStation, events: Sequence[Event], seat: Seat) -> list[LogLine]:
    """Returns what a seat sees of these events."""
    state, book = game.start(), NextStationLog(game)
    for actor, move in events:
        book.add(state, (actor, move))
        state.apply(actor, move)
    return book.lines(seat)
