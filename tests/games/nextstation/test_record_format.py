"""Records: section 11 of the specification, and which id is named where two could be."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from games.nextstation.playing import Play

import headway
from headway.errors import HeadwayError, InputError, RuleBroken
from headway.games.nextstation.game import NextStation

RECORDS = Path(__file__).parents[2] / "records" / "next-station"
EXAMPLE: dict[str, Any] = json.loads((RECORDS / "nl-05.json").read_text("utf-8"))


def example() -> dict[str, Any]:
    """A record to be changed."""
    return copy.deepcopy(EXAMPLE)


def refusal(record: Any) -> HeadwayError:
    """The error that a record gets."""
    with pytest.raises(HeadwayError) as refused:
        headway.replay(headway.read(json.dumps(record)))
    return refused.value


# Reading and writing


def test_a_record_is_written_as_it_is_read() -> None:
    record = headway.load(RECORDS / "nl-05.json")
    again = headway.read(record.json())
    assert (again.deal, again.moves, again.seats) == (record.deal, record.moves, record.seats)
    replay = headway.replay(record)
    deal, moves = replay.game.records.write(replay.game, replay.events)
    assert moves == EXAMPLE["moves"]
    assert deal["pencils"] == EXAMPLE["deal"]["pencils"]
    for written, listed in zip(deal["cards"], EXAMPLE["deal"]["cards"], strict=True):
        assert written == listed[: len(written)]


@pytest.mark.parametrize("city", ["london", "tokyo"])
@pytest.mark.parametrize("modules", [{}, {"powers": True}, {"special_stations": True}])
def test_a_table_s_record_is_dealt_again_from_its_seed(city: str, modules: dict[str, bool]) -> None:
    table = headway.Table(NextStation(city, 3, {"objectives": True, **modules}), seed=-17)
    headway.play_out(table, [headway.make_bot("random", table.game, s) for s in range(3)])
    record = headway.read(table.record().json())
    assert (record.seed, record.deal) == (-17, None)
    replay = headway.verify(record)
    assert replay.events == table.events
    assert replay.state == table.state


@pytest.mark.rule("NS-03")
def test_a_record_keeps_what_the_host_chose() -> None:
    pencils = [["green", "purple", "blue", "pink"], ["blue", "pink", "green", "purple"]]
    table = headway.Table("london", seats=2, seed=9, chosen={"pencils": pencils})
    while seats := table.actors():
        for seat in seats:
            table.play(seat, "pass")
    record = headway.read(table.record().json())
    assert record.chosen == {"pencils": pencils}
    assert headway.replay(record).events == table.events


def test_an_unfinished_table_keeps_its_seed_to_itself() -> None:
    table = headway.Table("london", seed=4)
    table.play(0, table.legal()[1])
    record = table.record()
    assert record.seed is None
    assert record.fair
    assert record.fair.salt is None
    assert record.deal
    assert len(record.deal["cards"][0]) >= 2
    with pytest.raises(RuleBroken) as refused:
        headway.replay(headway.read(record.json()))
    assert refused.value.rule == "NS-10"


def test_the_report_of_a_record() -> None:
    report = headway.replay(headway.load(RECORDS / "nl-05.json")).report()
    assert list(report) == ["legal", "scores", "winners"]
    assert [len(turns) for turns in report["legal"]] == [len(t) for t in EXAMPLE["moves"]]
    assert report["legal"][0][0] == [2]  # a circle from d2: a2 or f0
    keys = ["lines", "tourist", "interchanges", "objectives", "deduction", "total"]
    assert list(report["scores"][0]) == keys
    assert report["winners"] == [0]


@pytest.mark.rule("NT-03", "PW-02")
def test_legal_counts_are_of_single_sections_with_the_bare_card() -> None:
    play = Play("tokyo", "brown", power="second").turn("circle", "h8h6").reveal("joker")
    bare = {move for move in play.legal() if "+" not in move} - {"pass"}
    assert play.game.records.legal_count(play.state, 0) == len(bare)
    assert {"=h6h4", "h6i5"} <= bare  # double tracks are counted as sections of their own
    stuck = Play("london", "pink").turn("pentagon", "h3j1").turn("circle", "j1j0")
    stuck.turn("square", "h3j3").reveal("circle")
    assert stuck.game.records.legal_count(stuck.state, 0) == 0


# The notation


@pytest.mark.parametrize(
    "text",
    [
        "pass",
        "d2a2",
        "=d2a2",
        "!joker d2a2",
        "!switch =d2a2",
        "~ d2a2",
        "~ =d2a2",
        "d2a2 +a2c4",
        "=d2a2 +a2c4 *a2",
        "pass *d2",
    ],
)
def test_moves_are_printed_as_they_are_parsed(text: str) -> None:
    game = NextStation("london", 1, {})
    assert game.move_text(game.parse_move(text)) == text
    assert game.move_text(game.parse_move(f"  {text.replace(' ', '   ')} ")) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "skip",
        "d2",
        "d2a2c3",
        "D2A2",
        "d2a2 d2f0",
        "d2a2 pass",
        "*a2 d2a2",
        "+a2a3 d2a2",
        "d2a2 *a2 +a2a3",
        "d2a2 !joker",
        "!joker pass",
        "~ pass",
        "!joker",
        "~d2a2",
        "!teleport d2a2",
        "d2a2 +=a2a3",
        "d2b3",  # no station there
        "d2k2",
        "pass pass",
        "d2a2\nx",
    ],
)
def test_what_is_no_move_cannot_be_read(text: str) -> None:
    with pytest.raises(InputError) as refused:
        NextStation("london", 1, {}).parse_move(text)
    assert refused.value.rule == "FORMAT"


# Errors


def test_an_error_names_round_turn_seat_and_rule() -> None:
    record = example()
    record["moves"][1][2] = ["d2d2"]
    error = refusal(record)
    assert error.place == (("round", 2), ("turn", 3), ("seat", 0))
    assert error.explain("en").startswith(f"round 2, turn 3, seat 0: {error.rule}: ")


@pytest.mark.rule("NS-10")
def test_too_few_or_too_many_turns_or_cards() -> None:
    for change in ("turn less", "turn more", "round less", "round more", "cards less"):
        record = example()
        if change == "turn less":
            record["moves"][2].pop()
        elif change == "turn more":
            record["moves"][2].append(["pass"])
        elif change == "round less":
            record["moves"].pop()
        elif change == "round more":
            record["moves"].append([["pass"]] * 5)
        else:
            record["deal"]["cards"][3] = record["deal"]["cards"][3][:6]
        assert refusal(record).rule == "NS-10", change
    assert refusal({**EXAMPLE, "moves": []}).rule == "NS-10"


@pytest.mark.rule("NS-06")
def test_a_card_twice_in_a_round() -> None:
    record = example()
    record["deal"]["cards"][1][1] = record["deal"]["cards"][1][0]
    error = refusal(record)
    assert (error.rule, error.place[0]) == ("NS-06", ("round", 2))


@pytest.mark.rule("NS-04")
@pytest.mark.parametrize(
    "pencils",
    [
        [["green", "purple", "blue", "pink"], ["purple", "blue", "pink", "green"]],  # neighbours
        [["green", "purple", "blue", "pink"], ["green", "purple", "blue", "pink"]],
        [["green", "purple", "blue", "pink"], ["blue", "green", "pink", "purple"]],
        [["green", "green", "blue", "blue"], ["blue", "blue", "green", "green"]],
    ],
)
def test_pencils_off_the_ring(pencils: list[list[str]]) -> None:
    record = example()
    record["seats"] = 2
    record["deal"]["pencils"] = pencils
    record["moves"] = [[["pass", "pass"] for _ in turns] for turns in record["moves"]]
    assert refusal(record).rule == "NS-04"
    record["deal"]["pencils"] = [
        ["green", "purple", "blue", "pink"],
        ["blue", "pink", "green", "purple"],
    ]
    headway.replay(headway.read(json.dumps(record)))


# "Which id, where two could be named"


@pytest.mark.rule("PW-02", "NT-03", "PW-04", "NT-02", "NS-19", "NS-08", "NS-14")
@pytest.mark.rule("PW-01", "SP-01", "SP-03", "SP-05", "SP-06")
def test_which_id_is_named() -> None:
    second = Play("london", "green", power="second").reveal("circle")
    assert second.broken("d2a2 +a2a3") == "PW-02"  # wrong symbol of a second section

    london = Play("london", "green").turn("triangle", "d2e3").reveal("joker")
    assert london.broken("=d2e3") in {"NT-03", "NS-18"}
    assert london.broken("=e3f3") == "NT-03"  # a double track where none is allowed

    joker = Play("tokyo", "brown", power="joker").turn("circle", "h8h6").reveal("joker")
    assert joker.broken("!joker =h6h4") == "PW-04"

    tokyo = Play("tokyo", "purple").turn("square", "c1d0").reveal("circle")
    assert tokyo.broken("d0d4") == "NT-02"  # crossing the loop
    tokyo.move("c1c3").reveal("square")
    assert tokyo.broken("c3c5") == "NS-19"  # an ordinary section along it

    switch = Play("london", "green").turn("circle", "d2a2").turn("square", "a2a3")
    assert switch.reveal("switch pentagon").broken("h3i4") == "NS-08"  # off the line on a switch
    early = Play("london", "green", power="second").turn("circle", "d2a2 +d2f0")
    assert early.reveal("switch square").broken("d2d1") == "NS-14"  # the middle in turn 2

    off = Play("london", "green").reveal("circle")
    assert off.broken("!joker d2a2") == "PW-01"
    assert off.broken("~ d2a2") == "SP-01"
    spent = Play("london", "green", power="joker").turn("circle", "!joker d2a2").reveal("square")
    assert spent.broken("!joker a2a3") == "PW-01"

    special = Play("london", "green", special="circle switch").reveal("circle")
    assert special.broken("~ d2a2") == "SP-03"  # in turn 1 or 2
    assert special.broken("d2f0 +f0h0") == "SP-05"  # a round whose effect is another
    assert special.broken("d2a2 *a2") == "SP-06"
    assert special.move("pass").reveal("square").broken("~ d2d1") == "SP-01"  # symbol not up
