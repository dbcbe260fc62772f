"""Pictures and sheets: drawn in two worker processes, not too wide, kept when they are final."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from server.services import PATIENT, Backing, Guest, Server, play_out

BOT_WORKERS = 1


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("pictures")
    backing = Backing("sqlite", f"sqlite:///{folder / 'tables.sqlite'}", "")
    running = Server(backing, folder, HEADWAY_BOT_WORKERS=BOT_WORKERS)
    yield running
    running.stop()
    assert running.errors() == []


@pytest.fixture
def ann(server: Server) -> Guest:
    return server.guest("Ann")


def picture(guest: Guest, table: str, query: str = "") -> httpx.Response:
    return guest.http.get(f"/api/tables/{table}/picture.png?{query}")


def drawn(server: Server) -> int:
    """How many drawings the server has made."""
    lines = httpx.get(f"{server.url}/metrics", **PATIENT).text.splitlines()
    line = next(line for line in lines if line.startswith("headway_drawings_total"))
    return int(float(line.split()[1]))


def children(pid: int) -> list[int]:
    return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_what_has_to_wait_for_the_game(ann: Guest) -> None:
    """What is not open yet is refused as the API's description says."""
    riding = {"game": "ticket-to-ride", "map": "london"}
    waiting = ann.set_up("me", "open")
    running = ann.set_up("me", "random", **riding)
    for table, what, key in (
        (waiting, "record", "server.not_started"),
        (running, "record", "server.record_later"),
        (running, "replay", "server.not_over"),
    ):
        answer = ann.http.get(f"/api/tables/{table}/{what}")
        assert (answer.status_code, answer.json()["error"]["key"]) == (409, key)
    assert picture(ann, waiting).status_code == 200
    hidden = picture(ann, running, "seat=1")
    assert (hidden.status_code, hidden.json()["error"]["key"]) == (403, "server.not_yours")
    said = ann.http.get(f"/api/tables/{running}/picture.svg?lang=en").text
    assert all(words in said for words in ("Ann: 0 points", "Random: 0 points", "Cards of Ann"))


@pytest.mark.parametrize("width", [15, 1601, 4096, 10**12])
def test_a_picture_is_not_too_wide(ann: Guest, width: int) -> None:
    table = ann.set_up("me")
    for lang in ("en", "fr"):
        answer = picture(ann, table, f"width={width}&lang={lang}")
        assert answer.status_code == 400
        error = answer.json()["error"]
        assert (error["key"], error["lang"]) == ("server.picture_width", lang)
        assert "1600" in error["sentence"]


def test_the_widest_picture(ann: Guest) -> None:
    png = picture(ann, ann.set_up("me"), "width=1600").content
    assert int.from_bytes(png[16:20]) == 1600


def test_the_server_draws_nothing_itself(server: Server, ann: Guest) -> None:
    """Twenty pictures at once are drawn by two processes, and none by the server's own."""
    table = ann.set_up("me", "me")
    widths = range(300, 320)
    with ThreadPoolExecutor(len(widths)) as pool:
        answers = list(pool.map(lambda width: picture(ann, table, f"width={width}"), widths))
    assert [answer.status_code for answer in answers] == [200] * len(widths)
    assert [int.from_bytes(a.content[16:20]) for a in answers] == list(widths)
    pid = server.process.pid
    assert "resvg" not in Path(f"/proc/{pid}/maps").read_text()
    resource_tracker = 1
    assert len(children(pid)) <= resource_tracker + BOT_WORKERS + 2
    drawing = [p for p in children(pid) if "resvg" in Path(f"/proc/{p}/maps").read_text()]
    assert len(drawing) in (1, 2)


def test_a_finished_game_is_drawn_once(server: Server, ann: Guest) -> None:
    table = ann.set_up("me")
    running = picture(ann, table, "width=100").content
    play_out(table, {0: ann}, pick=0)
    before = drawn(server)
    pictures = {picture(ann, table, "width=100").content for _ in range(5)}
    assert len(pictures) == 1
    assert pictures != {running}
    assert drawn(server) == before + 1
    assert picture(ann, table, "width=101").content not in pictures
    assert drawn(server) == before + 2


def test_the_order_of_options_makes_no_other_sheet(server: Server, ann: Guest) -> None:
    before, path = drawn(server), "/api/shelf/next-station/tokyo/sheet.pdf"
    orders = [("objectives", "powers"), ("powers", "objectives"), ("powers", "objectives") * 2]
    sheets = {ann.http.get(path, params={"option": options}).content for options in orders}
    assert len(sheets) == 1
    assert drawn(server) == before + 1
