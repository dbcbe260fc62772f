"""The printed sheet: everything that a game needs, readable without colours."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from headway.games import box
from headway.games.nextstation.city.city_file import load_city
from headway.games.nextstation.rules.arrays import CARDS
from headway.i18n import say

SVG = "{http://www.w3.org/2000/svg}"
CHOICES = [(), ("objectives", "powers"), ("objectives", "special_stations")]


def sheet(city: str, lang: str, options: tuple[str, ...]) -> ElementTree.Element:
    game = box("next-station").open(city, 1, dict.fromkeys(options, True))
    return ElementTree.fromstring(game.presentation.blank_sheet(game, lang))


@pytest.mark.parametrize("options", CHOICES)
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", ["london", "tokyo"])
def test_everything_is_on_the_page(name: str, lang: str, options: tuple[str, ...]) -> None:
    city, page = load_city(name), sheet(name, lang, options)
    stations = [g for g in page.iter(f"{SVG}g") if g.get("class") == "station"]
    assert [g.get("data-station") for g in stations] == [s.name for s in city.stations]
    sections = [p for p in page.iter(f"{SVG}path") if p.get("class") == "section"]
    assert len(sections) == len(city.sections) - len(city.loop)
    assert len([g for g in page.iter(f"{SVG}g") if g.get("class") == "stamp"]) == sum(
        1 for district in city.districts if district.stamp
    )
    _, _, width, height = map(float, (page.get("viewBox") or "").split())
    assert width / height == pytest.approx(297 / 210, abs=0.01)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("name", ["london", "tokyo"])
def test_the_ground_is_that_of_the_board(name: str, lang: str) -> None:
    city, page = load_city(name), sheet(name, lang, ())
    written = [text.text for text in page.iter(f"{SVG}text")]
    assert city.drawing.names
    assert all(place.text[lang].upper() in written for place in city.drawing.names)
    classes = [shape.get("class") for shape in page.iter()]
    assert classes.count("landmark") == len(city.drawing.landmarks)
    for ground in ("blocks", "avenues", "district"):
        assert classes.count(ground) == 1
    assert classes.count("river") == classes.count("bridges") == bool(city.river)
    assert len(list(page.iter(f"{SVG}svg"))) == 1, "PDF files know no picture inside a picture"


@pytest.mark.parametrize(
    ("city", "texts"),
    [
        ("london", ["Sum of the four lines", "Tick one per visit, 10 at most;"]),
        ("tokyo", ["Sum of the four lines", "Loop stations missed × 3", "−"]),
    ],
)
def test_the_score_zone_says_how_to_add(city: str, texts: list[str]) -> None:
    written = [text.text or "" for text in sheet(city, "en", ()).iter(f"{SVG}text")]
    assert all(any(text in line for line in written) for text in texts)


def test_little_ink() -> None:
    """Only letters, the points of the sites and the faces of the cards are dark areas."""
    page = sheet("london", "en", ("objectives", "powers"))
    filled = [
        (shape.tag.removeprefix(SVG), fill)
        for shape in page.iter()
        if shape.tag in (f"{SVG}rect", f"{SVG}circle") and (fill := shape.get("fill", "none"))
    ]
    dark = [(tag, fill) for tag, fill in filled if re.fullmatch("#[0-9a-c].*", fill)]
    assert dark == []


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_scale_of_the_sites_starts_at_nought(lang: str) -> None:
    """The first value that is not ticked gives the points, as the rulebook reads the scale."""
    shown = [text.text for text in sheet("london", lang, ()).iter(f"{SVG}text")]
    values = ["0", "1", "2", "4", "6", "8", "11", "14", "17", "21", "25"]
    first = shown.index(values[0], shown.index(say("web.nextstation.tourist", lang)))
    assert shown[first : first + 12] == [*values, say("print.tourist", lang, most=10)]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_limits_of_the_verdicts_are_printed(lang: str) -> None:
    """Tokyo's are marked as ours."""
    for city, limits in (("london", "90, 105, 120, 135, 150"), ("tokyo", "65, 85, 100, 115, 130")):
        page = " ".join(text.text or "" for text in sheet(city, lang, ()).iter(f"{SVG}text"))
        assert say("print.verdicts", lang, limits=limits) in page
        note = load_city(city).scoring.verdicts_note[lang]
        assert bool(note) == (city == "tokyo")
        assert note in page


def test_every_card_can_be_ticked_off_in_every_round() -> None:
    base = sheet("london", "en", ())
    boxes = [r for r in base.iter(f"{SVG}rect") if r.get("height") == "17"]
    assert len(boxes) == 4 * len(CARDS)


def test_the_column_fits_the_page() -> None:
    """With most modules it is set smaller."""
    full = sheet("tokyo", "fr", ("objectives", "special_stations"))
    scales = [g.get("transform") or "" for g in full.iter(f"{SVG}g")]
    scaled = [s for s in scales if s.startswith("scale(") and s != "scale(0.75)"]
    assert len(scaled) <= 1
    assert all(float(s[6:-1]) > 0.75 for s in scaled)
