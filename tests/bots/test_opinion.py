"""The second opinion: close moves are weighed against games played to their end."""

from __future__ import annotations

import random

import numpy as np
import pytest

import headway
from headway.bots import Budget, make_bot
from headway.bots.nextstation.levels import Expert
from headway.bots.nextstation.opinion import CHUNK, CLOSE, weigh
from headway.bots.nextstation.thinker import AN_ENDING, TREE_SIMULATIONS, allowance, parts
from headway.bots.player import Appraisal
from headway.games.contract import Move

A, B, FAR = 1, 2, 3


def tree_says(**values: float) -> list[Appraisal]:
    moves = {"a": A, "b": B, "far": FAR}
    return [Appraisal(moves[name], value, 0.3, 10, "score") for name, value in values.items()]


class Deck:
    """Endings on cards that are the same for all moves, each of which is worth something."""

    def __init__(self, **worth: float) -> None:
        self.worth = {A: worth["a"], B: worth["b"]}
        self.played: dict[Move, int] = {A: 0, B: 0}

    def endings(self, move: Move, count: int, number: int) -> np.ndarray:
        self.played[move] += count
        luck = np.random.default_rng(number).normal(0, 15, count)
        own = np.random.default_rng([number, move]).normal(0, 5, count)
        return 140 + self.worth[move] + luck + own


def test_many_endings_turn_a_close_choice() -> None:
    found, deck = tree_says(a=160.2, b=160.0, far=160.0 - CLOSE), Deck(a=0, b=2)
    weighed = weigh(found, deck.endings, allowance(Budget(simulations=4000)))
    assert [each.move for each in weighed] == [B, A, FAR]
    assert weighed[2] == found[2]
    # Simple players make fewer points; that changes no level, only the differences count.
    assert (weighed[0].value + weighed[1].value) / 2 == pytest.approx(160.1)
    assert all(0 < each.error < 0.7 for each in weighed[:2])
    assert weighed[0].simulations == 10 + deck.played[B]


def test_few_endings_do_not() -> None:
    weighed = weigh(
        tree_says(a=161.5, b=160.0),
        Deck(a=0, b=1).endings,
        allowance(Budget(simulations=2 * CHUNK)),
    )
    assert weighed[0].move == A


def test_what_is_clear_is_not_played_on() -> None:
    deck = Deck(a=8, b=0)
    weigh(tree_says(a=160.0, b=159.0), deck.endings, allowance(Budget(simulations=10**6)))
    assert 0 < deck.played[A] < 1000
    alone = tree_says(a=160.0, b=160.0 - CLOSE)
    assert weigh(alone, Deck(a=0, b=0).endings, allowance(Budget(simulations=1000))) == alone


def test_what_is_known_exactly_stays() -> None:
    found = [each._replace(error=0.0) for each in tree_says(a=160.0, b=159.5)]
    deck = Deck(a=0, b=5)
    assert weigh(found, deck.endings, allowance(Budget(simulations=1000))) == found
    assert deck.played == {A: 0, B: 0}


def test_parts_of_a_budget() -> None:
    assert parts(Budget(simulations=100)) == (Budget(simulations=100), Budget(simulations=0))
    tree, rest = parts(Budget(simulations=10_000))
    assert tree.simulations is not None
    assert rest.simulations is not None
    assert tree.simulations >= TREE_SIMULATIONS
    assert tree.simulations + AN_ENDING * rest.simulations == 10_000
    tree, rest = parts(Budget(seconds=1.0))
    assert tree.seconds is not None
    assert rest.seconds is not None
    assert tree.seconds + rest.seconds == pytest.approx(1.0)
    assert parts(Budget(seconds=0.01))[0] == Budget(seconds=0.01)


def test_an_expert_with_a_second_opinion_is_the_same_every_time() -> None:
    table = headway.Table("london", seed=4)
    driver = make_bot("driver", table.game, 1)
    for _ in range(6):
        table.play(0, driver.choose(table.view(0), table.state.legal(0)))
    view, legal = table.view(0), table.state.legal(0)
    found = [
        Expert(table.game, random.Random(3)).appraise(view, legal, Budget(simulations=2000))
        for _ in range(2)
    ]
    assert found[0] == found[1]
    assert found[0][0].value == max(each.value for each in found[0])
