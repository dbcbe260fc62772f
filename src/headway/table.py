"""The table: the authority over a game in progress.

It deals, keeps the events and gives every seat its view. Every move goes through `play`; all
information comes from `view` and `log`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from headway import dealer
from headway.errors import InputError, NotYourTurn, shown, whole_number
from headway.games import find
from headway.games.contract import CHANCE, Event, Game, Move, Outcome, Seat, State, View
from headway.games.logbook import LogLine
from headway.record import Record, checked_names, record_of
from headway.shallow_copy import shallow_copy
from headway.svg import Theme


class Opening(msgspec.Struct, frozen=True):
    """The beginning of a game that another one continues: its events, and later deals by name.

    A later deal that is not possible when its name comes is dealt from the seed.
    """

    events: tuple[Event, ...] = ()
    deals: dict[str, Move] = {}


class Table:
    """A game at a table: `Table("london", seats=2, seed=7, powers=True)`.

    `map` is a city, a map file or a game. A seed is a whole number of at most 100 digits, or their
    text. Without one the table takes a secret seed; `commitment` proves later that it was fixed
    before the first card (`salt` restores an earlier commitment).
    `chosen` are parts of the set-up that the host decides instead of the dealer, as records write
    them, for example `pencils` (NS-03); `Game.choices` lists them. With an `opening` the game
    continues another one; its deal is no longer that of the seed alone, so its record has no seed.
    """

    def __init__(
        self,
        map: str | Game,  # noqa: A002 (a public keyword)
        *,
        seats: int = 1,
        seed: int | str | None = None,
        salt: str | None = None,
        chosen: Mapping[str, Any] | None = None,
        names: Sequence[str] | None = None,
        opening: Opening | None = None,
        **options: bool,
    ) -> None:
        if isinstance(map, Game):
            self.game = map
        else:
            box, name = find(str(map))
            self.game = box.open(name, seats, options)
        if chosen:
            self.game = self.game.choose(chosen)
        self.seats = self.game.seats
        self.names = checked_names(names or None, self.seats)
        self.seed = dealer.new_seed() if seed is None else dealer.checked_seed(seed)
        self._promise = dealer.promise(self.seed, salt)
        self.state: State = self.game.start()
        self.events: list[Event] = []
        self.logbook = self.game.notation.logbook(self.game)
        self._revealing: frozenset[int] = frozenset()
        """The events that showed their seat something hidden, by number."""
        self._later_deals = opening.deals if opening else {}
        self._is_continued = opening is not None
        for event in opening.events if opening else ():
            self._apply(*event)
        self._deal()

    @property
    def commitment(self) -> str:
        """The SHA-256 that binds the table to its deal; publish it before the first card."""
        return self._promise.commitment

    # Playing

    def actors(self) -> tuple[Seat, ...]:
        """Returns the seats that have to move now."""
        return tuple(sorted(self.state.actors()))

    def legal(self, seat: Seat = 0) -> list[str]:
        """Returns a seat's legal moves in the game's notation, in a stable order."""
        return [self.game.move_text(move) for move in self.state.legal(self._seat(seat))]

    def play(self, seat: Seat, move: str | Move, *, checked: bool = False) -> None:
        """Makes a seat's move; an illegal one raises an error and changes nothing.

        A `checked` move was legal at another table in the same position, and is not checked again.
        """
        number = self.game.parse_move(move) if isinstance(move, str) else whole_number(move)
        if number is None:
            raise InputError("format.no_move", move=shown(move))
        if not checked:
            self.state.check(self._seat(seat), number)
        if self.state.reveals(seat, number):
            self._revealing |= {len(self.events)}
        self._apply(seat, number)
        self._deal()

    def is_final(self, seat: Seat) -> bool:
        """Tells whether a seat has learned anything by its last move or since then.

        A final move cannot be taken back fairly: the seat would keep what it learned.
        """
        last = next(i for i in reversed(range(len(self.events))) if self.events[i][0] == seat)
        if last in self._revealing or any(actor == CHANCE for actor, _ in self.events[last + 1 :]):
            return True
        return any(line.number > last and line.seat != seat for line in self.log(seat))

    def copy(self) -> Table:
        """Returns an independent copy."""
        twin = shallow_copy(self)
        twin.state = self.state.copy()
        twin.events = list(self.events)
        twin.logbook = self.logbook.copy()
        return twin

    def _apply(self, seat: Seat, move: Move) -> None:
        self.logbook.add(self.state, (seat, move))
        self.state.advance(seat, move)
        self.events.append((seat, move))

    def _seat(self, seat: Seat) -> Seat:
        if seat not in range(self.seats):
            raise NotYourTurn("FORMAT", "turn.no_seat", seat=seat, seats=self.seats)
        return seat

    def _deal(self) -> None:
        while CHANCE in self.state.actors():
            move = self._later_deals.get(self.state.chance_name()) if self._later_deals else None
            if move is None or move not in self.state.legal(CHANCE):
                move = dealer.deal(self.seed, self.state)
            self._apply(CHANCE, move)

    # What is seen

    def view(self, seat: Seat = 0) -> View:
        """Returns what a seat knows; CHANCE is a spectator."""
        return self.state.view(seat if seat == CHANCE else self._seat(seat))

    def log(self, seat: Seat = 0) -> list[LogLine]:
        """Returns the log as a seat sees it; CHANCE is a spectator."""
        return self.logbook.lines(seat if seat == CHANCE else self._seat(seat))

    def scores(self) -> list[Any]:
        """Returns all score sheets as if the game ended now."""
        return self.state.scores()

    def outcome(self) -> Outcome | None:
        """Returns the result; None while the game is not over."""
        return self.state.outcome()

    def finished(self) -> bool:
        """Whether the game is over."""
        return self.state.finished()

    def record(self, *, sealed: bool = False) -> Record:
        """Returns the game as a record, with seed and salt if it is over and not `sealed`."""
        whole = record_of(self.game, self.events, self.names)
        over = self.finished() and not sealed and not self._is_continued
        if over:
            whole.seed, whole.deal = self.seed, None
        if not self._is_continued:
            whole.fair = self._promise if over else dealer.Promise(self.commitment)
        return whole

    def svg(self, seat: Seat = 0, *, theme: Theme = "auto", lang: str | None = None) -> str:
        """Returns a seat's board as SVG."""
        return self.game.presentation.svg(
            self.game, self.view(seat), names=self.names or (), theme=theme, lang=lang
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<Table {self.game.box.name} {self.game.map}, {self.seats} seats>"


def play_to_end(table: Table, choose: Callable[[Seat], str | Move]) -> None:
    """Plays a table to its end; `choose(seat)` returns the move of a seat."""
    while seats := table.actors():
        for seat in seats:
            table.play(seat, choose(seat))
