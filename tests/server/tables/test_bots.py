"""Bots at the server's tables: slow, stuck and broken ones, what they remember, and hints.

The bots are real: a package of their own, installed beside Headway, found by its entry points.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from server.services import Backing, Guest, Server, await_turn, play_out, table_request, until

Start = Callable[..., Server]

BOTS = """
import os, pathlib, time
import headway

FOLDER = pathlib.Path(os.environ["TEST_BOTS"])

class Slow(headway.Bot):
    '''Moves when somebody opens the gate.'''
    name = "slow"
    def choose(self, view, legal, clock=None):
        (FOLDER / "thinking").touch()
        while not (FOLDER / "gate").exists():
            time.sleep(0.01)
        return legal[-1]

class Stuck(headway.Bot):
    name = "stuck"
    def choose(self, view, legal, clock=None):
        while True:
            time.sleep(1)

class Broken(headway.Bot):
    name = "broken"
    def choose(self, view, legal, clock=None):
        raise ValueError("a secret of the bot")

class Cheat(headway.Bot):
    name = "cheat"
    def choose(self, view, legal, clock=None):
        return max(legal) + 1

class Dying(headway.Bot):
    name = "dying"
    def choose(self, view, legal, clock=None):
        os._exit(1)

class Counting(headway.Bot):
    '''Notes how many moves it has made.'''
    name = "counting"
    made = 0
    def choose(self, view, legal, clock=None):
        self.made += 1
        with open(FOLDER / "counted", "a") as notes:
            notes.write(f"{self.made}\\n")
        return legal[0]

class Noting(headway.Bot):
    '''Notes that it was asked, then moves when somebody opens the gate.'''
    name = "noting"
    def choose(self, view, legal, clock=None):
        with open(FOLDER / "asked", "a") as notes:
            notes.write(f"{self.name}\\n")
        while not (FOLDER / "gate").exists():
            time.sleep(0.01)
        return legal[0]

class Late(Noting):
    name = "late"

class Expert(headway.Searcher):
    '''Thinks that the last move is best.'''
    name = "expert"
    def appraise(self, view, legal, budget):
        return [headway.Appraisal(move, 100.0 + i, 0.5, 7, "score")
                for i, move in enumerate(legal)][::-1]
"""


@pytest.fixture
def backing(tmp_path: Path) -> Backing:
    """A database for each test: the stuck bots of another one would go on."""
    return Backing("sqlite", f"sqlite:///{tmp_path / 'tables.sqlite'}", "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the package of bots, as an installer leaves it."""
    (tmp_path / "testbots.py").write_text(BOTS)
    info = tmp_path / "testbots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: testbots\nVersion: 1\n")
    names = ["Slow", "Stuck", "Broken", "Cheat", "Dying", "Counting", "Noting", "Late", "Expert"]
    entries = "\n".join(f"{name.lower()} = testbots:{name}" for name in names)
    (info / "entry_points.txt").write_text(f"[headway.bots]\n{entries}\n")
    return tmp_path


def with_bots(start: Start, folder: Path, **variables: object) -> Server:
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    return start(PYTHONPATH=path, TEST_BOTS=folder, **variables)


def test_slow_bot_holds_up_nobody_else(start: Start, folder: Path) -> None:
    """While a bot thinks at one table, others play whole games, against bots too."""
    server = with_bots(start, folder, HEADWAY_BOT_WORKERS=2, HEADWAY_BOT_SECONDS=250)
    ann, ben = server.guest("Ann"), server.guest("Ben")
    waiting = ann.set_up("me", "slow")
    ann.move(waiting, 0)
    until(lambda: (folder / "thinking").exists())
    assert play_out(ben.set_up("me"), {0: ben}, pick=0)["finished"]
    assert play_out(ben.set_up("me", "greedy"), {0: ben}, pick=0)["finished"]
    assert ann.see(waiting)["views"]["0"]["turn"] == 1
    (folder / "gate").touch()
    await_turn(ann, waiting, 2)
    assert server.errors() == []


@pytest.mark.parametrize("bot", ["stuck", "broken", "cheat", "dying"])
def test_bot_that_fails_is_replaced(bot: str, start: Start, folder: Path) -> None:
    server = with_bots(start, folder, HEADWAY_BOT_WORKERS=1, HEADWAY_BOT_SECONDS=8)
    ann = server.guest("Ann")
    table, other = ann.set_up("me", bot), ann.set_up("me", "greedy")
    ann.move(table, 0)
    ann.move(other, 0)
    await_turn(ann, table, 2)
    await_turn(ann, other, 2)
    replaced = [line for line in server.errors() if line["message"] == "bot replaced"]
    assert {line["bot"] for line in replaced} == {bot}
    assert "secret" not in server.log.read_text()


def test_bot_goes_on_with_what_it_knows_until_something_is_taken_back(
    start: Start, folder: Path
) -> None:
    server = with_bots(start, folder, HEADWAY_BOT_WORKERS=2, HEADWAY_BOT_SECONDS=250)
    ann = server.guest("Ann")
    table = ann.set_up("me", "counting", training=True)
    for turn in range(2, 5):
        ann.move(table, 0)
        await_turn(ann, table, turn)
    ann.ok(ann.post(f"tables/{table}/undo", seat=0, client_id="take-it-back"))
    ann.move(table, 0)
    # A bot that has forgotten all begins anew.
    until(lambda: (folder / "counted").read_text().split().count("1") == 2)
    assert (folder / "counted").read_text().split()[:3] == ["1", "2", "3"]
    assert server.errors() == []


def asked(folder: Path) -> list[str]:
    """The names of the bots that were asked for a move, in their order."""
    notes = folder / "asked"
    return notes.read_text().split() if notes.exists() else []


def test_a_connected_person_is_served_before_those_who_queue(start: Start, folder: Path) -> None:
    """One worker is busy and other hosts wait for it: the table with a person comes first."""
    server = with_bots(start, folder, HEADWAY_BOT_WORKERS=1, HEADWAY_BOT_SECONDS=250)
    server.guest().set_up("me", "slow")
    until(lambda: (folder / "thinking").exists())
    for _ in range(5):
        server.guest().set_up("me", "noting")
    ann = server.guest("Ann")
    table = ann.set_up("me", "late")
    with ann.socket(table) as ear:
        ear.table()
        (folder / "gate").touch()
        until(lambda: len(asked(folder)) == 6)
    assert asked(folder)[0] == "late"


def test_a_host_has_one_bot_thinking_at_a_time(start: Start, folder: Path) -> None:
    """Four tables of one host take one worker of three; another host's bot thinks beside it."""
    server = with_bots(start, folder, HEADWAY_BOT_WORKERS=3, HEADWAY_BOT_SECONDS=250)
    eve, ben = server.guest("Eve"), server.guest("Ben")
    for _ in range(4):
        eve.set_up("me", "noting")
    until(lambda: asked(folder) == ["noting"])
    ben.set_up("me", "late")
    until(lambda: len(asked(folder)) >= 2)
    assert asked(folder) == ["noting", "late"]
    (folder / "gate").touch()
    until(lambda: len(asked(folder)) == 5)


def test_bots_alone_play_only_while_somebody_watches(start: Start, folder: Path) -> None:
    server = with_bots(start, folder)
    ann = server.guest("Ann")
    table = ann.set_up("greedy", "greedy")
    played = ann.set_up("me", "greedy")
    for turn in range(2, 5):
        ann.move(played, 0)
        await_turn(ann, played, turn)
    assert ann.see(table)["number"] == 0
    with ann.socket(table) as ear:
        ear.table(lambda seen: seen["finished"])
    assert server.errors() == []


def hint(guest: Guest, table: str, seat: int = 0) -> tuple[int, dict[str, object]]:
    answer = guest.http.post(f"/api/tables/{table}/hint", json={"seat": seat}, timeout=200)
    body: dict[str, object] = answer.json()
    return answer.status_code, body


def test_hint_in_training_against_bots(start: Start, folder: Path) -> None:
    server = with_bots(start, folder, HEADWAY_WARM_UP=1, HEADWAY_BOT_SECONDS=120)
    ann = server.guest("Ann")
    table = ann.set_up("me", "greedy", training=True, seed=7)
    status, answer = hint(ann, table)
    assert status == 200, answer
    moves = answer["moves"]
    assert isinstance(moves, list)
    assert {appraisal["move"] for appraisal in moves} <= set(ann.see(table)["legal"]["0"])
    assert moves
    values = [appraisal["value"] for appraisal in moves]
    assert values == sorted(values, reverse=True)
    assert answer["measure"] in ("score", "win")
    assert all(appraisal["simulations"] >= 1 and appraisal["error"] >= 0 for appraisal in moves)
    assert server.errors() == []


def test_no_hint_where_it_would_be_unfair(start: Start, folder: Path) -> None:
    server = with_bots(start, folder, HEADWAY_RATE_LIMIT=1)
    ann, ben = server.guest("Ann"), server.guest("Ben")
    several = ann.set_up("me", "open", training=True)
    assert hint(ann, several)[0] == 409
    ben.join(several)
    for table, guest, key in [
        (several, ann, "server.hint_people"),
        (ann.set_up("me", "greedy"), ann, "server.hint_training"),
        (ann.set_up("me", "greedy", training=True), ben, "server.not_yours"),
        (ann.set_up("me", "me", training=True), ann, "server.hint_people"),
    ]:
        status, answer = hint(guest, table)
        assert (status in (403, 409), answer["error"]["key"]) == (True, key)  # type: ignore[index]
    answers = [hint(ann, several)[0] for _ in range(12)]
    assert 429 in answers


def test_client_cannot_name_a_file_or_a_budget(start: Start, folder: Path) -> None:
    server = with_bots(start, folder)
    (folder / "own.py").write_text(f"open({str(folder / 'ran')!r}, 'w')\nMine = 1")
    ann = server.guest("Ann")
    for bot in (f"{folder}/own.py:Mine"[-40:], "own.py:Mine", "expert@600s", "greedy@1"):
        assert ann.post("tables", **table_request("me", bot)).status_code == 400
    assert not (folder / "ran").exists()
