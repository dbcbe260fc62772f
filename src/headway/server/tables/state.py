"""A table's state, computed from its events: who sits where, the game, the clocks.

A `TableState` never changes once it is shown: `after` returns a new one with one more event, or
raises the sentence that says why the event is not allowed. So nobody sees what is not committed,
and every process computes the same state from the same events.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Literal, NamedTuple

from headway.errors import InputError
from headway.games.contract import CHANCE, Game, Move, State, View
from headway.games.logbook import LogLine
from headway.record import RULES
from headway.server.core.errors import conflict, forbidden, not_found
from headway.server.tables import events
from headway.server.tables.clocks import Clocks, RunningClock
from headway.server.tables.events import MOST_TOLD, Happening, TableEvent, UndoRequest, happening_of
from headway.server.tables.setup import (
    Occupant,
    Setup,
    chosen_game,
    game_of_seats,
    game_without_picks,
    picked_game,
)
from headway.shallow_copy import shallow_copy
from headway.table import Table

StandIn = Literal["clock", "bot"]
"""What moves for a person: the clock when time is over, or a bot that plays the seat meanwhile."""


class Pause(NamedTuple):
    """Time in which no clock ran, given back with the event of this number."""

    number: int
    seconds: float
    at: float


class Told(NamedTuple):
    """What a seat is told besides its view; moves that others make unseen change nothing of it."""

    legal: list[str]
    gains: list[int]
    """What each of these moves adds to the seat's total, where the game says it."""
    log: list[LogLine]


BOT_GRACE_SECONDS = 3.0
"""How long a process may leave a bot's turn alone before another process plays it."""


@dataclass
class TableState:
    """A table after its first `number` events."""

    setup: Setup
    game: Game
    number: int
    occupants: tuple[Occupant, ...]
    clock: RunningClock
    moves: tuple[TableEvent, ...]
    by_client_id: dict[str, TableEvent]
    table: Table | None = None
    started: float | None = None
    next: str | None = None
    rematch_by: int | None = None
    """The seat that asked for the next table."""
    ready: frozenset[str] = frozenset()
    """The guests who have confirmed since the last change of a seat."""
    full_since: float = 0.0
    """When a seat changed last: since then people can confirm."""
    ended: bool = False
    """Whether the operator has ended the table before the game was over."""
    on_hold: bool = False
    """Whether the game begins only when everybody has confirmed."""
    stopped_at: float | None = None
    """When the last person left a running game, if nobody has come back."""
    pauses: tuple[Pause, ...] = ()
    stand_ins: dict[int, StandIn] = field(default_factory=dict)
    """What moved for a seat's holder, by the number of the event; other moves are not in it."""
    happenings: tuple[Happening, ...] = ()
    """What happened besides moves since the game began."""
    last_undo: int = 0
    """The number of the last undo."""
    undo_request: UndoRequest | None = None
    """The last request that nobody has refused; `open_undo_request` says whether it still holds."""
    undo_refused: int = 0
    """The number of the last move that the others did not let a seat take back."""
    undone_seats: dict[int, int] = field(default_factory=dict)
    """For each seat whose move was taken back, the number of the last undo that did it."""
    undos: dict[tuple[int, int], int] = field(default_factory=dict)
    """How often a seat has taken a move back, by seat and the number of its moves before."""
    done: dict[tuple[str, str | None], int] = field(default_factory=dict)
    """How often each guest has done what `MOST_PER_GUEST` limits."""
    last_event: TableEvent | None = None
    """The event that `after` added; None for a table that was loaded."""
    _told: dict[int, Told] = field(default_factory=dict)
    """What `told` has returned, as far as it still holds."""

    # Making one

    @classmethod
    def new(cls, setup: Setup) -> TableState:
        """Returns the table before its first event."""
        game = chosen_game(setup, setup.chosen, len(setup.occupants))
        if setup.map_hash != game.map_hash:
            raise InputError("format.map_hash", map=setup.map)
        if setup.rules != RULES:
            raise InputError("format.rules", found=setup.rules, known=RULES)
        state = cls(setup, game, 0, setup.occupants, RunningClock(setup.clock), (), {})
        state.full_since = setup.created
        state._start(setup.created)
        return state

    @classmethod
    def replayed(cls, setup: Setup, committed: Iterable[TableEvent]) -> TableState:
        """Returns the table after these events, its first ones.

        They are committed, so their moves have been checked.
        """
        state, committed = cls.new(setup), list(committed)
        dropped = {number for event in committed for number in event.drops}
        state.by_client_id = {event.client_id: event for event in committed if event.client_id}
        for event in committed:
            state.number = event.number
            if event.kind == events.UNDO:
                state._ask_again(event, [e for e in committed if e.number in event.drops])
            elif event.number not in dropped:
                state._apply(event, checked=True)
        return state

    def after(
        self, event: TableEvent, move: Move | None = None, *, checked: bool = False
    ) -> TableState:
        """Returns the table with one more event; raises if it is not allowed.

        `move` is what `event.text` says, if the caller has parsed it. The move of a `checked` event
        is known to be legal here.
        """
        if event.number != self.number + 1:
            raise AssertionError(f"event {event.number} after {self.number}")
        if self.ended and event.kind != events.OWNER:
            raise conflict("server.ended")
        if event.number > events.MOST_EVENTS and event.kind in events.DISPENSABLE:
            raise conflict("server.too_long")
        state = shallow_copy(self)
        for cached in ("position", "finished", "_actors"):
            state.__dict__.pop(cached, None)
        state.number, state.clock = event.number, self.clock.copy()
        state.last_event, state._told = event, {}
        if event.client_id:
            state.by_client_id = self.by_client_id | {event.client_id: event}
        if event.kind == events.UNDO:
            state._undo(event)
        else:
            if event.kind in events.MOVES and self.table:
                state.table = self.table.copy()
            state._apply(event, move, checked)
            if _moved_unseen(self.table, state.table):
                state._told = {s: told for s, told in self._told.items() if s != event.seat}
        return state

    def _apply(self, event: TableEvent, move: Move | None = None, checked: bool = False) -> None:
        before = self.occupants[event.seat] if event.seat >= 0 else Occupant()
        if event.kind in events.MOVES:
            self._play(event, move, checked)
            if event.kind == events.FLAG:
                self._tell(event, before)
            if event.kind == events.FLAG or before.former:
                stand_in: StandIn = "clock" if event.kind == events.FLAG else "bot"
                self.stand_ins = self.stand_ins | {event.number: stand_in}
            return
        self._tell(event, before)
        if event.pick:
            self.game = picked_game(self.setup, self.game, event.seat, event.pick)
            self._count(events.PICK, event.guest)
        if event.kind == events.SIT:
            self._seat(event, Occupant(event.text, event.guest, face=event.face))
            self._count(events.SIT, event.guest)
        elif event.kind == events.LEAVE:
            # Who takes the seat of a running game sees its hand, so it stays its holder's.
            kept = Occupant(before.name, former=event.guest, face=before.face)
            if self.started is None:
                self.game = game_without_picks(self.setup, self.game, event.seat)
            self._seat(event, kept if self.started is not None else Occupant())
        elif event.kind == events.BOT:
            former = before.guest or before.former
            name = before.name if former else event.text
            self._seat(event, Occupant(name, None, event.text, former, before.face))
        elif event.kind == events.REMATCH:
            self.next = event.text
            self.rematch_by = next(iter(self.held_by(event.guest)), None)
        elif event.kind == events.READY and event.guest:
            self.ready |= {event.guest}
            self._count(events.READY, event.guest)
            self._start(event.at)
        elif event.kind == events.HOLD:
            self.on_hold = True
        elif event.kind == events.START:
            self.ready = frozenset(who.guest for who in self.occupants if who.guest)
            self._start(event.at)
        elif event.kind == events.BEGIN:
            self._drop_free_seats(event)
        elif event.kind == events.UNDO_ASK:
            self.undo_request = UndoRequest(event.number, event.seat, int(event.text))
            self._count(events.UNDO_ASK, event.guest)
        elif event.kind in (events.UNDO_YES, events.UNDO_NO) and self.undo_request:
            self._answer_undo(self.undo_request, event)
        elif event.kind == events.DOWNTIME:
            self._give_back(Pause(event.number, float(event.text), event.at))
        elif event.kind == events.END:
            self.ended = True

    def _tell(self, event: TableEvent, before: Occupant) -> None:
        """Notes what an event of a running game means to people."""
        if self.started is None:
            return
        if told := happening_of(event, before, self.held_by(event.guest)):
            self.happenings = (*self.happenings, told)[-MOST_TOLD:]

    def _answer_undo(self, request: UndoRequest, event: TableEvent) -> None:
        if event.kind == events.UNDO_NO:
            self.undo_refused, self.undo_request = request.move, None
        elif event.guest:
            granted = request.granted | {event.guest}
            self.undo_request = request._replace(granted=granted)

    def _count(self, kind: str, guest: str | None) -> None:
        self.done = self.done | {(kind, guest): self.done.get((kind, guest), 0) + 1}

    def _seat(self, event: TableEvent, occupant: Occupant) -> None:
        occupants = list(self.occupants)
        occupants[event.seat] = occupant
        self.occupants = tuple(occupants)
        self._seats_changed(event)
        self._stop_or_go_on(event)

    def _stop_or_go_on(self, event: TableEvent) -> None:
        """Stops a running game that everybody has left, until somebody comes back."""
        if self.table is None or self.table.finished():
            return
        if not self.has_people and self.stopped_at is None:
            self.stopped_at = event.at
        elif self.has_people and self.stopped_at is not None:
            self._give_back(Pause(event.number, event.at - self.stopped_at, event.at))
            self.stopped_at = None

    def _give_back(self, pause: Pause) -> None:
        self.pauses += (pause,)
        self.clock.give_back(pause.seconds, pause.at)

    def _drop_free_seats(self, event: TableEvent) -> None:
        left = [seat for seat, who in enumerate(self.occupants) if who.kind != "open"]
        self.game = game_of_seats(self.setup, self.game.chosen, left)
        self.occupants = tuple(self.occupants[seat] for seat in left)
        self._seats_changed(event)

    def _seats_changed(self, event: TableEvent) -> None:
        """Asks everybody to confirm again, except a player who fills or drops a free seat."""
        by_host = event.kind in (events.BOT, events.BEGIN) and self.held_by(event.guest)
        self.ready = frozenset([event.guest]) if by_host and event.guest else frozenset()
        self.full_since, self.on_hold = event.at, False
        self._start(event.at)

    def _start(self, at: float) -> None:
        """Starts the game once everybody is there; nothing is dealt before that."""
        if self.table is None and not self.free_seats() and not self.unready():
            self.started = at
            self.table = self._dealt()
            self.clock.ask(self.table.actors(), at, self.number)

    def _dealt(self) -> Table:
        setup = self.setup
        return Table(self.game, seed=setup.seed, salt=setup.salt, opening=setup.opening)

    def _play(self, event: TableEvent, move: Move | None = None, checked: bool = False) -> None:
        table = self.playing()
        table.play(event.seat, event.text if move is None else move, checked=checked)
        self.moves += (event,)
        if table.state.mid_turn():
            self.clock.go_on(event.seat, event.number)
            return
        self.clock.move(event.seat, event.at)
        self.clock.ask(table.actors(), event.at, event.number)

    def _undo(self, event: TableEvent) -> None:
        kept = [move for move in self.moves if move.number not in event.drops]
        dropped = [move for move in self.moves if move.number in event.drops]
        self.table, self.moves, self.clock = self._dealt(), (), RunningClock(self.setup.clock)
        assert self.started is not None
        self.clock.ask(self.table.actors(), self.started, 0)
        steps: list[TableEvent | Pause] = [*kept, *self.pauses]
        for step in sorted(steps, key=attrgetter("number")):
            if isinstance(step, Pause):
                self.clock.give_back(step.seconds, step.at)
            else:
                self._play(step)
        self._ask_again(event, dropped)

    def _ask_again(self, event: TableEvent, dropped: list[TableEvent]) -> None:
        """Makes seats decide again; a move sent before the undo comes too late."""
        self._tell(event, Occupant())
        self.last_undo, self.undo_request = event.number, None
        self.undone_seats = self.undone_seats | {move.seat: event.number for move in dropped}
        turn = event.seat, sum(move.seat == event.seat for move in self.moves)
        self.undos = self.undos | {turn: self.undos.get(turn, 0) + 1}

    # Before the game

    def free_seats(self) -> list[int]:
        """Returns the seats that anybody may take; a game that has begun has none."""
        if self.started is not None or self.ended:
            return []
        return [seat for seat, occupant in enumerate(self.occupants) if occupant.kind == "open"]

    def unready(self) -> list[int]:
        """Returns the seats of people who have to confirm before the game begins.

        Nobody has to while a seat is free, nor a person who plays alone with bots.
        """
        people = {who.guest for who in self.occupants if who.guest}
        if (
            self.table
            or self.ended
            or not self.setup.confirm
            or len(people) < 2
            or self.free_seats()
        ):
            return []
        return [
            s for s, who in enumerate(self.occupants) if who.guest and who.guest not in self.ready
        ]

    @property
    def starts_at(self) -> float | None:
        """When the game begins by itself; None if it does not, or has begun."""
        waits = self.setup.countdown and not self.on_hold and self.unready()
        return self.full_since + self.setup.countdown if waits else None

    @property
    def host(self) -> str | None:
        """The guest who decides about free seats: who set the table up, else who sits first."""
        people = [occupant.guest for occupant in self.occupants if occupant.guest]
        return self.setup.host if self.setup.host in people else next(iter(people), None)

    # Reading it

    def playing(self) -> Table:
        """Returns the game's table; refuses before the game has begun."""
        if self.table is None:
            raise conflict("server.not_started")
        return self.table

    @cached_property
    def position(self) -> State:
        """The game's state; before the game begins, the one in which nothing is dealt."""
        return self.table.state if self.table else self.game.start()

    @cached_property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.table is not None and self.table.finished()

    @property
    def over(self) -> bool:
        """Whether nothing happens here any more: the game is over, or the operator ended it."""
        return self.finished or self.ended

    def actors(self) -> tuple[int, ...]:
        """Returns the seats that have to move."""
        return self._actors

    @cached_property
    def _actors(self) -> tuple[int, ...]:
        return self.table.actors() if self.table and not self.ended else ()

    def asked(self, seat: int) -> int:
        """Returns the number of the event since which a seat has its present decision."""
        return max(self.clock.asked.get(seat, 0), self.undone_seats.get(seat, 0))

    def bots_to_move(self) -> list[int]:
        """Returns the seats that have to move and are played by bots."""
        return [seat for seat in self.actors() if self.occupants[seat].bot]

    @property
    def has_people(self) -> bool:
        """Whether a person plays at the table."""
        return any(occupant.guest for occupant in self.occupants)

    @property
    def players(self) -> frozenset[str]:
        """The guests who play, or did and may come back."""
        return frozenset(g for who in self.occupants for g in (who.guest, who.former) if g)

    def people_to_move(self) -> list[int]:
        """Returns the seats whose time runs: those of people who have to move.

        The clock moves for one who has left, as long as somebody else plays on.
        """
        if self.stopped_at is not None:
            return []
        return [seat for seat in self.actors() if not self.occupants[seat].bot]

    def flagged_seats(self, at: float) -> list[int]:
        """Returns the people's seats whose time is over."""
        ends = {seat: self.clock.ends(seat) for seat in self.people_to_move()}
        return [seat for seat, end in ends.items() if end and end <= at]

    def deadline(self) -> float | None:
        """Returns when the time of the next seat is over, or the game begins."""
        if self.table is None:
            return self.starts_at
        ends = [self.clock.ends(seat) for seat in self.people_to_move()]
        return min((end for end in ends if end), default=None)

    def wake_at(self, at: float) -> float | None:
        """Returns when a process has to look after this table if no process is at it."""
        bots = self.has_people and self.bots_to_move()
        times = [self.deadline(), at + BOT_GRACE_SECONDS if bots else None]
        return min((time for time in times if time is not None), default=None)

    def clocks(self) -> Clocks | None:
        """Returns the clocks as everybody at the table sees them; none runs in a stopped game."""
        shown = None if self.over else self.clock.shown(len(self.occupants))
        return Clocks(banks=shown.banks) if shown and self.stopped_at is not None else shown

    def held_by(self, guest: str | None) -> tuple[int, ...]:
        """Returns the seats that a guest holds."""
        if guest is None:
            return ()
        return tuple(s for s, occupant in enumerate(self.occupants) if occupant.guest == guest)

    def occupant(self, seat: int) -> Occupant:
        """Returns who has a seat."""
        if seat not in range(len(self.occupants)):
            raise not_found("turn.no_seat", seat=seat, seats=len(self.occupants))
        return self.occupants[seat]

    def require_holder(self, guest: str | None, seat: int) -> None:
        """Refuses a guest who does not hold the seat."""
        if self.occupant(seat).guest != guest:
            raise forbidden("server.not_yours")

    def require_patience(self, guest: str, kind: str) -> None:
        """Refuses a guest who has often done here what this kind of event does."""
        most, sentence = events.MOST_PER_GUEST[kind]
        if self.done.get((kind, guest), 0) >= most:
            raise conflict(sentence, most=most)

    def view(self, seat: int) -> View:
        """Returns what a seat knows; CHANCE is a spectator."""
        return self.position.view(seat)

    def told(self, seat: int) -> Told:
        """Returns what a seat is told besides its view; CHANCE is a spectator."""
        if seat not in self._told:
            plays = self.table is not None and seat != CHANCE and not self.ended
            moves = self.position.legal(seat) if plays else []
            gains = self.position.gains(seat, moves) if moves else []
            log = self.table.log(seat) if self.table else []
            legal = [self.game.move_text(move) for move in moves]
            self._told[seat] = Told(legal, gains, log)
        return self._told[seat]

    @property
    def alone_with_bots(self) -> bool:
        """Whether exactly one seat is not a bot's."""
        return sum(not occupant.bot for occupant in self.occupants) == 1


def _moved_unseen(before: Table | None, after: Table | None) -> bool:
    """Tells whether all that happened at a table is one move, of which the others hear nothing."""
    if before is None or after is None or len(after.events) != len(before.events) + 1:
        return False
    return len(after.logbook.shown) == len(before.logbook.shown)
