"""A game that was played with pencils, while it is written down afterwards.

People deal it again from memory or from a note: what was dealt is a row of texts, what was drawn is
one for each seat, and the rows need not be equally long. That is possible where the sheets never
touch (`Box.on_paper`): to see what comes next for one sheet, a seat that is behind draws nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from headway.errors import HeadwayError, InputError
from headway.games.contract import CHANCE, Event, Game, Move, Seat, State
from headway.record import FORMAT, RULES, Record


@dataclass
class PaperGame:
    """What is written down so far.

    `state` is the position after all that was dealt; `at` has, for each seat that is behind, the
    position in which it has to say what it drew next.
    """

    game: Game
    state: State
    at: dict[Seat, State] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def where(self, seat: Seat) -> State:
        """The position that a seat has come to."""
        return self.at.get(seat, self.state)

    def chance_moves(self) -> list[str]:
        """All that can be dealt next, as `lay_out` reads it."""
        return [self.game.chance_text(self.state, move) for move, _ in self.state.chance()]

    @property
    def finished(self) -> bool:
        """Whether the game is over and every sheet is full."""
        return self.state.finished() and not self.at

    def record(self, names: Sequence[str] = ()) -> Record:
        """The game as a record; a seat that is behind has drawn nothing in it."""
        deal, moves = self.game.write(self.events)
        return Record(
            format=FORMAT,
            game=self.game.box.name,
            map=self.game.map,
            options=dict(self.game.options),
            seats=self.game.seats,
            rules=RULES,
            map_hash=self.game.map_hash,
            names=list(names) or None,
            deal=deal,
            moves=moves,
        )


def lay_out(game: Game, dealt: Sequence[str], moves: Sequence[Sequence[str]]) -> PaperGame:
    """Plays what is written down; raises at the first thing that cannot have been."""
    if not game.box.on_paper:
        raise InputError("paper.no_sheets", game=game.box.name)
    if len(moves) != game.seats:
        raise InputError("paper.seats", seats=game.seats, found=len(moves))
    paper = PaperGame(game, game.start())
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


def _draw(paper: PaperGame, seat: Seat, texts: Sequence[str]) -> int:
    """Makes the first of a seat's moves, or none for a seat that is behind; how many it took."""
    game, state = paper.game, paper.state
    if not texts:
        paper.at.setdefault(seat, state.copy())
        _apply(paper, seat, game.idle_move(state, seat))
        return 0
    try:
        move = game.parse_move(texts[0])
        state.check(seat, move)
    except HeadwayError as error:
        raise error.at(game.script(None, []).place(state, seat)) from None
    _apply(paper, seat, move)
    return 1


def _dealt(paper: PaperGame, text: str) -> Move:
    for move, _ in paper.state.chance():
        if paper.game.chance_text(paper.state, move) == text:
            return move
    raise InputError("paper.deal", deal=text)


def _apply(paper: PaperGame, seat: Seat, move: Move) -> None:
    paper.state.advance(seat, move)
    paper.events.append((seat, move))
