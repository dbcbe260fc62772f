"""Near-valid records and maps, by mutation: every one is answered, none with a traceback.

A run tries 10,000: 6,600 records and 2,500 maps here, in process, and 900 requests over HTTP
(`server/web/test_mutations.py`), half of them on SQLite and half on PostgreSQL.
"""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import pytest
from support.mutations import mutated, mutated_text

from headway import record
from headway.errors import HeadwayError
from headway.games import boxes
from headway.games.box import Box
from headway.server.replays.replay import replay_text

SHARES = 5
RECORDS = 6600 // SHARES
MAPS = 2500 // SHARES
FILES = sorted(Path(__file__).parent.glob("records/*/*.json"))
GAMES = Path(record.__file__).parent / "games"


@pytest.mark.parametrize("share", range(SHARES))
def test_every_record_is_answered(share: int) -> None:
    chance = random.Random(share)
    refused = 0
    for _ in range(RECORDS):
        text = chance.choice(FILES).read_text("utf-8")
        if chance.random() < 0.8:
            data = mutated(json.loads(text), chance, chance.randint(1, 3))
            text = json.dumps(data, indent=1)
        else:
            text = mutated_text(text, chance)
        refused += not is_good(text)
    assert refused > RECORDS // 2


def is_good(text: str) -> bool:
    """Whether a record can be replayed; fails if it is refused without a sentence and a line."""
    wrong: HeadwayError | None = None
    try:
        replay_text(text, None, own=True)
        record.replay(record.read(text)).report()
    except HeadwayError as error:
        wrong = error
    except Exception as error:
        raise AssertionError(text) from error
    assert not wrong or (wrong.sentence("en") and wrong.line), (wrong, text)
    return not wrong


@cache
def maps() -> list[tuple[Box, str]]:
    """The text of every shipped map with its game."""
    return [
        (box, file.read_text("utf-8"))
        for box in boxes()
        for file in sorted((GAMES / box.name.replace("-", "")).rglob("*.toml"))
        if file.stem in box.maps
    ]


@pytest.mark.parametrize("share", range(SHARES))
def test_every_map_is_answered(share: int) -> None:
    chance = random.Random(share)
    refused = 0
    for _ in range(MAPS):
        box, text = chance.choice(maps())
        text = mutated_text(text, chance)
        problems = box.check_map(text)
        refused += bool(problems)
        assert all(problem.sentence("en") for problem in problems), text
    assert refused > MAPS // 3


MISTAKES = {
    "too few moves": ('"moves": [[["pass"', '"moves": [[[', "format.moves_turn"),
    "too many moves": ('"moves": [[["pass"', '"moves": [[["pass", "pass"', "format.moves_turn"),
    "a bad card": ('"cards": [["', '"cards": [["x', "format.deal_name"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_ordinary_mistake_is_named_with_its_line(mistake: str) -> None:
    data = json.loads((FILES[0].parent / "london-1-base-all-cards.json").read_text("utf-8"))
    data["moves"][0][0] = ["pass"]
    good = ",\n".join(f"{json.dumps(key)}: {json.dumps(part)}" for key, part in data.items())
    good = good.replace('"cards"', '\n"cards"')
    before, after, key = MISTAKES[mistake]
    assert before in good
    text = "{\n" + good.replace(before, after) + "\n}"
    with pytest.raises(HeadwayError) as caught:
        replay_text(text, None)
    assert caught.value.key == key
    assert text.splitlines()[caught.value.line - 1].startswith(after.split(":")[0])


@pytest.mark.parametrize("folder", ["next-station", "ticket-to-ride"])
def test_an_empty_deal_is_named(folder: str) -> None:
    data = json.loads(next(f for f in FILES if f.parent.name == folder).read_text("utf-8"))
    data.pop("seed", None)
    text = json.dumps(data | {"deal": {}}, indent=1)
    with pytest.raises(HeadwayError) as caught:
        replay_text(text, None)
    assert caught.value.key == "format.deal_missing"
    assert text.splitlines()[caught.value.line - 1] == ' "deal": {},'
