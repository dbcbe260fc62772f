"""The board as a drawing and as text: nothing covers anything, and no hue tells it alone."""

from __future__ import annotations

import math
import re
import zlib
from itertools import combinations
from xml.etree import ElementTree

import pytest
from games.tickettoride import record_files
from games.tickettoride.playing import LONDON, TINY, opened, turn
from rich.text import Text

import headway
from headway.games.tickettoride.board.board import COLOURS, Board
from headway.games.tickettoride.board.board_file import load_board
from headway.games.tickettoride.board.map_data import areas, shape_of
from headway.games.tickettoride.presentation.board_svg import PATTERN, draw_board
from headway.games.tickettoride.presentation.board_text import (
    COLUMNS,
    LETTER,
    ROWS,
    legend,
    rich_board,
    short_names,
    text_board,
)
from headway.games.tickettoride.presentation.layout import LEADING, Layout
from headway.svg import png

SVG = "{http://www.w3.org/2000/svg}"
BOARD = load_board(LONDON)
LAYOUT = Layout(BOARD, *BOARD.size)
Corner = tuple[float, float]
Shape = list[Corner]


def classed(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [e for e in root.iter() if name in e.get("class", "").split()]


def slab(x: float, y: float, angle: float, width: float, depth: float) -> Shape:
    """The corners of a rectangle around a point, turned by an angle in degrees."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    halves = [(-width / 2, -depth / 2), (width / 2, -depth / 2)]
    halves += [(-dx, -dy) for dx, dy in halves]
    return [(x + dx * cos - dy * sin, y + dx * sin + dy * cos) for dx, dy in halves]


def overlap(one: Shape, other: Shape) -> bool:
    """Whether two convex shapes share more than an edge (separating axes)."""
    for shape in (one, other):
        for (ax, ay), (bx, by) in zip(shape, shape[1:] + shape[:1], strict=True):
            nx, ny = by - ay, ax - bx
            first = [x * nx + y * ny for x, y in one]
            second = [x * nx + y * ny for x, y in other]
            if max(first) <= min(second) + 1e-6 or max(second) <= min(first) + 1e-6:
                return False
    return True


def spaces(board: Board) -> list[tuple[str, Shape]]:
    """The middle of each space: halves of double routes may touch where they meet at a place."""
    layout = Layout(board, *board.size)
    return [
        (f"{route.name} {k}", slab(s.x, s.y, s.angle, s.long - 2 * layout.deep, layout.deep * 0.6))
        for route in board.routes
        for k, s in enumerate(layout.spaces(route))
    ]


def disc(i: int) -> Shape:
    return slab(*LAYOUT.places[i], 45, 1.5 * LAYOUT.disc, 1.5 * LAYOUT.disc)


def letters(text: str) -> float:
    """A generous guess of how wide a bold text is, in units of its size."""
    wide = {"m": 0.9, "w": 0.85, "M": 0.95, "W": 1.05, "&": 0.75, " ": 0.28, "'": 0.3, "i": 0.3}
    wide |= dict.fromkeys("lIjtfr", 0.42)
    return sum(wide.get(char, 0.72 if char.isupper() else 0.62) for char in text)


def name(i: int) -> Shape:
    """The box of a place's name."""
    where, size = LAYOUT.name_of(i), LAYOUT.name
    width = max(letters(line) for line in where.lines) * size
    left = {"start": where.x, "middle": where.x - width / 2, "end": where.x - width}[where.anchor]
    top = where.y - 0.74 * size
    bottom = where.y + LEADING * size * (len(where.lines) - 1) + 0.06 * size
    return [(left, top), (left + width, top), (left + width, bottom), (left, bottom)]


def test_spaces_do_not_cover_each_other() -> None:
    """The ends of double routes may touch where they meet at a place."""
    pairs = [(a, b) for (a, s), (b, t) in combinations(spaces(BOARD), 2) if overlap(s, t)]
    apart = [
        (a, b) for a, b in pairs if not ({"#1", "#2"} & {a[-4:-2], b[-4:-2]} and ends(a) & ends(b))
    ]
    assert apart == []
    assert len(pairs) < 4


def ends(space: str) -> set[str]:
    """The places at the ends of a route."""
    return set(re.split("[-# ]", space)[:2])


def test_spaces_do_not_cover_places() -> None:
    covered = [
        (space, place.id)
        for space, shape in spaces(BOARD)
        for i, place in enumerate(BOARD.locations)
        if overlap(shape, disc(i))
    ]
    assert covered == []


def test_names_cover_no_space_no_place_and_no_other_name() -> None:
    for i, place in enumerate(BOARD.locations):
        box = name(i)
        assert [space for space, shape in spaces(BOARD) if overlap(box, shape)] == [], place.id
        assert [k for k in range(len(BOARD.locations)) if overlap(box, disc(k))] == [], place.id
        others = [k for k in range(len(BOARD.locations)) if k != i and overlap(box, name(k))]
        assert others == [], place.id
        assert all(0 < x < BOARD.size[0] and 0 < y < BOARD.size[1] for x, y in box), place.id


def test_every_space_is_long_enough_to_see() -> None:
    long = [space.long for route in BOARD.routes for space in LAYOUT.spaces(route)]
    assert min(long) > 2 * LAYOUT.deep


def test_districts_have_grounds_of_their_own_and_routes_cross_the_river_on_bridges() -> None:
    places = [(place.at, place.district) for place in BOARD.locations]
    grounds = areas(places, BOARD.size)
    for at, district in places:
        inside = {number for number, rings in grounds.items() if any(holds(r, at) for r in rings)}
        assert inside == {district}
    seen = [point for rings in grounds.values() for ring in rings for point in ring]
    for axis, size in enumerate(BOARD.size):  # what nobody sees costs a renderer seconds
        assert min(p[axis] for p in seen) >= -0.1 * size - 1
        assert max(p[axis] for p in seen) <= 1.1 * size + 1
    crossed = {"trafalgar_square-waterloo", "globe_theatre-st_pauls#1", "big_ben-waterloo"}
    assert len(shape_of(BOARD).bridges) >= len(crossed)


def holds(ring: list[Corner], at: Corner) -> bool:
    """Whether a point lies in a closed line: it is crossed an odd number of times."""
    x, y = at
    crossings = [
        ax + (y - ay) / (by - ay) * (bx - ax)
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True)
        if (ay > y) != (by > y)
    ]
    return sum(crossing > x for crossing in crossings) % 2 == 1


def test_every_colour_has_a_pattern_and_a_letter_of_its_own() -> None:
    assert set(PATTERN) == set(COLOURS)
    assert len(set(PATTERN.values())) == len(COLOURS)
    assert len(set(LETTER.values())) == len(LETTER) == len(COLOURS) + 1


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_drawing_has_every_space_and_every_bus(theme: str, lang: str) -> None:
    replay = headway.replay(record_files.load("4-seats-planner"))
    drawing = replay.svg(1, theme=theme, lang=lang)  # type: ignore[arg-type]
    root = ElementTree.fromstring(drawing)
    routes = classed(root, "route")
    assert len(routes) == len(BOARD.routes)
    taken = {route.get("data-route") for route in classed(root, "taken")}
    assert taken == set(replay.state.view(1).routes)  # type: ignore[attr-defined]
    laid = sum(len(classed(route, "bus")) for route in routes)
    assert laid == sum(BOARD.routes[BOARD.route_named[str(name)]].length for name in taken)
    assert {p.get("data-location") for p in classed(root, "location")} == set(BOARD.location_named)
    description = root.find(SVG + "desc")
    assert description is not None
    first = {"en": "big_ben-waterloo: blue 1", "fr": "big_ben-waterloo\xa0: bleue 1"}[lang]
    assert first in (description.text or "")


def test_buses_of_a_seat_have_their_number_of_windows() -> None:
    owners = {i: i % 4 for i in range(4)}
    root = ElementTree.fromstring(draw_board(BOARD, owners))
    for i, route in enumerate(classed(root, "route")[:4]):
        for bus in classed(route, "bus"):
            assert len(bus.findall(SVG + "rect")) - 2 == i + 1  # the body and its shadow


def test_a_drawing_during_play_shows_cards_and_tickets_of_its_seat_only() -> None:
    state = turn(
        hands=[{"blue": 2, "bus": 1}, {"orange": 4}], display=("blue", None, "pink", "bus", "bus"),
        tickets=["hyde_park-covent_garden"],
    )  # fmt: skip
    game = opened()
    own, other = (
        ElementTree.fromstring(game.presentation.svg(game, state.view(s), lang="en"))
        for s in (0, 1)
    )
    cards = [card.get("data-card") for card in classed(own, "card")]
    assert cards == ["blue", None, "pink", "bus", "bus", "bus", "blue"]
    assert "Hyde Park – Covent Garden" in "".join(own.itertext())
    assert "Hyde Park – Covent Garden" not in "".join(other.itertext())


@pytest.mark.parametrize(
    ("lang", "tickets"), [("en", "Tickets of Ben"), ("fr", "Destinations\u00a0: Ben")]
)
def test_a_drawing_calls_the_players_by_their_names(lang: str, tickets: str) -> None:
    record = record_files.load("2-seats-planner")
    record.names = ["Ada", "Ben"]
    said = "".join(ElementTree.fromstring(headway.replay(record).svg(1, lang=lang)).itertext())
    assert tickets in said
    assert all(name in said for name in record.names)
    assert not re.search("Seat 0|Siège 0|Your tickets|Vos destinations", said)


@pytest.mark.parametrize("width", [360, 1280])
def test_a_drawing_becomes_a_png(width: int) -> None:
    picture = png(draw_board(BOARD, {0: 1}, theme="dark", title="London"), width)
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(picture[16:20]) == width
    assert len(zlib.compress(picture)) > 5000


def test_a_board_without_scenery_is_drawn() -> None:
    assert draw_board(load_board(TINY), {}).startswith("<svg")


def test_the_text_board_has_every_place_and_space() -> None:
    plain = text_board(BOARD, {0: 1, 1: 3})
    assert "regents_park-baker_street: blue 2 [1]" in plain
    rows = plain.splitlines()[:ROWS]
    assert max(map(len, rows)) <= COLUMNS
    for short in short_names(BOARD):
        assert any(short in row for row in rows), short
    drawn = "".join(rows)
    for short in short_names(BOARD):
        drawn = drawn.replace(short, "", 1)
    signs = set(LETTER.values()) | {"1", "3"}
    assert sum(char in signs for char in drawn) == sum(route.length for route in BOARD.routes)


def test_short_names_are_different_also_for_names_alike() -> None:
    assert len(set(short_names(BOARD))) == len(BOARD.locations)
    assert short_names(load_board(TINY)) == ["NO", "EA", "SO", "WE"]


def test_the_rich_board_is_good_markup_and_marks_what_can_be_taken() -> None:
    text = Text.from_markup(rich_board(BOARD, {0: 2}, {3}))
    assert len(text.plain.splitlines()) <= ROWS
    assert sum("reverse" in str(span.style) for span in text.spans) >= 2


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_status_fits_beside_the_board(seats: int, lang: str) -> None:
    table = headway.Table("tickettoride", seats=seats, seed=2)
    players = [headway.make_bot("planner", table.game, seat) for seat in range(seats)]
    while seated := table.actors():
        for seat in seated:
            view = table.view(seat)
            lines = table.game.presentation.status(
                table.game, view, names=["somebody"] * seats, lang=lang
            )
            assert len(lines) <= ROWS
            assert max(Text.from_markup(line).cell_len for line in lines) <= 48
            table.play(seat, players[seat].choose(view, table.state.legal(seat)))
    help_ = table.game.presentation.notation_help(table.game, lang)
    assert len(help_) <= 18
    assert len(help_[0]) <= 150
    assert max(map(len, help_[1:])) <= 78
    assert legend(BOARD)[0] in help_


def test_score_tables_have_a_column_for_each_seat() -> None:
    replay = headway.replay(record_files.load("3-seats-planner"))
    table = replay.game.presentation.score_table(replay.state, "en")
    assert {len(row) for row in table} == {4}
    totals = next(row for row in table if row[0] == "Total")
    assert totals[1:] == [str(total) for total in replay.outcome.totals]
