"""City files: the shipped ones yield the known figures, broken ones are told all at once."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from headway.errors import InputError
from headway.games.box import Problem
from headway.games.nextstation import BOX
from headway.games.nextstation.city.city import City
from headway.games.nextstation.city.city_file import check_city, load_city, read_city
from headway.games.nextstation.game import NextStation
from headway.i18n import texts

CITIES = files("headway.games.nextstation.city")
LONDON = CITIES.joinpath("london.toml").read_text("utf-8")
TOKYO = CITIES.joinpath("tokyo.toml").read_text("utf-8")
FACTS = Path(__file__).parents[3] / "reference"


@pytest.mark.parametrize(
    ("name", "stations", "sections", "loop", "river", "crossings"),
    [("london", 53, 155, 0, 24, 116), ("tokyo", 52, 126, 8, 0, 27)],
)
def test_shipped_city_yields_the_known_figures(
    name: str, stations: int, sections: int, loop: int, river: int, crossings: int
) -> None:
    city = load_city(name)
    assert len(city.stations) == stations
    assert len(city.sections) - len(city.loop) == sections
    assert len(city.loop) == loop
    assert sum(section.over_river for section in city.sections) == river
    assert len(city.crossings) == crossings
    assert len(city.districts) == 13


@pytest.mark.parametrize("name", ["london", "tokyo"])
def test_shipped_city_has_the_facts_of_the_sheet(name: str) -> None:
    facts = json.loads((FACTS / f"{name}.json").read_text())
    city = load_city(name)
    fact_at = {(s["x"], s["y"]): s for s in facts["stations"]}
    assert fact_at.keys() == {(s.x, s.y) for s in city.stations}
    together: dict[str, set[int]] = {}
    for station in city.stations:
        fact = fact_at[station.x, station.y]
        assert station.symbol == fact["symbol"]
        assert station.departure == fact.get("departure")
        assert station.tourist == fact.get("tourist", False)
        together.setdefault(fact["district"], set()).add(station.district)
    assert sorted(map(len, together.values())) == [1] * 13
    assert len({district for districts in together.values() for district in districts}) == 13


def test_all_shipped_cities_are_listed_and_without_problems() -> None:
    assert BOX.maps == ("london", "tokyo")
    for name in BOX.maps:
        assert check_city(CITIES.joinpath(f"{name}.toml").read_text("utf-8")) == []


def change(text: str, old: str, new: str) -> str:
    assert text.count(old) >= 1
    return text.replace(old, new, 1)


ISLANDS = re.sub(r"(?m)^[A-Z.?]{10}$", "." * 10, LONDON)
ISLANDS = change(change(ISLANDS, "." * 10, "C........."), "." * 10, "..T.......")

BROKEN = [
    ("no_toml", LONDON + "\nsheet = [", None),
    ("wrong_format", change(LONDON, "headway-city/1", "city"), 'format = "city"'),
    ("wrong_name", change(LONDON, 'name = "london"', 'name = "Lon don"'), 'name = "Lon don"'),
    ("missing", change(LONDON, 'name = "london"', ""), None),
    ("wrong_type", change(LONDON, 'name = "london"', "name = 7"), "name = 7"),
    ("no_words", change(LONDON, 'en = "London", fr = "Londres"', ""), "title ="),
    ("unknown_key", change(LONDON, "tourist = [\"g1\"", "rivers = 1\ntourist = [\"g1\""), "rivers"),
    ("unknown_symbol", change(LONDON, "C..T..S..T", "C..X..S..T"), "C..X..S..T"),
    ("row_length", change(LONDON, "C..T..S..T", "C..T..S..TT"), "C..T..S..TT"),
    ("picture_height", change(LONDON, "jjjkkkklll\njjjkkkklll", "jjjkkkklll"), "districts ="),
    ("too_large", re.sub(r"(?m)^([A-Z.?]{10}|[a-m]{10})$", r"\1\1", LONDON), "sheet ="),
    ("no_stations", re.sub(r"(?m)^[A-Z.?]{10}$", "." * 10, LONDON), "sheet ="),
    ("too_many_stations", re.sub(r"(?m)^[A-Z.?]{10}$", "C" * 10, LONDON), "sheet ="),
    ("too_many_sections", re.sub(r"(?m)^[A-Z.?]{10}$", "C" * 10, LONDON), "sheet ="),
    ("four_pencils", change(LONDON, 'pink = "h3"\n', ""), "[pencils]"),
    ("unknown_colour", change(LONDON, 'pink = "h3"', 'mauve = "h3"'), "mauve"),
    ("departure_missing", change(LONDON, 'pink = "h3"', 'pink = "i3"'), 'pink = "i3"'),
    ("departure_twice", change(LONDON, 'pink = "h3"', 'pink = "f7"'), 'pink = "f7"'),
    ("site_missing", change(LONDON, '"g1"', '"h1"'), "tourist = ["),
    ("site_twice", change(LONDON, '"g1"', '"a3"'), "tourist = ["),
    ("unknown_district", change(LONDON, "abbccccdde", "abbccccddz"), "abbccccddz"),
    ("empty_district", change(LONDON, "abbccccdde", "bbbccccdde"), "a = {"),
    ("no_number", change(TOKYO, "stamp = 10", "stamp = -1"), "stamp = -1"),
    ("no_number", change(TOKYO, "stamp = 10", f"stamp = {10**30}"), "stamp = 1"),
    ("no_number", change(LONDON, "river = 2", "river = 10001"), "river = 10001"),
    ("no_toml", change(TOKYO, "stamp = 10", f"stamp = {'1' * 5000}"), None),
    ("verdicts", change(LONDON, "135, 150]", f"135, {10**20}]"), "verdicts ="),
    ("river_path", change(LONDON, "[[-1.5, 3.5], ", "[[-1.5], "), "path ="),
    ("loop_colour", change(TOKYO, 'colour = "green"', 'colour = "pink"'), 'colour = "pink"'),
    ("loop_token", change(TOKYO, "(h3)", "h3x"), "path ="),
    ("loop_bend", change(TOKYO, "g2 (h3)", "g2 (h4)"), "path ="),
    ("loop_station", change(TOKYO, "(h3)", "h3"), "path ="),
    ("loop_open", change(TOKYO, "(d2) e2", "(d2)"), "path ="),
    ("loop_twice", change(TOKYO, "c5 c3 (d2) e2", "c5 c3 c5 c3 (d2) e2"), "path ="),
    ("loop_slant", change(TOKYO, "g2 (h3) h4", "g2 h4"), "path ="),
    ("loop_over", change(TOKYO, "h4 h6 (g7) f7", "h4 (h7) f7"), "path ="),
    ("disconnected", ISLANDS, "..T......."),
    ("no_number", change(LONDON, "{ 2 = 2,", "{ 9 = 2,"), "interchanges = { 9"),
    ("no_number", change(LONDON, "{ 2 = 2,", "{ 02 = 2,"), "interchanges = { 02"),
    ("river_path", change(LONDON, "[[-1.5, 3.5], ", "[[nan, inf], "), "path ="),
    ("unknown_key", change(LONDON, "[scoring]\n", "[scoring]\nrivers = 3\n"), "rivers = 3"),
    ("unknown_key", change(TOKYO, "stamp = 10", "stamps = 10"), "a = {"),
    ("wrong_type", change(TOKYO, "jokers = true", 'jokers = "yes"'), "jokers ="),
    ("verdicts", change(LONDON, "[90, 105,", "[105, 90,"), "verdicts ="),
    ("judge", change(LONDON, '"mayor"', '"king"'), "judge ="),
    ("tourist_marks", change(LONDON, "tourist = [0,", f"tourist = [{'0, ' * 30}"), "tourist = [0"),
    ("objective_count", LONDON[: LONDON.index("districts = { needs")], "[objectives]"),
    ("objective_without", change(TOKYO, 'needs = "hub"', 'needs = "river"'), "hub ="),
    ("objective_needs", change(LONDON, 'needs = "river"', 'needs = "sea"'), "thames ="),
    ("objective_district", change(LONDON, 'district = "g"', 'district = "z"'), "centre ="),
    ("objective_number", change(LONDON, ", at_least = 6", ""), "thames ="),
    ("drawing_word", change(LONDON, 'palette = "london"', 'palette = "paris"'), "palette ="),
    ("drawing_word", change(LONDON, "turn = 90", "turn = 45"), "h = { place"),
    ("drawing_word", change(LONDON, '"wheel"', '"barn"'), "e9 = { drawing"),
    ("drawing_place", change(LONDON, "place = [0.72, -0.46]", "place = [1]"), "b = { place"),
    ("drawing_place", change(TOKYO, 'streets = "rings"', "centre = 5"), "centre ="),
    ("drawing_park", change(LONDON, "[1.0, 8.25, 0.62]", "[1.0, 8.25]"), "parks ="),
    ("drawing_district", change(LONDON, "b = { place", "z = { place"), "z = { place"),
    ("name_outside", change(LONDON, "[0.72, -0.46]", "[9.0, -0.46]"), "b = { place"),
    ("name_over_station", change(LONDON, "[0.72, -0.46]", "[0.72, 0.1]"), "b = { place"),
    ("name_over_section", change(LONDON, "[0.72, -0.46]", "[1.3, 1.08]"), "b = { place"),
    ("landmark_station", change(LONDON, "g1 = { drawing", "g0 = { drawing"), "g0 = { drawing"),
    ("too_many_districts", LONDON.replace("[district]\n", "[district]\n" + "".join(
        f'd{i} = {{ en = "x", fr = "y" }}\n' for i in range(30))), "[district]"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "text", "line"), BROKEN, ids=[case[0] for case in BROKEN])
def test_problem_is_told_with_its_line(key: str, text: str, line: str | None) -> None:
    problems = [p for p in check_city(text) if p.key in (f"city.{key}", f"map.{key}")]
    assert problems, [p.sentence("en") for p in check_city(text)]
    assert problems[0].sentence("en") != problems[0].sentence("fr")
    if line:
        lines = text.splitlines()
        assert line in lines[problems[0].line - 1], lines[problems[0].line - 1]


def test_every_problem_has_a_case() -> None:
    keys = {key for key in texts("en") if key.startswith(("city.", "map."))}
    others = {"map.refused", "city.facts", "city.river_facts", "city.loop_facts"}
    assert {key.split(".")[1] for key in keys - others} == {key for key, _, _ in BROKEN}


def test_all_problems_are_told_at_once_in_the_order_of_lines() -> None:
    text = change(LONDON, "C..T..S..T", "C..X..S..T")
    text = change(text, 'pink = "h3"', 'pink = "f7"')
    text = change(text, '"g1"', '"h1"')
    keys = [problem.key for problem in check_city(text)]
    assert keys == [
        "city.unknown_symbol",
        "city.site_missing",
        "city.departure_twice",
        "city.departure_missing",
    ]
    lines = [problem.line for problem in check_city(text)]
    assert lines == sorted(lines)


def test_refusal_names_the_first_problem_and_how_many_more() -> None:
    text = change(change(LONDON, '"mayor"', '"king"'), '"g1"', '"h1"')
    with pytest.raises(InputError) as refused:
        read_city(text)
    assert "h1" in refused.value.sentence("en")
    assert "1 more" in refused.value.sentence("en")


@pytest.mark.parametrize("text", ["", "x = 1", "[district]\na = 1", "sheet = 3\n[river]\npath = 1"])
def test_hopeless_files_are_told_without_a_crash(text: str) -> None:
    assert check_city(text)


@pytest.mark.parametrize("field", dict.fromkeys(re.findall(r"(?m)^(\w+) = ", LONDON + TOKYO)))
@pytest.mark.parametrize("value", ["3", '"x"', "[1]", "{ a = 1 }", "true", "-1.5"])
def test_any_value_of_the_wrong_kind_is_told_without_a_crash(field: str, value: str) -> None:
    for text in (LONDON, TOKYO):
        pattern = rf'(?ms)^{field} = ("""\n.*?"""|[^\n]*)'
        if re.search(pattern, text):
            check_city(re.sub(pattern, f"{field} = {value}", text, count=1))


def test_unknown_city_is_told_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="london, tokyo"):
        load_city("paris")


def test_city_file_from_a_path(tmp_path: Path) -> None:
    file = tmp_path / "paris.toml"
    file.write_text(change(LONDON, 'name = "london"', 'name = "paris"'))
    city: City = load_city(str(file))
    assert city.name == "paris"
    with pytest.raises(InputError, match=r"nowhere\.toml"):
        load_city(str(tmp_path / "nowhere.toml"))


def test_problem_is_a_value() -> None:
    assert Problem(3, "city.loop_open", {}) == Problem(3, "city.loop_open", {})


def test_comments_names_and_looks_do_not_change_the_hash_of_a_map() -> None:
    other = change(LONDON, "# Next Station", "# My own words on Next Station")
    other = change(other, 'fr = "Londres"', 'fr = "La ville de Londres"')
    other = change(other, 'palette = "london"', 'palette = "tokyo"')
    assert read_city(other).hash == read_city(LONDON).hash
    assert read_city(change(LONDON, "river = 2", "river = 3")).hash != read_city(LONDON).hash


def test_a_map_needs_one_language_and_may_have_any(tmp_path: Path) -> None:
    german = change(LONDON, 'a = { en = "north-west corner",', 'a = { de = "Nordwesten",')
    german = change(german, 'title = { en = "London",', 'title = { de = "London an der Themse",')
    assert read_city(german).hash == read_city(LONDON).hash
    assert read_city(german).districts[0].name == {"de": "Nordwesten", "fr": "coin nord-ouest"}
    file = tmp_path / "german.toml"
    file.write_text(german, "utf-8")
    titles = NextStation(str(file), 1, {}).map_data().title
    assert titles == {"en": "Next Station: London an der Themse", "fr": "Next Station : Londres"}
