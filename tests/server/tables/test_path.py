"""The path of a move from the request to the database, as the documentation lists it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import httpx
from support.own_loop import run

import headway
from headway.server.app import create_app
from headway.server.tables.events import TableEvent
from headway.settings import ServerSettings

PAGE = Path(__file__).parents[3] / "docs/architecture.md"
SOURCE = Path(headway.__file__).parent
MOST_FUNCTIONS = 15
SEED = 7
MOVE = "h3g2"
NUMBER = headway.Table("london", seed=SEED).game.parse_move(MOVE)


def carries_move(value: object) -> bool:
    """Whether an argument is the move, or holds it: a request, an event, a closure, a batch."""
    if isinstance(value, list):
        return any(map(carries_move, value))
    if isinstance(value, FunctionType):
        return any(cell.cell_contents == MOVE for cell in value.__closure__ or ())
    event = getattr(value, "event", value)
    return (
        value in (MOVE, NUMBER)
        or (isinstance(event, TableEvent) and event.text == MOVE)
        or getattr(value, "move", None) == MOVE
    )


class Tracer:
    """Notes the functions that get the move, in order."""

    def __init__(self) -> None:
        self.path: list[str] = []

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        file = Path(code.co_filename)
        inside = file.is_relative_to(SOURCE / "server") or file == SOURCE / "table.py"
        if event != "call" or not inside:
            return
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        arguments = [frame.f_locals.get(name) for name in (*names, *code.co_freevars)]
        name = code.co_qualname.replace(".<locals>", "")
        entry = name == "ContextMiddleware.__call__"
        named = "<" not in name and name not in self.path
        if named and (entry or any(map(carries_move, arguments))):
            self.path.append(name)


async def trace(database: Path) -> list[str]:
    """Moves once, and returns the functions that the move passed through."""
    app = create_app(ServerSettings(f"sqlite:///{database}", rate=0, warm_up=False))
    transport = httpx.ASGITransport(app=app)
    async with (
        app.app.lifespan(),
        httpx.AsyncClient(transport=transport, base_url="http://headway") as browser,
    ):
        request: dict[str, Any] = {
            "game": "next-station",
            "map": "london",
            "seats": [{"kind": "me"}],
        }
        request |= {"training": True, "seed": SEED}
        table = (await browser.post("/api/tables", json=request)).json()["id"]
        move = {"seat": 0, "move": MOVE, "client_id": "a-click-on-g2"}
        tracer = Tracer()
        sys.setprofile(tracer)
        try:
            answer = await browser.post(f"/api/tables/{table}/moves", json=move)
        finally:
            sys.setprofile(None)
        assert answer.json() == {"number": 1}
    return tracer.path


def test_a_move_passes_through_few_functions(tmp_path: Path) -> None:
    path = run(trace(tmp_path / "tables.sqlite"))
    block = re.search(r"^```text\n(ContextMiddleware.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    assert block
    assert path == [line.split()[0] for line in block[1].splitlines()]
    assert len(path) <= MOST_FUNCTIONS
