"""The dealer: the same on every machine for ever, uniform, every card once, rounds by the law."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

import pytest

import headway
from headway import dealer
from headway.games.contract import CHANCE
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.moves import PASS
from headway.games.nextstation.rules.arrays import CARDS

LAW = {
    5: Fraction(1, 252),
    6: Fraction(5, 252),
    7: Fraction(15, 252),
    8: Fraction(35, 252),
    9: Fraction(70, 252),
    10: Fraction(126, 252),
}
"""NS-10: the last of the five underground cards among ten cards is at place n."""

# Bounds that a fair dealer passes but once in 10,000 seeds: 99.99 % of chi-square.
BOUND = {5: 25.7, 6: 27.9, 10: 35.6, 23: 56.0}


def chi_square(counts: Mapping[int, int], expected: Mapping[int, float]) -> float:
    assert set(counts) <= set(expected)
    return sum((counts.get(k, 0) - e) ** 2 / e for k, e in expected.items())


def uniform(n: int, trials: int) -> dict[int, float]:
    return dict.fromkeys(range(n), trials / n)


def dealt_rounds(seed: int, city: str = "london") -> list[list[int]]:
    """The cards of the four rounds that a seed deals, as far as they are revealed."""
    game = NextStation(city, 1, {})
    state = game.start()
    rounds: list[list[int]] = [[] for _ in range(4)]
    while not state.finished():
        if CHANCE in state.actors():
            card = state.chance_name().startswith("card")
            move = dealer.deal(seed, state)
            if card:
                rounds[int(state.shared["round"])].append(move)
            state.apply(CHANCE, move)
        else:
            state.apply(0, PASS)
    return rounds


@pytest.fixture(scope="module")
def many_rounds() -> list[list[int]]:
    """The rounds of 400 seeds."""
    return [cards for seed in range(400) for cards in dealt_rounds(seed)]


@pytest.mark.rule("NS-06")
def test_a_round_has_every_card_at_most_once(many_rounds: list[list[int]]) -> None:
    for cards in many_rounds:
        assert len(set(cards)) == len(cards) <= len(CARDS)
        assert sum(CARDS[card].startswith("underground:") for card in cards) == 5


@pytest.mark.rule("NS-06")
@pytest.mark.parametrize("place", [0, 1, 4])
def test_every_card_is_as_likely_at_every_place(place: int, many_rounds: list[list[int]]) -> None:
    counts = Counter(cards[place] for cards in many_rounds)
    assert chi_square(counts, uniform(11, len(many_rounds))) < BOUND[10]


@pytest.mark.rule("NS-10")
def test_rounds_are_as_long_as_the_law_says(many_rounds: list[list[int]]) -> None:
    switch = CARDS.index("street:switch")
    lengths = Counter(len(cards) - (switch in cards) for cards in many_rounds)
    expected = {turns: float(share) * len(many_rounds) for turns, share in LAW.items()}
    assert sum(LAW.values()) == 1
    assert chi_square(lengths, expected) < BOUND[5]


def test_rounds_and_seeds_differ(many_rounds: list[list[int]]) -> None:
    assert len({tuple(cards) for cards in many_rounds}) == len(many_rounds)


@pytest.mark.rule("NS-03")
def test_pencils_are_dealt_uniformly() -> None:
    start = NextStation("london", 4, {}).start()
    counts = Counter(dealer.deal(seed, start) for seed in range(2400))
    assert chi_square(counts, uniform(24, 2400)) < BOUND[23]


# Numbers below n


@pytest.mark.parametrize("n", [7, 11, 24])
def test_numbers_are_uniform(n: int) -> None:
    counts = Counter(dealer.below(5, f"name {k}", n) for k in range(4400))
    assert chi_square(counts, uniform(n, 4400)) < BOUND[n - 1]


@pytest.mark.parametrize(
    ("seed", "name", "n", "number"),
    [
        (0, "pencils", 24, 13),
        (1, "pencils", 24, 22),
        (1, "card 1.1", 11, 3),
        (1, "card 1.2", 10, 2),
        (7, "special 3", 4, 3),
        (-1, "card 4.11", 11, 1),
        (-(10**30), "powers", 24, 16),
        (2**53 - 1, "objectives", 10, 1),
        (2**400, "card 2.5", 7, 4),
        (3, "anything", 1, 0),
    ],
)
def test_numbers_stay_for_ever(seed: int, name: str, n: int, number: int) -> None:
    assert dealer.below(seed, name, n) == number


def test_a_number_that_would_not_be_uniform_is_drawn_again() -> None:
    n = (1 << 255) + 1  # nearly every second digest is too large
    again = 0
    for seed in range(20):
        digests = [
            int.from_bytes(
                hashlib.sha256(f"headway-deal/1|{seed}|big|{k}".encode()).digest(), "big"
            )
            for k in range(40)
        ]
        first = next(digest for digest in digests if digest < n)
        again += digests[0] != first
        assert dealer.below(seed, "big", n) == first
    assert again > 3


# What a deal depends on


@pytest.mark.parametrize("seed", [0, -1, 42, 2**31, 2**53, 2**64, -(2**64), 10**40])
def test_any_integer_is_a_seed(seed: int) -> None:
    table = headway.Table("tokyo", seats=2, seed=seed)
    while seats := table.actors():
        for seat in seats:
            table.play(seat, table.legal(seat)[-1])
    record = headway.read(table.record().json())
    assert record.seed == seed
    assert headway.verify(record).events == table.events


def test_a_secret_seed_has_128_bits() -> None:
    seeds = [dealer.new_seed() for _ in range(200)]
    assert len(set(seeds)) == len(seeds)
    for bit in range(128):
        assert {seed >> bit & 1 for seed in seeds} == {0, 1}
    assert max(seeds) < 1 << 128


@pytest.mark.parametrize(
    ("seed", "written"),
    [(7, 7), (2**53 - 1, 2**53 - 1), (2**53, "9007199254740992"), (-(2**53), "-9007199254740992")],
)
def test_a_seed_that_json_numbers_cannot_hold_is_text(seed: int, written: int | str) -> None:
    assert dealer.seed_json(seed) == written
    table = headway.Table("london", seed=seed)
    headway.play_out(table, [headway.make_bot("random", table.game, 1)])
    stored = json.loads(table.record().json())
    assert stored["seed"] == written
    for form in (seed, str(seed)):
        again = headway.read(json.dumps(stored | {"seed": form}))
        assert headway.verify(again).events == table.events


@pytest.mark.parametrize("text", ["", "x", "007", "-0", "1.0", " 1", "1\n", "٣", "9" * 5000])
def test_a_text_that_is_no_seed_is_refused(text: str) -> None:
    table = headway.Table("london", seed=1)
    headway.play_out(table, [headway.make_bot("random", table.game, 1)])
    stored = json.loads(table.record().json()) | {"seed": text}
    with pytest.raises(headway.InputError, match="whole number"):
        headway.read(json.dumps(stored))


@pytest.mark.parametrize("seed", [3, 4])
def test_modules_and_players_do_not_change_the_cards(seed: int) -> None:
    def cards(seats: int, **options: bool) -> list[list[str]]:
        table = headway.Table(NextStation("london", seats, options), seed=seed)
        while waiting := table.actors():
            for seat in waiting:
                table.play(seat, table.legal(seat)[-1])
        rounds: list[list[str]] = table.game.records.write(table.game, table.events)[0]["cards"]
        return rounds

    plain = cards(1)
    assert cards(4) == plain
    assert cards(1, objectives=True, powers=True) == plain
    assert cards(2, special_stations=True) == plain


@pytest.mark.rule("NS-06")
def test_a_deal_is_the_same_again() -> None:
    assert dealt_rounds(11) == dealt_rounds(11)
    assert dealt_rounds(11) == dealt_rounds(11, "tokyo")
    assert dealt_rounds(11) != dealt_rounds(12)
