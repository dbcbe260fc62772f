"""Tables as a guest may know them. Nothing leaves a table but through here."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Union

import msgspec

from headway.games import box, boxes
from headway.games.contract import CHANCE, Game, LogLine, Outcome, View
from headway.i18n import languages
from headway.server.table.clocks import Clock, Clocks
from headway.server.table.state import Chair, Sitting

if TYPE_CHECKING:
    GameView = View
else:
    GameView = Union[tuple(box.view for box in boxes())]  # noqa: UP007


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


class Table(TableHead, frozen=True, kw_only=True):
    """A table as one guest may know it.

    `views` has the guest's seats, or the spectator's view under "-1"; `log` is told to the first
    of these, beginning with line `log_from`: keep the lines before it.
    """

    commitment: str
    views: dict[str, GameView]
    legal: dict[str, list[str]]
    log: list[LogLine]
    log_from: int
    can_undo: dict[str, bool]
    now: float
    outcome: Outcome | None = None
    fair: Fair | None = None
    clocks: Clocks | None = None
    next: str | None = None


ENCODER = msgspec.json.Encoder()


class Presence(msgspec.Struct, frozen=True):
    """Who is connected to a table, and from when on a seat may be given to a bot.

    A `sealed` table keeps its seed even when it is over: others play the same deal today.
    """

    online: frozenset[str]
    away_at: Callable[[Sitting, int], float | None]
    sealed: bool = False


@lru_cache(maxsize=256)
def titles(game: str, map: str, seats: int) -> dict[str, str]:
    """The name of game and map, by language."""
    opened = box(game).open(map, seats)
    return title_of(opened)


def title_of(game: Game) -> dict[str, str]:
    """The name of a game with its map, by language."""
    return {lang: game.title(lang) for lang in languages()}


def seat_heads(now: Sitting, guest: str | None, presence: Presence) -> list[SeatHead]:
    """The seats as everybody sees them, with those of this guest marked."""
    actors = now.actors()
    playing = now.table is not None and not now.finished
    heads = []
    for seat, chair in enumerate(now.chairs):
        heads.append(
            SeatHead(
                seat=seat,
                name=chair.name,
                kind=chair.kind,
                mine=guest is not None and chair.guest == guest,
                online=chair.guest in presence.online,
                moved=seat not in actors if playing else None,
                bot=chair.bot,
                away_at=presence.away_at(now, seat) if playing else None,
                kept=guest is not None and chair.former == guest,
            )
        )
    return heads


def show(
    now: Sitting, guest: str | None, presence: Presence, told: list[LogLine] | None = None
) -> Table:
    """The table for a guest: own seats, or the spectator's view; log lines behind `told`."""
    setup = now.setup
    mine = now.held_by(guest)
    seats = mine or (CHANCE,)
    log = now.log(seats[0])
    start = _same(told, log) if told is not None else 0
    over = now.finished
    return Table(
        id=setup.id,
        game=setup.game,
        map=setup.map,
        title=titles(setup.game, setup.map, len(now.chairs)),
        options=setup.options,
        seats=seat_heads(now, guest, presence),
        clock=setup.clock,
        training=setup.training,
        public=setup.public,
        day=setup.day,
        number=now.number,
        finished=over,
        created=setup.created,
        started=now.started,
        commitment=setup.commitment,
        views={str(seat): now.view(seat) for seat in seats},
        legal={str(seat): now.table.legal(seat) if now.table else [] for seat in mine},
        log=log[start:],
        log_from=start,
        can_undo={str(seat): now.can_undo(seat) for seat in mine},
        now=time.time(),
        outcome=now.playing().outcome() if over else None,
        fair=Fair(setup.seed, setup.salt, setup.commitment)
        if over and not presence.sealed
        else None,
        clocks=None if over else now.times.shown(len(now.chairs)),
        next=now.next,
    )


def _same(before: list[LogLine], now: list[LogLine]) -> int:
    """How many lines at the beginning are the same."""
    for i, (old, new) in enumerate(zip(before, now, strict=False)):
        if old is not new and old != new:
            return i
    return min(len(before), len(now))


def head(
    row: Mapping[str, Any], chairs: list[Chair], guest: str | None, online: frozenset[str]
) -> TableHead:
    """A table in a list, from its row in the database."""
    return TableHead(
        id=row["id"],
        game=row["game"],
        map=row["map"],
        title=titles(row["game"], row["map"], len(chairs)),
        options=row["options"],
        seats=[
            SeatHead(
                seat=seat,
                name=chair.name,
                kind=chair.kind,
                mine=guest is not None and chair.guest == guest,
                online=chair.guest in online,
                bot=chair.bot,
                kept=guest is not None and chair.former == guest,
            )
            for seat, chair in enumerate(chairs)
        ],
        clock=msgspec.convert(row["clock"], Clock),
        training=row["training"],
        public=row["public"],
        day=row["day"],
        number=row["number"],
        finished=row["finished"],
        created=row["created"],
        started=row["started"],
    )
