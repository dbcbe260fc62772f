"""The catalogue says everything in every language, and nothing that nobody asks for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import msgspec
import pytest
from babel import Locale
from support import pseudo

from headway.games import boxes
from headway.games.box import Box
from headway.i18n import (
    SOURCE,
    fields,
    in_language,
    language,
    languages,
    match,
    number,
    say,
    stem,
    texts,
    texts_in_files,
)

SOURCE_FILES = Path(__file__).parent.parent / "src" / "headway"
CLIENT = Path(__file__).parent.parent / "client" / "src"
RULES = Path(__file__).parent.parent / "docs" / "rules"


OTHERS = [lang for lang in languages() if lang != SOURCE]


@pytest.fixture
def extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for languages of a host."""
    monkeypatch.setenv("HEADWAY_TEXTS_DIR", str(tmp_path))
    yield tmp_path
    monkeypatch.undo()
    for cached in (languages, texts):
        cached.cache_clear()


def write(folder: Path, lang: str, toml: str) -> None:
    """Adds a language of a host, and forgets what was read before."""
    (folder / f"{lang}.toml").write_text(toml, "utf-8")
    for cached in (languages, texts):
        cached.cache_clear()


@cache
def forms(lang: str) -> dict[str, dict[str, str]]:
    """The texts of a language: the plain one as the form `other`, or all plural forms, by key."""
    by_key: dict[str, dict[str, str]] = {}
    for key, text in texts_in_files(lang).items():
        category = key.removeprefix(stem(key)).lstrip(".") or "other"
        by_key.setdefault(stem(key), {})[category] = text
    return by_key


@pytest.mark.parametrize("lang", OTHERS)
def test_shipped_language_has_every_text(lang: str) -> None:
    missing = sorted(forms(SOURCE).keys() - forms(lang).keys())
    assert not missing, f"{lang}.toml lacks {missing}"
    surplus = {key for key in forms(lang).keys() - forms(SOURCE) if not key.startswith("count.")}
    assert not surplus, f"English lacks {sorted(surplus)}"


@pytest.mark.parametrize("lang", OTHERS)
def test_shipped_language_has_the_same_names_in_every_text(lang: str) -> None:
    english = forms(SOURCE)
    for key, texts_ in forms(lang).items():
        for category, text in texts_.items():
            assert text.strip(), f"{lang}: {key}"
            names = fields(english.get(key, texts_)["other"])
            if category == "other":
                assert fields(text) == names, f"{lang}: {key}"
            else:
                assert fields(text) <= names, f"{lang}: {key}.{category}"


@pytest.mark.parametrize("lang", languages())
def test_text_with_forms_has_those_that_its_language_needs(lang: str) -> None:
    rule = Locale.parse(lang).plural_form
    needed = {rule(n) for n in range(1000)}
    groups = {key.split(".")[0] for key in forms(lang)}
    for key, texts_ in forms(lang).items():
        assert len(texts_) == 1 or texts_.keys() == needed, f"{lang}: {key}"
        if len(texts_) > 1:  # no form is for one number only: in French, 0 is singular too
            assert all(fields(text) for text in texts_.values()), f"{lang}: {key}"
        for _, _, group, _ in Formatter().parse("".join(texts_.values())):
            assert not group or group in groups or is_counted(group, lang), f"{lang}: {key}"


def is_counted(group: str, lang: str) -> bool:
    """Tells whether numbers of a group have a text; a name in it stands for any of several."""
    words = re.compile(r"count\." + re.sub(r"\{\w+\}", r"\\w+", group))
    return any(words.fullmatch(key) for key in forms(lang))


STRAIGHT = re.compile(r"\w'\w")
FRENCH = re.compile(
    r"""(?x)
    (?<=[\w)}»\]…])[ ][:;?!%»](?=\s|$)  # a space before these that can break
    | «(?!\u00a0)            # no space that holds after «
    | (?<!\u00a0)»           # or before »
    | [\w)}»][;?!](?=\s|$)   # no space at all
    | [\w)}»]:(?=[ ]|$)
    """
)


@pytest.mark.parametrize("lang", languages())
def test_apostrophes_and_dots_are_of_one_kind(lang: str) -> None:
    wrong = {key: text for key, text in texts_in_files(lang).items() if STRAIGHT.search(text)}
    assert not wrong, "write ’"
    assert not {key for key, text in texts_in_files(lang).items() if text.endswith((" …", "..."))}


def test_french_spaces_do_not_break() -> None:
    for key, text in texts_in_files("fr").items():
        for line in text.splitlines():
            assert not FRENCH.search(line), f"{key}: {line}"


@pytest.mark.parametrize("page", sorted(RULES.glob("*.fr.md")), ids=lambda page: page.name)
def test_french_rules_keep_the_same_typography(page: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", page.read_text("utf-8"), flags=re.S)
    for line in prose.splitlines():
        assert not FRENCH.search(line), line
        assert not STRAIGHT.search(line.replace("St Paul's", "").replace("King's", "")), line


OTHER_WORDS = {
    "en": re.compile(r" %|\b(?:anew|whoever|take[ns]? back|just now|until now)\b"),
    "fr": re.compile(
        r"\b(?:pendule|conseils?|bots?|tronçons?|tickets?|surface|switch|street|underground"
        r"|london|pencil|seat|double station)\b"
    ),
}
"""Words that are not ours: a second word for one thing, an id in place of its name."""
FILLED_IN = re.compile(r"\{\{|\{[^}]*\}|headway [a-z]+")
"""What is filled in, and what is typed rather than read."""


@pytest.mark.parametrize("lang", OTHER_WORDS)
def test_one_word_for_one_thing(lang: str) -> None:
    for key, text in texts_in_files(lang).items():
        if not re.search(r"example|notation", key):
            assert not OTHER_WORDS[lang].search(FILLED_IN.sub("_", text)), f"{lang}: {key}: {text}"


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("game", boxes(), ids=lambda box: box.name)
def test_shipped_maps_have_every_text(game: Box, lang: str) -> None:
    for name in game.maps:
        words = list(texts_in(msgspec.to_builtins(game.open(name, game.seats.start).map_data())))
        assert words
        assert [by_language for by_language in words if lang not in by_language] == []


def texts_in(data: object) -> Iterator[dict[str, str]]:
    """Every text by language in a map."""
    if isinstance(data, dict) and SOURCE in data:
        yield data
    elif isinstance(data, dict):
        for part in data.values():
            yield from texts_in(part)
    elif isinstance(data, list):
        for part in data:
            yield from texts_in(part)


def test_every_key_in_the_source_is_in_the_catalogue() -> None:
    groups = "|".join(sorted({key.split(".")[0] for key in texts("en")}))
    pattern = re.compile(rf'"((?:{groups})\.[A-Za-z0-9_.-]+)"')
    used = {key for file in SOURCE_FILES.rglob("*.py") for key in pattern.findall(file.read_text())}
    files = {key for key in used if key.endswith((".py", ".toml"))}
    assert used - files <= set(map(stem, texts("en")))


CLIENT_SOURCES = [
    file
    for file in sorted([*CLIENT.rglob("*.svelte"), *CLIENT.rglob("*.ts")])
    if not file.name.endswith((".test.ts", ".d.ts"))
]


def keys_in_the_client(start: str) -> set[str]:
    """Returns what the client quotes as a key after `start`; `${…}` in it stands for any word."""
    groups = "|".join(sorted({key.split(".")[0] for key in texts("en")}))
    word = r"(?:[a-z0-9_.-]|\$\{[^}]*\})+(?<!\.png)(?<!\.)"
    pattern = re.compile(rf"""{start}['`]((?:{groups})\.{word})['`]""")
    return {key for file in CLIENT_SOURCES for key in pattern.findall(file.read_text())}


def is_in_the_catalogue(key: str, *, begins: bool) -> bool:
    """Tells whether a key, or one that begins with its words, has a text."""
    words = [re.escape(part) for part in re.split(r"\$\{[^}]*\}", key)]
    known = re.compile(r"[\w.-]+".join(words) + (r"(?:[._].+)?" if begins else ""))
    return any(known.fullmatch(stem(text)) or known.fullmatch(text) for text in texts("en"))


def test_every_key_in_the_client_is_in_the_catalogue() -> None:
    assert {"web.home", "web.others_more"} <= keys_in_the_client(r"say\(")  # Svelte, TypeScript
    for key in keys_in_the_client(r"say\("):
        assert is_in_the_catalogue(key, begins=False), key
    for key in keys_in_the_client(""):
        assert is_in_the_catalogue(key, begins=True), key


def test_every_text_is_asked_for() -> None:
    client = [file for ending in ("ts", "svelte") for file in CLIENT.rglob(f"*.{ending}")]
    source = "\n".join(file.read_text() for file in [*SOURCE_FILES.rglob("*.py"), *client])
    quoted = set(re.findall(r"""(?<=["'])[\w.-]+(?=["'])""", source))
    templates = re.findall(r"`([a-z]+\.[\w.]*(?:\$\{\w+\}[\w.]*)+|\$\{\w+\}_\w+)`", source)
    filled = re.compile("|".join(re.sub(r"\$\{\w+\}", r"[\\w.]+", part) for part in templates))
    made_of_parts = re.compile(r"broken\.[A-Z]|verdict\.|colour\.|place\.|objective\.|bot\.")
    every = "\n".join(text for lang in languages() for text in texts(lang).values())
    named = re.findall(r"\{\w+:(\w+)\}", every)
    by_value = re.findall(r"\{\w+:(\w*\{\w+\}\w*)\}", every)
    groups = re.compile(
        "|".join([*named, *(re.sub(r"\{\w+\}", r"\\w+", group) for group in by_value)])
    )
    for key in map(stem, texts(SOURCE)):
        asked = {key, key.split(".")[-1]} & quoted or filled.fullmatch(key)
        in_texts = groups.fullmatch(key.removeprefix("count.").split(".")[0])
        assert asked or in_texts or made_of_parts.match(key), f"nobody says {key}"


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
    assert set(languages()) == {file.stem for file in (SOURCE_FILES / "texts").glob("*.toml")}
    for folder in SOURCE_FILES.glob("games/*/texts"):
        assert set(languages()) == {file.stem for file in folder.glob("*.toml")}


def test_a_file_is_a_language(extra: Path) -> None:
    write(extra, "de", '[web]\nhome = "Start"')
    write(extra, "pt-BR", '[web]\nhome = "Início"')
    assert languages() == ("en", "de", "fr", "pt-BR")
    assert say("web.home", "de") == "Start"
    assert say("web.settings", "de") == say("web.settings", "en")
    assert [match(tag) for tag in ("de_AT.UTF-8", "PT-br", "pt", "xx", "")] == [
        *("de", "pt-BR", None, None, None)
    ]


def test_a_host_can_change_a_text(extra: Path) -> None:
    write(extra, "fr", '[web]\nhome = "Chez nous"')
    assert say("web.home", "fr") == "Chez nous"
    assert say("web.settings", "fr") != say("web.settings", "en")


def test_plural_forms_of_a_language(extra: Path) -> None:
    forms = ('one = "{n} dzień"', 'few = "{n} dni"', 'other = "{n} dnia"')
    write(extra, "pl", "\n".join(["[count.days]", *forms]))
    said = {n: say("count.days", "pl", n=n) for n in (1, 2, 5, "1.5")}
    # The form `many`, which 5 needs, is not there: `other` stands for it, and never English.
    assert said == {1: "1 dzień", 2: "2 dni", 5: "5 dnia", "1.5": "1.5 dnia"}


@pytest.mark.parametrize(
    ("lang", "n", "expected"),
    [
        ("en", 0, "0 days"),
        ("en", 1, "1 day"),
        ("en", 2, "2 days"),
        ("fr", 0, "0 jour"),
        ("fr", 1, "1 jour"),
        ("fr", 2, "2 jours"),
    ],
)
def test_number_chooses_the_form(lang: str, n: int, expected: str) -> None:
    assert say("count.days", lang, n=n) == expected


def test_numbers_below_nothing_have_a_true_minus_sign() -> None:
    assert say("web.points", "en", points=-3) == "−3 points"
    assert [number(-3), number(0), number(4), number(-1.5)] == ["−3", "0", "4", "−1.5"]


def test_text_in_a_text_counts_by_its_own_number(extra: Path) -> None:
    write(extra, "de", '[web.clock]\ndays = "noch {days:days}"\n[count]\ndays.other = "{n} Tage"')
    assert say("web.clock.days", "de", days=3) == "noch 3 Tage"


def test_text_with_a_value_that_nobody_gives_is_refused(extra: Path) -> None:
    write(extra, "de", '[web]\npoints.other = "{punkte} Punkte"')
    with pytest.raises(ValueError, match=r"de\.toml, web\.points\.other.*punkte"):
        say("web.home", "de")


def test_words_of_a_map_are_shown_in_some_language() -> None:
    words = {"en": "west", "fr": "ouest"}
    assert in_language(words, "fr") == "ouest"
    assert in_language(words, "de") == "west"
    assert in_language({"fr": "ouest"}, "de") == "ouest"
    assert in_language({}, "de") == ""


TYPED = re.compile(r"^.* headway .*|^\$ .*|--[a-z]+ [a-z|A-Z-]+", re.M)
"""What is typed rather than read."""


def test_help_speaks_a_language_of_files_alone(tmp_path: Path) -> None:
    pseudo.write(tmp_path)
    script = Path(__file__).parent / "snapshots" / "help.py"
    variables = {"HEADWAY_TEXTS_DIR": str(tmp_path), "HEADWAY_LANG": pseudo.LANG, "COLUMNS": "100"}
    said = subprocess.check_output([sys.executable, script], text=True, env=os.environ | variables)
    assert pseudo.OPEN in said
    cut = re.compile(rf"({pseudo.OPEN}[^{pseudo.CLOSE}\n]*)\.\.\.$", re.M)  # in a list of commands
    whole = cut.sub(rf"\1{pseudo.CLOSE}", said)
    sentences = re.findall(r".*[a-z]{2,} [a-z]{2,}.*", TYPED.sub("", pseudo.bare(whole)))
    assert sentences == []
    assert f"en|{pseudo.LANG}|fr" in said


def test_the_typeface_has_every_letter_of_the_catalogue() -> None:
    style = (CLIENT / "typeface.css").read_text("utf-8")
    ranges = re.findall(r"U\+(\w+)(?:-(\w+))?", style)
    there = {chr(k) for a, b in ranges for k in range(int(a, 16), int(b or a, 16) + 1)}
    said = {sign for lang in languages() for text in texts(lang).values() for sign in text}
    places = {sign for box in boxes() for name in box.maps for sign in str(names_on(box, name))}
    assert {sign for sign in said | places if sign.isalnum()} <= there


def names_on(box: Box, name: str) -> object:
    """What a map says of itself and of its places."""
    return box.open(name, box.seats.start).map_data()
