"""What every game keeps: the one interface between rules and everything built on them.

A *game* here is a box taken from the shelf with its map, its number of seats and its options
chosen; a *state* is a position of it. A state is changed by `apply` alone. Randomness is outside:
where cards are dealt, chance is the actor (`CHANCE`), the state lists what may come and with what
probability, and somebody else picks: the table's dealer, a record that is replayed, or a search
with a generator of its own. So no planner that is given a state can see the future.

Moves are plain ints, good for compiled code and for sorting; a game prints and parses them in one
notation that records, API, log and terminal share. What chance deals is a move of CHANCE.

A new game is a folder under `headway/games` with a `BOX`; nothing outside it names the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, NamedTuple, Protocol

import msgspec

from headway.errors import HeadwayError, InputError, Place
from headway.i18n import languages, say
from headway.svg import Theme

Seat = int
Move = int
Event = tuple[Seat, Move]
"""Something that happened: who did it (CHANCE for the dealer) and what."""

CHANCE: Final[Seat] = -1
"""The actor of everything that is dealt."""


class Generator(Protocol):
    """A source of random numbers that a caller brings along; `random.Random` is one."""

    def randrange(self, stop: int, /) -> int: ...


class Outcome(msgspec.Struct, frozen=True):
    """How a finished game ended: totals by seat, the winning seats, and why they won.

    `reason` is a key of the catalogue: the highest score, a tie-break, a shared victory, or a
    solo game's verdict.
    """

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    reason: str


class SheetCheck(NamedTuple):
    """A full sheet without its cards: its score, and what on it cannot have been."""

    score: Any
    problems: list[HeadwayError]


class LogLine(msgspec.Struct, frozen=True):
    """A line of the log: the number of the event, who acted, and what the reader may know of it."""

    number: int
    seat: Seat
    text: str


class View(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What a seat knows, as plain data with nothing hidden in it; games add their own fields.

    It can be sent as JSON as it is, with the name of its class as `type`. Two states that differ
    only in what the seat cannot know have equal views.
    """

    game: str
    map: str
    seat: Seat
    seats: int
    actors: tuple[Seat, ...]
    finished: bool


class MapData(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What a client needs to draw a map, as plain data; games add their own fields."""

    game: str
    map: str
    title: dict[str, str]
    """By language."""
    note: dict[str, str]
    hash: str


class State(ABC):
    """A position of a game. Copy it before you try something; `apply` changes it in place."""

    game: Game

    @abstractmethod
    def actors(self) -> frozenset[Seat]:
        """Who has to act now: seats (several where all act at once), or CHANCE alone.

        Empty when the game is over. A seat that has acted in a turn that others still have to
        finish is not an actor.
        """

    @abstractmethod
    def legal(self, seat: Seat) -> list[Move]:
        """All legal moves of a seat, sorted, each once; empty if the seat is no actor.

        For CHANCE: everything that may be dealt now.
        """

    @abstractmethod
    def check(self, seat: Seat, move: Move) -> None:
        """Raises the error that says why a move is not legal; returns quietly if it is.

        `NotYourTurn` if the seat is no actor, `RuleBroken` with the id of the rule otherwise.
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
        """What may be dealt now, sorted, with exact probabilities that add up to 1.

        Empty unless CHANCE is to act.
        """

    @abstractmethod
    def chance_name(self) -> str:
        """A name for what is to be dealt now, different for every deal of a game.

        The dealer makes its random numbers from seed and name, so that what it deals depends on
        nothing else: not on earlier deals, nor on options that are on.
        """

    @abstractmethod
    def view(self, seat: Seat) -> View:
        """What a seat knows now. Everything hidden stays out, moves of the running turn included.

        Seat CHANCE is a spectator: what everybody at the table can see.
        """

    @abstractmethod
    def scores(self) -> list[Any]:
        """Every seat's score sheet as if the game ended now; each has a `total`."""

    @abstractmethod
    def score_after(self, seat: Seat, move: Move) -> int:
        """The seat's total if it made this legal move and the game ended then; nothing changes."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""

    @abstractmethod
    def copy(self) -> State:
        """A state of its own: what is applied to one never shows in the other."""

    @abstractmethod
    def dump(self) -> bytes:
        """The whole state as bytes; `Game.load` is the inverse, at every point of a game."""

    def finished(self) -> bool:
        """Whether the game is over."""
        return not self.actors()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.dump() == other.dump()

    __hash__ = None  # type: ignore[assignment]


class Logbook:
    """What every seat is told, kept while a game goes on: `Game.logbook`.

    A game whose `log` is slow keeps a book of its own; this one asks the game each time.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.events: list[Event] = []

    def add(self, state: State, event: Event) -> None:
        """Notes an event that is about to be applied to a state."""
        self.events.append(event)

    def lines(self, seat: Seat) -> list[LogLine]:
        """What a seat was told so far, the same as `Game.log` says."""
        return self.game.log(self.events, seat)

    def copy(self) -> Logbook:
        """A book of its own with the same lines."""
        twin = Logbook(self.game)
        twin.events = list(self.events)
        return twin


class RecordReader(Protocol):
    """A record's deal and moves, read step by step along the game that they tell."""

    def chance_move(self, state: State) -> Move:
        """What the record deals in this state; raises where it deals something impossible."""

    def seat_move(self, state: State, seat: Seat) -> Move:
        """A seat's move in this state; raises `InputError` where it cannot be read."""

    def place(self, state: State, seat: Seat) -> Place:
        """Where in the record that move stands, for errors."""

    def finish(self, state: State) -> None:
        """Raises if the record goes on behind the end of the game."""


class Game(ABC):
    """A box with map, seats and options chosen: makes states, speaks the notation, draws."""

    box: ClassVar[Box]
    map: str
    map_hash: str
    seats: int
    options: Mapping[str, bool]
    secret_hands: ClassVar[bool] = True
    """Whether a view shows a seat what the others may not see: a hand of cards, for example.

    People who share a screen then hand it over blank. A game that is all open says False.
    """

    @abstractmethod
    def start(self) -> State:
        """The position before anything was dealt."""

    @abstractmethod
    def load(self, data: bytes) -> State:
        """The state that `State.dump` wrote."""

    @abstractmethod
    def resample(self, view: View, generator: Generator) -> State:
        """A state that the view's seat cannot tell from the real one, drawn uniformly.

        Search plays in such worlds; it never gets the real one.
        """

    @abstractmethod
    def simulate(
        self, games: int, *, policy: str = "random", seed: int = 0, threads: int = 1
    ) -> Any:
        """Whole games at native speed, all seats by a simple policy: totals by game and seat.

        The same seed gives the same games, whatever the number of threads.
        """

    @abstractmethod
    def parse_move(self, text: str) -> Move:
        """The move that a text means; `InputError` if it means none. Inverse of `move_text`."""

    @abstractmethod
    def move_text(self, move: Move) -> str:
        """A move in the game's notation."""

    def shorthand(self, text: str, legal: Sequence[Move]) -> list[Move]:
        """The legal moves that a text may mean which is not in the notation: a target alone.

        If it means none of them, the nearest move that is not legal, whose `State.check` tells the
        player why; empty if it means nothing. A game without shorthand keeps this.
        """
        return []

    @abstractmethod
    def chance_text(self, state: State, move: Move) -> str:
        """What CHANCE deals with a move in this state, for logs and playthroughs."""

    @abstractmethod
    def log(self, events: Sequence[Event], seat: Seat) -> list[LogLine]:
        """What a seat is told of these events, the first ones of a game, in the game's notation.

        What the seat does not know is left out, or told without what is hidden in it; two games
        that differ only in that have equal logs.
        """

    def logbook(self) -> Logbook:
        """An empty book in which the table notes what everybody is told."""
        return Logbook(self)

    def idle_move(self, state: State, seat: Seat) -> Move:
        """What is played for an actor whose time is over: the first legal move, often a pass."""
        return state.legal(seat)[0]

    @abstractmethod
    def script(self, deal: Any | None, moves: Any) -> RecordReader:
        """Reads the `deal` (None where a seed deals all) and `moves` of a record."""

    @abstractmethod
    def write(self, events: Sequence[Event]) -> tuple[Any, Any]:
        """The `deal` and `moves` of a record that tell these events."""

    @abstractmethod
    def legal_count(self, state: State, seat: Seat) -> int:
        """The number that `headway replay --json` prints for a seat's move (specification)."""

    @abstractmethod
    def nesting(self, place: Place) -> tuple[int, ...]:
        """Where in the report's list `legal` the count for the move at a place stands."""

    @abstractmethod
    def score_json(self, score: Any) -> dict[str, Any]:
        """A score sheet as `headway replay --json` prints it."""

    def map_data(self) -> MapData:
        """The map as data, for clients that draw it themselves."""
        titles = {lang: self.title(lang) for lang in languages()}
        notes = {lang: self.note(lang) for lang in languages()}
        name = self.box.name
        return MapData(game=name, map=self.map, title=titles, note=notes, hash=self.map_hash)

    @abstractmethod
    def title(self, lang: str | None = None) -> str:
        """The name of game and map for people."""

    @abstractmethod
    def note(self, lang: str | None = None) -> str:
        """What must be said wherever this map is shown; empty if nothing."""

    @abstractmethod
    def svg(self, view: View, *, theme: Theme = "auto", lang: str | None = None) -> str:
        """The board as a seat sees it, as a picture with the text board in its `<desc>`."""

    def judge(self, sheet: Any) -> SheetCheck:
        """The score of a full sheet without its cards, and all that is impossible about it.

        `sheet` is plain data in the game's own words. A game whose box is not `on_paper` judges
        none.
        """
        raise InputError("paper.no_sheets", game=self.box.name)

    def blank_sheet(self, lang: str | None = None) -> str:
        """The empty sheet to be printed, as SVG of the size of A4, with the game's options.

        A game whose box is not `on_paper` has none.
        """
        raise InputError("print.none", game=self.box.name)

    @abstractmethod
    def screen(self, view: View, *, legal: Iterable[Move] = (), lang: str | None = None) -> str:
        """The board as a seat sees it, as text for a terminal, with rich's colour markup.

        With `legal`, what can be done now is marked on the board.
        """

    @abstractmethod
    def status(
        self, view: View, *, names: Sequence[str] = (), lang: str | None = None
    ) -> list[str]:
        """All that a seat needs to know besides the board: what is up, in hand, left, scored.

        Lines with rich's colour markup, made for a column of 34 beside the board and no more
        of them than the board has rows. `names` are those of the seats, in markup.
        """

    @abstractmethod
    def notation_help(self, lang: str | None = None) -> list[str]:
        """How moves are typed, as plain lines of at most 78 columns, 18 lines at the most.

        The first line tells in one sentence, of 150 characters at the most, what to do first.
        """

    @abstractmethod
    def score_table(self, state: State, lang: str | None = None) -> list[list[str]]:
        """The score sheets side by side: a head row, a row for each line of the score zone."""


@dataclass(frozen=True)
class Problem:
    """Something wrong in a map file: the line it stands in (from 1) and a text of the catalogue."""

    line: int
    key: str
    values: Mapping[str, object]

    def sentence(self, lang: str | None = None) -> str:
        """What is wrong."""
        return say(self.key, lang, **self.values)


@dataclass(frozen=True)
class Speed:
    """A figure for `headway bench`: games to simulate, and how many a second it should reach."""

    map: str
    seats: int
    policy: str
    games: int
    target: int = 0


@dataclass(frozen=True)
class Box:
    """A game on the shelf: what there is to choose before it can be played."""

    name: str
    """The game's name in records: `next-station`."""
    seats: range
    options: tuple[str, ...]
    maps: tuple[str, ...]
    """Names of the maps that come with it."""
    default_map: str
    aliases: tuple[str, ...]
    """Other names by which `headway play` knows it."""
    map_command: str
    """What its maps are called on the command line: `headway city check`."""
    map_format: str
    """The `format` of its map files."""
    check_map: Callable[[str], list[Problem]]
    """All that is wrong with a map file's text."""
    map_facts: Callable[[str, str | None], list[str]]
    """`map_facts(map, lang)`: a map in a few lines of text, and what follows from its file."""
    speeds: tuple[Speed, ...]
    """What `headway bench` simulates; the first one is also measured on all cores."""
    opponent: str
    """The bot that takes the seats of a table which has too few players."""
    opener: Any
    """`opener(map, seats, options) -> Game`; raises an error that says what is wrong."""
    never_together: tuple[tuple[str, str], ...] = ()
    """Pairs of options that cannot be chosen both."""
    on_paper: bool = False
    """Whether it is drawn with pencils on sheets that never touch each other.

    Such a game can be printed (`Game.blank_sheet`) and written down sheet by sheet (`paper.py`).
    """
    view: type[View] = View
    """The kind of view that its states give."""
    map_data: type[MapData] = MapData
    """The kind of data that `Game.map_data` gives."""

    def open(
        self,
        map: str,  # noqa: A002 (a public keyword)
        seats: int = 1,
        options: Mapping[str, bool] | None = None,
    ) -> Game:
        """The game with map, seats and options chosen."""
        game: Game = self.opener(map, seats, dict(options or {}))
        return game
