"""The catalogue says everything in both languages, and nothing that nobody asks for."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from headway.i18n import say, texts
from headway.settings import LANGUAGES, language

SOURCE = Path(__file__).parent.parent / "src" / "headway"
CLIENT = Path(__file__).parent.parent / "client" / "src"


def names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_languages_have_the_same_keys() -> None:
    assert texts("en").keys() == texts("fr").keys()


@pytest.mark.parametrize("key", sorted(texts("en")))
def test_text_has_the_same_gaps_in_both_languages(key: str) -> None:
    assert names(texts("en")[key]) == names(texts("fr")[key])
    assert texts("fr")[key].strip()


def test_every_key_in_the_source_is_in_the_catalogue() -> None:
    groups = "|".join(sorted({key.split(".")[0] for key in texts("en")}))
    pattern = re.compile(rf'"((?:{groups})\.[A-Za-z0-9_.-]+)"')
    used = {key for file in SOURCE.rglob("*.py") for key in pattern.findall(file.read_text())}
    files = {key for key in used if key.endswith((".py", ".toml"))}
    assert used - files <= texts("en").keys()


def test_every_key_in_the_client_is_in_the_catalogue() -> None:
    groups = "|".join(sorted({key.split(".")[0] for key in texts("en")}))
    pattern = re.compile(rf"""say\('((?:{groups})\.[A-Za-z0-9_.-]+)'""")
    used = {key for file in CLIENT.rglob("*.svelte") for key in pattern.findall(file.read_text())}
    assert used
    assert used <= texts("en").keys()


def test_every_text_is_asked_for() -> None:
    client = [file for ending in ("ts", "svelte") for file in CLIENT.rglob(f"*.{ending}")]
    source = "\n".join(file.read_text() for file in [*SOURCE.rglob("*.py"), *client])
    made_of_parts = re.compile(r"broken\.[A-Z]|verdict\.|colour\.|place\.|objective\.|bot\.")
    for key in texts("en"):
        last = key.split(".")[-1]
        names = "|".join(map(re.escape, (key, last)))
        asked = re.search(rf"""["'](?:{names})["']""", source)
        assert asked or made_of_parts.match(key), f"nobody says {key}"


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"HEADWAY_LANG": "fr"}, "fr"),
        ({"HEADWAY_LANG": "FR_ca"}, "fr"),
        ({"HEADWAY_LANG": "", "LANG": "fr_FR.UTF-8"}, "fr"),
        ({"HEADWAY_LANG": "en", "LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_language_follows_the_environment(
    variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HEADWAY_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert language() == expected
    assert say("place.turn", n=3) == {"en": "turn 3", "fr": "tour 3"}[expected]


def test_every_language_has_files() -> None:
    assert set(LANGUAGES) == {file.stem for file in (SOURCE / "texts").glob("*.toml")}
