"""Replays of records: every moment as it was, and errors where they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from headway import record
from headway.errors import HeadwayError
from headway.games.contract import CHANCE
from headway.server.replays.replay import GameReplay, replay_text

RECORDS = Path(__file__).parents[2] / "records"
SOME = [
    "next-station/london-1-base-all-cards.json",
    "next-station/tokyo-2-special-seed.json",
    "ticket-to-ride/2-seats-planner.json",
    "ticket-to-ride/4-seats-deal-1.json",
]


def views(replay: GameReplay) -> list[dict[str, Any]]:
    """The whole views of all moments, put together from what changed."""
    known: dict[str, Any] = {}
    moments = []
    for moment in replay.moments:
        known = {seat: known.get(seat, {}) | changed for seat, changed in moment.views.items()}
        moments.append(known)
    return moments


@pytest.mark.parametrize("name", SOME)
def test_every_moment_is_as_the_seats_saw_it(name: str) -> None:
    text = (RECORDS / name).read_text()
    read = record.read(text)
    expected, moved = [], []
    last = None
    for step in record.steps(read):
        state = last = step.state
        if step.event[0] != CHANCE:
            seats = range(read.seats)
            expected.append({str(s): msgspec.to_builtins(state.view(s)) for s in seats})
            moved.append(step.event[0])
    assert last
    expected.append({str(s): msgspec.to_builtins(last.view(s)) for s in range(read.seats)})
    whole = replay_text(text, None)
    assert views(whole) == expected
    assert [moment.seat for moment in whole.moments] == [CHANCE, *moved]
    assert whole.outcome == record.replay(read).outcome
    for seat in range(read.seats):
        seen = replay_text(text, seat)
        assert views(seen) == [{str(seat): views_then[str(seat)]} for views_then in expected]
    assert len(whole.log) == whole.moments[-1].number
    assert not any("?" in line.text for line in whole.log if whole.secret_hands)


@pytest.mark.parametrize("name", SOME)
def test_a_seat_is_told_nothing_before_its_time(name: str) -> None:
    """At every moment the log is the one that the seat had at the table just then."""
    text = (RECORDS / name).read_text()
    read = record.read(text)
    game, events = read.open(), [step.event for step in record.steps(read)]
    for seat in range(read.seats):
        seen = replay_text(text, seat)
        for moment in seen.moments[::3]:
            then = game.log(events[: moment.number], seat)
            now = [line for line in seen.log if line.known <= moment.number]
            assert [(n.number, n.seat, n.text) for n in now] == [
                (t.number, t.seat, t.text) for t in then
            ]


@pytest.mark.parametrize(("name", "seen"), [(SOME[1], 0), (SOME[2], None)])
def test_one_may_leave_open_who_sees(name: str, seen: int | None) -> None:
    """A stranger sees all hands where they are secret, and a sheet where nothing is."""
    text = (RECORDS / name).read_text()
    assert replay_text(text, None, own=True) == replay_text(text, seen)


def test_a_seat_is_told_only_what_it_saw() -> None:
    text = (RECORDS / "ticket-to-ride/2-seats-planner.json").read_text()
    hidden = [line.text for line in replay_text(text, 0).log if line.text.startswith("card 1")]
    assert hidden
    assert set(hidden) == {"card 1 ?"}


@pytest.mark.parametrize("name", SOME[1:3])
def test_a_wrong_move_is_named_by_place_and_line(name: str) -> None:
    """Every move in turn, replaced by nonsense."""
    data = json.loads((RECORDS / name).read_text())
    data.pop("fair", None)
    lines = json.dumps(data, indent=1).splitlines()
    first = next(i for i, line in enumerate(lines) if '"moves"' in line) + 1
    moves = [i for i in range(first, len(lines)) if '"' in lines[i]]
    for i in moves[::7]:
        wrong = [*lines]
        wrong[i] = wrong[i].split('"')[0] + '"nonsense"' + wrong[i].split('"')[2]
        with pytest.raises(HeadwayError) as caught:
            replay_text("\n".join(wrong), None)
        assert caught.value.line == i + 1
        assert caught.value.where("en")


def test_a_record_that_stops_is_shown_at_its_last_move() -> None:
    data = json.loads((RECORDS / SOME[2]).read_text())
    data["moves"] = data["moves"][:6]
    text = json.dumps(data, indent=1)
    with pytest.raises(HeadwayError) as caught:
        replay_text(text, None)
    assert text.splitlines()[caught.value.line - 1].strip() == f'"{data["moves"][5]}"'


@pytest.mark.parametrize("path", ["/etc/hosts", "../london", "london.toml", "./london"])
def test_a_record_opens_no_file_of_the_server(path: str) -> None:
    data = json.loads((RECORDS / SOME[2]).read_text())
    with pytest.raises(HeadwayError) as caught:
        replay_text(json.dumps(data | {"map": path}), None)
    assert caught.value.key == "server.no_map"
