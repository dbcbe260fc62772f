"""The referee judged: counts, worked examples, hand-made positions and broken records."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from . import referee
from .broken import BROKEN, Case
from .referee import Line, Move, Position, Refused, Step, city, judge, point_of

RECORDS = Path(__file__).parents[1] / "records" / "next-station"
MODULES = [
    {},
    {"objectives": True},
    {"powers": True},
    {"special_stations": True},
    {"objectives": True, "powers": True},
    {"objectives": True, "special_stations": True},
]


def stored(name: str) -> referee.Record:
    """A record from the folder of records."""
    record: referee.Record = json.loads((RECORDS / f"{name}.json").read_text("utf-8"))
    return record


def final_position(record: referee.Record) -> Position:
    """The position after the last move."""
    *_, (position, _) = referee.positions(record)
    assert position.over
    return position


def parts(position: Position, colour: str) -> tuple[int, int, int]:
    """Districts, stations in the fullest district, Thames sections of a line."""
    line = position.sheets[0][colour]
    districts = [position.city.district[station] for station in line.stations]
    bridges = sum(track in position.city.thames for track in line.tracks)
    return len(set(districts)), max(map(districts.count, districts)), bridges


def start(cards: list[str], colour: str = "green", name: str = "london") -> Position:
    """A solo game before its first turn."""
    return referee.opening(name, colour, cards)


def play_all(position: Position, *texts: str) -> Position:
    """Play some turns of seat 0."""
    for text in texts:
        referee.play(position, 0, text)
        position.turn += 1
    return position


# ------------------------------------------------------------------------------------- the maps


def test_london_is_the_printed_sheet() -> None:
    """NS-12, NS-17, NS-24: 53 stations, 155 sections, 116 crossing pairs, 24 over the Thames."""
    london = city("london")
    assert len(london.symbol) == 53
    assert len(london.sections) == 155
    assert len(london.thames) == 24
    assert len(referee.crossing_pairs(london)) == 116
    assert london.departure == {
        "green": point_of("d2"),
        "pink": point_of("h3"),
        "purple": point_of("c5"),
        "blue": point_of("f7"),
    }


def test_tokyo_keeps_the_facts() -> None:
    """NT-01, NT-02, NT-09: 52 stations, 126 sections and 8 of the loop, 27 crossing pairs."""
    tokyo = city("tokyo")
    assert len(tokyo.symbol) == 52
    assert len(tokyo.sections) == 126
    assert len(tokyo.loop_pairs) == 8
    assert len(referee.crossing_pairs(tokyo)) == 27
    assert len(tokyo.across_loop) == 23
    assert all(district not in tokyo.stamps for district in map(tokyo.district.get, tokyo.loop))


def test_segments_share_points() -> None:
    """The geometry under NS-17 and NT-02."""
    a, b, c, d = map(referee.spot, [(0, 0), (4, 4), (0, 4), (4, 0)])
    assert referee.common_spots(a, b, c, d) == {referee.spot((2, 2))}
    assert referee.common_spots(a, c, b, d) == set()
    assert len(referee.common_spots(a, b, referee.spot((1, 1)), referee.spot((9, 9)))) == 3
    assert referee.common_spots(a, b, b, d) == {b}


# ------------------------------------------------------------------------------ worked examples


def test_nl_05_worked_example() -> None:
    """NL-05: 20 + 16 + 29 + 22, seven marks, nine interchanges of two lines: 119."""
    record = stored("nl-05")
    position = final_position(record)
    shape = [parts(position, colour) for colour in position.pencils[0]]
    assert shape == [(6, 3, 1), (4, 4, 0), (5, 5, 2), (5, 4, 1)]
    calls = referee.lines_at(position.city, position.sheets[0])
    assert sorted(number for number in calls.values() if number > 1) == [2] * 9
    assert judge(record).scores == [
        {
            "lines": [20, 16, 29, 22],
            "tourist": 14,
            "interchanges": 18,
            "objectives": 0,
            "deduction": 0,
            "total": 119,
        }
    ]


def test_nl_05_with_the_double_power() -> None:
    """NL-05, PW-06, SO-01: 6 x 4 + 2 = 26 for the first line; the module costs 10 alone."""
    [score] = judge(stored("nl-05-double")).scores
    assert score["lines"] == [26, 16, 29, 22]
    assert (score["deduction"], score["total"]) == (-10, 119 + 6 - 10)


def test_nt_08_worked_example() -> None:
    """NT-08: 75 + 20 - 9 + 15 = 101, with one line of 5 districts x 4 stations."""
    record = stored("nt-08")
    position = final_position(record)
    assert parts(position, position.pencils[0][0])[:2] == (5, 4)
    assert len(referee.stamped(position.city, position.sheets[0])) == 3
    calls = referee.lines_at(position.city, position.sheets[0])
    assert [number for number in calls.values() if number > 2] == [4]
    [score] = judge(record).scores
    assert (sum(score["lines"]), score["lines"][0]) == (75, 20)
    rest = {key: value for key, value in score.items() if key != "lines"}
    assert rest == {
        "stamps": 20,
        "loop": -9,
        "interchanges": 15,
        "objectives": 0,
        "deduction": 0,
        "total": 101,
    }


# --------------------------------------------------------------------------------- single moves


def test_the_rulebook_s_first_turn() -> None:
    """NS-11, NS-13, NS-15: green on a circle reaches a2 or f0, or passes."""
    assert referee.moves(start(["street:circle"]), 0) == ["pass", "d2a2", "d2f0"]


def test_perft_counts() -> None:
    """Fixed counts; the switch and the next card are one turn (NS-08)."""
    cards = ["street:joker", "street:circle", "street:square", "street:triangle", "street:pentagon"]
    assert [referee.perft("london", "green", cards, n) for n in range(4)] == [1, 9, 34, 147]
    assert [referee.perft("tokyo", "brown", cards, n) for n in range(4)] == [1, 8, 29, 126]
    early = ["street:switch", *cards]
    assert referee.perft("london", "green", early, 3) == 147  # NS-09
    late = [*cards[:2], "street:switch", *cards[2:]]
    assert referee.perft("london", "green", late, 2) == 34
    assert referee.perft("london", "green", late, 3) > 147


def test_ends_of_a_line() -> None:
    """NS-14, NS-21: one section meets at an end; a branch adds an end."""
    line = Line(point_of("d2"))
    assert (line.ends, line.stations) == ({point_of("d2")}, set())
    line.tracks.append(Step(point_of("d2"), point_of("a2")).pair)
    assert line.ends == {point_of("d2"), point_of("a2")}
    line.tracks.append(Step(point_of("d2"), point_of("f0")).pair)
    assert line.ends == {point_of("a2"), point_of("f0")}
    line.tracks.append(Step(point_of("d2"), point_of("d1")).pair)
    assert line.ends == {point_of("a2"), point_of("f0"), point_of("d1")}


def test_the_central_station_matches_every_card() -> None:
    """NS-16."""
    for symbol in referee.SYMBOLS:
        position = start(["street:triangle", f"street:{symbol}"], "green")
        play_all(position, "d2e3")
        assert "e3f3" in referee.moves(position, 0)


def test_switch_starts_in_the_middle() -> None:
    """NS-08, NS-09, NS-14."""
    cards = ["street:circle", "underground:square", "street:switch", "street:pentagon"]
    position = play_all(start(cards), "d2a2", "a2a3")
    assert position.now == referee.Turn(3, "pentagon", True)
    assert position.now.switch
    assert referee.faults(position, 0, "a2b1") == []
    assert referee.faults(position, 0, "h3i4") == ["NS-08"]
    early = ["street:circle", "street:switch", "underground:square", "street:pentagon"]
    position = play_all(start(early), "d2a2", "a2a3")
    assert referee.faults(position, 0, "a2b1") == ["NS-14"]


def test_double_track_in_tokyo() -> None:
    """NT-02, NT-03, NT-04: along the loop, also where it bends, on a joker only."""
    cards = ["street:circle", "street:joker", "underground:joker", "street:square"]
    position = play_all(start(cards, "brown", "tokyo"), "h8h6")
    options = referee.moves(position, 0)
    assert {"=h6h4", "=h6f7"} <= set(options)
    assert "h6h4" not in options
    assert referee.faults(position, 0, "h6h4") == ["NS-19"]
    play_all(position, "=h6f7")
    assert referee.tracks_between(position.city, position.sheets[0], Step((7, 6), (5, 7)).pair) == 2


def test_no_line_no_stations() -> None:
    """NS-23: an undrawn line scores nothing and visits nothing."""
    for name, rest in (("london", {"tourist": 0}), ("tokyo", {"stamps": 0, "loop": -24})):
        record = referee.random_record(random.Random(1), name, 1)
        record["moves"] = [[["pass"] for _ in turns] for turns in record["moves"]]
        [score] = judge(record).scores
        assert score["lines"] == [0, 0, 0, 0]
        assert score["total"] == sum(rest.values())
        assert rest.items() <= score.items()


def test_winners() -> None:
    """NL-04: total, then best line, then shared."""

    def result(total: int, *lines: int) -> dict[str, Any]:
        return {"total": total, "lines": list(lines)}

    assert referee.winners([result(90, 20), result(91, 10)]) == [1]
    assert referee.winners([result(91, 20, 1), result(91, 10, 15)]) == [0]
    assert referee.winners([result(91, 20), result(80, 30), result(91, 20)]) == [0, 2]


def test_pencils_go_round() -> None:
    """NS-02, NS-04."""
    ring = ["purple", "blue", "pink", "green"]
    four = referee.passed_round(ring, (0, 1, 2, 3))
    assert [row[1] for row in four] == ["green", "purple", "blue", "pink"]
    two = referee.passed_round(ring, (0, 2))
    assert [row[2] for row in two] == [two[1][0], two[0][0]]


def test_notation_round_trip() -> None:
    """Every move is written as it is read."""
    texts = ["pass", "d2a2", "=d2a2", "!joker d2a2", "~ =d2a2", "d2a2 +a2a3", "pass *d2"]
    for text in [*texts, "!switch d2a2 +a2a3 *d2"]:
        assert str(referee.parse(text, city("london"))) == text


# --------------------------------------------------------------------------- whole random games


@pytest.mark.parametrize("name", ["london", "tokyo"])
@pytest.mark.parametrize("options", MODULES, ids=lambda o: "+".join(o) or "base")
def test_random_records_are_legal(name: str, options: dict[str, bool]) -> None:
    """Random games pass, with every number of seats, both ways of listing the cards."""
    for seats in (1, 2, 3, 4):
        rng = random.Random(f"{name} {sorted(options)} {seats}")
        record = referee.random_record(rng, name, seats, options, all_cards=seats % 2 == 0)
        verdict = judge(json.loads(json.dumps(record)))
        assert len(verdict.scores) == seats
        assert verdict.winners
        for turns, cards in zip(verdict.legal, record["deal"]["cards"], strict=True):
            assert 5 <= len(turns) == len(referee.turns_of(cards)) <= 10  # NS-10
        assert all(list(score)[-1] == "total" for score in verdict.scores)


@pytest.mark.parametrize("name", ["london", "tokyo"])
@pytest.mark.parametrize("options", [{"powers": True}, {"special_stations": True}])
def test_every_kind_of_move_is_played(name: str, options: dict[str, bool]) -> None:
    """Powers, effects and double tracks are used often enough to be tested."""
    kinds: set[str] = set()
    for seed in range(12):
        record = referee.random_record(random.Random(seed), name, 2, options)
        kinds |= {referee.kind(text) for r in record["moves"] for t in r for text in t}
    assert kinds >= {"pass", "", "+", "*"} | ({"!"} if "powers" in options else {"~"})
    assert "powers" in options or "~=" in kinds
    assert name == "london" or "=" in kinds


@pytest.mark.parametrize("name", ["london", "tokyo"])
@pytest.mark.parametrize("options", [{}, {"powers": True}, {"special_stations": True}])
def test_moves_are_all_and_only_the_legal_ones(name: str, options: dict[str, bool]) -> None:
    """The list of moves against every pair of stations, whatever the list is made from."""
    record = referee.random_record(random.Random(f"{name} {options}"), name, 1, options)
    for number, (position, _) in enumerate(referee.positions(record)):
        found = referee.moves(position, 0)
        assert len(set(found)) == len(found)
        assert all(not referee.faults(position, 0, text) for text in found)
        assert found[0] == "pass"  # NS-11
        if number % 6 == 0:
            single = {text for text in found if not set("+*") & set(text)} - {"pass"}
            assert single == brute_force(position)
            richer = {text for text in found if set("+*") & set(text)}
            for text in ["pass", *sorted(single)[:2]]:
                some = {one for one in richer if one.split(" +")[0].split(" *")[0] == text}
                assert some == brute_force_more(position, text)
        plain = {text for text in found if not set("!~+*") & set(text)} - {"pass"}
        assert len(plain) == referee.bare_count(position, 0)


def brute_force(position: Position) -> set[str]:
    """All single sections that break no rule, from all pairs of stations."""
    stations = sorted(position.city.stations)
    prefixes = ("", "!joker", "!switch", "~")
    made = (
        Move(Step(a, b), prefix, double)
        for a, b, prefix, double in product(stations, stations, prefixes, (False, True))
    )
    return {str(move) for move in made if not referee.move_faults(position, 0, move)}


def brute_force_more(position: Position, text: str) -> set[str]:
    """All legal moves that add a second section or a circle to a move."""
    names = [referee.name_of(station) for station in sorted(position.city.stations)]
    made = [f"{text} +{a}{b}" for a in names for b in names] + [f"{text} *{a}" for a in names]
    return {more for more in made if not referee.faults(position, 0, more)}


# ------------------------------------------------------------------------------- broken records


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.name)
def test_broken_records_are_refused(case: Case) -> None:
    """Each broken record is refused for one of its rules, at its place."""
    broken = case.build()
    with pytest.raises(Refused) as refused:
        referee.judge_text(broken.text)
    assert refused.value.rule_id in case.rules
    if broken.place is not None:
        error = refused.value
        assert (error.round, error.turn, error.seat) == broken.place


def test_broken_records_name_every_rule() -> None:
    """Section 11: each id that an error can name has a case that leaves no other choice."""
    sure = {rule for case in BROKEN if len(case.rules) == 1 for rule in case.rules}
    wanted = "FORMAT NS-01 NS-04 NS-06 NS-08 NS-10 NS-12 NS-13 NS-14 NS-15 NS-17 NS-18 NS-19 "
    wanted += "NT-02 NT-03 NT-04 OB-01 PW-01 PW-02 PW-04 PW-05 PW-06 PW-07 "
    wanted += "SP-01 SP-03 SP-05 SP-06"
    assert set(wanted.split()) <= sure
    assert len({case.name for case in BROKEN}) == len(BROKEN)
