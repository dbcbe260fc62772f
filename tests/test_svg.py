"""SVG primitives: escaping, rounded lines, colours."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest

from headway import svg


def picture(
    *body: str, theme: svg.Theme = "light", title: str = "A", description: str = "B"
) -> str:
    palette = svg.Palette(theme)
    return svg.document(200, 100, *body, palette=palette, title=title, description=description)


@pytest.mark.parametrize(
    ("value", "written"),
    [(3, "3"), (0.5, "0.5"), (-7.25, "-7.25"), (1 / 3, "0.33"), (-0.001, "0"), (100.0, "100")],
)
def test_numbers_are_short(value: float, written: str) -> None:
    assert svg.number(value) == written


def test_escaping_survives_a_parser() -> None:
    nasty = "<script>\"a\" & 'b'</script>"
    parsed = ElementTree.fromstring(svg.element("text", svg.escape(nasty), id=nasty))
    assert parsed.text == nasty
    assert parsed.get("id") == nasty
    assert len(parsed) == 0


def test_characters_that_xml_forbids_are_dropped() -> None:
    text = svg.escape("a\x00b\x1fc\ud800d\ufffee\U0001f687")
    assert text == "abcde\U0001f687"
    ElementTree.fromstring(f"<text>{text}</text>")


def test_element_names_its_attributes() -> None:
    assert svg.element("path", class_="x", stroke_width=2.0, fill=None) == (
        '<path class="x" stroke-width="2"/>'
    )
    assert svg.element("g", "<a/>", "<b/>") == "<g><a/><b/></g>"


def test_document_stands_alone_and_speaks() -> None:
    root = ElementTree.fromstring(picture(title="Tom & Jo", description="1 < 2"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("role") == "img"
    assert root.get("viewBox") == "0 0 200 100"
    assert [child.text for child in root[:2]] == ["Tom & Jo", "1 < 2"]
    assert root.get("font-family", "").startswith("Inter,")


def test_both_themes_name_the_same_colours() -> None:
    assert svg.LIGHT.keys() == svg.DARK.keys()
    for colour in (*svg.LIGHT.values(), *svg.DARK.values()):
        assert re.fullmatch("#[0-9a-f]{6}", colour)


def _brightness(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colours", [svg.LIGHT, svg.DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [
        ("ink", "paper", 7), ("ink", "sheet", 7), ("muted", "paper", 4.5), ("sheet", "stamp", 4.5),
        *((name, "sheet", 4.5) for name in ("muted", "good", "bad")), ("muted", "well", 4.5),
        ("on-amber", "amber", 7), ("ink", "amber-soft", 4.5), ("plate-text", "plate", 7),
        ("amber-line", "sheet", 3),
        *((name, "sheet", 3) for name in ("purple", "blue", "pink", "green", "brown", "orange")),
        *(("on-colour", name, 3) for name in ("purple", "blue", "pink", "green", "brown")),
    ],
)  # fmt: skip
def test_contrast(colours: dict[str, str], front: str, back: str, least: float) -> None:
    pair = sorted((_brightness(colours[front]), _brightness(colours[back])))
    assert (pair[1] + 0.05) / (pair[0] + 0.05) >= least


def test_palette_follows_its_theme() -> None:
    assert svg.Palette("light")("ink") == svg.LIGHT["ink"]
    assert svg.Palette("dark")("ink") == svg.DARK["ink"]
    assert svg.Palette("auto")("ink") == f"var(--headway-ink, {svg.LIGHT['ink']})"
    assert svg.Palette("light").style() == svg.Palette("dark").style() == ""


def test_auto_carries_both_themes() -> None:
    style = svg.Palette("auto").style()
    day, night = style.split("@media (prefers-color-scheme:dark)")
    assert f"--headway-paper:{svg.LIGHT['paper']};" in day
    assert f"--headway-paper:{svg.DARK['paper']};" in night


def _numbers(path: str) -> list[float]:
    return [float(n) for n in re.findall(r"-?[0-9.]+", path)]


def test_a_straight_way_has_no_bend() -> None:
    assert svg.rounded_path([(0, 0), (10, 0), (20, 0)], 5) == "M0 0L20 0"
    assert svg.rounded_path([(0, 0), (0, 0), (9, 0)], 5) == "M0 0L9 0"


def test_a_right_turn_is_an_arc() -> None:
    assert svg.rounded_path([(0, 0), (20, 0), (20, 20)], 5) == "M0 0L15 0A5 5 0 0 1 20 5L20 20"


def test_a_bend_never_outgrows_its_legs() -> None:
    assert svg.rounded_path([(0, 0), (4, 0), (4, 20)], 50) == "M0 0L0 0A4 4 0 0 1 4 4L4 20"


def test_two_shifts_run_parallel() -> None:
    bent = [(0.0, 0.0), (40.0, 0.0), (80.0, 40.0), (80.0, 90.0)]
    left = _numbers(svg.rounded_path(bent, 20, shift=-4))
    right = _numbers(svg.rounded_path(bent, 20, shift=4))
    # M x y, L x y, A r r 0 0 s x y, L x y, A r r 0 0 s x y, L x y: every point lies opposite.
    for i in (0, 2, 9, 11, 18, 20):
        assert math.dist(left[i : i + 2], right[i : i + 2]) == pytest.approx(8, abs=0.02)
    assert [left[4] - right[4], left[13] - right[13]] == pytest.approx([8, 8], abs=0.02)


def test_a_ring_rounds_all_its_corners() -> None:
    square = svg.rounded_path([(0, 0), (20, 0), (20, 20), (0, 20)], 5, shift=2, closed=True)
    assert square.count("A3 3 ") == 4
    assert square.endswith("Z")
    assert max(_numbers(square)) == 18
