"""Every stored game is a test by itself: replayed, judged, and played both ways."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from games.nextstation import record_files
from games.nextstation.twin import play_both_ways
from reference import referee

import headway
from headway.errors import InputError
from headway.games.nextstation.game import NextStation
from headway.i18n import say

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
NAMES = record_files.names()


@pytest.mark.parametrize("name", NAMES)
def test_the_engine_s_report_is_the_referee_s(name: str) -> None:
    assert headway.replay(record_files.load(name)).report() == record_files.expected(name)


@pytest.mark.parametrize("name", NAMES)
def test_the_expected_report_is_the_referee_s(name: str) -> None:
    verdict = referee.judge(record_files.dealt(record_files.load(name)))
    assert verdict.as_json() == record_files.expected(name)


@pytest.mark.parametrize("name", NAMES)
def test_both_ways(name: str) -> None:
    replay = headway.replay(record_files.load(name))
    assert isinstance(replay.game, NextStation)
    assert play_both_ways(replay.game, replay.events) == replay.state


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_game_is_read_as_it_was_written(name: str) -> None:
    record = headway.read((record_files.FOLDER / f"{name}.json").read_text("utf-8"))
    again = headway.read(record.json())
    assert (again.seed, again.deal, again.moves) == (record.seed, record.deal, record.moves)
    replay = headway.replay(record)
    assert replay.game.records.write(replay.game, replay.events)[1] == record.moves


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_game_on_the_former_map_of_tokyo_is_refused(lang: str) -> None:
    record = headway.load(PICTURES / "tokyo.json")
    record.map_hash = "0c1f5457ed381492ad3a25b46a427b4b2b7972a39534863af4fbd8f2864cc42f"
    with pytest.raises(InputError) as refused:
        headway.replay(record)
    assert refused.value.sentence(lang) == say("format.map_hash", lang, map="tokyo")


def test_the_stored_games_are_of_all_kinds() -> None:
    records = [record_files.load(name) for name in NAMES]
    tables = Counter(
        (r.map, r.seats, tuple(sorted(m for m in r.options if r.options[m]))) for r in records
    )
    assert len(tables) >= 2 * 4 * 6
    for city in ("london", "tokyo"):
        own = [record for record in records if record.map == city]
        assert any(record.seed is not None for record in own)
        lengths = {len(cards) for r in own if r.deal for cards in r.deal["cards"]}
        assert {11} < lengths


def test_the_stored_games_have_every_kind_of_move() -> None:
    texts = [m for n in NAMES for r in record_files.load(n).moves for t in r for m in t]
    kinds = {referee.kind(text) for text in texts}
    assert kinds >= {"pass", "", "=", "!", "!=", "~", "~=", "+", "*"}
