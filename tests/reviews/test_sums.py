"""The sums of reviews add up, on stored and on played records of all games."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

import headway
from headway.reviews import SeatReview
from headway.reviews.arithmetic import (
    Decision,
    Fitted,
    Place,
    Scale,
    Valued,
    mark_of,
    printed,
    seat_review,
)
from headway.reviews.presentation import luck_and_skill, sum_of

RECORDS = Path(__file__).parent.parent / "records"
NEXT_STATION = [
    RECORDS / "next-station" / f"{name}.json"
    for name in (
        "london-1-base-all-cards",
        "london-1-objectives-special-seed",
        "london-2-objectives-powers-seed",
        "london-3-special-seed",
        "london-4-powers-seed",
        "tokyo-1-special-revealed-cards",
        "tokyo-2-base-seed",
    )
]
TICKET_TO_RIDE = [RECORDS / "ticket-to-ride" / f"{seats}-seats-deal-1.json" for seats in (2, 3, 4)]
TINY = 4
"""Simulations: the sums are exact however poor the looks."""


def check(seat: SeatReview) -> None:
    """The sum of a seat is exact, event by event, and in print."""
    total = seat.start + seat.luck - seat.loss + seat.others + seat.recount
    assert total == seat.result
    for name in ("luck", "loss", "recount"):
        assert sum(getattr(turn, name) for turn in seat.turns) == getattr(seat, name)
    assert sum(turn.others or 0 for turn in seat.turns) == seat.others
    values = [turn.expected for turn in seat.turns] + [seat.result]
    for turn, (before, after) in zip(seat.turns, pairwise(values), strict=True):
        assert before + turn.luck - turn.loss + (turn.others or 0) + turn.recount == after
        assert turn.loss >= 0
    figures = sum_of(seat)
    assert sum(figures.values()) - figures["result"] == figures["result"]
    assert abs(figures["result"] * 100 - seat.result) <= 50
    shown = luck_and_skill(seat)
    assert abs(shown.luck * 1000 - seat.luck) < 1000
    assert shown.skill >= 0


@pytest.mark.rule("RV-01", "RV-02", "RV-03", "RV-08", "RV-09")
@pytest.mark.parametrize("path", NEXT_STATION, ids=lambda path: path.stem)
def test_sheets_add_up(path: Path) -> None:
    record = headway.load(path)
    review = headway.review(record, budget=TINY)
    totals = headway.replay(record).outcome.totals
    assert [seat.result for seat in review.seats] == [total * 1000 for total in totals]
    for seat in review.seats:
        check(seat)
        assert seat.turns[-1].recount == 0, "after the last turn the total is known"
        for turn in seat.turns:
            played = [move.move for move in turn.moves or ()]
            assert (turn.played in played) == (turn.turn != 0)
            assert (turn.win is UNSET) == (record.seats == 1 or turn.round != 4 or turn.turn == 0)
    assert review.best is not UNSET
    best = headway.replay(headway.read(msgspec.json.encode(review.best.record)))
    assert best.outcome.totals == review.best.totals
    assert all(b >= t for b, t in zip(review.best.totals, totals, strict=True))


@pytest.mark.rule("RV-10")
@pytest.mark.parametrize("path", TICKET_TO_RIDE, ids=lambda path: path.stem)
def test_tables_add_up(path: Path) -> None:
    record = headway.load(path)
    review = headway.review(record, budget=TINY)
    winners = headway.replay(record).outcome.winners
    for seat in review.seats:
        check(seat)
        assert seat.measure == "victory"
        assert seat.start == round(100_000 / record.seats)
        assert seat.result == (round(100_000 / len(winners)) if seat.seat in winners else 0)
        for turn in seat.turns:
            kinds = [turn.dealt is not UNSET, turn.played is not UNSET, turn.seat is not UNSET]
            assert sum(kinds) == 1, "an event is a deal, a move or an act of another seat"
            assert kinds[0] or turn.luck == 0
            assert kinds[1] or turn.loss == 0
            assert kinds[2] or turn.others == 0
    assert review.best is UNSET


@pytest.mark.rule("RV-03")
def test_printed_figures_add_up_where_rounded_ones_do_not() -> None:
    parts = [154_340, 11_240, -10_560, 0, -20]
    assert printed(parts) == [1543, 113, -106, 0, 0]
    assert sum(printed(parts)) == 1550
    assert sum(round(part / 100) for part in parts) == 1549
    assert printed([-49]) == [0]
    assert printed([-50]) == [-1]


@pytest.mark.rule("RV-05")
def test_a_mark_needs_more_than_twice_the_error() -> None:
    marks = {loss: mark_of("points", loss, 300) for loss in (999, 1000, 3000, 8000)}
    assert marks == {999: None, 1000: "inaccuracy", 3000: "mistake", 8000: "blunder"}
    assert mark_of("points", 3000, 1500) is None
    assert mark_of("points", 3001, 1500) == "mistake"
    assert mark_of("victory", 12_000, 0) == "blunder"


def turn(number: int, loss: int, *, sensible: int = 2, luck: int = 0) -> Valued:
    """A turn with a loss and a luck."""
    decision = Decision(played="a", best="b", error=100, sensible=sensible, moves=())
    return Valued(
        place=Place(round=1, turn=number),
        expected=100_000,
        dealt_value=100_000 + luck,
        after=100_000 + luck - loss,
        dealt="street:circle",
        decision=decision,
    )


@pytest.mark.rule("RV-05", "RV-07")
def test_turning_points_are_the_three_largest_losses() -> None:
    losses = [0, 400, 9000, 100, 3500, 1200, 0]
    events = [turn(i, loss, luck=i * (-1) ** i) for i, loss in enumerate(losses)]
    events.append(turn(7, 0, sensible=1))
    seat = seat_review(0, Scale("points", Fitted(1, 2, 20_000)), events, 100_000)
    assert seat.turning == (2, 4, 5)
    marks = [turn.mark for turn in seat.turns if turn.mark is not UNSET]
    assert marks == ["blunder", "mistake", "inaccuracy"]
    assert (seat.decisions, seat.good, seat.median) == (7, round(4 / 7, 3), 400)
    assert (seat.luckiest, seat.unluckiest) == (6, 5)
    assert seat.lost == seat.loss == sum(losses)
    assert seat.level == "commuter"
    scale = Scale("points", Fitted(1, 2, 3))
    lost_alone = seat_review(0, scale, [turn(0, 9000, sensible=1)], 0)
    assert lost_alone.decisions == 1, "a blunder is a decision though only one move was sensible"


@pytest.mark.rule("RV-05")
def test_where_figures_are_rough_a_mark_needs_three_errors() -> None:
    losses = [0, 250, 350]
    events = [rough_turn(i, loss) for i, loss in enumerate(losses)]
    scale = Scale("points", Fitted(1, 2, 3))
    fine, rough = (
        seat_review(0, one, events, 100_000) for one in (scale, scale._replace(rough=True))
    )
    assert (fine.rough, rough.rough) == (False, True)
    assert (fine.turning, rough.turning) == ((1, 2), (2,)), "only what is sure stands out"
    assert [turn.mark is not UNSET for turn in fine.turns] == [False, True, True]
    assert [turn.mark is not UNSET for turn in rough.turns] == [False, False, True]


def rough_turn(number: int, loss: int) -> Valued:
    """A turn whose loss is some errors of 1000 thousandths."""
    one = turn(number, 10 * loss)
    assert one.decision
    return msgspec.structs.replace(one, decision=msgspec.structs.replace(one.decision, error=1000))
