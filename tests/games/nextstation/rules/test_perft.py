"""Perft: the number of sequences of moves from the start, as compiled engine and referee count it.

The numbers are stored too, so that a change of both would be seen.
"""

from __future__ import annotations

import pytest
from games.nextstation.playing import Play, card_id
from games.nextstation.twin import Twin
from reference import referee

PLAIN = "joker circle square triangle pentagon circle"
SWITCH = "circle square switch pentagon triangle joker"
UNDER = "underground:joker underground:square street:joker underground:circle street:pentagon"


def cards_of(text: str) -> list[str]:
    """The cards of a round."""
    cards: list[str] = []
    for name in text.split():
        cards.append(card_id(name, cards))
    return cards


def engine_counts(play: Play, cards: list[str], depth: int) -> int:
    """The number of sequences of seat 0 in the next turns, by the compiled rules."""
    twin = Twin(play.game)
    twin.deal(play.state)
    while twin.shared["phase"][0] != play.state.shared["phase"]:
        twin.deal(play.state)
    return count(twin, cards, depth)


def count(twin: Twin, cards: list[str], depth: int) -> int:
    if depth == 0:
        return 1
    drawn = 2 if cards[0] == "street:switch" else 1
    for card in cards[:drawn]:
        twin.reveal(referee.CARDS.index(card))
    moves = twin.legal(0)
    if depth == 1:
        return len(moves)
    before = twin.shared.copy(), twin.sheets.copy()
    total = 0
    for move in moves:
        twin.move(0, move)
        total += count(twin, cards[drawn:], depth - 1)
        twin.shared[:], twin.sheets[:] = before
    return total


def referee_counts(position: referee.Position, depth: int) -> int:
    """The same by the referee, with powers that are spent on the way."""
    if depth == 0:
        return 1
    moves = referee.moves(position, 0)
    if depth == 1:
        return len(moves)
    total = 0
    for text in moves:
        line, spent = position.line(0).copy(), list(position.spent)
        referee.play(position, 0, text)
        position.turn += 1
        total += referee_counts(position, depth - 1)
        position.turn -= 1
        position.spent = spent
        position.sheets[0][position.colour(0)] = line
    return total


def position(
    city: str, colour: str, cards: list[str], power: str = "", special: str = ""
) -> referee.Position:
    """The referee's position for a game with a module."""
    opening = referee.opening(city, colour, cards)
    if power:
        opening.options["powers"] = True
        opening.powers = {colour: power}
    if special:
        opening.options["special_stations"] = True
        opening.special = [special.split()]
    return opening


@pytest.mark.parametrize(
    ("city", "colour", "cards", "counts"),
    [
        ("london", "green", PLAIN, [9, 34, 147, 597, 2458, 8167]),
        ("london", "purple", SWITCH, [3, 11, 65, 263, 3104]),
        ("london", "blue", UNDER, [9, 32, 409, 1921, 7247]),
        ("london", "pink", SWITCH, [3, 16, 95, 430, 5081]),
        ("tokyo", "brown", PLAIN, [8, 29, 126, 269, 931, 2514]),
        ("tokyo", "purple", UNDER, [8, 21, 191, 554, 1507]),
        ("tokyo", "blue", SWITCH, [3, 11, 43, 137, 1114]),
        ("tokyo", "pink", UNDER, [8, 27, 259, 658, 1920]),
    ],
)
def test_sequences_of_turns(city: str, colour: str, cards: str, counts: list[int]) -> None:
    row = cards_of(cards)
    depths = range(1, len(counts) + 1)
    play = Play(city, colour)
    assert [engine_counts(play, row, depth) for depth in depths] == counts
    assert [referee.perft(city, colour, row, depth) for depth in depths] == counts


@pytest.mark.parametrize(
    ("city", "colour", "module", "counts"),
    [
        ("london", "green", {"power": "second"}, [6, 47, 597, 3204]),
        ("london", "pink", {"power": "joker"}, [11, 87, 720, 4179]),
        ("london", "blue", {"power": "double"}, [7, 53, 563, 4083]),
        ("tokyo", "brown", {"power": "switch"}, [3, 14, 112, 430]),
        ("tokyo", "purple", {"power": "second"}, [6, 14, 105, 595]),
        ("london", "purple", {"special": "square extension"}, [3, 16, 99, 452]),
        ("london", "green", {"special": "pentagon switch"}, [3, 12, 128, 559]),
        ("tokyo", "blue", {"special": "square joker"}, [3, 37, 137, 401]),
        ("tokyo", "pink", {"special": "circle double"}, [3, 11, 54, 211]),
    ],
)
def test_sequences_with_a_module(
    city: str, colour: str, module: dict[str, str], counts: list[int]
) -> None:
    row = cards_of(SWITCH)
    depths = range(1, len(counts) + 1)
    play = Play(city, colour, **module)  # type: ignore[arg-type]
    assert [engine_counts(play, row, depth) for depth in depths] == counts
    start = position(city, colour, row, **module)
    assert [referee_counts(start, depth) for depth in depths] == counts
