"""The playthroughs are what the engine plays today."""

from __future__ import annotations

import pytest
from games.nextstation.playthrough import FOLDER, GAMES, playthrough

from headway.games.nextstation import BOX

AGAIN = (
    "The game goes another way than the stored playthrough. If that is meant, write it again, in "
    "the folder tests, with `python -m games.nextstation.playthrough`, and read the difference."
)


@pytest.mark.parametrize("name", GAMES)
def test_the_stored_playthrough(name: str) -> None:
    stored = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    played = playthrough(name).splitlines()
    differs = next(
        (n for n, (a, b) in enumerate(zip(stored, played, strict=False)) if a != b), None
    )
    at = (
        ""
        if differs is None
        else f"\nline {differs + 1}: {stored[differs]!r} -> {played[differs]!r}"
    )
    assert stored == played, AGAIN + at


def test_every_city_has_a_playthrough() -> None:
    assert {city for city, *_ in GAMES.values()} == set(BOX.maps)
