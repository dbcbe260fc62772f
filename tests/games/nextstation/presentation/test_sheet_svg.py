"""The sheet as a drawing and as text."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zlib
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest

from headway.games.nextstation import BOX
from headway.games.nextstation.city.city import City
from headway.games.nextstation.city.city_file import load_city, read_city
from headway.games.nextstation.presentation.sheet_svg import draw_sheet
from headway.games.nextstation.presentation.sheet_text import (
    DrawnLine,
    lines_at,
    rich_board,
    text_board,
)
from headway.svg import colours, png

SVG = "{http://www.w3.org/2000/svg}"


def line(city: City, colour: str, notation: str) -> DrawnLine:
    """A line written as in a record: `d2c3`, `=c3c4`, `*c3`."""
    tokens = notation.split()
    ways = {
        token: city.section_between[
            city.station_named[token.lstrip("=")[:2]], city.station_named[token.lstrip("=")[2:]]
        ]
        for token in tokens
        if token[0] != "*"
    }
    doubles = frozenset(i for token, i in ways.items() if token[0] == "=")
    circled = frozenset(city.station_named[token[1:]] for token in tokens if token[0] == "*")
    return DrawnLine(colour, tuple(ways.values()), doubles, circled)


LONDON = load_city("london")
LONDON_LINES = (
    line(LONDON, "purple", "c5c4 c4e4 e4e3 e3f3 c5a5 a5a3 *e4 *c5"),
    line(LONDON, "blue", "f7e6 e6d6 d6e5 e5f4 f4f3 f3f0 f7g6 g6h5 h5i4 *f3"),
    line(LONDON, "pink", "h3g3 g3f3 f3g2 g2g1 g1h0 h3h5"),
    line(LONDON, "green", "d2e3 d2d1 d1c0 c0b1"),
)
TOKYO = load_city("tokyo")
TOKYO_LINES = (
    line(TOKYO, "purple", "c1c0 c0e2 e2f3 f3f4 f4h4 =h4h6 h6h8 c1b1 b1a0 *h4"),
    line(TOKYO, "blue", "b7d7 =d7f7 =f7h6 =h6h8 h8i8 i8j9 b7a6"),
    line(TOKYO, "pink", "i2g2 =g2h4 h4g5 g5f5 f5f7 f7d9 i2j1 j1j0"),
    line(TOKYO, "brown", "h8g9 g9d9 =d9f7 =f7f5 f5c5 =c5c3 =c3e2 =e2g2"),
)
SHEETS = pytest.mark.parametrize(
    ("city", "lines"), [(LONDON, LONDON_LINES), (TOKYO, TOKYO_LINES)], ids=["london", "tokyo"]
)


def parse(drawing: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing)


def classed(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [e for e in root.iter() if name in e.get("class", "").split()]


def words(root: ElementTree.Element) -> list[str]:
    return ["".join(e.itertext()) for e in root.iter(SVG + "text")]


def pixels(picture: bytes) -> np.ndarray:
    """The colours of a PNG as rows x columns x RGB; 8-bit RGBA without interlacing."""
    width, height = (int.from_bytes(picture[i : i + 4], "big") for i in (16, 20))
    data, at = b"", 8
    while at < len(picture):
        length = int.from_bytes(picture[at : at + 4], "big")
        if picture[at + 4 : at + 8] == b"IDAT":
            data += picture[at + 8 : at + 8 + length]
        at += length + 12
    raw = zlib.decompress(data)
    above, rows = [0] * (width * 4 + 4), []
    for y in range(height):
        start = y * (width * 4 + 1)
        row = unfilter(raw[start], raw[start + 1 : start + 1 + width * 4], above)
        rows.append(row[4:])
        above = row
    return np.array(rows, dtype=np.uint8).reshape(height, width, 4)[:, :, :3]


def unfilter(kind: int, coded: bytes, above: list[int]) -> list[int]:
    """One row of a PNG; rows carry one empty pixel at their left."""
    row = [0, 0, 0, 0]
    for i, value in enumerate(coded):
        a, b, c = row[i], above[i + 4], above[i]
        paeth = min((a, b, c), key=lambda p: abs(a + b - c - p))
        row.append((value + (0, a, b, (a + b) // 2, paeth)[kind]) & 255)
    return row


def count_of(picture: np.ndarray, colour: str) -> int:
    rgb = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return int((picture == rgb).all(axis=2).sum())


# --- elements


@SHEETS
def test_every_station_is_drawn(city: City, lines: tuple[DrawnLine, ...]) -> None:
    drawn = [e.get("data-station") for e in classed(parse(draw_sheet(city, lines)), "station")]
    assert drawn == [station.name for station in city.stations]


@SHEETS
def test_every_track_is_drawn_and_the_rest_is_printed(
    city: City, lines: tuple[DrawnLine, ...]
) -> None:
    root = parse(draw_sheet(city, lines))
    assert len(classed(root, "line")) == 4
    for drawn, given in zip(classed(root, "line"), lines, strict=True):
        assert given.colour in drawn.get("class", "").split()
        assert len(classed(drawn, "track")) == len(given.sections)
    covered = {i for given in lines for i in given.sections} | set(city.loop)
    assert len(classed(root, "section")) == len(city.sections) - len(covered)


@SHEETS
def test_an_empty_sheet(city: City, lines: tuple[DrawnLine, ...]) -> None:
    root = parse(draw_sheet(city, ()))
    assert len(classed(root, "section")) == len(city.sections) - len(city.loop)
    assert len(classed(root, "track")) == len(city.loop)
    assert not classed(root, "interchange")
    assert not classed(root, "won")


@SHEETS
def test_a_line_without_sections_draws_nothing(city: City, lines: tuple[DrawnLine, ...]) -> None:
    drawings = [draw_sheet(city, lines) for lines in ((DrawnLine(city.colours[0]),), ())]
    empty, bare = (re.sub(r"<desc>[^<]*</desc>", "", drawing) for drawing in drawings)
    assert empty == bare


@SHEETS
def test_interchanges_carry_their_count(city: City, lines: tuple[DrawnLine, ...]) -> None:
    root = parse(draw_sheet(city, lines))
    expected = {
        city.stations[k].name: str(count) for k, count in lines_at(city, lines).items() if count > 1
    }
    counts = {
        station.get("data-station"): words(badge)[0]
        for station in classed(root, "station")
        for badge in classed(station, "interchange")
    }
    assert counts == expected
    assert {"2", "3"} <= set(counts.values())


def test_the_loop_counts_as_a_line() -> None:
    count = lines_at(TOKYO, TOKYO_LINES)
    assert count[TOKYO.station_named["f7"]] == 4
    assert count[TOKYO.station_named["e2"]] == 3


def test_circled_stations_and_sites() -> None:
    root = parse(draw_sheet(LONDON, LONDON_LINES))
    ringed = {s.get("data-station") for s in classed(root, "station") if classed(s, "circled")}
    assert ringed == {"e4", "c5", "f3"}
    sites = {s.get("data-station") for s in classed(root, "station") if classed(s, "rose")}
    assert sites == {station.name for station in LONDON.stations if station.tourist}
    assert len(classed(root, "river")) == 3  # quay, banks, water


def test_departures_are_filled() -> None:
    light = colours("tokyo")[0]
    for station in classed(parse(draw_sheet(TOKYO, ())), "station"):
        of = TOKYO.stations[TOKYO.station_named[station.get("data-station", "")]]
        disc = station.find(SVG + "circle")
        assert disc is not None
        assert disc.get("fill") == light[of.departure or "map"]


def test_symbols_differ_in_shape() -> None:
    shapes: dict[str, set[tuple[str, str | None, str | None]]] = {}
    for station in classed(parse(draw_sheet(LONDON, ())), "station"):
        of = LONDON.stations[LONDON.station_named[station.get("data-station", "")]]
        glyph = station[-1]
        shapes.setdefault(of.symbol, set()).add((glyph.tag, glyph.get("d"), glyph.text))
    assert all(len(kinds) == 1 for kinds in shapes.values())
    assert len({next(iter(kinds)) for kinds in shapes.values()}) == len(shapes) == 5


def test_names_and_landmarks_stand_where_the_city_file_says() -> None:
    root = parse(draw_sheet(LONDON, (), lang="fr"))
    (names,) = classed(root, "names")
    assert words(names) == [name.text["fr"].upper() for name in LONDON.drawing.names]
    assert len(classed(root, "landmark")) == len(LONDON.drawing.landmarks) == 5


def test_a_city_without_looks_is_drawn_in_neutral_colours() -> None:
    plain = BOX.map_text("tokyo").partition("[drawing]")[0]
    picture = draw_sheet(read_city(plain), ())
    root = parse(picture)
    assert not classed(root, "names") + classed(root, "landmark") + classed(root, "parks")
    assert len(classed(root, "blocks")) >= 3
    assert colours("neutral")[0]["map"] in picture


def test_stamps_are_full_once_won() -> None:
    root = parse(draw_sheet(TOKYO, TOKYO_LINES))
    assert Counter(words(stamp)[0] for stamp in classed(root, "stamp")) == {"5": 4, "10": 4}
    count = lines_at(TOKYO, TOKYO_LINES)
    meeting = {s.district for k, s in enumerate(TOKYO.stations) if count[k] > 1}
    won = [d for d in meeting if TOKYO.districts[d].stamp]
    assert len(classed(root, "won")) == len(won) > 0


def test_every_pencil_has_its_own_pattern() -> None:
    for city, lines in ((LONDON, LONDON_LINES), (TOKYO, TOKYO_LINES)):
        root = parse(draw_sheet(city, lines))
        patterns = []
        for drawn in [*classed(root, "line"), *classed(root, "loop")]:
            stripe = drawn.findall(SVG + "path")[1:]
            patterns.append(
                tuple((s.get("stroke-width"), s.get("stroke-dasharray")) for s in stripe)
            )
        assert len(set(patterns)) == len(patterns) == 4 + bool(city.loop)


# --- double tracks


def ends(d: str) -> tuple[complex, complex]:
    """The first and the last point of path data."""
    numbers = [float(n) for n in re.findall(r"-?[0-9.]+", d)]
    return complex(*numbers[:2]), complex(*numbers[-2:])


def tracks_on(root: ElementTree.Element, lines: tuple[DrawnLine, ...], i: int) -> list[str]:
    """Path data of the tracks on a section, the loop's first."""
    tracks = []
    owners = [(classed(root, "loop"), TOKYO.loop)]
    owners += [([g], given.sections) for g, given in zip(classed(root, "line"), lines, strict=True)]
    for groups, sections in owners:
        if i in sections:
            tracks.append(classed(groups[0], "track")[sections.index(i)].get("d", ""))
    return tracks


def test_two_tracks_lie_side_by_side() -> None:
    root = parse(draw_sheet(TOKYO, TOKYO_LINES))
    doubled = {i for given in TOKYO_LINES for i in given.doubles}
    assert any(len(TOKYO.sections[i].path) > 2 for i in doubled)
    for i in doubled:
        first, second = (ends(d) for d in tracks_on(root, TOKYO_LINES, i))
        middle = ends(tracks_on(parse(draw_sheet(TOKYO, ())), (), i)[0]) if i in TOKYO.loop else ()
        for p, q in zip(first, second, strict=True):
            assert abs(p - q) == pytest.approx(12.4, abs=0.05)
        for p, q, m in zip(first, second, middle, strict=False):
            assert (p + q) / 2 == pytest.approx(m, abs=0.05)


def test_a_single_track_lies_in_the_middle() -> None:
    lone = TOKYO.section_between[TOKYO.station_named["c5"], TOKYO.station_named["d7"]]
    plain = tracks_on(parse(draw_sheet(TOKYO, ())), (), lone)
    assert tracks_on(parse(draw_sheet(TOKYO, TOKYO_LINES)), TOKYO_LINES, lone) == plain


def test_tracks_do_not_swap_along_the_loop() -> None:
    """Brown runs inside the loop from c5 to g2, wherever the sections begin."""
    root = parse(draw_sheet(TOKYO, TOKYO_LINES))
    centre = sum(ends(tracks_on(parse(draw_sheet(TOKYO, ())), (), i)[0])[0] for i in TOKYO.loop) / 8
    for pair in ("c5c3", "c3e2", "e2g2"):
        i = TOKYO.section_between[TOKYO.station_named[pair[:2]], TOKYO.station_named[pair[2:]]]
        loop, brown = (sum(ends(d)) / 2 for d in tracks_on(root, TOKYO_LINES, i))
        assert abs(brown - centre) < abs(loop - centre)


# --- what can be reached


def test_targets_have_a_halo_and_a_way() -> None:
    k = LONDON.station_named
    pairs = [(k["i4"], k["i1"]), (k["a3"], k["a2"]), (k["b1"], k["a2"])]
    root = parse(draw_sheet(LONDON, LONDON_LINES, targets=pairs, pencil="blue"))
    assert len(classed(root, "way")) == 3
    assert len(classed(root, "target")) == 2
    assert classed(root, "targets")[0].get("stroke") == colours("london")[0]["blue"]
    assert not classed(parse(draw_sheet(LONDON, LONDON_LINES)), "targets")


def test_the_way_of_a_second_track_follows_the_bend_beside_the_first() -> None:
    k = TOKYO.station_named
    root = parse(draw_sheet(TOKYO, (), targets=[(k["c5"], k["d7"])], pencil="blue"))
    way = classed(root, "way")[0].get("d", "")
    i = TOKYO.section_between[k["c5"], k["d7"]]
    assert "A" in way
    assert way not in tracks_on(root, (), i)


# --- text


@SHEETS
def test_description_is_the_text_board(city: City, lines: tuple[DrawnLine, ...]) -> None:
    assert parse(draw_sheet(city, lines)).findtext(SVG + "desc") == text_board(city, lines)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_note_is_always_visible(lang: str) -> None:
    for footer in ((), ("Score 101",)):
        drawing = draw_sheet(TOKYO, TOKYO_LINES, lang=lang, footer=footer)
        assert words(parse(drawing))[-1] == TOKYO.note[lang] != ""
    assert draw_sheet(LONDON, ()) == draw_sheet(LONDON, (), footer=())


def test_title_and_footer_are_escaped() -> None:
    root = parse(draw_sheet(LONDON, (), title="<b>Tom & Jo</b>", footer=['"1" < 2 & 3']))
    assert root.findtext(SVG + "title") == "<b>Tom & Jo</b>"
    assert words(root)[0] == "<b>Tom & Jo</b>"
    assert words(root)[-1] == '"1" < 2 & 3'
    assert not list(root.iter(SVG + "b"))


def test_without_a_title_the_city_names_the_drawing() -> None:
    assert parse(draw_sheet(LONDON, (), lang="fr")).findtext(SVG + "title") == LONDON.title["fr"]


def test_long_texts_stay_on_the_sheet() -> None:
    root = parse(draw_sheet(LONDON, LONDON_LINES, title="W" * 300, footer=["many words " * 30]))
    assert words(root)[0].endswith("…")
    width = float(root.get("width", "0"))
    for e in root.iter(SVG + "text"):
        if e.get("text-anchor") != "middle":
            # Half the height of a letter is about its width in the middle.
            assert len(e.text or "") * float(e.get("font-size", "0")) * 0.5 < width


def test_edges_carry_the_notation() -> None:
    (edge,) = classed(parse(draw_sheet(LONDON, ())), "edge")
    assert Counter(words(edge)) == Counter("abcdefghij0123456789" * 2)


# --- the file


@SHEETS
def test_drawing_stands_alone(city: City, lines: tuple[DrawnLine, ...]) -> None:
    for theme in ("light", "dark", "auto"):
        drawing = draw_sheet(city, lines, theme=theme)
        assert set(re.findall(r"https?://[^\"]*", drawing)) == {"http://www.w3.org/2000/svg"}
        assert not re.search(r"<script|href|url\(|@import|\bid=", drawing)


def test_themes() -> None:
    light, dark, auto = (
        draw_sheet(LONDON, LONDON_LINES, theme=theme) for theme in ("light", "dark", "auto")
    )
    day, night = colours("london")
    assert day["paper"] in light
    assert day["paper"] not in dark
    assert night["paper"] in dark
    assert "prefers-color-scheme:dark" in auto
    assert "<style" not in light + dark


def test_the_same_sheet_gives_the_same_text() -> None:
    program = (
        "from headway.games.nextstation.city.city_file import load_city;"
        "from headway.games.nextstation.presentation.sheet_svg import draw_sheet;"
        "from headway.games.nextstation.presentation.sheet_text import DrawnLine;"
        "lines = [DrawnLine('blue', (1, 2), frozenset(), frozenset({3, 9}))];"
        "print(hash(draw_sheet.__name__), len(draw_sheet(load_city('tokyo'), lines)));"
        "import zlib; print(zlib.crc32(draw_sheet(load_city('tokyo'), lines).encode()))"
    )
    sums = set()
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, check=True
        )
        sums.add(run.stdout.splitlines()[-1])
    assert len(sums) == 1


# --- pictures


@pytest.mark.parametrize("theme", ["light", "dark"])
@SHEETS
def test_picture_shows_all_colours(city: City, lines: tuple[DrawnLine, ...], theme: str) -> None:
    paint = colours(city.name)[theme == "dark"]
    picture = pixels(png(draw_sheet(city, lines, theme=theme), 360))  # type: ignore[arg-type]
    bare = pixels(png(draw_sheet(city, (), theme=theme), 360))  # type: ignore[arg-type]
    assert picture.shape[1] == 360
    for colour in city.colours:
        assert count_of(picture, paint[colour]) > count_of(bare, paint[colour]) + 60
    for colour in ("ink", "paper", "map", "tint-0", "tint-1", "tint-3"):
        assert count_of(picture, paint[colour]) > 100
    assert count_of(picture, paint["water"]) > 500 or not city.river
    won = count_of(picture, paint["stamp"]) - count_of(bare, paint["stamp"])
    assert won > 60 or not any(d.stamp for d in city.districts)


def test_picture_shows_the_note() -> None:
    """The note is really set, with the typeface of the package and no font of the machine."""
    picture = pixels(png(draw_sheet(TOKYO, ()), 720))
    below = picture[-int(0.055 * len(picture)) :]
    dark = (below.astype(int).sum(axis=2) < 450).any(axis=0)
    columns = np.flatnonzero(dark)
    assert 150 < columns[-1] - columns[0] < 720
    assert dark.sum() > 80


# --- text boards


LONDON_BOARD = """\
   a   b   c   d   e   f   g   h   i   j
0  ⬠   △   □       △   ○       △       ○  0
         ╱   ╲         │     ╱
1      ⬠       □       │   ⬠*      □   ⬠  1
               │       │   │
2  ○           ▲       │   □           △  2
                 ╲     │ ╱
3  □*      ⬠       △──(?)*─○───●       □  3
   │               │   │       │
4  │   △   □──────(⬠)  □       │   ⬠      4
   │       │         ╱         │ ╱
5  ⬠──────(■)      ○           ○          5
                 ╱           ╱
6              ⬠───△       □   △       △* 6
                     ╲   ╱
7  ○       □   ○       ⬟           ○   ⬠  7

8      ○                   ⬠       △      8

9  △   □       ⬠   ○*  △       ○       □  9
   a   b   c   d   e   f   g   h   i   j
purple: c5c4 c4e4 e4e3 e3f3 c5a5 a5a3 *e4 *c5
blue: f7e6 e6d6 d6e5 e5f4 f4f3 f3f0 f7g6 g6h5 h5i4 *f3
pink: h3g3 g3f3 f3g2 g2g1 g1h0 h3h5
green: d2e3 d2d1 d1c0 c0b1
"""


def test_text_board_of_london() -> None:
    board = text_board(LONDON, LONDON_LINES)
    assert board == LONDON_BOARD


def test_text_board_of_tokyo_bends_and_doubles() -> None:
    board = text_board(TOKYO, TOKYO_LINES)
    assert "╭═══⬠═══════□" in board
    assert all(pair in board for pair in ("╱╱", "╲╲", "││"))
    assert "green: e2g2 g2h4 h4h6 h6f7 f7d7 d7c5 c5c3 c3e2\n" in board
    assert "brown: h8g9 g9d9 =d9f7 =f7f5 f5c5 =c5c3 =c3e2 =e2g2\n" in board


@SHEETS
def test_boards_fit_a_terminal(city: City, lines: tuple[DrawnLine, ...]) -> None:
    from rich.cells import cell_len
    from rich.text import Text

    board = Text.from_markup(rich_board(city, lines, targets={0, 3}, ends={1}, pencil="blue"))
    rows = board.plain.splitlines()
    assert len(rows) == 21
    assert max(cell_len(row) for row in rows) <= 44


@SHEETS
def test_rich_board_shows_the_same_tracks(city: City, lines: tuple[DrawnLine, ...]) -> None:
    from rich.text import Text

    plain = Text.from_markup(rich_board(city, lines)).plain
    for scenery in "·┊┈≈":
        plain = plain.replace(scenery, " ")
    rows = [row.rstrip() for row in plain.splitlines()]
    assert rows == text_board(city, lines).splitlines()[:21]


def test_rich_board_points_out_targets_and_ends() -> None:
    k = LONDON.station_named
    marked = {"targets": {k["a2"]}, "powered": {k["b1"]}, "ends": {k["d2"]}}
    board = rich_board(LONDON, (), **marked, pencil="green")
    assert "[#35a853 bold reverse][○][/]" in board
    assert "[#35a853 bold]{⬠}[/]" in board
    assert "[#35a853 bold]<▲>[/]" in board


@SHEETS
def test_rich_board_shows_districts_and_river(city: City, lines: tuple[DrawnLine, ...]) -> None:
    from rich.text import Text

    rows = Text.from_markup(rich_board(city, ())).plain.splitlines()
    for y in range(10):
        row = rows[1 + 2 * y].ljust(43)
        for x in range(9):
            border = city.district_at[y][x] != city.district_at[y][x + 1]
            assert row[5 + 4 * x] in ("┊≈╱╲─" if border else " ≈─")
    assert ("≈" in "".join(rows)) == bool(city.river)


def test_boards_and_drawings_load_no_library() -> None:
    program = (
        "import sys; sys.modules['rich'] = sys.modules['resvg_py'] = None;"
        "from headway.games.nextstation.city.city_file import load_city;"
        "from headway.games.nextstation.presentation.sheet_svg import draw_sheet;"
        "from headway.games.nextstation.presentation.sheet_text import rich_board;"
        "city = load_city('london'); rich_board(city, ()); draw_sheet(city, ())"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
