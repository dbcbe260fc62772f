"""The database of a release: what people leave on a server, kept as SQL for tests of upgrades.

`make release` writes one into `tests/releases` for each version. It runs beside an installed wheel,
so it needs nothing but Python.
"""

from __future__ import annotations

import json
import sqlite3
import time
import urllib.request
from contextlib import closing
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

RELEASES = Path(__file__).parents[1] / "releases"
PASSWORD = "a password of no worth"
HOST, FRIEND = "Ann of old", "Ben of old"
REMARK = "See you at the terminus"
MOST_SECONDS = 600.0


class Visitor:
    """Somebody at a server, with cookies."""

    def __init__(self, url: str) -> None:
        self.url = url
        cookies = urllib.request.HTTPCookieProcessor(CookieJar())
        self.browser = urllib.request.build_opener(cookies)
        self.see("me")

    def see(self, path: str) -> Any:
        """Returns what the API tells."""
        return json.load(self.browser.open(f"{self.url}/api/{path}", timeout=60))

    def post(self, path: str, **body: Any) -> Any:
        """Asks the API for something; returns its answer."""
        headers = {"content-type": "application/json"}
        data = json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api/{path}", data, headers)
        with self.browser.open(request, timeout=60) as answer:
            return json.loads(answer.read() or b"null")

    def move(self, table: str) -> bool:
        """Makes the last legal move of a seat that may move; whether there was one."""
        seen = self.see(f"tables/{table}")
        for seat, legal in seen["legal"].items():
            if legal:
                move = {"seat": int(seat), "move": legal[-1]}
                self.post(f"tables/{table}/moves", **move, client_id=f"release-{seen['number']}")
                return True
        return False


def play_out(table: str, *players: Visitor) -> None:
    """Plays a game to its end."""
    until = time.monotonic() + MOST_SECONDS
    while not players[0].see(f"tables/{table}")["finished"]:
        moved = [player.move(table) for player in players]
        if not any(moved):
            time.sleep(0.1)  # a bot is to move
        assert time.monotonic() < until, "the game did not end"


def fill(url: str) -> None:
    """Leaves at a server two finished games, two that run, words and a report of them."""
    ann, ben = Visitor(url), Visitor(url)
    for visitor, name in ((ann, HOST), (ben, FRIEND)):
        visitor.post("account", name=name, password=PASSWORD)
    alone = {"game": "next-station", "map": "london", "seats": [{"kind": "me"}], "training": True}
    play_out(ann.post("tables", **alone)["id"], ann)
    play_out(shared(ann, ben, "next-station", "tokyo", "greedy"), ann, ben)
    runs = shared(ann, ben, "next-station", "london", chat=True)
    ann.move(runs)
    remark = ben.post(f"tables/{runs}/remarks", text=REMARK)["id"]
    ann.post(f"tables/{runs}/remarks/{remark}/report")
    shared(ann, ben, "ticket-to-ride", "london")


def shared(
    host: Visitor, friend: Visitor, game: str, map_name: str, *bots: str, **more: Any
) -> str:
    """A table of two people, with bots or without; its id."""
    seats = [{"kind": "me"}, {"kind": "open"}, *({"kind": "bot", "bot": bot} for bot in bots)]
    table: str = host.post("tables", game=game, map=map_name, seats=seats, **more)["id"]
    friend.post(f"tables/{table}/join", seat=1)
    return table


def dump(file: Path) -> str:
    """Returns a database as SQL, with few of the puzzles that every server has."""
    with closing(sqlite3.connect(file)) as database, closing(sqlite3.connect(":memory:")) as copy:
        database.backup(copy)
        some = "SELECT rowid FROM puzzles LIMIT 20"
        copy.execute(f"DELETE FROM puzzles WHERE rowid NOT IN ({some})")
        copy.commit()
        return "\n".join([*copy.iterdump(), ""])


def load(sql: str, file: Path) -> None:
    """Makes a database of SQL."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript(sql)
