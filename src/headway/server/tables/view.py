"""A table as one guest may see it. Nothing leaves a table except through this module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, Union

import msgspec

from headway.bots import find_bot
from headway.bots.registry import character
from headway.dealer import seed_json
from headway.games import box, boxes
from headway.games.box import Box
from headway.games.contract import CHANCE, Game, Outcome, Stage, View
from headway.games.logbook import LogLine
from headway.i18n import languages, say
from headway.server.core.calendar import steady_time
from headway.server.tables.clocks import Clock, Clocks
from headway.server.tables.decisions import can_undo, open_undo_request, undo_waits_for
from headway.server.tables.events import Happening
from headway.server.tables.setup import Occupant
from headway.server.tables.state import StandIn, TableState

ENCODER = msgspec.json.Encoder()

if TYPE_CHECKING:
    GameView = View
else:
    GameView = Union[tuple(box.view for box in boxes())]  # noqa: UP007


@dataclass(frozen=True)
class CompileWait:
    """A table that waits for a bot to be compiled: since when, and for how long typically.

    `simpler` is the strongest level that needs no compiling.
    """

    bot: str
    simpler: str
    since: float
    typical: float


class SeatHead(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as everybody sees it.

    `moved` says, while others still think, that the seat has moved; `away_at` from when on the
    others may give it to a bot; `bot` names the bot that plays it. `left` says that its holder has
    left the running game: only they or a bot can take it. `former` says that the bot plays on for
    the person of this name. `kept` says that I may come back to it. `ready` says, before the game
    begins, whether its holder has confirmed, where people have to. `face` is the one that the
    person chose; without one their name makes it.
    """

    seat: int
    name: str
    kind: Literal["person", "bot", "open"]
    mine: bool
    online: bool
    face: str = ""
    moved: bool | None = None
    bot: str | None = None
    away_at: float | None = None
    left: bool = False
    former: bool = False
    kept: bool = False
    ready: bool | None = None


class TableHead(msgspec.Struct, frozen=True, kw_only=True):
    """A table; `number` is that of its last event, `day` that of a deal of the day.

    `ended` says that the operator has ended it before its game was over.
    `chosen` is what the host chose instead of chance. `seed_chosen` warns that the host chose the
    seed of this training game, and may know the cards. With `chat`, players may write
    to each other.
    """

    id: str
    game: str
    map: str
    title: dict[str, str]
    options: dict[str, bool]
    seats: list[SeatHead]
    clock: Clock
    training: bool
    seed_chosen: bool
    public: bool
    chat: bool = False
    day: str = ""
    number: int
    finished: bool
    ended: bool = False
    created: float
    started: float | None
    chosen: dict[str, Any] = {}


_OF_SETUP = (
    *("id", "game", "map", "options", "training", "seed_chosen"),
    *("public", "chat", "day", "created"),
)
"""The fields of `TableHead` that were fixed when the table was set up."""
_OF_ROW = [*_OF_SETUP, "number", "finished", "ended", "started", "chosen", "changed"]
"""Those of `ListedTable` that its row in the database has as they are."""


class Progress(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who has to move and until when, how far the game is, and its result when it is over.

    Before the game begins, the `actors` are the seats that have to confirm.
    """

    actors: list[int] = []
    ends: dict[str, float] = {}
    stage: Stage | None = None
    totals: list[int] = []
    winners: list[int] = []


class ListedTable(TableHead, frozen=True, kw_only=True):
    """A table in a list, with its last change and how far it is; older tables do not say that."""

    changed: float
    progress: Progress | None


class Fair(msgspec.Struct, frozen=True):
    """Seed and salt that give the commitment, shown when the game is over.

    A seed of 2**53 or more is text with decimal digits.
    """

    seed: int | str
    salt: str
    commitment: str


class AskedUndo(msgspec.Struct, frozen=True):
    """A seat's request to take its last move back, and the seats that have not answered yet."""

    number: int
    seat: int
    waiting: list[int]


class TableView(TableHead, frozen=True, kw_only=True):
    """A table as one guest may know it. Times are seconds since 1970 by the server's clock, `now`.

    `views` has the guest's seats, or the spectator's view under "-1"; `log` has the lines of the
    first of these, beginning with line `log_from`: keep the lines before it. `hosting` says that I
    decide about free seats; `rematch_by` is the seat that asked for the `next` table. `stopped`
    says that everybody has left the game: no clock runs until somebody comes back. `gains` says
    what each legal move adds to the seat's points; it is empty in a game that does not tell it.
    `stand_ins` says, by the number of a line, that the clock or a bot moved for the seat's holder;
    `happenings` has what happened besides moves. `asked_undo` is the request that the others can
    answer now. `starts_at` is when a full table begins by itself.
    """

    commitment: str
    views: dict[str, GameView]
    legal: dict[str, list[str]]
    gains: dict[str, list[int]]
    log: list[LogLine]
    log_from: int
    stand_ins: dict[int, StandIn]
    happenings: list[Happening]
    can_undo: dict[str, bool]
    asked_undo: AskedUndo | None
    starts_at: float | None
    now: float
    outcome: Outcome | None = None
    fair: Fair | None = None
    clocks: Clocks | None = None
    next: str | None = None
    rematch_by: int | None = None
    hosting: bool = False
    stopped: bool = False


@dataclass
class Presence:
    """Who is connected to a table in a state, and from when on a seat may be given to a bot.

    A `sealed` table keeps its seed even when it is over: others play the same deal today. The
    `notice` is the number of what the operator tells everybody.
    """

    state: TableState
    online: frozenset[str]
    away_at: Callable[[TableState, int], float | None]
    sealed: bool = False
    compiling: CompileWait | None = None
    notice: int = 0

    @cached_property
    def heads(self) -> list[SeatHead]:
        """The seats as a spectator sees them."""
        state = self.state
        actors, unready = state.actors(), state.unready()
        playing = state.table is not None and not state.over
        return [
            seat_head(
                seat,
                occupant,
                None,
                self.online,
                moved=seat not in actors if playing else None,
                away_at=self.away_at(state, seat) if playing or seat in unready else None,
                ready=seat not in unready if unready and occupant.guest else None,
            )
            for seat, occupant in enumerate(state.occupants)
        ]

    @cached_property
    def watchers(self) -> frozenset[str]:
        """The guests who only watch."""
        return self.online.difference(who.guest for who in self.state.occupants)

    def is_spectator(self, guest: str) -> bool:
        """Tells whether a guest sees what all spectators see: holds no seat, and has left none."""
        return guest not in self.state.players


@lru_cache(maxsize=256)
def titles(game: str, map_name: str, seats: int) -> dict[str, str]:
    """Returns the name of a game and its map, by language."""
    return title_of(box(game).open(map_name, seats))


def title_of(game: Game) -> dict[str, str]:
    """Returns the name of an open game with its map, by language."""
    return {lang: game.title(lang) for lang in languages()}


def game_title(game_box: Box) -> dict[str, str]:
    """Returns the name of a game, which stands before the colon in those of its maps."""
    names = titles(game_box.name, game_box.default_map, game_box.seats.start)
    return {lang: name.partition(":")[0].strip() for lang, name in names.items()}


def notes_of(game: Game) -> dict[str, str]:
    """Returns the notice that must be shown with a map, by language; empty texts for none."""
    return {lang: game.note(lang) for lang in languages()}


def bot_title(bot: str, game: str) -> dict[str, str]:
    """Returns what a bot is called, by language."""
    return {lang: character(find_bot(bot, game), game, lang).title for lang in languages()}


def occupant_name(occupant: Occupant, game: str, lang: str) -> str:
    """Returns what a picture or a preview calls the occupant of a seat."""
    if occupant.kind == "open":
        return say("web.open_seat", lang)
    if occupant.bot and occupant.former is None:
        return bot_title(occupant.bot, game)[lang]
    return occupant.name or say("web.former_player", lang)


def seat_head(
    seat: int, occupant: Occupant, guest: str | None, online: frozenset[str], **more: Any
) -> SeatHead:
    """Returns a seat as everybody sees it, marked if it is this guest's."""
    return SeatHead(
        seat=seat,
        name=occupant.name,
        kind=occupant.kind,
        mine=guest is not None and occupant.guest == guest,
        online=occupant.guest in online,
        face=occupant.face,
        bot=occupant.bot,
        left=occupant.kind == "open" and occupant.former is not None,
        former=occupant.kind == "bot" and occupant.former is not None,
        kept=guest is not None and occupant.former == guest,
        **more,
    )


def seat_heads(guest: str | None, presence: Presence) -> list[SeatHead]:
    """Returns the seats of a table, those of this guest marked."""
    if guest is None:
        return presence.heads
    return [
        msgspec.structs.replace(head, mine=who.guest == guest, kept=who.former == guest)
        if guest in (who.guest, who.former)
        else head
        for head, who in zip(presence.heads, presence.state.occupants, strict=True)
    ]


def table_view(guest: str | None, presence: Presence) -> TableView:
    """Returns the table of a `presence` for a guest: own seats, or the spectator's view."""
    state = presence.state
    setup = state.setup
    mine = state.held_by(guest)
    seats = mine or (CHANCE,)
    told = {str(seat): state.told(seat) for seat in mine}
    log = state.told(seats[0]).log
    over = state.finished
    open_deal = over and not presence.sealed
    return TableView(
        **{name: getattr(setup, name) for name in _OF_SETUP},
        title=titles(setup.game, setup.map, len(state.occupants)),
        seats=seat_heads(guest, presence),
        clock=setup.clock,
        number=state.number,
        finished=over,
        ended=state.ended,
        started=state.started,
        chosen=dict(state.game.chosen),
        commitment=setup.commitment,
        views={str(seat): state.view(seat) for seat in seats},
        legal={seat: news.legal for seat, news in told.items()},
        gains={seat: news.gains for seat, news in told.items()},
        log=log,
        log_from=0,
        stand_ins=stand_ins_in(state, log),
        happenings=told_in(state, log),
        can_undo={str(seat): can_undo(state, seat) for seat in mine},
        asked_undo=asked_undo(state),
        starts_at=state.starts_at,
        now=steady_time(),
        outcome=state.playing().outcome() if over else None,
        fair=Fair(seed_json(setup.seed), setup.salt, setup.commitment) if open_deal else None,
        clocks=state.clocks(),
        stopped=state.stopped_at is not None and not over,
        next=state.next,
        rematch_by=state.rematch_by,
        hosting=guest is not None and guest == state.host,
    )


def asked_undo(state: TableState) -> AskedUndo | None:
    """Returns the request for an undo that the others can answer now."""
    request = open_undo_request(state)
    if request is None:
        return None
    waits = undo_waits_for(state, request)
    waiting = [seat for seat, who in enumerate(state.occupants) if who.guest in waits]
    return AskedUndo(request.number, request.seat, waiting)


def rest_of_log(view: TableView, start: int) -> TableView:
    """Returns a table without the first lines of its log."""
    return msgspec.structs.replace(view, log=view.log[start:], log_from=start)


def with_news_only(view: TableView, state: TableState, guest: str, since: int) -> TableView:
    """Returns a guest's table without the lines of the log that the guest had after an event."""
    seat = next(iter(state.held_by(guest)), CHANCE)
    return rest_of_log(view, shared_lines(log_at(state, seat, since), view.log))


def table_head(
    row: Mapping[str, Any], occupants: list[Occupant], guest: str | None, online: frozenset[str]
) -> ListedTable:
    """Returns a table in a list, from its row in the database."""
    seats = [seat_head(seat, occ, guest, online) for seat, occ in enumerate(occupants)]
    return ListedTable(
        **{name: row[name] for name in _OF_ROW},
        title=titles(row["game"], row["map"], len(occupants)),
        seats=seats,
        clock=msgspec.convert(row["clock"], Clock),
        progress=msgspec.convert(row["progress"], Progress | None),
    )


def progress(state: TableState) -> Progress:
    """Returns what everybody at the table can see of its progress; stored with each event."""
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


# The log, and what it says of events that are no moves


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
        msgspec.structs.replace(told, line=lines.get(told.number, -1))
        if told.kind == "time"
        else told
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
