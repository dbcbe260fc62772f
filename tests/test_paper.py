"""Games on paper: what is written down sheet by sheet is the game that was played."""

from __future__ import annotations

from pathlib import Path

import pytest

from headway import record
from headway.errors import HeadwayError, InputError, RuleBroken
from headway.games import box
from headway.games.contract import CHANCE, Game, State
from headway.paper import lay_out

RECORDS = sorted((Path(__file__).parent / "records/next-station").glob("*.json"))
SEVERAL = "london-3-objectives-special-revealed-cards.json"


def written(path: Path) -> tuple[Game, list[str], list[list[str]], list[tuple[int, State]]]:
    """A record as people write it down; and the state before each move, with the deals so far."""
    stored = record.load(path)
    game = stored.open()
    dealt: list[str] = []
    moves: list[list[str]] = [[] for _ in range(game.seats)]
    before: list[tuple[int, State]] = []
    for step in record.steps(stored):
        actor, move = step.event
        if actor == CHANCE:
            dealt.append(game.notation.chance_text(step.state, move))
        else:
            if actor == 0:
                before.append((len(dealt), step.state.copy()))
            moves[actor].append(game.move_text(move))
    return game, dealt, moves, before


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_stored_game_can_be_written_down(path: Path) -> None:
    game, dealt, moves, _ = written(path)
    paper = lay_out(game, dealt, moves)
    assert paper.finished
    assert paper.chance_moves() == []
    stored, again = record.replay(record.load(path)), record.replay(paper.record())
    assert again.report() == stored.report()
    assert again.events == stored.events


def test_a_sheet_alone_sees_what_it_saw_in_the_game() -> None:
    """In every turn, with the other sheets empty and the cards ahead by nothing or by the game."""
    game, dealt, moves, before = written(RECORDS[0].with_name(SEVERAL))
    for turn, (deals, state) in enumerate(before):
        for seat in range(game.seats):
            rows = [
                moves[seat][:turn] if row_seat == seat else [] for row_seat in range(game.seats)
            ]
            for ahead in (dealt[:deals], dealt):
                here = lay_out(game, ahead, rows).state_of(seat)
                assert here.legal(seat) == state.legal(seat)
                assert here.view(seat).sheets[seat] == state.view(seat).sheets[seat]  # type: ignore[attr-defined]


def test_what_can_come_next() -> None:
    game = box("next-station").open("london", 2, {"objectives": True})
    empty: list[list[str]] = [[], []]
    assert len(lay_out(game, [], empty).chance_moves()) == 24
    pencils = "pencils green purple blue pink / blue pink green purple"
    start = lay_out(game, [pencils], empty)
    assert len(start.chance_moves()) == 10
    cards = lay_out(game, [pencils, "objectives tourist centre", "card street:circle"], empty)
    assert "card street:circle" not in cards.chance_moves()
    assert len(cards.chance_moves()) == 10
    assert sorted(cards.behind) == [0, 1]
    assert not cards.finished


def refusal(dealt: list[str], moves: list[list[str]]) -> HeadwayError:
    game = box("next-station").open("london", 1)
    with pytest.raises(HeadwayError) as caught:
        lay_out(game, ["pencils green purple blue pink", *dealt], moves)
    return caught.value


def test_what_cannot_have_been() -> None:
    twice = refusal(["card street:circle", "card street:circle"], [["pass"]])
    assert twice.key == "paper.deal"
    symbol = refusal(["card street:triangle"], [["d2f0"]])
    assert isinstance(symbol, RuleBroken)
    assert (symbol.rule, symbol.where("en")) == ("NS-15", "round 1, turn 1, seat 0")
    assert refusal(["card street:circle"], [["nonsense"]]).where("en")
    assert refusal(["card street:circle"], [["d2f0", "pass"]]).key == "paper.surplus"
    assert refusal([], [[], []]).key == "paper.seats"
    game = box("ticket-to-ride").open("london", 2)
    with pytest.raises(InputError, match="no sheets"):
        lay_out(game, [], [[], []])


def test_cards_behind_the_end_are_refused() -> None:
    game, dealt, moves, _ = written(RECORDS[0])
    with pytest.raises(InputError):
        lay_out(game, [*dealt, "card street:circle"], moves)
