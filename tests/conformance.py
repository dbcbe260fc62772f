"""What every game must keep, whatever its rules: run `conform(game, seed)` on it.

Each check walks one random game of the contract's `State` from the start to the end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import msgspec
import pytest

from headway import record
from headway.dealer import deal
from headway.errors import HeadwayError, NotYourTurn
from headway.games.contract import CHANCE, Event, Game, Seat, State
from headway.table import Table

MOST_EVENTS = 5000


def walk(game: Game, seed: int) -> Iterator[tuple[State, Event]]:
    """A random game: every state, with the event that comes next."""
    generator = random.Random(seed)
    state = game.start()
    for _ in range(MOST_EVENTS):
        actors = sorted(state.actors())
        if not actors:
            return
        seat = generator.choice(actors)
        move = deal(seed, state) if seat == CHANCE else generator.choice(state.legal(seat))
        yield state, (seat, move)
        state.apply(seat, move)
    raise AssertionError("random play did not end")


def conform(game: Game, seed: int) -> None:
    """Walks a game and checks the whole contract at every point of it."""
    generator = random.Random(seed)
    names: set[str] = set()
    last: State | None = None
    events: list[Event] = []
    for state, (seat, move) in walk(game, seed):
        last = state
        logs_hide_what_is_hidden(state, events, generator)
        events.append((seat, move))
        legal_is_stable_and_sorted(state)
        legal_move_applies_to_a_copy_only(state, seat, move)
        illegal_is_refused(state, generator)
        moves_print_and_parse(state)
        dump_and_load_are_inverse(state)
        views_hide_what_is_hidden(state, generator)
        assert state.outcome() is None
        assert len(state.scores()) == game.seats
        if seat == CHANCE:
            name = state.chance_name()
            assert name not in names, f"{name} was dealt before"
            names.add(name)
            chance_adds_up(state)
        else:
            assert state.chance() == []
    assert last is not None
    finished_is_finished(last)


def seats_of(state: State) -> list[Seat]:
    return [CHANCE, *range(state.game.seats)]


def legal_is_stable_and_sorted(state: State) -> None:
    for seat in seats_of(state):
        legal = state.legal(seat)
        assert legal == state.legal(seat) == sorted(set(legal))
        assert bool(legal) == (seat in state.actors())


def legal_move_applies_to_a_copy_only(state: State, seat: Seat, move: int) -> None:
    before = state.dump()
    copy = state.copy()
    assert copy.dump() == before
    for legal_move in [*state.legal(seat)[:3], move]:
        state.copy().apply(seat, legal_move)
    copy.apply(seat, move)
    assert copy.dump() != before
    assert state.dump() == before, "a copy was applied to and the original changed"


def illegal_is_refused(state: State, generator: random.Random) -> None:
    before = state.dump()
    for seat in seats_of(state):
        if seat not in state.actors():
            with pytest.raises(NotYourTurn):
                state.apply(seat, 0)
            continue
        legal = set(state.legal(seat))
        for move in [-1, max(legal) + 1, *(m ^ 1 << generator.randrange(40) for m in legal)][:20]:
            if move not in legal:
                with pytest.raises(HeadwayError) as refused:
                    state.apply(seat, move)
                assert refused.value.rule
                assert refused.value.sentence("en") != refused.value.sentence("fr")
    assert state.dump() == before, "a refused move changed the state"


def moves_print_and_parse(state: State) -> None:
    game = state.game
    for seat in state.actors() - {CHANCE}:
        texts = [game.move_text(move) for move in state.legal(seat)]
        assert len(set(texts)) == len(texts)
        assert [game.parse_move(text) for text in texts] == state.legal(seat)


def dump_and_load_are_inverse(state: State) -> None:
    loaded = state.game.load(state.dump())
    assert loaded == state
    assert loaded.actors() == state.actors()
    assert [loaded.view(s) for s in seats_of(state)] == [state.view(s) for s in seats_of(state)]


def views_hide_what_is_hidden(state: State, generator: random.Random) -> None:
    for seat in range(state.game.seats):
        view = state.view(seat)
        assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view
        world = state.game.resample(view, generator)
        assert world.view(seat) == view, "a world dealt from a view looks different"
        assert world.legal(seat) == state.legal(seat)
    waiting = sorted(state.actors() - {CHANCE})
    if len(waiting) > 1:
        one, other = generator.sample(waiting, 2)
        moves = state.legal(other)
        seen = []
        for move in (moves[0], moves[-1]):
            copy = state.copy()
            copy.apply(other, move)
            seen.append([copy.view(s) for s in seats_of(state) if s != other])
        assert seen[0] == seen[1], f"seat {one} sees what seat {other} moved in the running turn"


def logs_hide_what_is_hidden(state: State, events: list[Event], generator: random.Random) -> None:
    waiting = sorted(state.actors() - {CHANCE})
    if len(waiting) < 2 or generator.randrange(8):
        return
    other = generator.choice(waiting)
    moves = state.legal(other)
    logs = [
        [state.game.log([*events, (other, move)], s) for s in seats_of(state) if s != other]
        for move in (moves[0], moves[-1])
    ]
    assert logs[0] == logs[1]


def chance_adds_up(state: State) -> None:
    outcomes = state.chance()
    assert [move for move, _ in outcomes] == state.legal(CHANCE)
    assert sum((probability for _, probability in outcomes), Fraction()) == 1
    assert all(state.game.notation.chance_text(state, move) for move, _ in outcomes[:5])


def finished_is_finished(state: State) -> None:
    assert state.finished()
    assert state.actors() == frozenset()
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.winners
    assert outcome.totals == tuple(score.total for score in state.scores())
    for seat in seats_of(state):
        assert state.legal(seat) == []
        with pytest.raises(NotYourTurn):
            state.apply(seat, 0)
    assert state.game.load(state.dump()).finished()


def undone_moves_tell_nothing(game: Game, seed: int) -> None:
    """What a seat sees of a move that it may take back, it knew before: the same in all worlds.

    The worlds are sampled from what the seat knew before the move. Play that prefers the last legal
    move goes where random play rarely goes.
    """
    generator = random.Random(seed)
    table = Table(game, seed=seed)
    while seats := table.actors():
        seat = generator.choice(seats)
        legal = table.state.legal(seat)
        for move in {legal[0], legal[-1], generator.choice(legal)}:
            undone_move_tells_nothing(table.copy(), seat, move, generator)
        table.play(seat, generator.choice([legal[-1], generator.choice(legal)]))


def undone_move_tells_nothing(
    table: Table, seat: Seat, move: int, generator: random.Random
) -> None:
    view, log = table.view(seat), table.log(seat)
    table.play(seat, move)
    if table.finished() or table.is_final(seat):
        return
    seen = [line for line in table.log(seat) if line not in log]
    assert [line.seat for line in seen] == [seat]
    for _ in range(3):
        world = table.game.resample(view, generator)
        world.apply(seat, move)
        assert world.view(seat) == table.view(seat), f"{table.game.move_text(move)} told something"


def records_tell_the_game(game: Game, seed: int) -> None:
    """A table's record, with its seed or with its deal, replays to the same events and scores."""
    table = Table(game, seed=seed)
    generator = random.Random(seed)
    while seats := table.actors():
        seat = generator.choice(seats)
        table.play(seat, generator.choice(table.legal(seat)))
    seeded = record.read(table.record().json())
    dealt = record.read(table.record().json())
    dealt.seed, (dealt.deal, _) = None, game.records.write(game, table.events)
    for stored in (seeded, record.read(dealt.json())):
        replayed = record.replay(stored)
        assert sorted(replayed.events) == sorted(table.events)
        assert replayed.state == table.state
        assert replayed.outcome == table.outcome()
    assert {line.number for line in table.log(0)} <= set(range(len(table.events)))
