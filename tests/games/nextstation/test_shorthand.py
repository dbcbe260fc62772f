"""What a hurried player may type."""

from __future__ import annotations

import pytest

from headway.errors import InputError, RuleBroken
from headway.table import Table


def meant(table: Table, text: str) -> list[str]:
    moves = table.game.notation.shorthand(table.game, text, table.state.legal(0))
    return [table.game.move_text(move) for move in moves]


@pytest.fixture
def joker() -> Table:
    """London, pink from h3, a joker card, with the power `second`."""
    return Table("london", seats=2, seed=3, powers=True, objectives=True)


@pytest.mark.parametrize("text", ["g2", "G2", "h3 g2", "h3-g2", "H3 > g2", "h3, g2"])
def test_a_section_in_short(joker: Table, text: str) -> None:
    assert meant(joker, text) == ["h3g2"]


@pytest.mark.parametrize("text", ["g2 +j3", "h3g2 +j3", "g2 +h3j3", "h3 g2 +h3 j3"])
def test_a_second_section_in_short(joker: Table, text: str) -> None:
    assert meant(joker, text) == ["h3g2 +h3j3"]


def test_a_target_spends_no_power(joker: Table) -> None:
    assert "h3g2 +g2f3" in joker.legal(0)
    assert "h3f3" not in joker.legal(0)
    assert meant(joker, "f3") != ["h3g2 +g2f3"]


def test_several_ways_to_a_target() -> None:
    table = Table("london", seed=3)
    while True:
        targets = [text[2:] for text in table.legal(0)[1:]]
        twice = next((t for t in targets if targets.count(t) > 1), None)
        if twice:
            break
        table.play(0, table.legal(0)[-1])
    expected = [text for text in table.legal(0) if text.endswith(twice)]
    assert meant(table, twice) == expected
    assert len(expected) > 1


def test_a_target_out_of_reach_gives_the_move_that_tells_why(joker: Table) -> None:
    assert meant(joker, "a2") == ["h3a2"]
    with pytest.raises(RuleBroken) as refused:
        joker.play(0, meant(joker, "a2")[0])
    assert refused.value.rule == "NS-12"


def test_a_power_without_its_sign(joker: Table) -> None:
    assert meant(joker, "joker g2") == ["!joker h3g2"]
    with pytest.raises(RuleBroken) as refused:
        joker.play(0, "!joker h3g2")
    assert refused.value.rule == "PW-01"


def test_a_station_that_does_not_exist(joker: Table) -> None:
    with pytest.raises(InputError, match="z9"):
        meant(joker, "z9")


@pytest.mark.parametrize("text", ["", "xyz", "p", "2", "h3g2g3", "+", "*", "(", "[a"])
def test_what_means_nothing(joker: Table, text: str) -> None:
    assert meant(joker, text) == []
