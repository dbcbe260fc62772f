"""Games played with pencils, as people write them down; the server keeps nothing of them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from headway.errors import HeadwayError
from headway.games import box
from headway.games.contract import CHANCE, Game, Outcome
from headway.paper import GameOnPaper, lay_out
from headway.server.core.errors import not_found
from headway.server.core.fields import MOST_SEATS, MOST_WRITTEN, MoveText, Name, SeatNumber, Word
from headway.server.tables.schema import Why
from headway.server.tables.view import GameView, title_of


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
    """Asks why a sheet cannot show a move next."""

    seat: SeatNumber
    move: MoveText


class PaperSheet(msgspec.Struct, frozen=True):
    """A sheet as far as it is known, and everything that can have been drawn next."""

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
    """Something impossible on a sheet: the rule, a sentence, and the colour if it has one."""

    rule: str
    sentence: str
    colour: str = ""


class SheetScore(msgspec.Struct, frozen=True):
    """The score of a full sheet, as in a view, and what is impossible about it."""

    score: dict[str, Any]
    problems: list[SheetProblem]


def paper(written: PaperGame, names: list[str]) -> Paper:
    """Returns what is known of a game, and what can come next; at its end its record."""
    game_on_paper = _read(written)
    game = game_on_paper.game
    record = game_on_paper.record(names if any(names) else ())
    return Paper(
        title=title_of(game),
        options=dict(game.options),
        view=game_on_paper.state.view(CHANCE),
        deals=game_on_paper.chance_moves(),
        sheets=[_sheet(game_on_paper, seat) for seat in range(game.seats)],
        behind=sorted(game_on_paper.behind),
        deal=record.deal or {},
        moves=record.moves,
        outcome=game_on_paper.state.outcome() if game_on_paper.finished else None,
        record=record.json().decode() if game_on_paper.finished else "",
    )


def _sheet(game_on_paper: GameOnPaper, seat: int) -> PaperSheet:
    state = game_on_paper.state_of(seat)
    legal = [game_on_paper.game.move_text(move) for move in state.legal(seat)]
    return PaperSheet(state.view(seat), legal)


def why_not(question: PaperQuestion, lang: str) -> Why:
    """Returns the rule and the sentence that forbid a sheet's next move, nothing if it is legal."""
    game_on_paper = _read(question)
    try:
        move = game_on_paper.game.parse_move(question.move)
        game_on_paper.state_of(question.seat).check(question.seat, move)
    except HeadwayError as error:
        return Why(error.rule, error.sentence(lang))
    return Why()


def check_sheet(sheet: FullSheet, lang: str) -> SheetScore:
    """Returns the score of a sheet without its cards, and what no cards allow on it."""
    score, errors = _open(sheet, sheet.seats).judge(sheet.told)
    problems = [
        SheetProblem(error.rule, error.sentence(lang), str(error.values.get("colour", "")))
        for error in errors
    ]
    return SheetScore(msgspec.to_builtins(score), problems)


def _read(written: PaperGame) -> GameOnPaper:
    game = _open(written, len(written.names))
    return lay_out(game, written.dealt, written.moves or [[] for _ in written.names])


def _open(written: PaperGame | FullSheet, seats: int) -> Game:
    game_box = box(written.game)
    # What somebody sends must not open a file of this machine.
    if written.map not in game_box.maps:
        raise not_found("server.no_map", map=written.map, known=", ".join(game_box.maps))
    return game_box.open(written.map, seats, written.options)
