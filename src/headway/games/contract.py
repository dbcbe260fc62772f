"""The contract of every game: the one interface between rules and everything built on them.

A *game* has its map, number of seats and options chosen; a *state* is a position of it. Only
`apply` and `advance` change a state. Randomness is outside: where cards are dealt, the actor is
`CHANCE`. The state lists the possible moves of chance with their probabilities, and the caller
picks one: the table's dealer, a replayed record, or a search with its generator. So a planner that
gets a state cannot see the future.

Moves are ints, which suits compiled code and sorting. A game prints and parses them in one
notation, shared by records, API, log and terminal.

A new game is a folder under `headway/games` with a `BOX`; no module outside it names the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Protocol, Self, cast

import msgspec

from headway.errors import HeadwayError, InputError, Place
from headway.games.choices import Choice, check_choices
from headway.i18n import languages
from headway.svg import Theme

if TYPE_CHECKING:
    from headway.games.box import Box
    from headway.games.logbook import Logbook, LogLine
    from headway.games.presentation import Poster
    from headway.games.replay import Replayer

Seat = int
Move = int
Event = tuple[Seat, Move]
"""A move that was made: the actor (CHANCE for the dealer) and the move."""

CHANCE: Final[Seat] = -1
"""The actor of everything that is dealt."""


class Generator(Protocol):
    """A source of random numbers, for example `random.Random`."""

    def randrange(self, stop: int, /) -> int: ...


class Outcome(msgspec.Struct, frozen=True):
    """The result of a finished game: totals by seat, the winning seats, and the reason.

    `reason` is a catalogue key: the highest score, a tie-break, a shared victory, or a solo game's
    verdict.
    """

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    reason: str


class SheetCheck(NamedTuple):
    """The score of a full sheet without its cards, and everything impossible about it."""

    score: Any
    problems: list[HeadwayError]


class Stage(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far a game is, for lists of games: a catalogue key with its numbers `n` and `of`.

    The text of the key may name the `seat`.
    """

    key: str
    n: int
    of: int
    seat: int | None = None


class View(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What a seat knows, as plain data without hidden information; games add fields.

    It can be sent as JSON, with its class name as `type`. Two states that differ only in what the
    seat cannot know have equal views.
    """

    game: str
    map: str
    seat: Seat
    seats: int
    actors: tuple[Seat, ...]
    finished: bool


class MapData(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What a client needs to draw a map, as plain data; games add fields."""

    game: str
    map: str
    title: dict[str, str]
    """By language."""
    note: dict[str, str]
    hash: str

    @classmethod
    def of(cls, game: Game, layout: Any, **own: Any) -> Self:
        """Returns the data of a game's map: what is given, and what `layout` has by that name."""
        fields = [name for name in cls.__struct_fields__ if hasattr(layout, name)]
        data: dict[str, Any] = {name: getattr(layout, name) for name in fields}
        data |= {"game": game.box.name, "map": game.map} | own
        data["title"] = {lang: game.title(lang) for lang in languages()}
        data["note"] = {lang: game.note(lang) for lang in languages()}
        return cls(**data)


class State(ABC):
    """A position of a game. `apply` changes it in place; copy it to try something."""

    game: Game

    @abstractmethod
    def actors(self) -> frozenset[Seat]:
        """Returns who has to act: seats (several where all act at once), or CHANCE alone.

        Empty when the game is over. A seat that has acted in a turn that others still have to
        finish is not an actor.
        """

    @abstractmethod
    def legal(self, seat: Seat) -> list[Move]:
        """Returns all legal moves of a seat, sorted, each once; empty if it is no actor.

        For CHANCE: everything that may be dealt now.
        """

    @abstractmethod
    def check(self, seat: Seat, move: Move) -> None:
        """Raises the error that says why a move is illegal; returns None if it is legal.

        `NotYourTurn` if the seat is no actor, otherwise `RuleBroken` with the id of the rule.
        Agrees with `legal` in every case.
        """

    def apply(self, seat: Seat, move: Move) -> None:
        """Makes a move; one that is not legal is refused as `check` does and changes nothing.

        Where several seats act at once, a move waits, unseen by the others, until all have moved.
        """
        self.check(seat, move)
        self.advance(seat, move)

    @abstractmethod
    def advance(self, seat: Seat, move: Move) -> None:
        """Makes a move that the caller has checked; with any other the state is undefined."""

    @abstractmethod
    def chance(self) -> list[tuple[Move, Fraction]]:
        """Returns what may be dealt now, sorted, with exact probabilities that add up to 1.

        Empty unless CHANCE is the actor.
        """

    @abstractmethod
    def chance_name(self) -> str:
        """Returns a name for what is dealt now, unique within a game.

        The dealer derives its random numbers from seed and name. So a deal depends on neither
        earlier deals nor other options.
        """

    def stage(self) -> Stage | None:
        """Returns how far the game is, as everybody at the table can see; None if it cannot say."""
        return None

    @abstractmethod
    def view(self, seat: Seat) -> View:
        """Returns what a seat knows, without hidden information and moves of the current turn.

        Seat CHANCE is a spectator, who sees what everybody at the table can see.
        """

    def feats(self, seat: Seat) -> list[str]:
        """Returns what a seat can be proud of when a game is over, by names of the catalogue.

        Few are possible, and what they say is public at the end of the game.
        """
        return []

    def mid_turn(self) -> bool:
        """Tells whether the seat that has to act continues a turn that it has begun.

        A turn may take several moves, such as drawing tickets and keeping some of them.
        """
        return False

    def reveals(self, seat: Seat, move: Move) -> bool:
        """Tells whether a seat's legal move would show it anything that it cannot work out now.

        Such a move is final: taking it back would leave the knowledge. What chance deals after the
        move does not count here, the table sees it. A game that does not say has final moves only.
        """
        return True

    @abstractmethod
    def scores(self) -> list[Any]:
        """Returns every seat's score sheet as if the game ended now; each has a `total`."""

    @abstractmethod
    def score_after(self, seat: Seat, move: Move) -> int:
        """Returns the seat's total if the game ended after this legal move; changes nothing."""

    def gains(self, seat: Seat, moves: Sequence[Move]) -> list[int]:
        """Returns what each of these legal moves adds to the seat's total.

        Empty in a game whose page does not tell it before a move is confirmed.
        """
        return []

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Returns the result; None while the game is not over."""

    @abstractmethod
    def copy(self) -> State:
        """Returns an independent copy."""

    @abstractmethod
    def dump(self) -> bytes:
        """Returns the whole state as bytes; `Game.load` is the inverse."""

    @abstractmethod
    def restore(self, data: bytes) -> None:
        """Sets the state to what `dump` wrote."""

    def finished(self) -> bool:
        """Whether the game is over."""
        return not self.actors()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.dump() == other.dump()

    __hash__ = None  # type: ignore[assignment]


class RecordReader(Protocol):
    """Reads the deal and moves of a record step by step, along with the game."""

    def chance_move(self, state: Any) -> Move:
        """Returns what the record deals in this state; raises if that is impossible."""

    def seat_move(self, state: Any, seat: Seat) -> Move:
        """Returns a seat's move in this state; raises `InputError` if it cannot be parsed."""

    def place(self, state: Any, seat: Seat) -> Place:
        """Returns the place of that move in the record, for errors."""

    def finish(self, state: Any) -> None:
        """Raises if the record continues after the end of the game."""


class Notation(Protocol):
    """How a game writes moves and its log; a module, which `Game.notation` loads late."""

    def shorthand(self, game: Any, text: str, legal: Sequence[Move]) -> list[Move]:
        """Returns the legal moves that an abbreviated text may mean, such as a target alone.

        If it means none of them, returns the nearest illegal move, whose `State.check` tells the
        player why. Empty if it means nothing.
        """

    def asked_move(self, state: Any, seat: Seat, text: str) -> Move:
        """Returns the move that a seat asks about: why can it not be made?

        The text may leave out what a player has not chosen, such as the payment; then this is the
        move that comes nearest to being legal. Raises `InputError` if the text means nothing.
        """

    def chance_text(self, state: Any, move: Move) -> str:
        """Returns what CHANCE deals with a move in this state, as text."""

    def logbook(self, game: Any) -> Logbook:
        """Returns an empty logbook for a table."""


class Records(Protocol):
    """How a game is written down; a module, which `Game.records` loads late."""

    def read(self, game: Any, deal: Any | None, moves: Any) -> RecordReader:
        """Returns a reader for a record's `deal` (None if a seed deals everything) and `moves`."""

    def write(self, game: Any, events: Sequence[Event]) -> tuple[Any, Any]:
        """Returns the `deal` and `moves` of a record with these events."""

    def replayer(self, game: Any) -> Replayer | None:
        """Returns what replays records of this game in compiled code; None if nothing does."""

    def legal_count(self, state: Any, seat: Seat) -> int:
        """Returns the number that `headway replay --json` prints for a seat's move."""

    def nesting(self, place: Place) -> tuple[int, ...]:
        """Returns the indices of a place, a whole one or its beginning, in a record's `moves`.

        The report's nested list `legal` has the same indices.
        """

    def score_json(self, game: Any, score: Any) -> dict[str, Any]:
        """Returns a score sheet as `headway replay --json` prints it."""


class Presentation(Protocol):
    """How a game is shown; a module, which `Game.presentation` loads late.

    `lang` is the reader's language by default.
    """

    def svg(
        self,
        game: Any,
        view: Any,
        *,
        names: Sequence[str] = (),
        theme: Theme = "auto",
        lang: str | None = None,
    ) -> str:
        """Returns the board as a seat sees it, as SVG with the text board in its `<desc>`.

        `names` are those of the seats, where the picture names them.
        """

    def poster(self, game: Any, view: Any, shown: Poster) -> str:
        """Returns the poster of a seat as SVG; `view` is a spectator's of a finished game."""

    def screen(
        self, game: Any, view: Any, *, legal: Iterable[Move] = (), lang: str | None = None
    ) -> str:
        """Returns the board as a seat sees it, as text with rich's colour markup for a terminal.

        `legal` moves are marked on the board.
        """

    def status(
        self, game: Any, view: Any, *, names: Sequence[str] = (), lang: str | None = None
    ) -> list[str]:
        """Returns what a seat needs to know besides the board: cards, hand, scores and so on.

        The lines have rich's colour markup, fit a column of 34 characters, and are no more than the
        board has rows. `names` are the seats' names, in markup.
        """

    def score_table(self, state: Any, lang: str | None = None) -> list[list[str]]:
        """Returns the score sheets side by side: a header row, then a row per line of the score."""

    def notation_help(self, game: Any, lang: str | None = None) -> list[str]:
        """Explains how moves are typed, in at most 18 plain lines of at most 78 columns.

        The first line says in one sentence of at most 150 characters what to do first.
        """

    def blank_sheet(self, game: Any, lang: str | None = None) -> str:
        """Returns the empty sheet for printing, as SVG of size A4, with the game's options.

        Raises `InputError` if the game is not `on_paper`.
        """


class Game(ABC):
    """A game with map, seats and options chosen: creates states, parses moves, draws boards."""

    box: ClassVar[Box]
    engine: ClassVar[ModuleType]
    """The kernels that play whole games: `new_workspace`, `play_games`, `replay`, `POLICIES`."""
    map: str
    map_hash: str
    seats: int
    options: Mapping[str, bool]
    secret_hands: ClassVar[bool] = True
    """Whether a view shows its seat something that others may not see, such as a hand of cards.

    People who share a screen then hand it over blank. A game without hidden information says False.
    """
    chosen: Mapping[str, Any] = MappingProxyType({})
    """What the host chose instead of leaving it to chance, as records write it."""
    fixed: Mapping[str, list[Move]] = MappingProxyType({})
    """The moves of chance that agree with `chosen`, by `State.chance_name`."""

    def choices(self) -> tuple[Choice, ...]:
        """Returns what the host may choose when a table is set up."""
        return ()

    def choose(self, chosen: Mapping[str, Any]) -> Self:
        """Returns this game with what the host chose; refuses unknown and impossible parts.

        From then on `State.chance` lists only what agrees with the choice.
        """
        game = copy(self)
        game.chosen = MappingProxyType(dict(chosen))
        game.fixed = self._fixed_moves(chosen)
        return game

    def _fixed_moves(self, chosen: Mapping[str, Any]) -> Mapping[str, list[Move]]:
        """Returns `fixed` for what the host chose; raises if the game does not allow it."""
        check_choices(self, chosen)
        return {}

    @abstractmethod
    def start(self) -> State:
        """Returns the position before anything is dealt."""

    def load(self, data: bytes) -> State:
        """Returns the state that `State.dump` wrote."""
        state = self.start()
        state.restore(data)
        return state

    @abstractmethod
    def resample(self, view: View, generator: Generator) -> State:
        """Returns a state that the view's seat cannot tell from the real one, sampled uniformly.

        Bots search in such states; they never get the real one.
        """

    def simulate(
        self, games: int, *, policy: str = "random", seed: int = 0, threads: int = 1
    ) -> Any:
        """Plays whole games in compiled code, all seats by one policy; totals by game and seat.

        The same seed gives the same games for any number of threads.
        """
        from headway.games.simulation import simulate

        return simulate(self, games, policy=policy, seed=seed, threads=threads)

    @property
    def notation(self) -> Notation:
        """The texts of its moves and log."""
        return cast(Notation, self._module("notation"))

    @property
    def records(self) -> Records:
        """Its records."""
        return cast(Records, self._module("records"))

    @property
    def presentation(self) -> Presentation:
        """Its pictures, screens and sheets."""
        return cast(Presentation, self._module("presentation.render"))

    def _module(self, name: str) -> Any:
        """Returns a module of the game's folder."""
        return import_module(f"{type(self).__module__.rpartition('.')[0]}.{name}")

    def log(self, events: Iterable[Event], seat: Seat) -> list[LogLine]:
        """Returns the log of these first events of a game, as `Logbook.lines` does."""
        state, book = self.start(), self.notation.logbook(self)
        for event in events:
            book.add(state, event)
            state.apply(*event)
        return book.lines(seat)

    @abstractmethod
    def parse_move(self, text: str) -> Move:
        """Returns the move for a text; raises `InputError` if it means none."""

    @abstractmethod
    def move_text(self, move: Move) -> str:
        """Returns a move in the game's notation."""

    def idle_move(self, state: State, seat: Seat) -> Move:
        """Returns the move for an actor whose time is over: the first legal one, often a pass."""
        return state.legal(seat)[0]

    @abstractmethod
    def map_data(self) -> MapData:
        """Returns the map as data, for clients that draw it."""

    @abstractmethod
    def title(self, lang: str | None = None) -> str:
        """Returns the name of game and map for people."""

    @abstractmethod
    def note(self, lang: str | None = None) -> str:
        """Returns a notice that must be shown with this map; empty if there is none."""

    def verdict_note(self, lang: str | None = None) -> str:
        """Returns a notice to show with the verdict on a solo game; empty if there is none."""
        return ""

    def judge(self, sheet: Any) -> SheetCheck:
        """Returns the score of a full sheet without its cards, and everything impossible about it.

        `sheet` is plain data, in the format of the game. Raises `InputError` if the game is not
        `on_paper`.
        """
        raise InputError("paper.no_sheets", game=self.box.name)
