"""The OpenAPI document is complete, and the server keeps to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import CheckFunction
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import positive_data_acceptance
from server.in_process import browser, serving
from server.services import ON_SQLITE, PATIENT, Server
from support.own_loop import run

OPERATIONS = {
    "me", "rename", "new_token", "tokens", "rename_token", "revoke_token", "shelf", "map", "texts",
    "rules", "rules_picture", "set_up",
    "tables", "table", "join", "leave", "move", "why", "hint", "undo", "answer_undo",
    "rematch", "give_to_bot",
    "record", "replay", "replay_record", "picture_svg", "picture_png", "sheet_svg", "sheet_pdf",
    "map_picture", "is_alive", "is_ready",
    "paper", "paper_why", "full_sheet", "health", "metrics", "claim", "sign_in", "sign_out",
    "change_password", "delete_account", "profile", "today", "begin_today", "ready", "pick",
    "begin", "hold", "remove", "say",
    "decide_sharing", "make_review", "review", "review_record", "record_review",
    "exercise", "attempt", "play_on", "record_exercise", "record_attempt", "record_play_on",
    "people", "forgive", "decline", "table_people", "avoid", "challenge", "seek", "give_up_seek",
    "standing", "ladder", "remarks", "remark", "report",
    "notices", "choose_notices", "subscribe", "unsubscribe", "new_calendar", "drop_calendar",
    "set_webhook", "drop_webhook", "calendar",
    "puzzle", "solve", "puzzle_why", "review_games", "game_reviews",
    "rating", "poster_png", "take_face",
    "operator_notice", "recover", "new_recovery_code", "passkeys", "begin_passkey", "add_passkey",
    "remove_passkey", "begin_passkey_sign_in", "sign_in_with_passkey", "link_device",
    "device_owner", "sign_in_device", "house_page", "invitation",
}  # fmt: skip

BEYOND: list[CheckFunction] = [positive_data_acceptance]
"""A schema cannot say what the rules of a game allow: a table of nine powers, an empty name."""


@ON_SQLITE
def test_document_names_everything(server: Server) -> None:
    document = httpx.get(f"{server.url}/schema/openapi.json", **PATIENT).json()
    ids = {
        operation["operationId"]
        for path in document["paths"].values()
        for operation in path.values()
    }
    assert ids == OPERATIONS
    schemas = document["components"]["schemas"]
    for name in ("TableView", "ListedTable", "NextStationView", "CityData", "Failure", "NewTable"):
        assert name in schemas
    for path in document["paths"].values():
        for operation in path.values():
            assert operation["summary"]


@ON_SQLITE
@pytest.mark.parametrize("address", ["replay", "picture.svg", "picture.png"])
def test_seat_of_a_board_has_bounds(server: Server, address: str) -> None:
    document = httpx.get(f"{server.url}/schema/openapi.json", **PATIENT).json()
    parameters = document["paths"][f"/api/tables/{{table}}/{address}"]["get"]["parameters"]
    (seat,) = (parameter for parameter in parameters if parameter["name"] == "seat")
    assert (seat["schema"]["minimum"], seat["schema"]["exclusiveMaximum"]) == (0, 8)
    for number in (-1, 8):
        answer = server.guest().http.get(f"/api/tables/bcdfghjkmn/{address}?seat={number}")
        assert answer.status_code == httpx.codes.BAD_REQUEST


@ON_SQLITE
def test_server_keeps_to_its_document(server: Server) -> None:
    """Schemathesis makes requests of all kinds; none may break the server or the document."""
    ann = server.guest()
    table = ann.set_up("me", "me")
    schema = schemathesis.openapi.from_url(f"{server.url}/schema/openapi.json")
    cookies = {"headway": ann.http.cookies["headway"]}

    for result in schema.get_all_operations():
        assert isinstance(result, Ok)

        @settings(
            max_examples=8,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=result.ok().as_strategy())
        def check(case: schemathesis.Case[Any]) -> None:
            if "table" in case.path_parameters:
                case.path_parameters["table"] = table
            case.call_and_validate(cookies=cookies, excluded_checks=BEYOND)

        check()


def test_tables_do_not_wait_for_the_document(tmp_path: Path) -> None:
    """To make it takes a second: a worker does so, once."""

    async def ask() -> None:
        async with serving(f"sqlite:///{tmp_path / 'tables.sqlite'}") as app, browser(app) as ann:
            for _ in range(2):
                assert (await ann.get("/schema/openapi.json")).json()["openapi"]
            pages = app.app.state.process.workers.pages
            assert pages.load().processes == 1
            assert app.app.openapi_config is None

    run(ask())
