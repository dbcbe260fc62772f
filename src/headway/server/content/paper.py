"""Games played with pencils, as they are written down; nothing of them is kept here."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from headway.errors import HeadwayError
from headway.games import box
from headway.games.contract import CHANCE, Game, Outcome
from headway.paper import PaperGame as Written
from headway.paper import lay_out
from headway.server.errors import Refused
from headway.server.fields import MOST_SEATS, MOST_WRITTEN, MoveText, Name, SeatNumber, Word
from headway.server.people.guests import clean_name
from headway.server.table.view import GameView, title_of


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


def paper(told: PaperGame) -> Paper:
    """What is known of a game, and what can come next; at its end its record."""
    written = _read(told)
    names = [clean_name(name) if name.strip() else "" for name in told.names]
    whole = written.record(names if any(names) else ())
    return Paper(
        title=title_of(written.game),
        options=dict(written.game.options),
        view=written.now.view(CHANCE),
        deals=written.deals(),
        sheets=[
            PaperSheet(
                written.where(seat).view(seat),
                [written.game.move_text(move) for move in written.where(seat).legal(seat)],
            )
            for seat in range(written.game.seats)
        ],
        behind=sorted(written.at),
        deal=whole.deal or {},
        moves=whole.moves,
        outcome=written.now.outcome() if written.finished else None,
        record=whole.json().decode() if written.finished else "",
    )


def why_not(asked: PaperQuestion) -> HeadwayError | None:
    """What is wrong with a move that a sheet might show next, if anything is."""
    written = _read(asked)
    try:
        written.where(asked.seat).check(asked.seat, written.game.parse_move(asked.move))
    except HeadwayError as error:
        return error
    return None


def judge(sheet: FullSheet, lang: str) -> SheetScore:
    """The score of a sheet without its cards, and what on it cannot have been."""
    score, problems = _open(sheet, sheet.seats).judge(sheet.told)
    told = [
        SheetProblem(each.rule, each.sentence(lang), str(each.values.get("colour", "")))
        for each in problems
    ]
    return SheetScore(msgspec.to_builtins(score), told)


def _read(told: PaperGame) -> Written:
    game = _open(told, len(told.names))
    return lay_out(game, told.dealt, told.moves or [[] for _ in told.names])


def _open(told: PaperGame | FullSheet, seats: int) -> Game:
    found = box(told.game)
    # What somebody sends must not open a file of this machine.
    if told.map not in found.maps:
        raise Refused(404, "server.no_map", map=told.map, known=", ".join(found.maps))
    return found.open(told.map, seats, told.options)
