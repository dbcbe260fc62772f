"""The poster of a finished game: whose it is, how it ended, and nothing beyond its edges."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from random import Random

import pytest

from headway.games import box
from headway.games.contract import CHANCE, State
from headway.games.presentation import LuckSkill, Poster, Shape
from headway.i18n import number, say
from headway.svg import png

SVG = "{http://www.w3.org/2000/svg}"


def finished(game: str, map_name: str, seats: int) -> State:
    state, dice = box(game).open(map_name, seats).start(), Random(5)
    while not state.finished():
        actor = min(state.actors())
        moves = [move for move, _ in state.chance()] if actor == CHANCE else state.legal(actor)
        state.advance(actor, dice.choice(moves))
    return state


def texts_of(state: State, poster: Poster) -> list[str]:
    game = state.game
    root = ET.fromstring(game.presentation.poster(game, state.view(CHANCE), poster))
    return [text.text or "" for text in root.iter(SVG + "text")]


@pytest.mark.parametrize("shape", ["portrait", "square"])
def test_alone_it_names_the_rank_and_what_is_missing(shape: Shape) -> None:
    state = finished("next-station", "london", 1)
    total = state.scores()[0].total
    poster = Poster(0, ("Ada <3",), "19 Nov 2026", "play.example", shape, "fr")
    texts = texts_of(state, poster)
    limits = state.game.map_data().scoring.verdicts  # type: ignore[attr-defined]
    rank = sum(total > limit for limit in limits) + 1
    assert str(total) in texts
    assert say(f"rank.{rank}", "fr") in texts
    assert {"Ada <3 · 19 Nov 2026", "Headway · play.example"} <= set(texts)
    assert say("rank.missing", "fr", points=limits[rank - 1] + 1 - total,
               rank=say(f"rank.{rank + 1}", "fr")) in texts  # fmt: skip
    assert (str(limits[0]) in texts) == (shape == "portrait")


@pytest.mark.parametrize(
    ("game", "map_name"), [("next-station", "tokyo"), ("ticket-to-ride", "london")]
)
def test_with_others_it_names_them_and_their_points(game: str, map_name: str) -> None:
    state = finished(game, map_name, 2)
    totals = [score.total for score in state.scores()]
    texts = texts_of(state, Poster(1, ("Ada", "Ben"), "", "", "portrait", "en"))
    assert number(totals[1]) in texts
    assert f"Ada {number(totals[0])}" in texts
    assert "Headway" in texts


def test_a_long_name_of_the_server_leaves_room_for_the_title() -> None:
    state = finished("next-station", "tokyo", 1)
    poster = Poster(0, ("A",), "", "n" * 40, "portrait", "en")
    root = ET.fromstring(state.game.presentation.poster(state.game, state.view(CHANCE), poster))
    *_, brand, title = root.iter(SVG + "text")
    wide = [
        0.56 * float(text.get("font-size") or 0) * len(text.text or "") for text in (brand, title)
    ]
    assert float(brand.get("x") or 0) + wide[0] < float(title.get("x") or 0) - 1.3 * wide[1]
    assert float(title.get("font-size") or 0) > 6


def test_its_pixels_have_the_shape_that_was_asked_for() -> None:
    state = finished("next-station", "london", 1)
    game, view = state.game, state.view(CHANCE)
    heights: dict[Shape, int] = {"portrait": 675, "square": 540}
    for shape, height in heights.items():
        drawn = game.presentation.poster(game, view, Poster(0, ("A",), "", "", shape, "en"))
        assert re.search(rf'viewBox="0 0 540 {height}"', drawn)
        assert png(drawn, 60).startswith(b"\x89PNG")


@pytest.mark.parametrize("shape", ["portrait", "square"])
@pytest.mark.parametrize(("game", "victory"), [("next-station", False), ("ticket-to-ride", True)])
def test_bars_are_as_long_as_their_numbers_say(game: str, victory: bool, shape: Shape) -> None:
    state = finished(game, "london", 2)
    drawn = {
        luck: state.game.presentation.poster(
            state.game,
            state.view(CHANCE),
            Poster(0, ("A", "B"), "", "", shape, "en", LuckSkill(luck, skill, victory)),
        )
        for luck, skill in ((-5, 91), (10, 45))
    }
    bars, texts = {}, {}
    for luck, svg in drawn.items():
        root = ET.fromstring(svg)
        texts[luck] = [text.text for text in root.iter(SVG + "text")]
        bars[luck] = {
            bar.get("data-bar"): [float(bar.get(name) or 0) for name in ("x", "width", "y")]
            for bar in root.iter(SVG + "rect")
            if bar.get("data-bar")
        }
        assert all(
            y + 6 < float(root.get("viewBox", "").split()[3]) for *_, y in bars[luck].values()
        )
    percent = "%" if victory else ""
    assert {f"−5{percent}", "91%"} <= set(texts[-5])
    assert {f"+10{percent}", "45%"} <= set(texts[10])
    (bad, bad_wide, _), (good, good_wide, _) = bars[-5]["luck"], bars[10]["luck"]
    assert good_wide == pytest.approx(2 * bad_wide, abs=0.1)
    assert bad + bad_wide == pytest.approx(good, abs=0.1), "both begin at the middle"
    assert bars[-5]["skill"][1] / bars[10]["skill"][1] == pytest.approx(91 / 45, abs=0.01)
