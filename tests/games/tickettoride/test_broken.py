"""Records that are no legal games are refused, with the right id and the right place."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from games.tickettoride import record_files
from reference import conductor

import headway
from headway.errors import HeadwayError

Plain = dict[str, Any]
GAME = "2-seats-deal-3"


def stored(name: str = GAME) -> Plain:
    """A stored game as plain data."""
    record: Plain = json.loads((record_files.FOLDER / f"{name}.json").read_text("utf-8"))
    return record


def at(condition: Callable[[conductor.Game], bool]) -> tuple[Plain, int]:
    """A stored game, and the index of the first move where the position is as wanted."""
    for name in [GAME, *(name for name in record_files.names() if "deal" in name)]:
        record = stored(name)
        game = conductor.Game(record["seats"], record["deal"])
        for i, text in enumerate(record["moves"]):
            if condition(game):
                return record, i
            game.step(text)
    raise LookupError("no such position")


def put(condition: Callable[[conductor.Game], bool], text: str) -> Plain:
    """A stored game with another move at the first position that is as wanted."""
    record, i = at(condition)
    record["moves"][i:] = [text]
    return record


def changed(**deal: Any) -> Plain:
    """A stored game with another deal."""
    record = stored()
    record["deal"] |= deal
    return record


def playing(game: conductor.Game) -> bool:
    return len(game.opening) == game.seats and not game.choosing


def fresh(game: conductor.Game) -> bool:
    return playing(game) and game.taken == 0


def second(game: conductor.Game) -> bool:
    return playing(game) and game.taken == 1


def taken_route(game: conductor.Game) -> bool:
    return fresh(game) and any(game.routes)


def some_taken() -> Plain:
    record, i = at(taken_route)
    claim = next(move for move in record["moves"] if move.startswith("claim"))
    record["moves"][i:] = [claim]
    return record


def other_half() -> Plain:
    """Seat 1 takes the other half of a double that seat 0 took."""
    record = stored()
    cards = ["black", "blue", "pink", "blue", *["green"] * 5]
    rest = list(conductor.CARDS)
    for card in cards:
        rest.remove(card)
    record["deal"] = record["deal"] | {"transport": cards + rest, "first": 0, "reshuffles": []}
    claims = [
        f"claim covent_garden-trafalgar_square#{n} {c} 0" for n, c in ((1, "black"), (2, "pink"))
    ]
    record["moves"] = ["keep 1", "keep 1", *claims]
    return record


def few_buses() -> Plain:
    """Seat 0 has blue cards for a route of four, and three buses."""
    for name in record_files.names():
        record = record_files.load(name)
        if record.deal is None:
            continue
        game = conductor.Game(record.seats, record.deal)
        for i, text in enumerate(record.moves):
            if fresh(game):
                hand, buses = game.hands[game.turn], game.buses[game.turn]
                for route in conductor.ROUTES.values():
                    held = hand.count(route.colour)
                    free = not any(route.name in own for own in game.routes)
                    if free and not route.twin and buses < route.length <= held:
                        plain = stored(name)
                        plain["moves"][i:] = [f"claim {route.name} {route.colour} 0"]
                        return plain
            game.step(text)
    raise LookupError("nobody is short of buses")


def swapped(part: list[str], i: int, name: str) -> list[str]:
    return [*part[:i], name, *part[i + 1 :]]


DEAL = stored()["deal"]
RESHUFFLED = next(
    name
    for name in record_files.names()
    if "deal" in name and len(stored(name)["deal"]["reshuffles"]) > 1
)


def reshuffles(change: Callable[[list[Any]], list[Any]]) -> Plain:
    record = stored(RESHUFFLED)
    record["deal"]["reshuffles"] = change(record["deal"]["reshuffles"])
    return record


def without(key: str) -> Plain:
    record = stored()
    del record["deal"][key]
    return record


def moves(change: Callable[[list[str]], Any]) -> Plain:
    record = stored()
    record["moves"] = change(record["moves"])
    return record


BROKEN: dict[str, tuple[Callable[[], Plain], str]] = {
    "one seat": (lambda: stored() | {"seats": 1}, "TR-01"),
    "five seats": (lambda: stored() | {"seats": 5}, "TR-01"),
    "a card too few": (lambda: changed(transport=DEAL["transport"][:-1]), "TR-02"),
    "a colour too often": (
        lambda: changed(transport=["blue"] * 7 + DEAL["transport"][7:]), "TR-02"),
    "an unknown card": (lambda: changed(transport=["red", *DEAL["transport"][1:]]), "FORMAT"),
    "a ticket twice": (
        lambda: changed(tickets=swapped(DEAL["tickets"], 0, DEAL["tickets"][1])), "TR-05"),
    "an unknown ticket": (lambda: changed(tickets=["a-b", *DEAL["tickets"][1:]]), "FORMAT"),
    "no tickets dealt": (lambda: without("tickets"), "FORMAT"),
    "no cards dealt": (lambda: without("transport"), "FORMAT"),
    "nobody begins": (lambda: without("first"), "FORMAT"),
    "a seat begins that is not there": (lambda: changed(first=2), "TR-06"),
    "the first seat is no number": (lambda: changed(first="1"), "FORMAT"),
    "no ticket kept at the opening": (lambda: moves(lambda m: ["keep", *m[1:]]), "TR-05"),
    "a third ticket kept": (lambda: moves(lambda m: ["keep 3", *m[1:]]), "TR-05"),
    "a card instead of the choice": (lambda: moves(lambda m: ["take pile", *m[1:]]), "TR-05"),
    "no ticket kept later": (lambda: put(lambda g: g.choosing, "keep"), "TR-14"),
    "a card instead of keeping": (lambda: put(lambda g: g.choosing, "take pile"), "TR-14"),
    "kept, but nothing was drawn": (lambda: put(fresh, "keep 1"), "TR-14"),
    "a card that is not there": (
        lambda: put(lambda g: fresh(g) and "blue" not in g.display, "take blue"), "TR-07"),
    "a claim instead of the second card": (
        lambda: put(second, "claim big_ben-waterloo blue 0"), "TR-07"),
    "tickets instead of the second card": (lambda: put(second, "tickets"), "TR-07"),
    "a bus as the second card": (
        lambda: put(lambda g: second(g) and "bus" in g.display, "take bus"), "TR-08"),
    "no card for the route": (
        lambda: put(
            lambda g: fresh(g) and g.hands[g.turn].count("blue") < 3,
            "claim brick_lane-tower_of_london blue 0"), "TR-10"),
    "cards of another colour": (
        lambda: put(lambda g: fresh(g) and "pink" in g.hands[g.turn],
                    "claim big_ben-waterloo pink 0"), "TR-10"),
    "a route that is taken": (some_taken, "TR-10"),
    "too few buses": (few_buses, "TR-11"),
    "the other half of a double": (other_half, "TR-13"),
    "a pass without need": (lambda: put(fresh, "pass"), "TR-15"),
    "a move after the end": (lambda: moves(lambda m: [*m, "take pile"]), "TR-16"),
    "an unfinished game": (lambda: moves(lambda m: m[:-1]), "TR-16"),
    "no moves": (lambda: moves(lambda m: []), "TR-16"),
    "a reshuffle too many": (lambda: reshuffles(lambda r: [*r, ["blue"]]), "TR-09"),
    "a reshuffle too few": (lambda: reshuffles(lambda r: r[:-1]), "TR-09"),
    "a reshuffle of other cards": (lambda: reshuffles(lambda r: [r[0][1:], *r[1:]]), "TR-09"),
    "a reshuffle that is no list": (lambda: reshuffles(lambda r: ["blue", *r[1:]]), "FORMAT"),
    "an unknown word": (lambda: put(fresh, "grab blue"), "FORMAT"),
    "an unknown route": (lambda: put(fresh, "claim big_ben-brick_lane blue 0"), "FORMAT"),
    "a double without its half": (
        lambda: put(fresh, "claim hyde_park-piccadilly_circus blue 0"), "FORMAT"),
    "all buses under another name": (
        lambda: put(fresh, "claim regents_park-baker_street blue 2"), "FORMAT"),
    "a move that is a number": (lambda: moves(lambda m: [1, *m[1:]]), "FORMAT"),
    "moves that are no list": (lambda: moves(lambda m: "keep 1"), "FORMAT"),
    "an option": (lambda: stored() | {"options": {"powers": True}}, "FORMAT"),
    "an unknown board": (lambda: stored() | {"map": "paris"}, "FORMAT"),
}  # fmt: skip


@pytest.mark.rule("TR-01", "TR-05", "TR-09", "TR-13", "TR-14", "TR-15", "TR-16")
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_record_is_refused_with_its_rule(kind: str) -> None:
    make, rule = BROKEN[kind]
    text = json.dumps(make())
    with pytest.raises(HeadwayError) as error:
        headway.replay(headway.read(text))
    assert error.value.rule == rule
    assert error.value.explain("en") != error.value.explain("fr")
    (many,) = headway.replay_many([text])
    assert many.error
    assert many.error.explain("en") == error.value.explain("en")


@pytest.mark.rule("TR-07")
def test_an_error_names_move_and_seat() -> None:
    record, i = at(second)
    record["moves"][i] = "tickets"
    game = conductor.Game(record["seats"], record["deal"])
    for text in record["moves"][:i]:
        game.step(text)
    with pytest.raises(HeadwayError) as error:
        headway.replay(headway.read(json.dumps(record)))
    assert error.value.place == (("move", i + 1), ("seat", game.turn))
    assert error.value.explain("en").startswith(f"move {i + 1}, seat {game.turn}: TR-07: ")


def test_every_kind_that_the_conductor_can_judge_is_refused_by_it_too() -> None:
    for make, rule in BROKEN.values():
        record = make()
        if rule in ("FORMAT", "TR-01", "TR-02", "TR-06") or "tickets" not in record["deal"]:
            continue
        if len(set(record["deal"]["tickets"])) == 20:
            with pytest.raises((conductor.Refused, IndexError)):
                conductor.judge(record)
