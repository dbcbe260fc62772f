"""A table as its events make it: who sits where, the game, the clocks.

A sitting never changes once it is shown: `after` gives a new one with one event more, or raises
the sentence that says why the event cannot be. So what is tried is seen by nobody before it is
committed, and any process makes the same sitting of the same events.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

import msgspec

from headway.errors import HeadwayError, InputError
from headway.games import box
from headway.games.contract import CHANCE, Game, LogLine, State, View
from headway.record import RULES
from headway.server.errors import Refused
from headway.server.table.clocks import Clock, Times
from headway.table import Table

MOST_EVENTS = 4000
"""A table ends here, however often moves are taken back; loading it stays quick."""
BOT_GRACE = 3.0
"""Seconds after which another process may look after a bot that has not moved."""

SIT, LEAVE, BOT = "sit", "leave", "bot"
MOVE, FLAG, UNDO, REMATCH = "move", "flag", "undo", "rematch"
OWNER = "owner"
"""Somebody at the table is another guest now, also in what is written: it has to be read anew."""


class Happening(msgspec.Struct, frozen=True, kw_only=True):
    """An event of a table. `text` is a move, a name, a bot or the next table, by `kind`."""

    table: str
    number: int
    at: float
    kind: str
    seat: int = -1
    guest: str | None = None
    client_id: str | None = None
    text: str = ""
    drops: tuple[int, ...] = ()


class Chair(msgspec.Struct, frozen=True):
    """Who has a seat: a guest, a bot (perhaps for a guest who may come back), or nobody."""

    name: str = ""
    guest: str | None = None
    bot: str | None = None
    former: str | None = None

    @property
    def kind(self) -> Literal["person", "bot", "open"]:
        """`person`, `bot` or `open`."""
        return "bot" if self.bot else "person" if self.guest else "open"


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What was fixed when the table was set up; seed and salt stay inside until the end."""

    id: str
    created: float
    host: str
    game: str
    map: str
    map_hash: str
    rules: int
    options: dict[str, bool]
    chairs: tuple[Chair, ...]
    seed: int
    salt: str
    commitment: str
    clock: Clock
    training: bool
    public: bool
    day: str = ""
    """The day whose deal this is, if it is one."""


@lru_cache(maxsize=256)
def _opened(name: str, map: str, seats: int, options: tuple[tuple[str, bool], ...]) -> Game:
    return box(name).open(map, seats, dict(options))


def game_of(setup: Setup) -> Game:
    """The game that a table plays; games with the same choices are one object."""
    return _opened(setup.game, setup.map, len(setup.chairs), tuple(sorted(setup.options.items())))


@dataclass
class Sitting:
    """A table after its first `number` events."""

    setup: Setup
    game: Game
    number: int
    chairs: tuple[Chair, ...]
    times: Times
    moves: tuple[Happening, ...]
    done: dict[str, Happening]
    table: Table | None = None
    started: float | None = None
    next: str | None = None
    undone: int = 0
    """The number of the last event that took something back."""
    taken_back: dict[int, int] = field(default_factory=dict)
    """The same for each seat whose move was taken back."""

    # Making one

    @classmethod
    def new(cls, setup: Setup) -> Sitting:
        """The table before its first event."""
        game = game_of(setup)
        if setup.map_hash != game.map_hash:
            raise InputError("format.map_hash", map=setup.map)
        if setup.rules != RULES:
            raise InputError("format.rules", found=setup.rules, known=RULES)
        made = cls(setup, game, 0, setup.chairs, Times(setup.clock), (), {})
        made._start(setup.created)
        return made

    @classmethod
    def replayed(cls, setup: Setup, events: Iterable[Happening]) -> Sitting:
        """The table after these events, the first ones it had."""
        made, events = cls.new(setup), list(events)
        dropped = {number for event in events for number in event.drops}
        for event in events:
            made._note(event)
            if event.kind == UNDO:
                made._ask_anew(event, [e for e in events if e.number in event.drops])
            elif event.number not in dropped:
                made._happen(event)
        return made

    def after(self, event: Happening) -> Sitting:
        """The table with one event more; raises if it cannot be."""
        if event.number != self.number + 1:
            raise AssertionError(f"event {event.number} after {self.number}")
        if event.number > MOST_EVENTS:
            raise Refused(409, "server.too_long")
        twin = copy(self)
        twin.__dict__.pop("state", None)
        twin.done, twin.times = dict(self.done), self.times.copy()
        twin._note(event)
        if event.kind == UNDO:
            twin._undo(event)
        else:
            if event.kind in (MOVE, FLAG) and self.table:
                twin.table = self.table.copy()
            twin._happen(event)
        return twin

    def _note(self, event: Happening) -> None:
        self.number = event.number
        if event.client_id:
            self.done[event.client_id] = event

    def _happen(self, event: Happening) -> None:
        chair = self.chairs[event.seat] if event.seat >= 0 else Chair()
        if event.kind in (MOVE, FLAG):
            self._play(event)
        elif event.kind == SIT:
            self._seat(event, Chair(event.text, event.guest))
        elif event.kind == LEAVE:
            self._seat(event, Chair())
        elif event.kind == BOT:
            former = chair.guest or chair.former
            self._seat(event, Chair(chair.name or event.text, None, event.text, former))
        elif event.kind == REMATCH:
            self.next = event.text

    def _seat(self, event: Happening, chair: Chair) -> None:
        chairs = list(self.chairs)
        chairs[event.seat] = chair
        self.chairs = tuple(chairs)
        self._start(event.at)

    def _start(self, at: float) -> None:
        """The game begins as soon as no seat is free, and only then is anything dealt."""
        if self.table is None and all(chair.kind != "open" for chair in self.chairs):
            self.started = at
            self.table = self._dealt()
            self.times.ask(self.table.actors(), at, self.number)

    def _dealt(self) -> Table:
        return Table(self.game, seed=self.setup.seed, salt=self.setup.salt)

    def _play(self, event: Happening) -> None:
        table = self.playing()
        table.play(event.seat, event.text)
        self.moves += (event,)
        self.times.moved(event.seat, event.at)
        self.times.ask(table.actors(), event.at, event.number)

    def _undo(self, event: Happening) -> None:
        moves = [move for move in self.moves if move.number not in event.drops]
        dropped = [move for move in self.moves if move.number in event.drops]
        self.table, self.moves, self.times = self._dealt(), (), Times(self.setup.clock)
        assert self.started is not None
        self.times.ask(self.table.actors(), self.started, 0)
        for move in moves:
            self._play(move)
        self._ask_anew(event, dropped)

    def _ask_anew(self, event: Happening, dropped: list[Happening]) -> None:
        """Who moved in vain decides anew: a move sent before the undo comes too late."""
        self.undone = event.number
        self.taken_back = self.taken_back | {move.seat: event.number for move in dropped}

    # How it stands

    def playing(self) -> Table:
        """The game, once it has begun."""
        if self.table is None:
            raise Refused(409, "server.not_started")
        return self.table

    @cached_property
    def state(self) -> State:
        """The position; before the game begins, the one in which nothing is dealt."""
        return self.table.state if self.table else self.game.start()

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.table is not None and self.table.finished()

    def actors(self) -> tuple[int, ...]:
        """The seats that have to move now."""
        return self.table.actors() if self.table else ()

    def asked(self, seat: int) -> int:
        """The number of the event since which a seat has what it decides now."""
        return max(self.times.asked.get(seat, 0), self.taken_back.get(seat, 0))

    def bots_to_move(self) -> list[int]:
        """The seats that have to move and are played by bots."""
        return [seat for seat in self.actors() if self.chairs[seat].bot]

    def flags(self, now: float) -> list[int]:
        """The people's seats whose time is over."""
        seats = [seat for seat in self.actors() if not self.chairs[seat].bot]
        return [seat for seat in seats if (end := self.times.ends(seat)) and end <= now]

    def deadline(self) -> float | None:
        """When the next flag falls."""
        seats = [seat for seat in self.actors() if not self.chairs[seat].bot]
        return min((end for seat in seats if (end := self.times.ends(seat))), default=None)

    def wake(self, now: float) -> float | None:
        """When somebody has to look after this table, if no process is at it."""
        times = [self.deadline(), now + BOT_GRACE if self.bots_to_move() else None]
        return min((time for time in times if time is not None), default=None)

    def held_by(self, guest: str | None) -> tuple[int, ...]:
        """The seats that a guest holds."""
        if guest is None:
            return ()
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair.guest == guest)

    def chair(self, seat: int) -> Chair:
        """Who has a seat."""
        if seat not in range(len(self.chairs)):
            raise Refused(404, "turn.no_seat", seat=seat, seats=len(self.chairs))
        return self.chairs[seat]

    def view(self, seat: int) -> View:
        """What a seat knows; CHANCE is a spectator."""
        return self.state.view(seat)

    def log(self, seat: int) -> list[LogLine]:
        """What a seat was told."""
        return self.table.log(seat) if self.table else []

    def log_at(self, seat: int, number: int) -> list[LogLine]:
        """What a seat had been told after an event, as far as it still holds."""
        if self.table is None or number < self.undone:
            return []
        if number >= self.number:
            return self.log(seat)
        moves = sum(move.number <= number for move in self.moves)
        played = [i for i, (actor, _) in enumerate(self.table.events) if actor != CHANCE]
        count = played[moves] if moves < len(played) else len(self.table.events)
        return self.game.log(self.table.events[:count], seat)

    # Training

    def may_have_hint(self, seat: int, guest: str | None) -> None:
        """Raises unless the seat's holder may ask now, without wronging anybody."""
        table = self.playing()
        if self.chair(seat).guest != guest:
            raise Refused(403, "server.not_yours")
        if not self.setup.training:
            raise Refused(409, "server.hint_training")
        if not self.alone_with_bots:
            raise Refused(409, "server.hint_people")
        if table.finished():
            raise Refused(409, "server.over")
        if seat not in table.actors():
            raise Refused(409, "server.hint_not_now")

    @property
    def alone_with_bots(self) -> bool:
        """Whether one person plays here, and nobody else can be wronged."""
        return sum(not chair.bot for chair in self.chairs) == 1

    # Taking back

    def drops(self, seat: int) -> tuple[int, ...]:
        """The events that go if the seat takes its last move back; raises if it may not."""
        table = self.playing()
        if table.finished():
            raise Refused(409, "server.undo_over")
        mine = [i for i, move in enumerate(self.moves) if move.seat == seat]
        if not mine or self.moves[mine[-1]].kind == FLAG:
            raise Refused(409, "server.undo_nothing")
        last = mine[-1]
        if not self._revealed(table, seat):
            return (self.moves[last].number,)
        if not (self.setup.training and self.alone_with_bots):
            raise Refused(409, "server.undo_revealed")
        return tuple(move.number for move in self.moves[last:])

    def _revealed(self, table: Table, seat: int) -> bool:
        """Whether the seat learned anything since its last move: something dealt or shown."""
        at = max(i for i, (actor, _) in enumerate(table.events) if actor == seat)
        if any(actor == CHANCE for actor, _ in table.events[at + 1 :]):
            return True
        lines = self.log(seat)
        return bool(lines) and lines[-1].number > at

    def can_undo(self, seat: int) -> bool:
        """Whether the seat may take its last move back."""
        try:
            self.drops(seat)
        except HeadwayError:
            return False
        return True
