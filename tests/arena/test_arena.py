"""The arena plays what a job says, whatever happens on the way."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console
from server.services import until
from support import preloaded

import headway
from headway.arena import Job, Result, open_job, report, run
from headway.arena.job import load, match_of
from headway.arena.render import grids
from headway.cli.options import WRONG

HELD = """
import headway, pathlib, time

FOLDER = pathlib.Path(__file__).parent

class Held(headway.Bot):
    '''Moves as long as few games are finished, then when somebody opens the gate.'''
    name = "held"
    def choose(self, view, legal, clock=None):
        while not (FOLDER / "gate").exists() and finished() >= 4:
            time.sleep(0.01)
        return self.generator.choice(legal)

def finished():
    return (FOLDER / "broken.jsonl").read_bytes().count(b"\\n") - 1
"""


def games_of(results: list[Result]) -> list[Any]:
    """What does not depend on the machine."""
    return [(r.game, r.deal, r.bots, r.totals, r.winners, r.moves) for r in results]


def test_everybody_alone_plays_the_same_deals() -> None:
    job = open_job("london", ["greedy", "random"])
    results = run(job, 3, cores=2)
    assert [(r.deal, r.bots) for r in results] == [
        (deal, (bot,)) for deal in range(3) for bot in ("greedy", "random")
    ]
    assert games_of(results) == games_of(run(job, 3, cores=1))


def test_seats_are_rotated_and_all_pairs_meet() -> None:
    job = open_job("ticket-to-ride", ["planner", "greedy", "random"], seats=2)
    matches = [match_of(job, number) for number in job.numbers(4)]
    met = Counter(match.seats for match in matches)
    assert met == dict.fromkeys([(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)], 2)
    together = open_job("ticket-to-ride", ["planner", "greedy", "random"], seats=3)
    assert [match_of(together, n).seats for n in together.numbers(2)] == [
        (0, 1, 2), (1, 2, 0), (2, 0, 1),
    ]  # fmt: skip


def test_a_contestant_plays_the_same_whoever_else_is_there() -> None:
    alone = run(open_job("london", ["random"], seed=5), 3)
    among = run(open_job("london", ["greedy", "random"], seed=5), 3)
    assert [r.totals for r in alone] == [r.totals for r in among if r.bots == ("random",)]
    assert len({r.totals for r in alone}) > 1


def test_more_games_of_a_job_go_on_where_it_ended(tmp_path: Path) -> None:
    job, file = open_job("london", ["random", "random"]), tmp_path / "r.jsonl"
    first = run(job, 2, file=file)
    both = run(job, 4, file=file)
    assert games_of(both)[: len(first)] == games_of(first)
    assert [r.bots[0] for r in both[:2]] == ["random", "random (2)"]
    assert both[0].totals != both[1].totals
    assert load(file) == (job, both)


def test_luck_is_told_apart() -> None:
    job = open_job("london", ["driver", "greedy"], luck=True)
    reported = report(job, run(job, 4, cores=2))
    for standing in reported.standings:
        assert standing.fair
        assert standing.fair.error < standing.score.error
        assert abs(standing.fair.mean - standing.score.mean) < 4 * standing.score.error
    (pair,) = reported.pairs
    assert pair.fair
    assert pair.fair.low > 0


def test_luck_that_nobody_can_tell_is_refused() -> None:
    words = ("--map", "ticket-to-ride", "--bots", "planner,random", "--luck")
    refused = preloaded.run("arena", *words)
    assert refused.returncode == WRONG
    assert "luck" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_and_gone_on_is_the_same_as_one_run(
    how: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "held.py").write_text(HELD)
    bots = f"{tmp_path}/held.py:Held,greedy"
    words = ["--map", "tokyo", "--bots", bots, "--games", "12", "--cores", "2", "--seed", "3"]
    file, whole = tmp_path / "broken.jsonl", tmp_path / "whole.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "headway", "arena", *words, "-o", str(file)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | {"HEADWAY_LANG": "en"},
    )
    until(lambda: file.exists() and file.read_bytes().count(b"\n") >= 5)
    process.send_signal(how)
    (tmp_path / "gate").touch()
    _, stderr = process.communicate(timeout=200)
    assert process.returncode == (130 if how == signal.SIGINT else -signal.SIGKILL)
    assert (b"Interrupted after" in stderr) == (how == signal.SIGINT)
    assert b"Traceback" not in stderr
    job, before = load(file)
    assert 4 <= len(before) < len(job.numbers(12))
    with file.open("ab") as half:
        half.write(b'{"game":23,"deal":11,"bo')
    again = preloaded.run("arena", *words, "-o", file)
    assert again.returncode == 0, again.stderr
    assert preloaded.run("arena", *words, "-o", whole).returncode == 0
    assert games_of(load(file)[1]) == games_of(load(whole)[1])
    assert len(file.read_bytes().splitlines()) == len(whole.read_bytes().splitlines())


def test_a_file_of_another_job_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    run(open_job("london", ["random"]), 1, file=file)
    content = file.read_bytes()
    with pytest.raises(headway.InputError, match="another job: bots"):
        run(open_job("london", ["greedy"]), 1, file=file)
    assert file.read_bytes() == content


def test_a_changed_bot_file_is_another_job(tmp_path: Path) -> None:
    bot = tmp_path / "held.py"
    bot.write_text(HELD)
    job = open_job("london", [f"{bot}:Held"])
    bot.write_text(HELD + "\n# better now")
    assert open_job("london", [f"{bot}:Held"]) != job


def test_what_is_wrong_is_a_sentence(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(
        "import headway\n"
        "class Bad(headway.Bot):\n"
        "    def choose(self, view, legal, clock=None): return 1 / 0\n"
        "class Cheat(headway.Bot):\n"
        "    def choose(self, view, legal, clock=None): return -5\n"
    )
    (tmp_path / "text.jsonl").write_text("no job\n")
    wrong: list[tuple[list[object], str]] = [
        (["--bots", "nobody"], "no bot nobody"),
        (["--bots", ""], "Not enough bots for 1 seat"),
        (["--bots", "greedy@1s"], "does not search"),
        (["--bots", "greedy", "--map", "paris"], "paris"),
        (["--bots", "greedy", "--seats", "9"], "9"),
        (["--bots", f"{bad}:Bad"], "ZeroDivisionError"),
        (["--bots", f"{bad}:Cheat"], "Cheat failed"),
        (["--bots", "greedy", "-o", tmp_path / "none" / "r.jsonl"], "No such file"),
        (["report", tmp_path / "text.jsonl"], "is not a results file"),
        (["report", tmp_path / "none.jsonl"], "none.jsonl"),
    ]
    for words, sentence in wrong:
        result = preloaded.run("arena", *words)
        assert result.returncode == WRONG, (words, result)
        assert sentence in result.stderr
        assert "src/headway" not in result.stderr


def test_command_reports_as_tables_json_and_picture(tmp_path: Path) -> None:
    file, plot = tmp_path / "r.jsonl", tmp_path / "r.svg"
    words = ["--bots", "greedy,random", "--games", "4", "--with", "objectives,powers"]
    first = preloaded.run("arena", *words, "-o", file, "--plot", plot, lang="fr")
    assert first.returncode == 0, first.stderr
    assert "Médiane" in first.stdout
    assert plot.read_text().startswith("<svg")
    again = preloaded.run("arena", "report", file, "--json")
    printed = msgspec.json.decode(again.stdout)
    assert printed["games"] == 8
    assert printed["job"]["options"] == ["objectives", "powers"]
    assert [standing["bot"] for standing in printed["standings"]] == ["greedy", "random"]
    assert printed["pairs"][0]["difference"]["mean"] > 0


def test_cluster_gives_the_same_results(tmp_path: Path) -> None:
    """A real Ray on this machine, which the command starts and ends."""
    job, file = open_job("london", ["greedy", "random"], seed=2), tmp_path / "far.jsonl"
    words = ["--bots", "greedy,random", "--games", "2", "--seed", "2", "--cluster", "-o"]
    done = subprocess.run(
        [sys.executable, "-m", "headway", "arena", *words, str(file)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert games_of(load(file)[1]) == games_of(run(job, 2))


def result(game: int, deal: int, totals: dict[str, int], winners: tuple[int, ...] = (0,)) -> Result:
    seats = len(totals)
    return Result(
        game, deal, tuple(totals), tuple(totals.values()), winners,
        (2,) * seats, (0.5,) * seats, (0.3,) * seats,
    )  # fmt: skip


def job(bots: tuple[str, ...], seats: int) -> Job:
    opened = open_job("ticket-to-ride" if seats > 1 else "london", ["random"] * 4, seats=seats)
    return msgspec.structs.replace(opened, bots=bots)


def test_report_of_known_scores() -> None:
    results = []
    for deal, (one, other) in enumerate([(100, 90), (120, 100), (110, 110), (90, 80)]):
        results += [result(2 * deal, deal, {"a": one}), result(2 * deal + 1, deal, {"b": other})]
    summary = report(job(("a", "b"), 1), results)
    a, b = summary.standings
    assert (a.score.mean, a.median, a.lowest, a.highest) == (105, 105, 90, 120)
    assert a.score.error == pytest.approx(6.454972)
    assert (a.cpu, a.longest, a.decisions) == (0.25, 0.3, 8)
    (pair,) = summary.pairs
    # Differences 10, 20, 0, 10: paired, the deals' own spread falls away.
    assert (pair.deals, pair.difference.mean) == (4, 10)
    assert pair.difference.error == pytest.approx(4.082483)
    assert pair.difference.high == pytest.approx(10 + 3.182 * 4.082483, abs=0.1)
    assert pair.wins.mean == 0.875
    assert a.wins
    assert b.wins
    assert (a.wins.mean, b.wins.mean) == (0.875, 0.125)
    assert a.elo is not None
    assert b.elo is not None
    assert a.elo + b.elo == pytest.approx(3000)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_narrow_table_keeps_names_and_means(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWAY_LANG", lang)
    names = ("./bots/mine.py:Mine", "./bots/mine.py:Earlier", "greedy")
    results = [
        result(3 * deal + n, deal, {name: 100 + deal + n})
        for deal in range(4)
        for n, name in enumerate(names)
    ]
    summary = report(job(names, 1), results)
    for width in (80, 140):
        console = Console(width=width, file=StringIO(), color_system=None)
        console.print(*grids(summary, width))
        assert isinstance(console.file, StringIO)
        text = console.file.getvalue()
        assert "…" not in text
        for standing in summary.standings:
            row = rf"{re.escape(standing.bot)} .*{standing.score.mean:.2f} ± "
            assert re.search(row, text), text
        for pair in summary.pairs:
            assert f"{pair.difference.mean:+.2f}  [" in text
        assert "--json" in text or width > 80
        assert max(map(len, text.splitlines())) <= width


def test_ties_are_broken_by_the_games_own_rule() -> None:
    games = [result(0, 0, {"a": 40, "b": 40}, (1,)), result(1, 0, {"b": 40, "a": 40}, (0, 1))]
    (pair,) = report(job(("a", "b"), 2), games).pairs
    assert pair.deals == 1
    assert pair.difference.mean == 0
    assert pair.wins.mean == 0.25


def test_ratings_say_what_win_rates_mean() -> None:
    """Three of four wins are 191 points apart on the scale of chess, in whatever order."""
    totals = [{"a": 2, "b": 1} if game % 4 else {"a": 1, "b": 2} for game in range(400)]
    games = [result(n, n, points, (0,) if n % 4 else (1,)) for n, points in enumerate(totals)]
    for ordered in (games, games[::-1]):
        a, b = report(job(("a", "b"), 2), ordered).standings
        assert a.elo is not None
        assert b.elo is not None
        assert a.rating is not None
        assert b.rating is not None
        assert a.elo - b.elo == pytest.approx(191, abs=3)
        assert a.rating - b.rating == pytest.approx(191, abs=40)
