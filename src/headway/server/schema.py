"""What goes over the wire, as msgspec structs; OpenAPI and the client's types are made of these.

Times are seconds since 1970 by the server's clock, which `Table.now` shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

import msgspec
from msgspec import UNSET, Meta, UnsetType

from headway.games import boxes
from headway.games.contract import MapData, Outcome, Told, View

if TYPE_CHECKING:
    GameView = View
    GameMap = MapData
else:
    GameView = Union[tuple(box.view for box in boxes())]  # noqa: UP007
    GameMap = Union[tuple(box.map_data for box in boxes())]  # noqa: UP007

NAME_LENGTH = 40
MOVE_LENGTH = 200
RECORD_LENGTH = 40_000
MOST_WRITTEN = 400
"""Deals of a paper game, and moves of one of its sheets."""
MOST_SEATS = 8
DAY = 86_400

Name = Annotated[str, Meta(max_length=NAME_LENGTH)]
Word = Annotated[str, Meta(min_length=1, max_length=40)]
MoveText = Annotated[str, Meta(min_length=1, max_length=MOVE_LENGTH)]
ClientId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Lang = Literal["en", "fr"]
Password = Annotated[str, Meta(max_length=200)]


class ErrorBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is wrong: the rule's id, the key of the sentence, and the sentence in a language.

    Of something wrong in a record, also its place in words and its line in the text, from 1.
    """

    rule: str
    key: str
    sentence: str
    lang: str
    place: str = ""
    line: int = 0


class Failure(msgspec.Struct, frozen=True):
    """The body of every answer that is an error."""

    error: ErrorBody


class Me(msgspec.Struct, frozen=True):
    """The guest who asks; `csrf` goes into the header `x-headway-csrf` of unsafe requests.

    With an `account`, the name is nobody else's, and `/u/NAME` is the page of it.
    """

    id: str
    name: str
    csrf: str
    account: bool


class NewName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name that a guest wants to be called."""

    name: Name


class MapHead(msgspec.Struct, frozen=True):
    """A map on the shelf."""

    name: str
    title: dict[str, str]
    note: dict[str, str]


class SeatRange(msgspec.Struct, frozen=True):
    """How few and how many can play."""

    min: int
    max: int


class BotHead(msgspec.Struct, frozen=True):
    """A bot on the shelf: what it is called and how it plays, by language; a level or not."""

    name: str
    title: dict[str, str]
    what: dict[str, str]
    level: bool


class GameHead(msgspec.Struct, frozen=True):
    """A game on the shelf with all that can be chosen.

    `bots` are levels, the weakest first, then others; `opponent` is the one to offer. A
    game `on_paper` can be printed, and written down from its sheets.
    """

    name: str
    title: dict[str, str]
    maps: list[MapHead]
    seats: SeatRange
    options: list[str]
    never_together: list[tuple[str, str]]
    bots: list[BotHead]
    opponent: str
    clocks: list[str]
    on_paper: bool


class Shelf(msgspec.Struct, frozen=True):
    """All games that can be played here, and Headway's version."""

    games: list[GameHead]
    version: str


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table's clock: none; so many seconds a turn; a bank with increment; so many days a turn."""

    kind: Literal["none", "turn", "bank", "days"] = "none"
    seconds: Annotated[int, Meta(ge=1, le=DAY)] | None = None
    increment: Annotated[int, Meta(ge=0, le=DAY)] | None = None
    days: Annotated[int, Meta(ge=1, le=30)] | None = None


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall sit there: me (several times at one screen), a bot, or whoever comes."""

    kind: Literal["me", "bot", "open"]
    bot: Word | None = None
    name: Name | None = None


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to set up. A seed can be chosen in training games only."""

    game: Word
    map: Word
    seats: Annotated[list[NewSeat], Meta(min_length=1, max_length=MOST_SEATS)]
    options: Annotated[dict[Word, bool], Meta(max_length=16)] = {}
    clock: Clock = Clock()
    training: bool = False
    public: bool = False
    seed: Annotated[int, Meta(ge=0, lt=1 << 53)] | None = None


class SeatHead(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as everybody sees it.

    `moved` says, while others still think, that the seat has moved; `away_at` from when on the
    others may give it to a bot; `bot` names the bot that plays it; `kept` says that the bot plays
    for me until I take my seat back.
    """

    seat: int
    name: str
    kind: Literal["person", "bot", "open"]
    mine: bool
    online: bool
    moved: bool | None = None
    bot: str | None = None
    away_at: float | None = None
    kept: bool = False


class TableHead(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list; `number` is that of its last event, `day` that of a deal of the day."""

    id: str
    game: str
    map: str
    title: dict[str, str]
    options: dict[str, bool]
    seats: list[SeatHead]
    clock: Clock
    training: bool
    public: bool
    day: str = ""
    number: int
    finished: bool
    created: float
    started: float | None


class Fair(msgspec.Struct, frozen=True):
    """Seed and salt that give the commitment, shown when the game is over."""

    seed: int
    salt: str
    commitment: str


class Clocks(msgspec.Struct, frozen=True, omit_defaults=True):
    """When time is over: for all that have to move, by seat, and what is left in the banks."""

    turn_ends: float | None = None
    ends: dict[str, float] = {}
    banks: dict[str, float] = {}


class Table(TableHead, frozen=True, kw_only=True):
    """A table as one guest may know it.

    `views` has the guest's seats, or the spectator's view under "-1"; `log` is told to the first
    of these, beginning with line `log_from`: keep the lines before it.
    """

    commitment: str
    views: dict[str, GameView]
    legal: dict[str, list[str]]
    log: list[Told]
    log_from: int
    can_undo: dict[str, bool]
    now: float
    outcome: Outcome | None = None
    fair: Fair | None = None
    clocks: Clocks | None = None
    next: str | None = None


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Takes a seat, or the first one that is free."""

    seat: SeatNumber | None = None
    name: Name | None = None


class Leave(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Gives a seat back."""

    seat: SeatNumber


class NewMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move; the same `client_id` again is the same move.

    `number` is that of the last event that the player saw: a move for an older turn is refused.
    """

    seat: SeatNumber
    move: MoveText
    client_id: ClientId
    number: Annotated[int, Meta(ge=0)] | None = None


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why can this seat not do that?"""

    seat: SeatNumber
    move: MoveText


class Why(msgspec.Struct, frozen=True, omit_defaults=True):
    """The rule that a move breaks, and a sentence; empty if the move is legal."""

    rule: str | None = None
    sentence: str | None = None


class HintWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What would be good for this seat?"""

    seat: SeatNumber


class HintMove(msgspec.Struct, frozen=True):
    """A move with the value that a search expects of it and the standard error of that."""

    move: str
    value: float
    error: float
    simulations: int


class Hint(msgspec.Struct, frozen=True):
    """The best moves first; values are final scores or probabilities to win, by `measure`."""

    measure: Literal["score", "win"]
    moves: list[HintMove]


class Heading(msgspec.Struct, frozen=True):
    """A heading of the rules; `anchor` is its id in their HTML."""

    level: int
    anchor: str
    title: str


class Rules(msgspec.Struct, frozen=True):
    """The rules of a game for players: our own words and pictures, as HTML without scripts."""

    title: str
    headings: list[Heading]
    html: str


class NewReplay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to be replayed, as the text of its file; as a seat saw it, or all open.

    `own` leaves the choice to the server: all open where hands are secret, else the first seat.
    """

    record: Annotated[str, Meta(max_length=RECORD_LENGTH)]
    seat: SeatNumber | None = None
    own: bool = False


class Moment(msgspec.Struct, frozen=True):
    """A position in which somebody decides, or the end, after `number` events.

    `seat` made the last move, -1 before the first. `views` has, by seat, the fields of its view
    that are not as in the moment before; in the first moment that is all of them.
    """

    number: int
    seat: int
    views: dict[str, dict[str, Any]]


class ToldThen(Told, frozen=True):
    """A line of the log, and after how many events whoever looks knew it."""

    known: int


class Replay(msgspec.Struct, frozen=True):
    """A game that is over, moment by moment."""

    game: str
    map: str
    title: dict[str, str]
    options: dict[str, bool]
    secret_hands: bool
    seen: int | None
    """The seat that saw it so; none where all is open."""
    seats: list[SeatHead]
    moments: list[Moment]
    log: list[ToldThen]
    outcome: Outcome


class PaperGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game played with pencils, as far as it is written down.

    `names` has one for each sheet, empty ones too. `dealt` is all that was dealt, in the words of
    `Paper.deals`; `moves` has what was drawn, by sheet, as far as each is known.
    """

    game: Word
    map: Word
    options: Annotated[dict[Word, bool], Meta(max_length=16)] = {}
    names: Annotated[list[Name], Meta(min_length=1, max_length=MOST_SEATS)]
    dealt: Annotated[list[MoveText], Meta(max_length=MOST_WRITTEN)] = []
    moves: Annotated[
        list[Annotated[list[MoveText], Meta(max_length=MOST_WRITTEN)]], Meta(max_length=MOST_SEATS)
    ] = []


class PaperQuestion(PaperGame, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why can this sheet not show that next?"""

    seat: SeatNumber
    move: MoveText


class PaperSheet(msgspec.Struct, frozen=True):
    """A sheet as far as it is known, and all that can have been drawn next."""

    view: GameView
    legal: list[str]


class Paper(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is written down of a game: its sheets, and what can come next.

    `view` is the spectator's after all that was dealt, `deals` what can be dealt then; `behind` are
    the sheets that have to say what was drawn. `deal` and `moves` are as in a record, where a sheet
    that is behind has drawn nothing. Once nothing is missing, `record` is the text of the file.
    """

    title: dict[str, str]
    options: dict[str, bool]
    view: GameView
    deals: list[str]
    sheets: list[PaperSheet]
    behind: list[int]
    deal: dict[str, Any]
    moves: list[Any]
    outcome: Outcome | None = None
    record: str = ""


class FullSheet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A full sheet without its cards; `told` is what it shows, in the game's own words."""

    game: Word
    map: Word
    options: Annotated[dict[Word, bool], Meta(max_length=16)] = {}
    seats: Annotated[int, Meta(ge=1, le=MOST_SEATS)] = 1
    told: dict[str, Any]


class SheetProblem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something on a sheet that cannot have been: the rule, a sentence, perhaps whose colour."""

    rule: str
    sentence: str
    colour: str = ""


class SheetScore(msgspec.Struct, frozen=True):
    """The score of a full sheet, as in a view, and what is impossible about it."""

    score: dict[str, Any]
    problems: list[SheetProblem]


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Takes the seat's last move back."""

    seat: SeatNumber
    client_id: ClientId


class HandOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Gives a seat to a bot."""

    bot: Word


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token for a program that plays in the guest's name; `name` is a note for its owner."""

    name: Name = ""


class Token(msgspec.Struct, frozen=True):
    """Shown once: send it as `Authorization: Bearer …`."""

    token: str


# People


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name and the password of an account."""

    name: Name
    password: Password


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password that was, and the one that shall be."""

    old: Password
    new: Password


class Farewell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The password of an account that shall be deleted."""

    password: Password


class Rating(msgspec.Struct, frozen=True):
    """How strong somebody is at a game: points around 1500, and how far off they may be.

    `bots` has those of the game's bots that have met people here, the strongest first.
    """

    game: str
    title: dict[str, str]
    points: int
    error: int
    games: int
    bots: list[BotRating]


class BotRating(msgspec.Struct, frozen=True):
    """The rating of a bot, from its games against people here."""

    bot: str
    title: dict[str, str]
    points: int
    error: int


class Score(msgspec.Struct, frozen=True):
    """A result in a plot: when, and how many points."""

    at: float
    total: int


class Course(msgspec.Struct, frozen=True):
    """Somebody's results on a map with the same modules, the first one first."""

    game: str
    map: str
    title: dict[str, str]
    modules: list[str]
    games: int
    mean: float
    best: int
    best_table: str
    best_seat: int
    scores: list[Score]


class Played(msgspec.Struct, frozen=True):
    """A game that somebody has finished: of so many seats, the place, the points."""

    table: str
    game: str
    map: str
    title: dict[str, str]
    at: float
    seats: int
    place: int
    total: int
    day: str


class Profile(msgspec.Struct, frozen=True):
    """What everybody may know of an account; the last games first."""

    name: str
    since: float
    mine: bool
    games: int
    ratings: list[Rating]
    courses: list[Course]
    played: list[Played]


# Deals of the day


class Bar(msgspec.Struct, frozen=True):
    """How many results lie between two totals, both included; whether mine is among them."""

    least: int
    most: int
    count: int
    mine: bool


class BotTry(msgspec.Struct, frozen=True):
    """What a bot made of the deal, with so many simulations for a move if it searches."""

    bot: str
    title: dict[str, str]
    total: int
    simulations: int | None


class Deal(msgspec.Struct, frozen=True):
    """A deal of the day and my try at it.

    A try that was `late` ended after its day and is not counted. What others did is told when I
    have finished, or the day is over: `better` is the percentage of the others who have less.
    """

    game: str
    map: str
    title: dict[str, str]
    opponents: list[dict[str, str]]
    state: Literal["new", "running", "done", "late"]
    table: str | None
    total: int | None
    results: int
    better: int | None
    spread: list[Bar]
    bots: list[BotTry]
    bots_missing: bool


class Today(msgspec.Struct, frozen=True):
    """The deals of a day, when it ends, and how many days in a row I have finished one."""

    day: str
    today: str
    ends: float
    now: float
    streak: int
    deals: list[Deal]


class Health(msgspec.Struct, frozen=True):
    """`ok` if the database answers."""

    status: str
    version: str


# The socket


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    """Is anybody there?"""


class SocketMove(msgspec.Struct, frozen=True, tag="move"):
    """A move over the socket, as `NewMove`."""

    seat: SeatNumber
    move: MoveText
    client_id: ClientId
    number: Annotated[int, Meta(ge=0)] | None = None


FromClient = Ping | SocketMove


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """Yes."""


class Online(msgspec.Struct, frozen=True, tag="online"):
    """The seats whose holders are connected."""

    seats: list[int]


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The move is in the table's record."""

    client_id: str
    number: int


class RefusedMove(msgspec.Struct, frozen=True, tag="refused"):
    """A message that came to nothing, and why."""

    error: ErrorBody
    client_id: str | UnsetType = UNSET


class TableNow(msgspec.Struct, frozen=True, tag="table"):
    """The table as it is now."""

    table: Table


FromServer = TableNow | Online | Pong | Done | RefusedMove
