"""A game that was played on paper and is entered afterwards.

What was dealt is a list of texts, and what was drawn is a list for each seat; the lists may have
different lengths. This works because sheets do not interact (`Box.on_paper`): a seat whose list is
shorter draws nothing in the meantime.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from headway.errors import HeadwayError, InputError
from headway.games.contract import CHANCE, Event, Game, Move, Seat, State
from headway.record import Record, record_of


@dataclass
class GameOnPaper:
    """The part of a paper game that is entered so far.

    `state` is the position after everything dealt. `behind` has, for each seat with missing moves,
    the position in which its next move is missing.
    """

    game: Game
    state: State
    behind: dict[Seat, State] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def state_of(self, seat: Seat) -> State:
        """Returns the position of a seat."""
        return self.behind.get(seat, self.state)

    def chance_moves(self) -> list[str]:
        """Returns everything that can be dealt next, as `lay_out` reads it."""
        return [self.game.notation.chance_text(self.state, move) for move, _ in self.state.chance()]

    @property
    def finished(self) -> bool:
        """Whether the game is over and every sheet is complete."""
        return self.state.finished() and not self.behind

    def record(self, names: Sequence[str] = ()) -> Record:
        """Returns the game as a record; a seat that is behind has drawn nothing in it."""
        return record_of(self.game, self.events, names)


def lay_out(game: Game, dealt: Sequence[str], moves: Sequence[Sequence[str]]) -> GameOnPaper:
    """Plays what was entered; raises at the first impossible entry."""
    if not game.box.on_paper:
        raise InputError("paper.no_sheets", game=game.box.name)
    if len(moves) != game.seats:
        raise InputError("paper.seats", seats=game.seats, found=len(moves))
    paper = GameOnPaper(game, game.start())
    used = [0] * game.seats
    chance_texts = iter(dealt)
    while actors := paper.state.actors():
        if CHANCE not in actors:
            for seat in sorted(actors):
                used[seat] += _draw(paper, seat, moves[seat][used[seat] :])
            continue
        text = next(chance_texts, None)
        if text is None:
            break
        _apply(paper, CHANCE, _dealt(paper, text))
    if (text := next(chance_texts, None)) is not None:
        raise InputError("paper.deal", deal=text)
    for seat, texts in enumerate(moves):
        if used[seat] < len(texts):
            raise InputError("paper.surplus", move=texts[used[seat]]).at([("seat", seat)])
    return paper


def _draw(paper: GameOnPaper, seat: Seat, texts: Sequence[str]) -> int:
    """Makes a seat's next move, or an idle one if it is behind; returns the moves used."""
    game, state = paper.game, paper.state
    if not texts:
        paper.behind.setdefault(seat, state.copy())
        _apply(paper, seat, game.idle_move(state, seat))
        return 0
    try:
        move = game.parse_move(texts[0])
        state.check(seat, move)
    except HeadwayError as error:
        raise error.at(game.records.read(game, None, []).place(state, seat)) from None
    _apply(paper, seat, move)
    return 1


def _dealt(paper: GameOnPaper, text: str) -> Move:
    for move, _ in paper.state.chance():
        if paper.game.notation.chance_text(paper.state, move) == text:
            return move
    raise InputError("paper.deal", deal=text)


def _apply(paper: GameOnPaper, seat: Seat, move: Move) -> None:
    paper.state.advance(seat, move)
    paper.events.append((seat, move))
