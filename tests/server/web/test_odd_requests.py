"""What no browser sends, on both databases: every address answers it with a sentence, never 500."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from server.services import ON_SQLITE, PATIENT, Server
from support.mutations import paths

DOCUMENT = json.loads((Path(__file__).parents[3] / "client/openapi.json").read_text("utf-8"))
ODD_TEXTS = [
    b"\0", b"a\0b", b"\xff", b"\xed\xa0\x80", b"\x1b\x7f\r\n", b"9" * 5000, b"-1", b"2147483648",
    b"9223372036854775808", b"x" * 300, "\u202e\u0301".encode(), b"..", b"%", b"'",
]  # fmt: skip
ODD_VALUES = [
    "\0", "a\0b", "\ud800", "\x1b\x7f\r\n", "x" * 300, 2**31, 2**63, -(2**63) - 1, 10**400, 1e308,
]  # fmt: skip
OTHER_PLACES = ("puzzle_id", "review", "token")
TEXTS_EACH, VALUES_EACH = 5, 3
"""How many of them each parameter and each field gets."""


def sample(schema: dict[str, Any], name: str = "") -> Any:
    """A value as a schema of the document allows it."""
    if "$ref" in schema:
        return sample(DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return sample(next(s for s in schema[key] if s.get("type") != "null"), name)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [""])[0])
    if schema.get("type") == "object":
        properties = schema.get("properties", {})
        return {key: sample(part, key) for key, part in properties.items()}
    if schema.get("type") == "array":
        return [sample(schema["items"], name)]
    if schema.get("type") == "string":
        return {"game": "next-station", "map": "london"}.get(name, "abcdefgh12")
    return {"boolean": False, "integer": 0}.get(schema.get("type", ""), 0)


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every address of the API with its method."""
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def is_answered(answer: httpx.Response) -> bool:
    """Whether the server did what was asked, or said in a sentence why not."""
    return answer.status_code < 400 or (
        answer.status_code < 500 and bool(answer.json()["error"]["sentence"])
    )


def addresses(table: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Methods and addresses in which one parameter is odd."""
    good = {"table": table, "game": "next-station", "map_name": "london", "seat": "0", "turn": "0"}
    for method, path, operation in operations():
        for parameter in operation.get("parameters", ()):
            for odd in chance.sample(ODD_TEXTS, TEXTS_EACH):
                values = good | {parameter["name"]: quote(odd, safe="")}
                address = path
                for name, value in values.items():
                    address = address.replace(f"{{{name}}}", value)
                if parameter["in"] == "query":
                    address += f"?{parameter['name']}={values[parameter['name']]}"
                yield method, address


def test_odd_addresses(server: Server) -> None:
    guest, chance = server.guest(), random.Random(3)
    table = guest.set_up("me")
    failed = [
        (method, address)
        for method, address in addresses(table, chance)
        if not is_answered(guest.http.request(method, address))
    ]
    assert failed == []


def odd_bodies(schema: dict[str, Any], chance: random.Random) -> Iterator[Any]:
    """Bodies in which one value is odd."""
    body = sample(schema)
    for place in paths(body):
        for odd in chance.sample(ODD_VALUES, VALUES_EACH) if place else ():
            changed = json.loads(json.dumps(body))
            inner = changed
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = odd
            yield changed
    names = [key for key, value in body.items() if isinstance(value, dict)]
    yield from (body | {name: {"a\0b": True}} for name in names)


def test_odd_bodies(server: Server) -> None:
    guest, chance, failed = server.guest(), random.Random(4), []
    table = guest.set_up("me")
    for method, path, operation in operations():
        if "requestBody" not in operation:
            continue
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        address = path.format_map({"table": table, "seat": 0} | dict.fromkeys(OTHER_PLACES, "x"))
        for body in odd_bodies(schema, chance):
            text = json.dumps(body)
            headers = {"content-type": "application/json"}
            answer = guest.http.request(method, address, content=text, headers=headers)
            if not is_answered(answer):
                failed.append((method, address, text))
    assert failed == []


HEADERS: list[dict[str, str]] = [
    {"host": "play.example:99999"}, {"host": "play.example:x"}, {"host": "[::1"}, {"host": ""},
    {"host": "a b"}, {"origin": "http://[x"}, {"origin": "http://a:b"}, {"x-forwarded-for": "["},
    {"accept-language": "en;q=nan, fr;q=" + "9" * 5000}, {"authorization": "Bearer é"},
    {"if-none-match": ","}, {"cookie": "headway=é."},
]  # fmt: skip


@ON_SQLITE
def test_odd_headers(server: Server) -> None:
    with httpx.Client(base_url=server.url, **PATIENT) as browser:
        for path in ("/", "/nowhere", "/t/abc", "/api/me", "/api/shelf"):
            for headers in HEADERS:
                sent = {name.encode(): value.encode() for name, value in headers.items()}
                page = browser.get(path, headers=sent | {b"accept": b"text/html"})
                change = browser.post(path, headers=sent, json={})
                assert max(page.status_code, change.status_code) < 500, (path, headers)


@ON_SQLITE
def test_odd_file_names(server: Server) -> None:
    for name in (
        "x" * 300,
        "a/" * 3000,
        "%00",
        "a%00b",
        "%ff",
        "..%2f..%2fapp.py",
        "%2e%2e",
        "%0a",
    ):
        for folder in ("assets", "icons", "t", "api/rules/pictures"):
            answer = httpx.get(f"{server.url}/{folder}/{name}", **PATIENT)
            assert answer.status_code in (200, 404), (folder, name, answer.status_code)
