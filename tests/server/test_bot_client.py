"""A bot from a file sits at a web table: real server, real command, whole games."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server.services import Backing, Guest, Server, until

OWN = """
import headway

class Mine(headway.Bot):
    '''Draws something whenever it can.'''
    name = "mine"
    def choose(self, view, legal, clock=None):
        assert view.seat == 0 or view.seat == 1
        return self.generator.choice(legal[1:] or legal)

class Bad(Mine):
    def choose(self, view, legal, clock=None):
        return 1 / 0
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    backing = Backing("sqlite", f"sqlite:///{tmp_path / 'tables.sqlite'}", "")
    running = Server(backing, tmp_path)
    yield running
    running.stop()


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "own.py").write_text(OWN)
    return f"{tmp_path}/own.py"


def token_of(guest: Guest) -> str:
    token: str = guest.ok(guest.post("tokens", name="bot"))["token"]
    return token


def visit(url: str, token: str, bot: str, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "headway", "bot", "connect", url, "--bot", bot, *more]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"HEADWAY_TOKEN": token, "HEADWAY_LANG": "en"},
    )


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("next-station", ["open", "greedy"]),
        ("next-station", ["me", "me", "greedy"]),
        ("ticket-to-ride", ["me", "me", "greedy"]),
    ],
)
def test_file_bot_plays_a_whole_game_against_a_bot_of_the_server(
    game: str, seats: list[str], server: Server, own: str
) -> None:
    """It takes a free seat, or plays all seats of the person who made the token."""
    ann = server.guest("Ann")
    table = ann.set_up(*seats, game=game)
    whose = ann if "me" in seats else server.guest("Robin")
    bot = visit(f"{server.url}/t/{table}", token_of(whose), f"{own}:Mine")
    output, said = bot.communicate(timeout=200)
    assert bot.returncode == 0, said
    seen = ann.see(table)
    assert seen["finished"]
    assert f"{seen['outcome']['totals']}"[1:-1] in output
    assert server.errors() == []


def test_connection_that_drops_is_made_again(server: Server, own: str) -> None:
    """The server is killed in the middle of the game and started again."""
    ann = server.guest("Ann")
    table = ann.set_up("me", "open")
    bot = visit(server.url, token_of(server.guest()), f"{own}:Mine", "--table", table)
    until(lambda: ann.see(table)["started"])
    ann.move(table, 0)
    until(lambda: ann.see(table)["views"]["0"]["turn"] == 2)
    server.kill()
    server.start()
    while not (seen := until(lambda: _my_turn(ann, table)))["finished"]:
        ann.move(table, 0, seen["legal"]["0"][-1])
    output, said = bot.communicate(timeout=200)
    assert bot.returncode == 0, said
    assert "trying again" in said
    assert "over" in output


def _my_turn(guest: Guest, table: str) -> dict[str, Any]:
    seen: dict[str, Any] = guest.see(table)
    ready = seen["finished"] or seen["legal"]["0"]
    return seen if ready else {}


def test_interrupt_gives_a_seat_back_before_the_game(server: Server, own: str) -> None:
    """And a bot that joins a table whose seed was chosen says so, as the page does."""
    ann = server.guest("Ann")
    table = ann.set_up("me", "open", "open", public=True, training=True, seed=7)
    bot = visit(server.url, token_of(server.guest()), f"{own}:Mine")
    until(lambda: ann.see(table)["seats"][1]["kind"] == "person")
    until(lambda: ann.see(table)["seats"][1]["online"])
    bot.send_signal(signal.SIGINT)
    _, said = bot.communicate(timeout=200)
    assert bot.returncode == 130
    assert "left its seat" in said
    assert "chosen seed" in said
    assert "Traceback" not in said
    assert ann.see(table)["seats"][1]["kind"] == "open"


def test_a_table_that_refuses_the_bot_is_passed_over(server: Server) -> None:
    """Ann has blocked Robin; her tables are the first and the last of the open ones."""
    ann, ben, robin = (server.guest(name) for name in ("Ann", "Ben", "Robin"))
    shared = ann.set_up("me", "open")
    robin.join(shared)
    ann.ok(ann.post(f"tables/{shared}/seats/1/avoid", how="block"))
    closed = ann.set_up("me", "open", public=True)
    table = ben.set_up("me", "open", public=True)
    ann.set_up("me", "open", public=True)
    bot = visit(server.url, token_of(robin), "greedy")
    until(lambda: ben.see(table)["seats"][1]["kind"] == "person")
    bot.send_signal(signal.SIGINT)
    _, said = bot.communicate(timeout=200)
    assert bot.returncode == 130, said
    assert ann.see(closed)["seats"][1]["kind"] == "open"


def test_what_is_wrong_is_a_sentence(server: Server, own: str) -> None:
    ann = server.guest("Ann")
    table, token = ann.set_up("open", "greedy"), token_of(server.guest())
    for url, key, bot, sentence in [
        (server.url, "wrong", "greedy", "Unknown token"),
        ("http://127.0.0.1:9", token, "greedy", "does not answer"),
        ("ftp://x", token, "greedy", "not the address"),
        (f"{server.url}/t/nosuch", token, "greedy", "no such table"),
        (f"{server.url}/t/{table}", token, "planner", "only plays"),
        (f"{server.url}/t/{table}", token, f"{own}:Bad", f'File "{own}", line 13, in choose'),
    ]:
        process = visit(url, key, bot)
        _, said = process.communicate(timeout=200)
        assert process.returncode == 2, (said, bot)
        assert sentence in said
        assert "src/headway" not in said
