"""What a seat sees: exactly TR-20, whatever is hidden; and worlds dealt from it, uniformly."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest
from games.tickettoride import record_files
from games.tickettoride.playing import TINY, deal, give_route, go, opened, turn
from games.tickettoride.secrets import hidden_places, swap
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import conductor

import headway
from headway.games.contract import CHANCE, Event
from headway.games.logbook import LogLine
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import OVER
from headway.games.tickettoride.state import TicketToRideState
from headway.games.tickettoride.view import TicketToRideView
from headway.record import steps

Seen = list[tuple[TicketToRideView, list[LogLine]]]


def seen_by(record: headway.Record, seat: int) -> Seen:
    """All that a seat sees before the tickets are revealed: every view, and the log at times."""
    seen: Seen = []
    events: list[Event] = []
    for step in steps(record):
        assert isinstance(step.state, TicketToRideState)
        log = step.state.game.log(events, seat) if len(events) % 40 == 39 else []
        seen.append((step.state.view(seat), log))
        events.append(step.event)
    return seen


@pytest.mark.rule("TR-20")
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4), data=st.data())
def test_swapping_what_is_hidden_changes_no_view_and_no_log(
    seed: int, seats: int, data: st.DataObject
) -> None:
    """Cards and tickets in others' hands and in the piles, those that nobody draws included."""
    plain = conductor.random_record(random.Random(seed), seats, 0.5)
    record = headway.read(json.dumps(plain))
    seat = data.draw(st.integers(0, seats - 1))
    cards, tickets = hidden_places(record, seat)
    before = seen_by(record, seat)
    swaps = 0
    for _ in range(6):
        part = data.draw(st.sampled_from(("transport", "tickets")))
        places = cards if part == "transport" else tickets
        if len(places) < 2:
            continue
        pair = data.draw(st.lists(st.sampled_from(places), min_size=2, max_size=2, unique=True))
        changed = swap(record, part, (pair[0], pair[1]))
        try:
            seen = seen_by(changed, seat)
        except headway.RuleBroken:
            continue  # the other player could not have played that: another world, not this one
        assert seen == before
        swaps += 1
    assert swaps or len(cards) < 2


@pytest.mark.rule("TR-20")
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4))
def test_reordering_the_pile_changes_no_view_and_no_log(seed: int, seats: int) -> None:
    """The pile is not in the state at all: every order that is still possible looks the same."""
    table = headway.Table("tickettoride", seats=seats, seed=seed)
    generator = random.Random(seed)
    for _ in range(generator.randrange(5, 60)):
        if table.actors():
            seat = table.actors()[0]
            table.play(seat, generator.choice(table.state.legal(seat)))
    state = table.state
    assert isinstance(state, TicketToRideState)
    dealt, moves = table.game.records.write(table.game, table.events)
    pile, unseen = int(state.shared["pile_size"]), int(state.shared["ticket_pile"]).bit_count()
    last = dealt["reshuffles"][-1] if dealt["reshuffles"] else dealt["transport"]
    for order, left in ((last, pile), (dealt["tickets"], unseen)):
        rest = order[len(order) - left :]
        generator.shuffle(rest)
        order[len(order) - left :] = rest
    reader, again = table.game.records.read(table.game, dealt, moves), table.game.start()
    for seat, _ in table.events:
        if seat == CHANCE or len(moves) >= seats:
            move = reader.chance_move(again) if seat == CHANCE else reader.seat_move(again, seat)
            again.apply(seat, move)
    assert [again.view(s) for s in range(-1, seats)] == [state.view(s) for s in range(-1, seats)]
    assert again == state


@pytest.mark.rule("TR-20", "TR-14", "TR-17")
def test_a_view_shows_what_lies_openly_and_the_own_cards() -> None:
    state = turn(
        seats=3, hands=[{"blue": 2}, {"pink": 3}, {"bus": 1}], discards={"green": 2},
        tickets=["hyde_park-covent_garden"],
    )  # fmt: skip
    own, other, nobody = state.view(0), state.view(1), state.view(CHANCE)
    for view in (own, other, nobody):
        assert view.hands == (2, 3, 1)
        assert view.discards == {"green": 2}
        assert view.tickets == (1, 0, 0)
        assert view.pile == 44 - 5 - 6 - 2
        assert view.ticket_pile == 19
        assert view.points == (0, 0, 0)
    assert own.hand == {"blue": 2}
    assert own.own_tickets == ("hyde_park-covent_garden",)
    assert other.hand == {"pink": 3}
    assert other.own_tickets == nobody.own_tickets == ()
    assert nobody.hand == {}
    assert not any(view.revealed or view.scores for view in (own, other, nobody))


@pytest.mark.rule("TR-20")
def test_a_log_tells_others_no_card_and_no_ticket() -> None:
    table = headway.Table("tickettoride", seats=2, seed=3)
    for seat in (1, 0):
        table.play(seat, "keep 1 2")
    first = table.actors()[0]
    table.play(first, "take pile")
    table.play(first, "take pile")
    own = [line.text for line in table.log(first) if line.text.startswith(f"card {first}")]
    seen = [line.text for line in table.log(1 - first) if line.text.startswith(f"card {first}")]
    assert len(own) == len(seen) == 4
    assert seen == [f"card {first} ?"] * 4
    assert not any("?" in text for text in own)
    lines = [line.text for line in table.log(1 - first) if line.seat == first]
    assert lines == ["keep ? ?", "take pile", "take pile"]
    tickets = [line.text for line in table.log(CHANCE) if line.text.startswith("ticket")]
    assert tickets == ["ticket 0 ?"] * 2 + ["ticket 1 ?"] * 2


@pytest.mark.rule("TR-07", "TR-08", "TR-14")
def test_a_log_tells_which_moves_make_one_turn() -> None:
    table = headway.Table("tickettoride", seats=2, seed=3)
    for seat in (1, 0):
        table.play(seat, "keep 1 2")
    for _ in range(12):
        (seat,) = table.actors()
        face_up = [move for move in table.legal(seat) if move.startswith("take")]
        table.play(seat, face_up[-1])  # a bus, where one lies open, is the whole turn
    (seat,) = table.actors()
    if "tickets" not in table.legal(seat):  # the second card of a turn
        table.play(seat, "take pile")
        (seat,) = table.actors()
    table.play(seat, "tickets")
    table.play(seat, "keep 1")
    turns: dict[int, list[str]] = {}
    seats: dict[int, set[int]] = {}
    for line in (line for line in table.log(CHANCE) if line.seat != CHANCE):
        turns.setdefault(line.turn, []).append(line.text)
        seats.setdefault(line.turn, set()).add(line.seat)
    assert list(turns) == list(range(1, len(turns) + 1))
    assert all(len(who) == 1 for who in seats.values())
    opening, drawn = [turns.pop(1), turns.pop(2)], turns.pop(len(turns) + 2)
    assert opening == [["keep ? ?"]] * 2
    assert drawn == ["tickets", "keep ?"]
    assert all(len(moves) == 2 or moves == ["take bus"] for moves in turns.values())


@pytest.mark.rule("TR-13")
@pytest.mark.parametrize(("seats", "others"), [(2, True), (3, False)])
def test_a_view_tells_which_halves_are_closed(seats: int, others: bool) -> None:
    state = turn(seats=seats, hands=[{}, {}])
    give_route(state, 0, "hyde_park-piccadilly_circus#1")
    other_half = ("hyde_park-piccadilly_circus#2",)
    assert state.view(0).closed == other_half
    assert state.view(1).closed == (other_half if others else ())
    assert state.view(CHANCE).closed == (other_half if others else ())


@pytest.mark.rule("TR-17", "TR-20")
def test_tickets_are_revealed_at_the_end() -> None:
    replay = headway.replay(record_files.load("3-seats-planner"))
    view = replay.state.view(CHANCE)
    assert isinstance(view, TicketToRideView)
    assert all(view.revealed)
    assert tuple(sheet.total for sheet in view.scores) == replay.outcome.totals


@pytest.mark.rule("TR-20")
def test_what_went_openly_into_a_hand_is_remembered() -> None:
    state = turn(hands=[{}, {"blue": 1}])
    go(state, "take blue", "orange")
    go(state, "take pile", "blue")
    assert state.view(1).open == ({"blue": 1}, {})
    go(state, "take pile", "pink")
    go(state, "take pile", "pink")
    go(state, "claim big_ben-waterloo blue 0")
    assert state.view(1).open == ({}, {}), "it may have been that one"


# Worlds dealt from a view


class Every:
    """A generator that takes every way once: `worlds` of all that it can choose."""

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.sizes: list[int] = []

    def randrange(self, stop: int, /) -> int:
        self.sizes.append(stop)
        if len(self.sizes) > len(self.path):
            self.path.append(0)
        return self.path[len(self.sizes) - 1]


def worlds(game: TicketToRide, view: TicketToRideView) -> Iterator[tuple[bytes, Fraction]]:
    """All worlds that `resample` can deal, each with the chance that it does."""
    path: list[int] = []
    while True:
        every = Every(path)
        state = game.resample(view, every)
        chance = Fraction(1)
        for size in every.sizes:
            chance /= size
        yield state.dump(), chance
        path = every.path[: len(every.sizes)]
        while path and path[-1] + 1 == every.sizes[len(path) - 1]:
            path.pop()
        if not path:
            return
        path[-1] += 1


@pytest.mark.rule("TR-20")
def test_resampled_worlds_are_exactly_uniform() -> None:
    """Every order of the unseen cards and tickets is equally likely, on a board of few."""
    game = opened(2, TINY)
    state = game.start()
    deal(state, "0")
    for name in ("blue", "bus", "green", "blue", "north-south", "east-west"):
        deal(state, name)
    for seat in range(2):
        state.apply(seat, game.parse_move("keep 1"))
    view = state.view(0)
    probabilities: dict[bytes, Fraction] = {}
    for world, chance in worlds(game, view):
        probabilities[world] = probabilities.get(world, Fraction()) + chance
    assert sum(probabilities.values()) == 1
    # Unseen: one blue, two green, two buses; one of them is in the other hand.
    hands: Counter[str] = Counter()
    tickets: Counter[str] = Counter()
    for world, chance in probabilities.items():
        dealt = game.start()
        dealt.restore(world)
        assert dealt.view(0) == view
        (card,) = dealt.view(1).hand
        hands[card] += chance  # type: ignore[assignment]
        tickets[dealt.view(1).own_tickets[0]] += chance  # type: ignore[assignment]
    assert hands == {"blue": Fraction(1, 5), "green": Fraction(2, 5), "bus": Fraction(2, 5)}
    assert tickets == dict.fromkeys(("east-west", "north-west", "south-east"), Fraction(1, 3))
    assert len(probabilities) == 9
    assert state.dump() in probabilities, "the real one is one of them"


@pytest.mark.rule("TR-20")
def test_a_hidden_opening_choice_is_any_of_its_choices() -> None:
    game = opened(2)
    table = headway.Table(game, seed=1)
    table.play(1, "keep 1 2")
    view = table.view(0)
    generator = random.Random(0)
    chosen = Counter(int(game.resample(view, generator).players[1]["choice"]) for _ in range(300))
    assert set(chosen) == {1, 2, 3}
    assert min(chosen.values()) > 60


@pytest.mark.rule("TR-20")
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 4))
def test_a_world_keeps_all_that_is_known_and_every_card(seed: int, seats: int) -> None:
    generator = random.Random(seed)
    table = headway.Table("tickettoride", seats=seats, seed=seed)
    while table.actors():
        seat = generator.choice(table.actors())
        table.play(seat, generator.choice(table.state.legal(seat)))
        if generator.randrange(10):
            continue
        for viewer in range(-1, seats):
            view = table.view(viewer)
            world = table.game.resample(view, generator)
            assert isinstance(world, TicketToRideState)
            assert world.view(viewer) == view
            board = world.game.board
            cards = world.shared["pile"] + world.shared["discards"] + world.players["hand"].sum(0)
            for kind in world.shared["display"][: board.play.display]:
                cards[kind] += kind >= 0
            assert cards[: len(board.kinds)].tolist() == [board.cards[k] for k in board.kinds]
            assert (world.players["hand"] >= world.players["open"]).all()
            if world.phase != OVER and viewer >= 0:
                assert world.legal(viewer) == table.state.legal(viewer)
