"""A sheet without its cards: scored as the game was, and only what cannot have been is refused."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from headway import record
from headway.errors import HeadwayError
from headway.games import box
from headway.games.nextstation.city.city import City
from headway.games.nextstation.city.city_file import load_city
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import CARDS
from headway.games.nextstation.view import NextStationView

RECORDS = Path(__file__).parents[3] / "records/next-station"
PLAIN = [
    path
    for path in sorted(RECORDS.glob("*.json"))
    if not {"powers", "special_stations"}
    & {name for name, on in json.loads(path.read_text())["options"].items() if on}
]


def london(lines: dict[str, list[str]], city: str = "london") -> list[str]:
    """The rules that a sheet breaks."""
    game = box("next-station").open(city, 1)
    return [problem.rule for problem in game.judge({"lines": lines}).problems]


@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.stem)
def test_sheets_of_real_games_are_possible_and_score_what_they_scored(path: Path) -> None:
    result = record.replay(record.load(path))
    for seat in range(result.game.seats):
        view: Any = result.state.view(seat)
        assert isinstance(view, NextStationView)
        sheet = {
            "lines": {line.colour: list(line.sections) for line in view.sheets[seat].lines},
            "objectives": list(view.objectives),
        }
        judged = result.game.judge(sheet)
        assert [problem.sentence("en") for problem in judged.problems] == []
        expected = view.sheets[seat].score
        assert judged.score.total == expected.total
        points = {line.colour: line.points for line in expected.lines}
        assert {line.colour: line.points for line in judged.score.lines} == points


@pytest.mark.parametrize(
    ("lines", "rules"),
    [
        ({}, []),
        ({"green": ["d2f0", "f0f3"]}, []),
        ({"green": ["f0f3"]}, ["NS-13"]),
        ({"green": ["d2f0", "a0b0"]}, ["NS-14"]),
        ({"green": ["d2f0"], "purple": ["c5e5", "e5e6"], "blue": ["f7e6"]}, []),
        ({"green": ["d2f0"], "purple": ["d2f0"]}, ["NS-13", "NS-19"]),
        ({"green": ["d2e3", "d2f0", "d2d1", "d2a2"]}, ["NS-08"]),
        ({"green": ["d2e3", "d2f0", "d2d1"]}, []),
    ],
)
def test_what_cannot_have_been(lines: dict[str, list[str]], rules: list[str]) -> None:
    assert london(lines) == rules


def test_a_line_never_comes_back_and_never_crosses() -> None:
    assert "NS-18" in london({"green": ["d2d1", "d1e0", "e0f0", "f0d2"]})
    game = box("next-station").open("london", 1)
    assert isinstance(game, NextStation)
    names = [station.name for station in game.city.stations]
    for i, j in game.city.crossings:
        pair = [names[s.a] + names[s.b] for s in (game.city.sections[i], game.city.sections[j])]
        assert "NS-17" in london({"green": [pair[0]], "blue": [pair[1]]})


def walk(city: City, colour: str, chance: Random) -> list[int]:
    """The stations of a line without forks, drawn at random as far as it comes, 10 at the most."""
    way = [city.departures[city.colours.index(colour)]]
    while len(way) <= 10:
        near = [s.a if s.b == way[-1] else s.b for s in city.sections if way[-1] in (s.a, s.b)]
        if not (new := [k for k in near if k not in way]):
            break
        way.append(chance.choice(new))
    return way


def dealt_for(symbols: list[str], cards: list[str]) -> bool:
    """Whether each symbol can get a card of its own, by trying."""
    if not symbols:
        return True
    fitting = [c for c in dict.fromkeys(cards) if "joker" in c or symbols[0] in (c, "wild")]
    for card in fitting:
        rest = list(cards)
        rest.remove(card)
        if dealt_for(symbols[1:], rest):
            return True
    return False


def test_the_deck_has_two_cards_of_a_symbol_and_two_jokers() -> None:
    city, chance = load_city("london"), Random(1)
    cards = [card.split(":")[1] for card in CARDS if "switch" not in card]
    seen = set()
    for _ in range(150):
        colour = chance.choice(city.colours)
        way = walk(city, colour, chance)
        line = [city.stations[a].name + city.stations[b].name for a, b in pairwise(way)]
        possible = dealt_for([city.stations[k].symbol for k in way[1:]], cards)
        assert ("NS-15" not in london({colour: line})) == possible
        seen.add(possible)
    assert seen == {True, False}


def test_tokyo_allows_a_second_track_for_a_joker() -> None:
    game = box("next-station").open("tokyo", 1)
    assert isinstance(game, NextStation)
    city = game.city
    stations = [city.stations[city.sections[i].a].name for i in city.loop]
    assert stations
    shared = [record.load(p) for p in PLAIN if "tokyo" in p.name]
    assert any("=" in json.dumps(r.moves) for r in shared)  # the games above have some
    around = {
        "lines": {
            colour: [
                city.stations[city.sections[i].a].name + city.stations[city.sections[i].b].name
                for i in city.loop[:1]
            ]
            for colour in city.colours[:2]
        }
    }
    assert "NT-04" in [problem.rule for problem in game.judge(around).problems]


@pytest.mark.parametrize(
    "sheet",
    [
        [],
        {"lines": {"white": []}},
        {"lines": {"green": ["nonsense"]}},
        {"lines": {"green": ["pass"]}},
        {"lines": {"green": ["a0j9"]}},
        {"lines": {}, "more": 1},
    ],
)
def test_what_cannot_be_read(sheet: Any) -> None:
    with pytest.raises(HeadwayError):
        box("next-station").open("london", 1).judge(sheet)
    with pytest.raises(HeadwayError, match="cards"):
        box("next-station").open("london", 1, {"powers": True}).judge({"lines": {}})
