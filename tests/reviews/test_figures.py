"""Figures of many reviews: means, errors, and kinds of decisions that surely differ."""

from __future__ import annotations

import random
from statistics import fmean, stdev

import msgspec

import headway
from headway.reviews.figures import (
    ALL,
    FEWEST_DECISIONS,
    LossSums,
    SeatFigures,
    distinct_kinds,
    figures_of,
    mean_of,
)
from headway.reviews.job import reviewers
from headway.reviews.report import Turn


def test_figures_are_those_of_the_review() -> None:
    for name, seats in (("london", 1), ("ticket-to-ride", 2)):
        table = headway.Table(name, seats=seats, seed=3)
        headway.play_out(table, [headway.make_bot("random", table.game, n) for n in range(seats)])
        review = headway.review(table.record(), budget=2)
        figures = figures_of(review)
        assert [f.seat for f in figures] == list(range(seats))
        for seat, found in zip(review.seats, figures, strict=True):
            assert (found.result, found.luck, found.loss) == (seat.result, seat.luck, seat.loss)
            decided = [turn for turn in seat.turns if turn.decision is True]
            assert found.kinds[ALL].decisions == len(decided) == seat.decisions
            assert found.kinds[ALL].loss == sum(turn.loss for turn in decided)
            assert found.kinds[ALL].squares == sum(turn.loss**2 for turn in decided)
            kinds = {kind for turn in decided for kind in reviewers()[review.game].kinds(turn)}
            assert set(found.kinds) == {ALL, *kinds}
        assert msgspec.json.decode(msgspec.json.encode(figures), type=list[SeatFigures]) == figures


def test_every_decision_of_a_game_has_a_kind() -> None:
    def kinds(game: str, **more: object) -> tuple[str, ...]:
        turn = {"expected": 0, "luck": 0, "loss": 0, "recount": 0} | more
        return reviewers()[game].kinds(msgspec.convert(turn, Turn))

    sheet = {"round": 2, "turn": 4, "dealt": "street:circle", "played": "d2f0", "best": "d2f0"}
    assert kinds("next-station", **sheet) == ("street", "round:2")
    for change, kind in (
        ({"turn": 1}, "start"),
        ({"best": "!joker d2f0"}, "power"),
        ({"played": "pass *d2"}, "power"),
        ({"played": "pass"}, "pass"),
        ({"dealt": "underground:joker"}, "joker"),
        ({"dealt": "street:switch underground:circle"}, "switch"),
        ({"dealt": "underground:square"}, "underground"),
    ):
        assert kinds("next-station", **(sheet | change))[0] == kind
    for played, kind in (
        ("take pile", "pile"),
        ("take bus", "open"),
        ("claim hyde_park-piccadilly_circus#1 blue 1", "claim"),
        ("tickets", "tickets"),
        ("keep 1 2", "keep"),
    ):
        assert kinds("ticket-to-ride", number=9, played=played) == (kind,)


def test_means_have_the_error_of_the_mean() -> None:
    values = [1000, 4000, 2500, 3500]
    mean = mean_of(values)
    assert (mean.mean, mean.error) == (round(fmean(values)), round(stdev(values) / 2))
    assert mean_of([700]).error is None
    sums = LossSums(4, sum(values), sum(value**2 for value in values))
    assert abs(sums.error() - stdev(values) / 2) < 1e-6


def kinds_of(losses: dict[str, list[int]]) -> dict[str, LossSums]:
    sums = {
        kind: LossSums(len(found), sum(found), sum(value**2 for value in found))
        for kind, found in losses.items()
    }
    whole = LossSums()
    for part in sums.values():
        whole = whole.plus(part)
    return sums | {ALL: whole}


def test_only_kinds_that_the_figures_can_distinguish() -> None:
    generator = random.Random(5)

    def losses(mean: int, number: int) -> list[int]:
        return [round(generator.expovariate(1 / mean)) for _ in range(number)]

    same = [kinds_of({"a": losses(900, 8), "b": losses(900, 20), "c": losses(900, 9)})] * 3
    assert distinct_kinds(same) == []
    apart = [
        kinds_of({"a": losses(3000, 8), "b": losses(500, 20), "c": losses(700, 9)})
        for _ in range(6)
    ]
    first, *others = distinct_kinds(apart)
    assert (first.kind, first.decisions) == ("a", 48)
    assert first.loss.mean == round(sum(g["a"].loss for g in apart) / 48)
    assert first.others < first.loss.mean
    assert [one.kind for one in others][:1] != ["a"]
    few = [kinds_of({"a": [9000] * (FEWEST_DECISIONS - 1), "b": losses(100, 500)})]
    assert distinct_kinds(few) == []
    assert distinct_kinds([]) == []
