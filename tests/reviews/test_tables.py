"""Reviews of Ticket to Ride: what a seat could not know changes nothing."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import numpy as np
import pytest
from games.tickettoride.secrets import hidden_places, swap
from msgspec import UNSET

import headway
from headway.bots.tickettoride.trials import PositionTrials
from headway.games.tickettoride.board.board import Board
from headway.reviews import SeatReview
from headway.reviews.job import ReviewJob
from headway.reviews.tickettoride.tables import TableReviewer

TINY = Path(__file__).parent.parent / "games" / "tickettoride" / "tiny.toml"


def played(seats: int = 2, seed: int = 1, bot: str = "planner", **chosen: object) -> headway.Record:
    table = headway.Table("ticket-to-ride", seats=seats, seed=seed, chosen=chosen)
    headway.play_out(table, [headway.make_bot(bot, table.game, k) for k in range(seats)])
    record = table.record()
    deal, _ = table.game.records.write(table.game, table.events)
    return msgspec.structs.replace(record, seed=None, deal=deal, fair=None)


def before_the_end(seat: SeatReview) -> list[object]:
    """Everything before tickets are shown at the end."""
    *turns, last = seat.turns
    return [*turns, last.expected]


@pytest.mark.rule("RV-11")
@pytest.mark.parametrize("seat", [0, 1])
def test_exchanging_what_is_hidden_changes_nothing(seat: int) -> None:
    record = played(seed=3)
    cards, tickets = hidden_places(record, seat)
    generator = random.Random(seat)
    original = headway.review(record, seat=seat, budget=40).seats[0]
    swaps = 0
    while swaps < 2:
        part, places = generator.choice((("transport", cards), ("tickets", tickets)))
        a, b = generator.sample(places, 2)
        changed = swap(record, part, (a, b))
        try:
            headway.replay(changed)
        except headway.RuleBroken:
            continue  # the other player could not have played that
        swaps += changed.deal != record.deal
        other = headway.review(changed, seat=seat, budget=40).seats[0]
        assert before_the_end(other) == before_the_end(original)
        assert other.loss == original.loss


@pytest.mark.rule("RV-10")
def test_luck_of_a_card_is_nought_over_all_cards() -> None:
    record = played(seed=5)
    job = ReviewJob(record, budget=60)
    assert isinstance(job.reviewer, TableReviewer)
    values = [job.reviewer.value(0, i) for i in range(job.reviewer.count(0))]
    kinds = [moment.kind for moment in job.reviewer.seen.events[0]]
    assert {"setup", "card", "move", "act", "reveal"} <= set(kinds)
    assert kinds[0] == "setup"
    assert kinds[-1] == "reveal"
    dealt = [value for value, kind in zip(values, kinds, strict=True) if kind == "card"]
    assert min(value.dealt_value - value.expected for value in dealt) < 0
    assert max(value.dealt_value - value.expected for value in dealt) > 0
    assert all(value.dealt_value == value.after for value in dealt)


@pytest.mark.rule("RV-10")
def test_a_position_has_the_same_value_in_two_looks() -> None:
    seat = headway.review(played(seed=5), seat=0, budget=60).seats[0]
    acts = [turn for turn in seat.turns if turn.seat is not UNSET]
    assert acts
    assert all(turn.recount == 0 for turn in acts), "what follows begins where the act ended"


@pytest.mark.rule("RV-10")
def test_a_ticket_that_routes_join_is_likely_held() -> None:
    job = ReviewJob(played(seed=5), budget=8)
    assert isinstance(job.reviewer, TableReviewer)
    last = job.reviewer.seen.sampled(job.reviewer.seen.view(0, len(job.played.events)))
    trials = PositionTrials([last], 0, "key")
    board, routes = last.game.board, int(last.players[1]["routes"])
    fits = trials.workspace.fits[0]
    weights = fits[1, : len(board.tickets)]
    assert fits[0].max() == fits[2].max() == 1.0, "only others are judged"
    joined = [i for i in range(len(board.tickets)) if _joins(board, routes, i)]
    assert joined
    others = [i for i in range(len(board.tickets)) if i not in joined]
    assert min(weights[joined]) > 10 * np.median(weights[others])


def _joins(board: Board, routes: int, ticket: int) -> bool:
    """Whether routes lead from one place of a ticket to the other."""
    taken = [{way.a, way.b} for i, way in enumerate(board.routes) if routes >> i & 1]
    reached = {board.tickets[ticket].a}
    for _ in taken:
        for ends in taken:
            reached |= ends if reached & ends else set()
    return board.tickets[ticket].b in reached


@pytest.mark.rule("RV-10")
def test_with_a_chosen_first_seat_the_start_is_estimated() -> None:
    job = ReviewJob(played(first=0), budget=400)
    first, second = (job.reviewer.value(seat, 0).expected for seat in (0, 1))
    assert abs(first + second - 100_000) < 15_000
    assert 0 < second < 100_000


@pytest.mark.rule("RV-10")
@pytest.mark.parametrize("seats", [3, 4])
def test_all_seats_start_alike(seats: int) -> None:
    review = headway.review(played(seats, bot="random"), seat=seats - 1)
    assert review.seats[0].start == 100_000 // seats


@pytest.mark.rule("RV-10")
def test_playouts_value_a_board_of_ones_own() -> None:
    table = headway.Table(str(TINY), seats=2, seed=1)
    headway.play_out(table, [headway.make_bot("random", table.game, k) for k in range(2)])
    record = table.record()
    record.folder = TINY.parent
    first, second = (headway.review(record, budget=20) for _ in range(2))
    assert first.json() == second.json()
    assert all(seat.rough for seat in first.seats)


@pytest.mark.rule("RV-12")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_networks_choose_and_value(seats: int) -> None:
    record = played(seats, seed=5)
    seat = headway.review(record, seat=0).seats[0]
    parts = seat.start + seat.luck - seat.loss + seat.others + seat.recount
    assert seat.rough
    assert parts == seat.result
    assert seat.loss > 0
    assert any(turn.others for turn in seat.turns), "others are compared with the same player"
    job = ReviewJob(record)
    values = job.reviewer._values  # type: ignore[attr-defined]
    number = next(e for e in job.reviewer.seen.events[0] if e.kind == "move").number  # type: ignore[attr-defined]
    first, second = values._worth_before(0, number)[:2]
    assert first != second, "they were trained apart"


@pytest.mark.rule("RV-11")
def test_threads_and_earlier_analyses_change_no_figure() -> None:
    job = ReviewJob(played(seed=4), seat=0)
    tasks = job.tasks()[:30]
    once = {task: job.do(task) for task in tasks}
    again = ReviewJob(job.record, seat=0)
    assert {task: again.do(task) for task in reversed(tasks)} == once
    with ThreadPoolExecutor(4) as pool:
        jobs = [ReviewJob(job.record, seat=0) for _ in range(4)]
        alike = pool.map(lambda one: {task: one.do(task) for task in tasks}, jobs)
        assert all(done == once for done in alike)
