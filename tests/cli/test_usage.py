"""Help, usage errors and completion, in the language of the user and without Python's words."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.preloaded import run

from headway.cli.app import command
from headway.errors import similar

ENGLISH = ("Usage:", "Options:", "Arguments:", "Commands:", "COMMAND ", "[default", "required")


def test_every_help_is_in_the_language_of_the_user_has_an_example_and_names_no_type() -> None:
    program = [sys.executable, str(Path(__file__).parents[1] / "snapshots" / "help.py")]
    variables = os.environ | {"HEADWAY_LANG": "fr"}
    pages = subprocess.check_output(program, text=True, env=variables).split("$ headway")[1:]
    assert len(pages) > 25
    for page in pages:
        assert "\nUsage\xa0: headway" in page
        assert re.search(r"-h, --help +Afficher cette aide", page), page
        assert re.search(r"\n *Exemples?\s?:", page), page
        assert not [word for word in ENGLISH if word in page], page
        assert not re.search(r"<\w+|\bNone\b|x>=|\[Path\]", page), page
        if page.startswith(" admin ") and "COMMANDE" not in page:
            assert "--json" in page, page


@pytest.mark.parametrize("words", [[], ["arena"], ["city", "show"]])
def test_short_help(words: list[str]) -> None:
    result = run(*words, "-h", "--lang", "fr")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == run(*words, "--help", lang="fr").stdout
    assert result.stdout.startswith("Usage\xa0: headway")


def test_every_option_with_a_value_names_the_value() -> None:
    def parameters(part: Any) -> Iterator[Any]:
        yield from part.params
        for inner in getattr(part, "commands", {}).values():
            yield from parameters(inner)

    for param in parameters(command()):
        assert param.metavar or getattr(param, "is_flag", False), param


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["replay"], "Il manque FICHIER."),
        (["draw", "x.json"], "Il manque -o, --output."),
        (["rplay"], "La commande rplay n’existe pas. Vouliez-vous dire replay, play\xa0?"),
        (["replay", "--jsn"], "L’option --jsn n’existe pas. Vouliez-vous dire --json\xa0?"),
        (["city", "--"], "Il manque une commande."),
        (["replay", "-x"], "L’option -x n’existe pas."),
        (["play", "--bots"], "L’option --bots demande une valeur."),
        (["replay", "--json=1", "x"], "L’option --json ne prend pas de valeur."),
        (["play", "london", "tokyo"], "Mots en trop\xa0: tokyo."),
        (["play", "--seed", "x"], "--seed\xa0: «\xa0x\xa0» n’est pas un nombre entier."),
        (["play", "--people", "0"], "--people\xa0: 0 est hors limites (au moins 1)."),
        (["draw", "x", "-o", "y", "--width", "9"], "9 est hors limites (de 16 à 8192)."),
        (["draw", "x", "-o", "y", "--theme", "pink"], "n’est pas parmi light, dark, auto."),
        (["serve", "--port", "port"], "«\xa0port\xa0» n’est pas un nombre entier."),
    ],
)
def test_usage_errors_are_in_the_language_of_the_user(words: list[str], sentence: str) -> None:
    by_variable = run(*words, lang="fr")
    by_option = run(*words[:1], "--lang", "fr", *words[1:])
    for result in (by_variable, by_option) if words != ["rplay"] else (by_variable,):
        assert result.returncode == 2
        last = result.stderr.splitlines()[-1]
        assert last.startswith("Erreur\xa0: ")
        assert last.endswith(sentence)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["play", "atlantis"], "Le plan atlantis n’existe pas."),
        (["play", "--people", "5"], "NS-01: "),
        (["arena", "--bots", "expret"], "Vouliez-vous dire expert\xa0?"),
        (["score", "london", "nobody"], "Le robot nobody n’existe pas."),
        (["train", "--map", "ticket-to-ride"], "ticket-to-ride"),
    ],
)
def test_all_errors_are_in_the_language_of_the_option(words: list[str], sentence: str) -> None:
    result = run(*words, "--lang=fr")
    assert result.returncode == 2, result
    assert sentence in result.stderr
    assert "FORMAT" not in result.stderr
    assert "Known" not in result.stderr


def test_an_unknown_language_is_refused_in_the_known_one() -> None:
    assert "n’est pas parmi en, fr" in run("bots", "--lang", "de", lang="fr").stderr


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["play", "Londn"], "Did you mean london?"),
        (["city", "show", "tokio"], "Did you mean tokyo?"),
        (["play", "london", "--bots", "gredy"], "Did you mean greedy?"),
        (["arena", "--bots", "Expert@0.1s"], "Did you mean expert?"),
        (["play", "london", "--with", "objective"], "Did you mean objectives?"),
        (["score", "tokio", "greedy"], "Did you mean tokyo?"),
    ],
)
def test_a_misspelt_name_is_guessed(words: list[str], meant: str) -> None:
    result = run(*words)
    assert result.returncode == 2
    assert result.stderr.rstrip().endswith(meant)
    assert "FORMAT" not in result.stderr


def test_a_misspelt_class_of_a_file_is_guessed(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("import headway\nclass Eager(headway.Bot): ...\n")
    assert "Did you mean Eager?" in run("arena", "--bots", f"{file}:Eagre").stderr


def test_nothing_is_guessed_for_a_name_that_looks_like_none() -> None:
    assert similar("atlantis", ["london", "tokyo"]) == []
    assert similar("LONDON", ["london", "tokyo"]) == ["london"]


def test_no_words_show_the_help_and_are_wrong() -> None:
    for words in ([], ["city"], ["data"]):
        result = run(*words)
        assert (result.returncode, result.stdout) == (2, "")
        assert "Commands:" in result.stderr


@pytest.mark.parametrize(
    ("line", "completions"),
    [
        (["headway", "rep"], ["replay"]),
        (["headway", "play", "to"], ["tokyo"]),
        (["headway", "play", "london", "--bots", "expert,gr"], ["expert,greedy"]),
        (["headway", "arena", "--plo"], ["--plot"]),
    ],
)
def test_bash_completes_a_line(line: list[str], completions: list[str]) -> None:
    script = run("completion", "bash").stdout
    words = " ".join(f"'{word}'" for word in line)
    program = f"{script}\nCOMP_WORDS=({words}); COMP_CWORD={len(line) - 1}\n"
    program += '_headway_completion headway; printf "%s\\n" "${COMPREPLY[@]}"'
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", program],
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": path},
    )
    assert done.stdout.split() == completions, done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell: str) -> None:
    result = run("completion", shell)
    assert result.returncode == 0
    assert f"_HEADWAY_COMPLETE=complete_{shell}" in result.stdout
