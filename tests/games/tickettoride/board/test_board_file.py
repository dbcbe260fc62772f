"""The board file of London holds the facts of the printed board; wrong files are told why."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from pathlib import Path

import pytest
from games.tickettoride.playing import LONDON, TINY, opened
from reference import conductor

from headway.errors import InputError
from headway.games.tickettoride.board.board_file import check_board, load_board, read_board
from headway.games.tickettoride.game import board_facts

BOARD = load_board(LONDON)
TEXT = Path(TINY).read_text("utf-8")


def shortest(start: str, end: str) -> int:
    """The length of the shortest path over the reference's routes."""
    border, done = [(0, start)], set()
    while border:
        length, here = heapq.heappop(border)
        if here == end:
            return length
        if here not in done:
            done.add(here)
            for route in conductor.ROUTES.values():
                if here in route.pair:
                    (there,) = route.pair - {here}
                    heapq.heappush(border, (length + route.length, there))
    raise AssertionError


def test_london_has_the_facts_of_the_printed_board() -> None:
    facts = conductor.FACTS
    assert [place.id for place in BOARD.locations] == [fact["id"] for fact in facts["locations"]]
    for place, fact in zip(BOARD.locations, facts["locations"], strict=True):
        assert place.name == fact["name"]
        assert place.district == fact["district"]
    routes = {
        route.name: (
            frozenset((BOARD.locations[route.a].id, BOARD.locations[route.b].id)),
            route.colour,
            route.length,
        )
        for route in BOARD.routes
    }
    assert routes == {r.name: (r.pair, r.colour, r.length) for r in conductor.ROUTES.values()}
    assert {t.name: t.points for t in BOARD.tickets} == {
        name: points for name, (_, _, points) in conductor.TICKETS.items()
    }
    assert {d.number: d.points for d in BOARD.districts} == {
        number: value for number, (_, value) in conductor.DISTRICTS.items()
    }


@pytest.mark.rule("TR-02", "TR-12", "TR-17")
def test_check_figures_of_the_specification() -> None:
    spaces: Counter[str] = Counter()
    for route in BOARD.routes:
        spaces[route.colour] += route.length
    routes = Counter(route.colour for route in BOARD.routes)
    assert routes == dict.fromkeys(("blue", "green", "black", "pink", "yellow", "orange"), 5) | {
        "grey": 14
    }
    assert spaces == {
        "blue": 11, "green": 11, "yellow": 11, "orange": 11, "pink": 11, "black": 12, "grey": 28,
    }  # fmt: skip
    assert spaces.total() == 95
    assert Counter(BOARD.cards.values()) == {6: 6, 8: 1}
    assert BOARD.scoring == (1, 2, 4, 7)
    for a, b, points in conductor.TICKETS.values():
        assert points == shortest(a, b)


def test_facts_for_people() -> None:
    facts = board_facts(LONDON, "en")
    assert "17" in facts[1]
    assert "44" in facts[1]
    assert "95" in facts[1]
    assert board_facts(LONDON, "fr")[1] != facts[1]


def test_a_board_from_a_file_is_played() -> None:
    assert opened(3, TINY).board.name == "tiny"
    with pytest.raises(InputError, match="London"):
        load_board("London")


def test_the_hash_is_of_what_matters_in_play() -> None:
    """Records outlive a label that is moved, but no route that is longer."""
    board = read_board(TEXT)
    assert read_board(TEXT.replace("[0, -30,", "[5, -33,")).hash == board.hash
    for old, new in (("take = 2", "take = 3"), ("blue = 3", "blue = 4"), ("west = 3", "west = 4")):
        assert read_board(TEXT.replace(old, new)).hash != board.hash


CHANGES: list[tuple[str, str, str, str]] = [
    # What is replaced, by what, the key of the problem, and what its line has
    ('format = "headway-board/1"', 'format = "x"', "wrong_format", "format"),
    ('name = "tiny"', 'name = "Tiny Town"', "wrong_name", "Tiny Town"),
    ('title = { en = "Tiny", fr = "Minuscule" }', 'title = { en = "" }', "no_words", "title"),
    ('title = { en = "Tiny", fr = "Minuscule" }', "", "missing", "format"),
    ("seats = [2, 3]", "seats = [1, 3]", "seats", "seats"),
    ("seats = [2, 3]", "seats = [2, 9]", "seats", "seats"),
    ("size = [400, 400]", "size = [400]", "no_point", "size"),
    ("size = [400, 400]", 'size = [400, 400]\ncolour = "x"', "unknown_key", "colour"),
    ("blue = 3\n", "mauve = 3\nblue = 3\n", "unknown_colour", "mauve"),
    ("blue = 3\n", "blue = 0\n", "no_number", "blue = 0"),
    ("blue = 3\n", f"blue = {10**30}\n", "no_number", "blue = 1"),
    ("buses = 4", "buses = 10001", "no_number", "buses"),
    ("routes = [1, 3]", "routes = [1, 10001]", "points", "routes ="),
    ("bus = 2\n", "", "missing", "[cards]"),
    ("bus = 2", 'bus = "two"', "wrong_type", "two"),
    ("buses = 4", "buses = 1", "long_route", "west-north"),
    ("hand = 1", "hand = 7", "few_cards", "[cards]"),
    ("display = 2", "display = 99", "too_much", "display"),
    ("take = 2", "take = 2\ngrab = 1", "unknown_key", "grab"),
    ("take = 2\n", "", "missing", "[play]"),
    ("tickets_kept = 1", "tickets_kept = 2", "too_much", "tickets_kept"),
    ("tickets_dealt = 1", "tickets_dealt = 2", "few_tickets", "[tickets]"),
    ("routes = [1, 3]", "routes = [1]", "scoring_short", "routes = [1]"),
    ("routes = [1, 3]", "routes = [1, -3]", "points", "routes ="),
    ('2 = { points = 1, colour = "blue" }', "2 = 1", "district_entry", "2 = 1"),
    ('points = 1, colour = "blue"', 'points = 1, colour = "x"', "unknown_colour", '"x"'),
    ('"North", district = 1', '"North", district = 2', "small_district", "1 = {"),
    ('"North", district = 1', '"North", district = 7', "unknown_district", "North"),
    ("at = [200, 40]", "at = [200, 1040]", "off_board", "North"),
    ("at = [200, 40]", 'at = "here"', "no_point", "North"),
    ('[0, 40, "middle"]', '[0, 40, "left"]', "label", "South"),
    ('name = "East"', 'name = "North"', "name_twice", "[locations]"),
    ('north = { name = "North"', '"No!" = { name = "North"', "location_entry", "No!"),
    ('label = [0, 40, "middle"]', 'label = [0, 40, "middle"], hue = 1', "unknown_key", "hue"),
    ("north-east =", "north-nowhere =", "unknown_location", "nowhere"),
    ("north-east =", "north =", "pair", "north = { colours"),
    ("west-north =", "east-north =", "route_twice", "east-north"),
    ('["blue"], spaces = [[[280', '["mauve"], spaces = [[[280', "unknown_colour", "mauve"),
    ('["blue"], spaces = [[[280', '[], spaces = [[[280', "route_colours", "north-east"),
    ('["green", "grey"]', '["green"]', "rows", "east-south"),
    ("[[290, 290]]", "[[290, 290], [300, 300]]", "uneven_double", "east-south"),
    ("[[[280, 120]]]", "[[]]", "route_spaces", "north-east"),
    ("[[[280, 120]]]", f"[[{', '.join(['[1, 1]'] * 9)}]]", "too_long", "north-east"),
    ("south-east = 1", "south-north = 1", "ticket_twice", "south-north"),
    ("south-east = 1", "south-east = 0", "no_number", "south-east = 0"),
    ("south-east = 1", "south-south = 1", "pair", "south-south"),
    ("[tickets]", "[scenery]\nriver = [[1]]\n[tickets]", "river", "river"),
    ("[tickets]", "[scenery]\nparks = [[1, 2, 3]]\n[tickets]", "parks", "parks"),
    ("[tickets]", "[scenery]\nhills = 1\n[tickets]", "unknown_key", "hills"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "key", "line"), CHANGES)
def test_every_problem_is_told_with_its_line(old: str, new: str, key: str, line: str) -> None:
    assert TEXT.count(old) >= 1
    text = TEXT.replace(old, new, 1)
    problems = {problem.key: problem for problem in check_board(text)}
    reported = problems.get(f"board.{key}") or problems[f"map.{key}"]
    assert line in text.splitlines()[reported.line - 1]
    assert reported.sentence("en") != reported.sentence("fr")
    with pytest.raises(InputError):
        read_board(text)


def test_all_problems_are_told_at_once_in_the_order_of_lines() -> None:
    text = TEXT
    for old, new in (("take = 2", "take = 0"), ("bus = 2", "bus = 0"), ("east-west", "east-east")):
        text = text.replace(old, new, 1)
    problems = check_board(text)
    assert [problem.key for problem in problems] == [
        "map.no_number", "map.no_number", "board.pair",
    ]  # fmt: skip
    assert problems == sorted(problems, key=lambda problem: problem.line)


def test_a_part_that_is_cut_off_is_told() -> None:
    lines = [line for line in TEXT.splitlines() if not re.match(r"(north-east|west-north) =", line)]
    text = "\n".join(lines)
    assert {problem.key for problem in check_board(text)} == {"board.disconnected"}


def test_what_is_no_toml_is_told_with_its_line() -> None:
    (problem,) = check_board(TEXT + "\nnonsense\n")
    assert problem.key == "map.no_toml"
    assert problem.line > TEXT.count("\n")


@pytest.mark.parametrize("table", ["cards", "play", "scoring", "districts", "locations", "routes"])
def test_a_table_that_is_missing_is_told(table: str) -> None:
    text = re.sub(rf"^\[{table}\]\n(?:[^\[\n].*\n|\n)*", "", TEXT, flags=re.M)
    assert f"[{table}]" not in text
    assert "map.missing" in {problem.key for problem in check_board(text)}


def test_too_many_of_anything_is_told() -> None:
    places = "".join(
        f'p{i} = {{ name = "P{i}", district = 1, at = [1, 1], label = [0, 0, "middle"] }}\n'
        for i in range(70)
    )
    routes = "".join(
        f'p{i}-p{i + 1} = {{ colours = ["blue"], spaces = [[[1, 1]]] }}\n' for i in range(69)
    )
    tickets = "".join(f"p{i}-p{i + 2} = 1\n" for i in range(68))
    text = TEXT.replace("[locations]\n", f"[locations]\n{places}")
    text = text.replace(
        "[routes]\n",
        f'[routes]\nnorth-p0 = {{ colours = ["blue"], spaces = [[[1, 1]]] }}\n{routes}',
    )
    text = text.replace("[tickets]\n", f"[tickets]\n{tickets}")
    assert [problem.key for problem in check_board(text)] == ["board.too_many"] * 3
