"""Which bots there are, how they are named, and who may load a file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import headway
from headway.bots import registry
from headway.bots.bot import CLOCK_SHARE
from headway.games import boxes
from headway.games.contract import Move, View
from headway.i18n import languages

GAMES = [box.name for box in boxes()]
OWN = """
import headway

class Mine(headway.Bot):
    '''Takes the last move.'''
    name = "mine"
    def choose(self, view, legal, clock=None):
        return legal[-1]

class London(Mine):
    games = ("next-station",)

word = "no bot"
"""


@pytest.mark.parametrize("game", GAMES)
def test_levels_come_first_the_weakest_before(game: str) -> None:
    names = list(headway.bots_of(game))
    levels = [name for name in registry.LEVELS if name in names]
    assert levels
    assert names[: len(levels)] == levels == registry.levels_of(game)
    assert {"random", "greedy"} <= set(names)


def test_every_box_has_an_opponent_that_plays_it() -> None:
    for box in boxes():
        assert box.opponent in headway.bots_of(box.name)


@pytest.mark.parametrize("game", GAMES)
def test_every_bot_has_a_character_in_every_language(game: str) -> None:
    for name, bot in registry.shipped_bots_of(game).items():
        characters = {registry.character(bot, game, lang) for lang in languages()}
        assert len({character.what for character in characters}) == len(languages()), (
            f"{name} of {game}"
        )
        assert all(character.title != name for character in characters)


def test_same_name_different_class() -> None:
    one, other = (headway.find_bot("tourist", game) for game in GAMES)
    assert one is not other


@pytest.mark.parametrize("text", ["0.1s", "800", "800/0.1s", "2s", "0.016s", "1000000"])
def test_budget_reads_back(text: str) -> None:
    assert str(headway.Budget.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "s", "-1s", "0", "0s", "nans", "infs", "1e9", "800/", "/1s", "8s/8", "1s/1s", "x"]
)
def test_bad_budget_is_a_sentence(text: str) -> None:
    with pytest.raises(headway.InputError, match=r"0\.1s") as error:
        headway.Budget.parse(text)
    assert error.value.key == "format.budget"


def test_budget_takes_a_share_of_a_clock() -> None:
    budget = headway.Budget(seconds=2.0)
    assert budget.within(None) == budget
    assert budget.within(1000.0) == budget
    assert budget.within(5.0).seconds == 5.0 * CLOCK_SHARE
    assert headway.Budget(simulations=800).within(10.0) == (10.0 * CLOCK_SHARE, 800)
    assert headway.Budget(seconds=1.0).within(-3.0).seconds == 0.0


class Looker(headway.Searcher):
    """Thinks that later moves are better, and remembers its budget."""

    name = "expert"

    def appraise(
        self, view: View, legal: Sequence[Move], budget: headway.Budget
    ) -> list[headway.Appraisal]:
        self.asked = budget
        return [headway.Appraisal(move, float(move), 0.0, 1, "score") for move in legal[::-1]]


def test_searcher_plays_its_first_and_keeps_to_the_clock() -> None:
    import random

    table = headway.Table("london", seed=7)
    bot = Looker(table.game, random.Random(1), headway.Budget(seconds=1.5))
    legal = table.state.legal(0)
    assert bot.choose(table.view(0), legal) == legal[-1]
    assert bot.asked.seconds == 1.5
    bot.choose(table.view(0), legal, clock=2.0)
    assert bot.asked.seconds == 2.0 * CLOCK_SHARE
    assert bot.choose(table.view(0), legal[:1]) == legal[0]


def test_budget_of_a_bot_that_takes_none() -> None:
    table = headway.Table("london", seed=1)
    with pytest.raises(headway.InputError, match="greedy does not search"):
        headway.make_bot("greedy@0.1s", table.game, 1)


def test_file_is_loaded_only_where_allowed(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN)
    table = headway.Table("london", seed=7)
    bot = headway.make_bot(f"{file}:Mine", table.game, 1, files=True)
    assert bot.choose(table.view(0), table.state.legal(0)) == table.state.legal(0)[-1]
    marker = tmp_path / "ran"
    file.write_text(f"open({str(marker)!r}, 'w')")
    with pytest.raises(headway.InputError, match="There is no bot"):
        headway.make_bot(f"{file}:Other", table.game, 1)
    assert not marker.exists()


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("own.py:Nobody", "format.bot_class"),
        ("own.py:word", "format.no_bot"),
        ("none.py:Mine", "format.bot_broken"),
        ("bad.py:Mine", "format.bot_broken"),
        ("own.py:London", "format.bot_game"),
        ("own.py:Mine@1s", "format.no_budget"),
    ],
)
def test_wrong_files_are_sentences(word: str, key: str, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "bad.py").write_text("1 / 0")
    table = headway.Table("ticket-to-ride", seats=2, seed=7)
    with pytest.raises(headway.InputError) as error:
        headway.make_bot(f"{tmp_path}/{word}", table.game, 1, files=True)
    assert error.value.key == key


def test_installed_bots_are_found_by_entry_point(tmp_path: Path) -> None:
    (tmp_path / "ownbots.py").write_text(OWN)
    info = tmp_path / "ownbots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ownbots\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[headway.bots]\nmine = ownbots:Mine\nbroken = ownbots:Nobody\ngreedy = ownbots:Mine\n"
    )
    program = (
        "import headway\n"
        "found = headway.bots_of('next-station')\n"
        "print(list(found)[-1], found['greedy'].__module__, 'broken' in found)\n"
        "try: headway.find_bot('broken', 'next-station')\n"
        "except headway.InputError as error: print(error.key)\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    process = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert process.stdout.split() == [
        "mine", "headway.bots.bot", "False", "format.bot_broken",
    ], process.stderr  # fmt: skip


def test_points_on_a_map_are_those_of_the_results() -> None:
    page = (Path(__file__).parents[2] / "docs/results.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)(?:@\d+)?` \| (\w+) \| ([\d.]+) ±", page, re.MULTILINE)
    measured: dict[tuple[str, str], float] = {}
    for bot, city, points in rows:
        measured.setdefault((city.lower(), bot), float(points))
    for city in ("london", "tokyo"):
        points_by_bot = registry.solo_points("next-station", city)
        assert set(points_by_bot) == set(registry.shipped_bots_of("next-station"))
        for bot, points in points_by_bot.items():
            assert abs(points - measured[city, bot]) <= 0.5, (city, bot)
    assert registry.solo_points("ticket-to-ride", "london") == {}
