"""The `headway` command as a user runs it: real processes, their output and exit codes."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.preloaded import run

import headway

HEADWAY = [sys.executable, "-m", "headway"]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with finished games: solo.json, duel.json, tokyo.json."""
    folder = tmp_path_factory.mktemp("games")
    for name, city, seats in (("solo", "london", 1), ("duel", "london", 2), ("tokyo", "tokyo", 1)):
        table = headway.Table(city, seats=seats, seed=5, objectives=True)
        headway.play_out(table, [headway.make_bot("random", table.game, k) for k in range(seats)])
        (folder / f"{name}.json").write_bytes(table.record().json())
    return folder


def refused(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """It ended with exit code 2 and a sentence that has these words, and with no traceback."""
    assert result.returncode == 2, result
    assert "Traceback" not in result.stderr
    for word in words:
        assert word in result.stderr


def test_help_names_every_command_and_an_example() -> None:
    text = run("--help").stdout
    for command in ("replay", "review", "verify", "draw", "play", "city"):
        assert command in text
        assert "Example" in run(*command.split(), "--help").stdout or command == "city"
    assert "Exemple" in run("replay", "--help", lang="fr").stdout
    assert "Example" in run("city", "check", "--help").stdout


def test_version() -> None:
    assert run("--version").stdout == f"headway {headway.__version__}\n"


def test_replay_prints_the_score_sheet(games: Path) -> None:
    result = run("replay", games / "duel.json")
    assert result.returncode == 0
    assert "Next Station: London" in result.stdout
    assert "Won by seat" in result.stdout
    assert "Victoire" in run("replay", games / "duel.json", lang="fr").stdout


def test_replay_of_tokyo_says_that_it_is_a_reconstruction(games: Path) -> None:
    assert "Redrawn map" in run("replay", games / "tokyo.json").stdout
    assert "Plan redessiné" in run("replay", games / "tokyo.json", "--lang", "fr").stdout


def test_replay_says_whose_limits_the_verdicts_of_tokyo_have(games: Path) -> None:
    assert "The limits of the verdicts are ours" in run("replay", games / "tokyo.json").stdout
    assert "sont les nôtres" in run("replay", games / "tokyo.json", "--lang", "fr").stdout
    assert "limits" not in run("replay", games / "solo.json").stdout


def test_replay_json_is_one_line_a_file(games: Path) -> None:
    result = run("replay", "--json", games / "solo.json", games / "tokyo.json")
    london, tokyo = map(json.loads, result.stdout.splitlines())
    assert london.keys() == tokyo.keys() == {"legal", "scores", "winners"}
    assert list(london["scores"][0]) == [
        "lines", "tourist", "interchanges", "objectives", "deduction", "total",
    ]  # fmt: skip
    assert list(tokyo["scores"][0]) == [
        "lines", "stamps", "loop", "interchanges", "objectives", "deduction", "total",
    ]  # fmt: skip
    assert london["scores"][0]["deduction"] == -10
    assert len(london["legal"]) == 4


def test_replay_goes_on_behind_a_wrong_file(games: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text((games / "solo.json").read_text().replace('"seats": 1', '"seats": 9'))
    result = run("replay", "--json", wrong, games / "solo.json")
    refused(result, str(wrong), "NS-01")
    assert len(result.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "JSON"),
        ("[]", "object"),
        ("{}", "format"),
        ('{"format": "headway-record/1"}', "FORMAT"),
        ("\x00\xff", "FORMAT"),
    ],
)
def test_unreadable_record(content: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(content.encode("latin-1"))
    refused(run("replay", file), str(file), words)


def change(file: Path, target: Path, **fields: object) -> Path:
    record = json.loads(file.read_text()) | fields
    target.write_text(json.dumps({k: v for k, v in record.items() if v is not None}))
    return target


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"map": "paris"}, ["FORMAT", "paris", "london"]),
        ({"game": "chess"}, ["FORMAT", "chess"]),
        ({"seed": "seven"}, ["FORMAT", "seed"]),
        ({"seed": 1.5}, ["FORMAT", "seed"]),
        ({"seats": 0}, ["NS-01"]),
        ({"seats": "two"}, ["FORMAT", "seats"]),
        ({"options": {"objectives": True, "powers": True, "special_stations": True}}, ["PW-07"]),
        ({"options": {"objectives": True}}, ["FORMAT", "powers"]),
        ({"options": {"objectives": 1, "powers": 1, "special_stations": 1}}, ["FORMAT"]),
        ({"moves": None}, ["FORMAT", "moves"]),
        ({"deal": {}}, ["FORMAT", "seed"]),
        ({"seed": None}, ["FORMAT", "seed"]),
        ({"rules": 99}, ["FORMAT", "99"]),
        ({"map_hash": "0"}, ["FORMAT", "london"]),
        ({"names": ["Nina", "Tom"]}, ["FORMAT", "1"]),
    ],
)
def test_wrong_field_of_a_record(
    fields: dict[str, object], words: list[str], games: Path, tmp_path: Path
) -> None:
    refused(run("replay", change(games / "solo.json", tmp_path / "x.json", **fields)), *words)


@pytest.mark.parametrize(
    "fields",
    [
        {"map": "\x1b[2Jparis"},
        {"game": "\x1b]0;title\x07"},
        {"moves": [[["\x9b2J\u202e"]]]},
        {"options": {"\x1b[31m": True, "objectives": True, "powers": False}},
        {"seed": None, "deal": {"cards": [["\x1b[5m"]], "pencils": [["\x1b[5m"] * 4]}},
    ],
    ids=str,
)
def test_no_terminal_escape_comes_out_of_a_record(
    fields: dict[str, object], games: Path, tmp_path: Path
) -> None:
    for command in ("replay", "verify"):
        result = run(command, change(games / "solo.json", tmp_path / "x.json", **fields))
        assert result.returncode == 2
        assert not set("\x07\x1b\x9b\u202e") & set(result.stdout + result.stderr)


def test_a_wrong_record_is_named_with_its_line(games: Path, tmp_path: Path) -> None:
    """These gave a traceback: a turn with too few moves, or too many, and an empty deal."""
    record = json.loads((games / "solo.json").read_text())
    record.pop("seed")
    file = tmp_path / "x.json"
    for turn in ([], ["pass", "pass"]):
        record["moves"][0][0] = turn
        lines = json.dumps(record | {"seed": 5}, indent=1).splitlines()
        file.write_text("\n".join(lines))
        line = next(i for i, text in enumerate(lines, 1) if '"moves"' in text) + 2
        refused(run("replay", file), f"{file}:{line}: ", "round 1, turn 1")
    record["moves"][0][0] = ["pass"]
    file.write_text('{"deal": {},\n' + json.dumps(record)[1:])
    refused(run("replay", file), f"{file}:1: ", "deal")


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    for command in (["replay"], ["verify"], ["city", "check"], ["draw", "-o", "x.svg"]):
        refused(run(*command, tmp_path / "nowhere"), "nowhere")
        refused(run(*command, tmp_path), str(tmp_path))


@pytest.mark.parametrize(
    "arguments",
    [["replay"], ["draw", "x.json"], ["nothing"], ["play", "london", "--seed", "x"],
     ["play", "london", "--people", "0"], ["play", "london", "--lang", "de"]],
)  # fmt: skip
def test_wrong_arguments(arguments: list[str]) -> None:
    refused(run(*arguments), "Error")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "atlantis"], ["atlantis"]),
        (["play", "london", "--people", "5"], ["NS-01"]),
        (["play", "london", "--bots", "deep-blue"], ["deep-blue", "greedy"]),
        (["play", "london", "--with", "powers,special-stations"], ["PW-07"]),
        (["play", "london", "--with", "dragons"], ["dragons"]),
        (
            ["play", "london", "--people", "2", "--choose", "cards=x"],
            ["pencils, spare, controller"],
        ),
        (["play", "london", "--choose", "pencils"], ["PART=VALUE"]),
    ],
)
def test_wrong_choice_of_a_game(arguments: list[str], words: list[str]) -> None:
    refused(run(*arguments), *words)


def test_play_with_choices_of_the_host(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    choices = ["--choose", "first=1", "--choose", "buses=teal,-"]
    arguments = ["play", "ticket-to-ride", *choices, "--seed", "3", "--save", str(file)]
    output = run(*arguments, stdin="quit\n").stdout
    assert "Who begins: commuter" in output
    assert "Bus colour, Player: teal" in output
    assert json.loads(file.read_text())["chosen"] == {"first": 1, "buses": ["teal", None]}


def test_review_goes_on_behind_a_wrong_file(games: Path, tmp_path: Path) -> None:
    wrong, curve = tmp_path / "wrong.json", tmp_path / "curve.svg"
    wrong.write_text((games / "solo.json").read_text().replace('"london"', '"tokyo"'))
    command = ("review", wrong, games / "solo.json", "--budget", 2, "--json", "--plot", curve)
    result, replayed = run(*command), run("replay", wrong)
    assert result.returncode == replayed.returncode == 2
    assert result.stderr.startswith(replayed.stderr)
    (line,) = result.stdout.splitlines()
    assert json.loads(line)["format"] == "headway-review/1"
    assert not curve.exists(), "the first record has no review"
    refused(run("review", games / "solo.json", "--seat", 3), "no seat 3")
    refused(run("review", games / "solo.json", "--plot", "curve.png"), ".svg")


def test_verify_keeps_the_promise(games: Path, tmp_path: Path) -> None:
    result = run("verify", games / "solo.json")
    assert result.returncode == 0
    record = json.loads((games / "solo.json").read_text())
    assert record["fair"]["commitment"] in result.stdout
    record["fair"]["salt"] = "0" * 32
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(record))
    refused(run("verify", forged), "FAIR")
    refused(run("verify", change(games / "solo.json", forged, fair=None)), "FORMAT")
    hidden = {"commitment": record["fair"]["commitment"]}
    refused(run("verify", change(games / "solo.json", forged, fair=hidden)), "FORMAT")


def test_draw_writes_both_kinds_of_picture(games: Path, tmp_path: Path) -> None:
    svg, png = tmp_path / "game.svg", tmp_path / "game.png"
    assert run("draw", games / "duel.json", "-o", svg, "--seat", 1).returncode == 0
    assert svg.read_text().startswith("<svg")
    assert "<desc>" in svg.read_text()
    assert run("draw", games / "duel.json", "-o", png, "--width", 360).returncode == 0
    assert png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png.read_bytes()[16:20]) == 360
    refused(run("draw", games / "duel.json", "-o", svg, "--seat", 2), "2")
    refused(run("draw", games / "duel.json", "-o", tmp_path / "game.gif"), "game.gif")
    refused(run("draw", games / "duel.json", "-o", tmp_path / "no" / "game.svg"), "game.svg")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["game.png", "game.svg"]


def test_city_check_lists_problems_with_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('format = "headway-city/1"\nname = "Mine!"\n')
    result = run("city", "check", file)
    refused(result, f"{file}:2: ")
    assert len(result.stderr.splitlines()) > 5


def test_city_show(tmp_path: Path) -> None:
    result = run("city", "show", "tokyo")
    assert result.returncode == 0
    assert "52 stations, 126 sections, 27 crossing pairs, 13 districts" in result.stdout
    assert "Redrawn map" in result.stdout
    refused(run("city", "show", "atlantis"), "atlantis")


def test_own_city_plays_and_replays(tmp_path: Path) -> None:
    text = Path(headway.__file__).parent.joinpath("games/nextstation/city/london.toml")
    mine = tmp_path / "mine.toml"
    mine.write_text(text.read_text().replace('name = "london"', 'name = "mine"'))
    table = headway.Table(str(mine), seed=1)
    headway.play_out(table, [headway.make_bot("random", table.game, 1)])
    record = tmp_path / "game.json"
    record.write_bytes(table.record().json())
    assert run("replay", record).returncode == 0
    mine.write_text(mine.read_text() + "\n# a comment changes nothing\n")
    assert run("replay", record).returncode == 0
    mine.write_text(mine.read_text().replace("river = 2", "river = 3"))
    refused(run("replay", record), "mine")


def test_interrupted_command_ends_with_130(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*HEADWAY, "play", "london"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        start_new_session=True,
    )
    os.close(theirs)
    written = os.read(ours, 1000)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all processes of the command
    while part := _read(ours):
        written += part
    os.close(ours)
    assert process.wait(60) == 130
    assert b"Traceback" not in written
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("loaded", ["headway.i18n", "numpy._core.multiarray", "typer"])
def test_interrupted_while_it_loads(loaded: str) -> None:
    """Python tells of every module that it has loaded; Ctrl-C comes in the middle of them."""
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "headway", "serve"],
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert process.stderr
    while not process.stderr.readline().rstrip().endswith(f" {loaded}"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    rest = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 130
    assert "Traceback" not in rest


def _read(terminal: int) -> bytes:
    """What comes next from a pseudo-terminal; nothing when its other side is closed."""
    try:
        return os.read(terminal, 1000)
    except OSError:
        return b""


def test_a_setting_that_is_no_number_is_told() -> None:
    result = subprocess.run(
        [*HEADWAY, "serve", "--port", "0"],
        capture_output=True,
        text=True,
        env=os.environ | {"HEADWAY_AWAY_SECONDS": "soon", "HEADWAY_LANG": "en"},
        timeout=60,
    )
    refused(result, "HEADWAY_AWAY_SECONDS", "soon")


@pytest.mark.parametrize("ending", ["pdf", "svg"])
def test_city_print(tmp_path: Path, ending: str) -> None:
    output = tmp_path / f"london.{ending}"
    result = run("city", "print", "london", "-o", output, "--with", "objectives", "--lang", "fr")
    assert (result.returncode, result.stderr) == (0, "")
    assert output.read_bytes().startswith(b"%PDF-" if ending == "pdf" else b"<svg ")


def test_city_print_says_what_is_wrong(tmp_path: Path) -> None:
    refused(run("city", "print", "london", "-o", tmp_path / "london.png"), ".pdf")
    output = tmp_path / "london.pdf"
    refused(run("city", "print", "nowhere", "-o", output), "nowhere")
    both = run("city", "print", "london", "-o", output, "--with", "powers,special-stations")
    refused(both, "PW-07")
    assert not output.exists()
    assert run("board", "print", "london", "-o", output).returncode == 2


def test_bots_are_compiled_ahead() -> None:
    compiled = run("bot", "compile")
    assert compiled.returncode == 0
    first, *_, last = compiled.stderr.splitlines()
    assert first.startswith("Compiling: 0 of ")
    assert last == first.replace("0", first.split()[-1], 1)
