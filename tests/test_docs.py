"""The documentation keeps its word: what it shows is run, what it says is checked."""

from __future__ import annotations

import doctest
import hashlib
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support import preloaded
from support.code_names import named

import headway
from headway import dealer, settings
from headway.errors import HeadwayError
from headway.games import nextstation
from headway.games.nextstation.city.city_file import KEYS, NEEDS, TABLE_KEYS, check_city, load_city
from headway.games.nextstation.moves import rings
from headway.games.nextstation.rules.scoring import LineScore, ScoreSheet
from headway.games.nextstation.state import NextStationState
from headway.i18n import say, texts
from headway.record import steps

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PICTURES = DOCS / "pictures"
PAGES = sorted(DOCS.rglob("*.md"))
RULES = {"en": DOCS / "rules/next-station.md", "fr": DOCS / "rules/next-station.fr.md"}
NUMBERED = DOCS / "rules/numbered/next-station.md"

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(DOCS).as_posix())
both_languages = pytest.mark.parametrize("lang", RULES)


class Block(NamedTuple):
    """A fenced block: its language, the file that it is (or none), its text, the line before it."""

    language: str
    file: str
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    content = page.read_text("utf-8")
    for fence in re.finditer(r"^```(\S*) ?(\S*)\n(.*?)^```$", content, re.M | re.S):
        line = content.count("\n", 0, fence.start()) + 1
        yield Block(fence[1], fence[2], fence[3], line)


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)


# What is shown is run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with the documentation in it, to work in as a reader would."""
    shutil.copytree(DOCS, tmp_path / "docs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HEADWAY_LANG", "en")
    return tmp_path


@every_page
def test_every_block_of_a_page_does_what_it_shows(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page):
        match block.language:
            case "python" if ">>>" in block.text:
                run_session(block, page, names)
            case "python":
                if block.file:
                    (folder / block.file).write_text(block.text, "utf-8")
                exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
            case "console":
                run_commands(block)
            case "toml" if block.file.startswith("texts/"):
                (folder / "texts").mkdir()
                (folder / block.file).write_text(block.text, "utf-8")
                monkeypatch.setenv("HEADWAY_TEXTS_DIR", str(folder / "texts"))
            case "toml" if block.file == "headway.toml":
                assert_settings(tomllib.loads(block.text))
            case "toml":
                assert check_city(block.text) == []
                (folder / block.file).write_text(block.text, "utf-8")
            case "json":
                assert (page.parent / block.file).read_text("utf-8") == block.text
            case other:
                assert other in ("text", "mermaid"), f"line {block.line}: nobody reads {other}"


def assert_settings(shown: Mapping[str, Any]) -> None:
    """What a page shows of a configuration file are settings."""
    known = {*settings.IN_FILES, *settings.SECRET_FILES}
    assert {f"HEADWAY_{key.upper()}" for key in shown} <= known


def run_session(block: Block, page: Path, names: dict[str, Any]) -> None:
    """Runs a block that shows a session at the prompt, with the names of the blocks before."""
    session = doctest.DocTestParser().get_doctest(
        block.text, names, page.name, str(page), block.line
    )
    said: list[str] = []
    doctest.DocTestRunner().run(session, out=said.append, clear_globs=False)
    assert not said, "".join(said)
    names.update(session.globs)


PROGRESS = re.compile(r"\w+: \d+( of \d+)?( · .*)?$")
"""What a long command writes without a terminal."""


def run_commands(block: Block) -> None:
    """Runs the commands of a block; what it shows below a command is what the command prints."""
    assert block.text.startswith("$ headway ")
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        command, _, shown = part.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "headway"
        if "HEADWAY_TEXTS_DIR" in os.environ:  # read while the command loads
            line = [sys.executable, "-m", "headway", *arguments]
            done = subprocess.run(line, capture_output=True, text=True)
        else:
            done = preloaded.run(*arguments)
        said = [line for line in done.stderr.splitlines() if not PROGRESS.match(line)]
        assert (done.returncode, said) == (0, []), command
        if shown.strip():
            assert done.stdout.strip() == shown.strip(), command


# Links, headings, pictures


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    assert targets
    for target in targets:
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        assert file.exists(), target
        if anchor:
            assert anchor in {slug(title) for _, title in headings(file)}, target


def headings(page: Path) -> list[tuple[int, str]]:
    """Level and title of each heading."""
    return [(len(marks), title) for marks, title in re.findall(r"^(#+) (.*)$", prose(page), re.M)]


def slug(title: str) -> str:
    """The anchor that a heading gets where Markdown is shown."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def shown_pictures(page: Path) -> list[str]:
    """The pictures of a page by file name, in order."""
    return [Path(target).name for target in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", prose(page))]


@cache
def made_pictures() -> dict[str, str]:
    """What the script beside the pictures makes."""
    spec = importlib.util.spec_from_file_location("make", PICTURES / "make.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    made: dict[str, str] = script.pictures()
    return made


def test_stored_pictures_are_what_the_script_makes_and_all_are_shown() -> None:
    stored = {path.name: path.read_text("utf-8") for path in PICTURES.glob("*.svg")}
    assert stored == made_pictures()
    assert set(stored) == {name for page in PAGES for name in shown_pictures(page)}


def test_every_page_is_in_the_index() -> None:
    index = DOCS / "README.md"
    linked = {
        (DOCS / target.partition("#")[0]).resolve()
        for target in re.findall(r"\]\(([^)\s]+)\)", prose(index))
    }
    assert set(PAGES) - {index} <= linked


# The rules for players


def test_every_file_of_the_architecture_is_there() -> None:
    page = (DOCS / "architecture.md").read_text("utf-8")
    sources = [
        *ROOT.glob("src/headway/**/*"),
        *ROOT.glob("client/src/**/*"),
        *ROOT.glob("client/fonts/*"),
        *ROOT.glob("tests/**/*"),
        *ROOT.glob("benchmarks/**/*"),
    ]
    paths = [source.relative_to(ROOT).as_posix() for source in sources if source.suffix != ".pyc"]
    for name in re.findall(r"`([\w./]+\.(?:py|ts|svelte|css))`", page):
        assert any(f"/{path}".endswith(f"/{name}") for path in paths), name
    for path in (path for path in paths if re.fullmatch(r"src/headway/.*\.py", path)):
        room, module = path.split("/")[-2:]
        assert module in page or f"{room}/" in page or module == "__main__.py", path


def test_both_languages_have_the_same_outline_and_pictures() -> None:
    english, french = RULES["en"], RULES["fr"]
    assert [level for level, _ in headings(english)] == [level for level, _ in headings(french)]
    assert [name.replace(".en.", ".fr.") for name in shown_pictures(english)] == shown_pictures(
        french
    )


def test_both_languages_name_the_same_stations_in_every_chapter() -> None:
    named = {
        lang: [Counter(re.findall(r"\b[a-j][0-9]\b", part)) for part in prose(page).split("\n## ")]
        for lang, page in RULES.items()
    }
    assert named["en"] == named["fr"]


@both_languages
@pytest.mark.parametrize("city", ["london", "tokyo"])
def test_the_worked_examples_are_the_scores_of_the_stored_games(city: str, lang: str) -> None:
    (score,) = headway.replay(headway.load(PICTURES / f"{city}.json")).state.scores()
    page = prose(RULES[lang])
    colours = [say(f"colour.{line.colour}", lang).capitalize() for line in score.lines]
    rows = [
        f"| {colour} | {sum_of(line, city)} | {line.points} |"
        for colour, line in zip(colours, score.lines, strict=True)
    ]
    rest = {"london": london_rest, "tokyo": tokyo_rest}[city](score)
    table = page.split("\n".join(rows))[1]
    points = [cell.strip("*") for cell in re.findall(r"\| (\S+) \|$", table, re.M)]
    assert points[: len(rest)] == [str(n).replace("-", "−") for n in rest]


def sum_of(line: LineScore, city: str) -> str:
    river = f" + {line.over_river} × 2" if city == "london" else ""
    return f"{line.districts} × {line.fullest}{river} = {line.points}"


def london_rest(score: ScoreSheet) -> list[int]:
    return [score.tourist, score.interchanges, score.total]


def tokyo_rest(score: ScoreSheet) -> list[int]:
    return [score.stamps, score.loop, score.interchanges, score.total]


@both_languages
def test_the_scales_are_those_of_the_city(lang: str) -> None:
    page, scoring = prose(RULES[lang]), load_city("london").scoring
    for row in (range(len(scoring.tourist)), scoring.tourist):
        assert " | ".join(map(str, row)) in page


@both_languages
def test_the_verdicts_have_the_limits_of_their_city(lang: str) -> None:
    table = prose(RULES[lang]).split("| Verdict |\n")[1].splitlines()[1:7]
    for column, city in enumerate(("london", "tokyo"), start=1):
        limits = load_city(city).scoring.verdicts
        bands = [[int(n) for n in re.findall(r"\d+", row.split("|")[column])] for row in table]
        between = [[low + 1, high] for low, high in pairwise(limits)]
        assert bands == [[limits[0]], *between, [limits[-1]]]


@both_languages
def test_the_pencils_go_round_the_ring(lang: str) -> None:
    colours = {say(f"colour.{c}", lang): i for i, c in enumerate(load_city("london").colours)}
    chapter = prose(RULES[lang]).split("\n## ")[-2]
    tables = re.findall(r"\|---\|\n((?:\| [A-D] \|.*\n)+)", chapter)
    assert len(tables) == 3
    for seats, table in zip((4, 3, 2), tables, strict=True):
        rows = [row.strip("| ").split(" | ")[1:] for row in table.splitlines()]
        assert tuple(tuple(colours[cell] for cell in row) for row in rows) in rings(seats)


def state_in(city: str, round_number: int, turn: int) -> NextStationState:
    """The position of a turn of a stored game."""
    for step in steps(headway.load(PICTURES / f"{city}.json")):
        if step.place[:2] == (("round", round_number), ("turn", turn)):
            assert isinstance(step.state, NextStationState)
            return step.state.copy()
    raise LookupError


@pytest.mark.parametrize(
    ("city", "place", "card", "sections"),
    [
        ("london", (1, 1), "underground:circle", "d2a2 d2f0"),
        ("london", (1, 3), "underground:triangle", "d2b0 d2e3 f3e3"),
        ("london", (1, 8), "street:joker", "a0a2 a0b1 g2g1 g2g3 g2j2"),
        ("london", (2, 7), "underground:pentagon", "j2j1 c5a5 e3c3 e3e4 e5e4 f3e4"),
        ("tokyo", (4, 6), "underground:joker", "c0d0 c3a3 c3d4 =c3f3 =c3c5"),
    ],
)
def test_the_pictures_show_what_the_rules_tell(
    city: str, place: tuple[int, int], card: str, sections: str
) -> None:
    state = state_in(city, *place)
    assert state.view(0).card == card
    moves = [state.game.move_text(move) for move in state.bare_sections(0)]
    assert sorted(moves) == sorted(sections.split())


@pytest.mark.parametrize(
    ("place", "move", "rule"),
    [
        ((1, 8), "g2e0", "NS-17"),
        ((1, 8), "g2f3", "NS-18"),
        ((1, 8), "b0c0", "NS-14"),
        ((1, 8), "a0a3", "NS-12"),
    ],
)
def test_what_the_rules_call_impossible_is(place: tuple[int, int], move: str, rule: str) -> None:
    state = state_in("london", *place)
    with pytest.raises(HeadwayError) as raised:
        state.check(0, state.game.parse_move(move))
    assert raised.value.rule == rule


def test_the_circled_station_scores_what_the_rules_tell() -> None:
    powers = {"green": "double", "purple": "second", "blue": "joker", "pink": "switch"}
    record = headway.load(PICTURES / "london.json")
    table = headway.Table("london", seed=record.seed, powers=True, chosen={"powers": powers})
    for (move,) in record.moves[0][:-1]:
        table.play(0, move)
    table.play(0, record.moves[0][-1][0] + " *g1")
    assert sum_of(table.scores()[0].lines[0], "london") == "5 × 5 + 2 × 2 = 29"


# The numbered rules


def test_the_numbered_rules_are_all_there_in_order() -> None:
    listed = re.findall(
        r"^([A-Z]{2}-\d\d) ",
        (Path(__file__).parent / "rules/next-station.txt").read_text("utf-8"),
        re.M,
    )
    defined = re.findall(r"^- \*\*([A-Z]{2}-\d\d)\*\* ", NUMBERED.read_text("utf-8"), re.M)
    assert len(listed) == 64
    assert defined == listed


def test_what_the_numbered_rules_name_in_the_code_is_there() -> None:
    groups = re.findall(
        r"^\*In the code:\*(.*?)(?:\n\n|\Z)", NUMBERED.read_text("utf-8"), re.M | re.S
    )
    assert len(groups) == 11
    for name in re.findall(r"`([a-z_]+\.[\w.]+)`", "".join(groups)):
        assert named(nextstation, name)


# Records


def test_every_field_of_a_record_is_explained() -> None:
    page = prose(DOCS / "records.md")
    fields = set(headway.Record.__struct_fields__) - {"folder"}
    rows = re.findall(r"^\| (`.*?`) \| (?:needed|optional|one of them)", page, re.M)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == fields


def test_the_vectors_of_the_dealer_hold() -> None:
    page = prose(DOCS / "records.md")
    rows = re.findall(r"^\| (\d+) \| `(.+?)` \| (\d+) \| `([0-9a-f]{64})` \| (\d+) \|$", page, re.M)
    assert len(rows) == 6
    for seed, name, n, digest, result in rows:
        text = f"headway-deal/1|{seed}|{name}|0"
        assert hashlib.sha256(text.encode()).hexdigest() == digest
        assert dealer.below(int(seed), name, int(n)) == int(result)


def test_the_order_of_what_is_dealt_is_as_told() -> None:
    table = headway.Table("london", seats=3, seed=5, powers=True, objectives=True)
    deal = table.record().deal
    assert deal
    city = load_city("london")
    pencils = rings(3)[dealer.below(5, "pencils", 72)]
    assert deal["pencils"] == [[city.colours[i] for i in row] for row in pencils]
    assert list(rings(3)) == sorted(rings(3))
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    chosen = pairs[dealer.below(5, "objectives", 10)]
    assert deal["objectives"] == [city.objectives[i].id for i in chosen]
    orders = list(permutations(("second", "joker", "switch", "double")))
    powers = orders[dealer.below(5, "powers", 24)]
    assert deal["powers"] == dict(zip(city.colours, powers, strict=True))


def test_the_order_of_special_stations_is_as_told() -> None:
    deal = headway.Table("london", seed=5, special_stations=True).record().deal
    assert deal
    symbols = ("circle", "triangle", "square", "pentagon")
    effects = ("switch", "joker", "extension", "double")
    pairs = [[symbol, effect] for symbol in symbols for effect in effects]
    assert deal["special"] == [pairs[dealer.below(5, "special 1", 16)]]


# Maps


def test_every_problem_of_a_city_file_is_explained() -> None:
    page = prose(DOCS / "maps.md")
    chapter = page[page.index("## What the check says") :]
    rows = re.findall(r"^\| (.+?) \| .*\|$", chapter, re.M)
    assert rows
    facts = {"refused", "facts", "river_facts", "loop_facts"}
    sentences = {
        key: pattern(text)
        for key, text in texts("en").items()
        if key.startswith(("city.", "map.")) and key.split(".")[1] not in facts
    }
    for key, sentence in sentences.items():
        assert any(re.fullmatch(sentence, row) for row in rows), key
    for row in rows:
        assert any(re.fullmatch(sentence, row) for sentence in sentences.values()), row


def pattern(text: str) -> str:
    """A sentence of the catalogue as an expression in which its names stand for anything."""
    return ".+".join(re.escape(part) for part in re.split(r"\{\w+(?::\w+)?\}", text))


def test_every_key_of_a_city_file_is_explained() -> None:
    page = prose(DOCS / "maps.md")
    explained = set(re.findall(r"`\[?\"?(\w+)\"?\]?(?: = [^`]*)?`", page))
    keys = {*KEYS, *NEEDS, *TABLE_KEYS["scoring"], "needs", "at_least", "stamp", "colour"}
    assert keys <= explained


def test_the_examples_of_problems_are_what_the_check_says() -> None:
    (toml,) = (block.text for block in blocks(DOCS / "maps.md") if block.language == "toml")
    page = prose(DOCS / "maps.md")
    for before, after in BREAKING.items():
        assert before in toml
        said = [problem.sentence("en") for problem in check_city(toml.replace(before, after, 1))]
        assert any(f"| {sentence} |" in page for sentence in said), said


BREAKING: Mapping[str, str] = {
    'en = "Harbour", fr = "Le Port"': "",
    '"headway-city/1"': '"headway-city/2"',
    '"harbour"': '"My City"',
    "tourist = [": "capital = 1\ntourist = [",
    ".C.T.S": ".C.T.",
    "P..?.C": "X..?.C",
    'orange = "d3"': "",
    "pink = ": "red = ",
    'blue = "f0"': 'blue = "b0"',
    'pink = "c5"': 'pink = "a0"',
    "aaeebb\ncceedd": "aaaabb\nccccdd",
    '["d2", "f5"]': '["d2", "d2"]',
    "river = 2": "river = -2",
    "verdicts = [55, ": "verdicts = [99, ",
    '"mayor"': '"king"',
    'district = "e"': 'district = "x"',
    '"river", at_least = 4': '"river"',
    'needs = "tourist"': 'needs = "sun"',
    "verdicts": "verdict",
}
