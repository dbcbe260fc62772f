"""A game as a row of a data set; in JSON it is a `headway-record/1` with more fields."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from headway.record import FORMAT as RECORD_FORMAT
from headway.table import Table

FORMAT = "headway-data/2"
"""The format of a data set; it is in the metadata of every Parquet file."""
Mover = Literal["player", "clock", "bot"]


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """Who had a seat: a person, or a bot with its level and version.

    `rating_band` is the rating at the start of the month, rounded down to a hundred; None if the
    game was not rated, or if few people have that band. A person who has `left` gave the seat up
    before the end.
    """

    kind: Literal["person", "bot"]
    name: str
    named: bool = False
    bot: str | None = None
    level: str | None = None
    version: str | None = None
    rating_band: int | None = None
    left: bool = False


class TableClock(msgspec.Struct, frozen=True):
    """The clock of a table: `none`, `turn`, `bank` or `days`, with its numbers."""

    kind: str
    seconds: int | None = None
    increment: int | None = None
    days: int | None = None


class SeatFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What a review says of a seat, in thousandths of a point or of a percent of a victory."""

    seat: int
    measure: str
    start: int
    luck: int
    loss: int
    others: int
    recount: int
    result: int
    decisions: int
    median: int
    good: float
    level: str


class ReviewFigures(msgspec.Struct, frozen=True):
    """The figures of a game's review."""

    engine: str
    seats: list[SeatFigures]


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """One finished game.

    `movers`, `milliseconds` and `moved_by` have an entry for each move, in the order of `moves`.
    """

    format: str = RECORD_FORMAT
    game: str
    map: str
    options: dict[str, bool]
    seats: int
    rules: int
    map_hash: str
    names: list[str]
    seed: str
    chosen: dict[str, Any] | None = None
    moves: Any
    id: str
    ended: str | None = None
    """The day on which the game ended, `2026-11-16`; None for games between bots."""
    training: bool = False
    seed_chosen: bool = False
    """Whether the host chose the seed, and so may have known every card."""
    day: str | None = None
    """The day whose deal this is."""
    clock: TableClock | None = None
    dealt: dict[str, Any]
    """What the seed deals, as a record's `deal` writes it."""
    movers: list[int]
    """The seat of each move."""
    milliseconds: list[int] | None = None
    """The time of each move, rounded to hundreds."""
    moved_by: list[Mover] | None = None
    """Who made each move, if not always the player of the seat."""
    players: list[Player]
    totals: list[int]
    winners: list[int]
    review: ReviewFigures | None = None

    @property
    def modules(self) -> list[str]:
        """The options that are on."""
        return sorted(name for name, on in self.options.items() if on)


def row_of(table: Table, *, movers: list[int], players: list[Player], **details: Any) -> GameRow:
    """Returns a finished table as a row; `details` are the fields that a table does not have."""
    written, outcome = table.record(), table.outcome()
    assert outcome
    return GameRow(
        game=written.game,
        map=written.map,
        options=dict(sorted(written.options.items())),
        seats=written.seats,
        map_hash=table.game.map_hash,
        names=[player.name for player in players],
        seed=str(table.seed),
        chosen=written.chosen,
        moves=written.moves,
        dealt=table.game.write(table.events)[0],
        movers=movers,
        players=players,
        totals=list(outcome.totals),
        winners=list(outcome.winners),
        **details,
    )


class StoredGame(msgspec.Struct, frozen=True):
    """The fields of a line that are compared with the same game in Parquet, as they are written."""

    format: str
    game: str
    id: str
    map: str
    map_hash: str
    options: dict[str, bool]
    seats: int
    rules: int
    seed: str
    moves: msgspec.Raw
    dealt: msgspec.Raw
    movers: list[int]
    totals: list[int]
    winners: list[int]
    chosen: msgspec.Raw = msgspec.Raw(b"null")


class BadGame(msgspec.Struct, frozen=True):
    """A game of a data set that is not as it should be, and the sentence that says so."""

    file: str
    game: str
    sentence: str
