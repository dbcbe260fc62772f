"""The same seeds give the same games and reviews: a change of code that should change no move."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import pytest

import headway
from headway.games import find


class Played(NamedTuple):
    """A game between bots: what tells its moves apart from others, and the totals."""

    game: str
    bots: tuple[str, ...]
    options: tuple[str, ...]
    moves: str
    totals: tuple[int, ...]


GAMES = [
    Played("london", ("expert@16", "driver"), (), "20fceb7d027e25ce", (156, 146)),
    Played(
        "london", ("commuter", "tourist"), ("objectives", "powers"), "9fc12c2f97cac0ef", (168, 118)
    ),
    Played("tokyo", ("expert@16",), ("special_stations",), "a4cde7679fe72b45", (134,)),
    Played("ticket-to-ride", ("expert@12", "driver"), (), "ee47aea4ae603588", (31, 31)),
    Played(
        "ticket-to-ride", ("commuter", "expert@10", "tourist"), (), "a1007cdd10744d8d", (14, 35, 25)
    ),
]
"""When a bot gets better, write down what it plays now, and say so in the commit."""


def play(case: Played) -> headway.Table:
    box, map_name = find(case.game)
    game = box.open(map_name, len(case.bots), dict.fromkeys(case.options, True))
    table = headway.Table(game, seed=7)
    bots = [headway.make_bot(bot, table.game, seat) for seat, bot in enumerate(case.bots)]
    headway.play_out(table, bots)
    return table


@pytest.mark.parametrize("case", GAMES, ids=lambda case: f"{case.game} {' '.join(case.bots)}")
def test_a_seed_gives_the_same_game(case: Played) -> None:
    table = play(case)
    outcome = table.outcome()
    assert outcome
    assert outcome.totals == case.totals
    moves = [(int(seat), int(move)) for seat, move in table.events]
    assert hashlib.sha256(repr(moves).encode()).hexdigest()[:16] == case.moves


@pytest.mark.parametrize(
    ("case", "sums"),
    [
        (GAMES[0], [(160503, -4728, 0), (160451, -15365, 344)]),
        (GAMES[2], [(138015, 5359, 1121)]),
        (GAMES[3], [(50000, -7377, 21790), (50000, 24606, 55183)]),
    ],
    ids=["london", "tokyo", "ticket-to-ride"],
)
def test_a_seed_gives_the_same_review(case: Played, sums: list[tuple[int, int, int]]) -> None:
    review = headway.review(play(case).record(), budget=12)
    assert [(seat.start, seat.luck, seat.loss) for seat in review.seats] == sums
