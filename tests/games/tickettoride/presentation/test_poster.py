"""The poster of a finished game: the winner's net and tickets, and nobody's words beyond it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from games.tickettoride import record_files

import headway
from headway.games.contract import CHANCE
from headway.games.presentation import Poster, Shape

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ada", "Ben", "Chloé", "Dev")


@pytest.mark.parametrize("shape", ["portrait", "square"])
def test_it_shows_the_winner_and_everybody(shape: Shape) -> None:
    replay = headway.replay(record_files.load("4-seats-planner"))
    view = replay.state.view(CHANCE)
    shown = Poster(0, NAMES, "19 Nov 2026", "", shape, "en")
    drawn = replay.game.presentation.poster(replay.game, view, shown)
    root = ElementTree.fromstring(drawn)
    texts = ["".join(text.itertext()) for text in root.iter(SVG + "text")]
    winner = view.ranking[0]  # type: ignore[attr-defined]
    assert NAMES[winner].upper() in texts  # on the blind of the bus
    assert any(text.startswith(f"{NAMES[winner]} wins with ") for text in texts)
    assert all(any(name in text for text in texts) for name in NAMES)
    lit = [
        e for e in root.iter(SVG + "g") if e.get("class") == "route taken" and not e.get("opacity")
    ]
    routes = [name for name, seat in view.routes.items() if seat == winner]  # type: ignore[attr-defined]
    assert {e.get("data-route") for e in lit} == set(routes)
    _, _, wide, high = map(float, (root.get("viewBox") or "").split())
    for text in root.iter(SVG + "text"):
        assert float(text.get("x") or 0) <= wide
        assert float(text.get("y") or 0) <= high
