"""The page about environments lists every field with its meaning."""

from __future__ import annotations

from pathlib import Path

import pytest

from headway.envs.encoding import encoding_of, open_game

PAGE = (Path(__file__).parents[2] / "docs/research.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("next-station", 1, {}),
        ("next-station", 1, {"powers": True, "objectives": True}),
        ("ticket-to-ride", 2, {}),
    ],
)
def test_every_field_is_explained(name: str, seats: int, options: dict[str, bool]) -> None:
    game = open_game(name, "london", seats, **options)
    for field in encoding_of(game, "ahead").fields:
        assert f"| `{field.name}` | " in PAGE
        assert f" | {field.meaning} |" in PAGE


def test_the_sizes_are_those_of_london() -> None:
    for name, seats, ahead in (("next-station", 1, "ahead"), ("ticket-to-ride", 2, "board")):
        coded = encoding_of(open_game(name, "london", seats), ahead)
        for field in coded.fields:
            assert f"| `{field.name}` | {field.stop - field.start} | {field.meaning} |" in PAGE
        assert f"London has {coded.actions} actions" in PAGE
