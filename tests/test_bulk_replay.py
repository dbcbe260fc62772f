"""Compiled replays accept what interpreted ones accept, with the same result, and nothing else.

The broken records of each game go through both in its `test_broken.py`.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from games.nextstation import record_files as sheets
from games.tickettoride import record_files as routes
from games.tickettoride.playing import TINY

import headway
from headway.errors import HeadwayError
from headway.games.nextstation import records
from headway.record import Replayers

FILES: tuple[ModuleType, ...] = (sheets, routes)


def compiled_result(record: headway.Record) -> headway.ReplayResult | None:
    """The result of the compiled replay alone, None if it does not accept the record."""
    result = Replayers()._compiled(record)
    return None if result is None else headway.ReplayResult(*result)


def interpreted_result(record: headway.Record) -> headway.ReplayResult | None:
    try:
        outcome = headway.replay(record).outcome
    except HeadwayError:
        return None
    return headway.ReplayResult(outcome.totals, outcome.winners)


@pytest.mark.parametrize("files", FILES, ids=lambda files: files.__name__.split(".")[1])
def test_every_stored_game_is_accepted_with_the_referee_s_totals(files: ModuleType) -> None:
    replayers = Replayers()
    for name in files.names():
        result, report = replayers._compiled(files.load(name)), files.expected(name)
        assert result, name
        assert list(result.totals) == [score["total"] for score in report["scores"]]
        assert list(result.winners) == report["winners"]


def changed_records() -> Iterator[headway.Record]:
    """Stored games with one move replaced by another move of the same game."""
    rng = random.Random(17)
    for files in FILES:
        for name in files.names():
            record = files.load(name)
            for _ in range(2):
                changed = copy.deepcopy(record)
                moves: Any = changed.moves
                while not isinstance(moves[0], str):
                    moves = rng.choice(moves)
                at = rng.randrange(len(moves))
                moves[at] = _other_move(record.moves, moves[at], rng)
                yield changed


def _other_move(moves: Any, move: str, rng: random.Random) -> str:
    texts = str(moves).replace("[", "").replace("]", "").replace("'", "").split(", ")
    return rng.choice([text for text in texts if text != move] or ["pass"])


def test_changed_games_are_judged_alike() -> None:
    results = [(compiled_result(r), interpreted_result(r)) for r in changed_records()]
    assert all(fast == slow for fast, slow in results)
    assert any(fast is None for fast, _ in results)
    assert any(fast is not None for fast, _ in results)


def played(map_name: str, seats: int, seed: int, **options: Any) -> headway.Table:
    table = headway.Table(map_name, seats=seats, seed=seed, **options)
    bots = [headway.make_bot("random", table.game, seed + seat) for seat in range(seats)]
    headway.play_out(table, bots)
    return table


@pytest.mark.parametrize("name", ["london", "tokyo", "ticket-to-ride"])
def test_a_seed_deals_the_same_cards(name: str) -> None:
    for seed in (-5, 3, 1 << 127):
        for options in [{}] if name == "ticket-to-ride" else [{}, {"special_stations": True}]:
            table = played(name, 2, seed, **options)
            result, outcome = compiled_result(table.record()), table.outcome()
            assert result
            assert outcome
            assert (result.totals, result.winners) == (outcome.totals, outcome.winners)


def test_what_the_host_chose_is_kept_to() -> None:
    for name, chosen in (
        ("london", {"pencils": ["green", None]}),
        ("ticket-to-ride", {"first": 1}),
    ):
        record = played(name, 2, 6, chosen=chosen).record()
        assert compiled_result(record) == interpreted_result(record) is not None


def test_a_map_in_the_record_s_folder_is_played() -> None:
    record = played(TINY, 3, 4).record()
    record.folder = Path(TINY).parent
    assert compiled_result(record) == interpreted_result(record) is not None


def test_texts_and_records_good_and_bad_come_in_any_order() -> None:
    london, paris = sheets.load("london-2-base-revealed-cards"), routes.load("2-seats-planner")
    other_rules = headway.read(london.json())
    other_rules.rules = 7
    results = list(headway.replay_many([london, b"{", paris.json(), other_rules, london.json()]))
    assert [result.error and result.error.key for result in results] == [
        None, "format.no_json", None, "format.rules", None,
    ]  # fmt: skip
    assert results[0] == results[4]


def test_a_game_without_a_replayer_is_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    record = sheets.load("london-1-powers-seed")
    expected = list(headway.replay_many([record]))
    monkeypatch.setattr(records, "replayer", lambda game: None)
    assert list(headway.replay_many([record])) == expected
    assert compiled_result(record) is None


@pytest.mark.parametrize("files", FILES, ids=lambda files: files.__name__.split(".")[1])
def test_what_is_written_is_what_the_seed_deals(files: ModuleType) -> None:
    record = next(r for r in map(files.load, files.names()) if r.seed is not None)
    game = record.open()
    written = game.records.write(game, headway.replay(record).events)[0]
    assert Replayers()._compiled(record, written)
    assert record.seed is not None
    record.seed += 1
    assert Replayers()._compiled(record, written) is None
    with pytest.raises(HeadwayError):
        Replayers().play(record, written)
