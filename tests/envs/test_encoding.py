"""Actions and observations: masks are the legal moves, and nothing hidden is observed."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import numpy as np
import pytest

from benchmarks.environments import legal_mask
from headway.envs.encoding import Batch, Encoding, encoding_of, open_game
from headway.envs.episodes import NEXT_STEP, NOTHING
from headway.errors import InputError
from headway.games import box
from headway.games.contract import CHANCE
from headway.games.tickettoride.state import TicketToRideState
from headway.table import Table

GAMES = {
    "london": ("next-station", "london", 1, {}),
    "london with powers": ("next-station", "london", 1, {"powers": True, "objectives": True}),
    "tokyo with special stations": ("next-station", "tokyo", 1, {"special_stations": True}),
    "ticket to ride": ("ticket-to-ride", "london", 2, {}),
    "ticket to ride for four": ("ticket-to-ride", "london", 4, {}),
}
every_game = pytest.mark.parametrize("name", GAMES)


def encoding(name: str, seats: int | None = None) -> Encoding:
    game, city, usual, options = GAMES[name]
    return encoding_of(open_game(game, city, seats or usual, **options))


def batch_of(coded: Encoding, places: int, **settings: object) -> Batch:
    opponents = {} if coded.game.seats == 1 else {"opponents": ["random"] * (coded.game.seats - 1)}
    played = coded.batch(places, **settings, **opponents)
    for place in range(places):
        played.seed(place, place)
    return played


def any_action(mask: np.ndarray, generator: random.Random) -> int:
    return generator.choice(np.flatnonzero(mask).tolist())


@every_game
def test_the_mask_is_the_legal_moves_in_every_position(name: str) -> None:
    coded, generator = encoding(name), random.Random(3)
    played = batch_of(coded, 2, autoreset=NEXT_STEP)
    shown, seconds = played.begin(), 0
    for _ in range(80):
        for place in range(2):
            state, chosen = played.state(place), int(played.episodes["chosen"][place])
            if not state.finished():
                expected = legal_mask(coded, state, 0, chosen)
                assert shown.masks[place].tolist() == expected.tolist()
                seconds += chosen != NOTHING
            assert shown.masks[place].any()
        result = played.step(np.array([any_action(mask, generator) for mask in shown.masks]))
        assert not result.illegal.any()
        shown = result.shown
    assert (seconds > 0) == ("powers" in name)


@every_game
def test_different_moves_are_different_decisions(name: str) -> None:
    coded, generator = encoding(name), random.Random(5)
    table = Table(coded.game, seed=2)
    for _ in range(25):
        for seat in table.actors():
            legal = table.state.legal(seat)
            decisions = [coded.decisions(move) for move in legal]
            assert len(set(decisions)) == len(legal)
            move = generator.choice(legal)
            *before, last = coded.decisions(move)
            chosen = before[0] if before else NOTHING
            assert coded.move(table.state, seat, chosen, last) == move
            assert all(coded.text(action) for action in decisions[-1])
            table.play(seat, move)


@pytest.mark.parametrize(
    ("name", "seats"), [("ticket to ride", 3), ("london with powers", 3), ("london", 4)]
)
def test_hidden_things_change_no_observation(name: str, seats: int) -> None:
    coded, generator = encoding(name, seats), random.Random(7)
    table = Table(coded.game, seed=4)
    hidden = 0
    for _ in range(30):
        for seat in table.actors():
            for watcher in range(seats):
                other = coded.game.resample(table.view(watcher), generator)
                hidden += other != table.state
                for a, b in zip(
                    coded.show(table.state, watcher), coded.show(other, watcher), strict=True
                ):
                    assert a.tolist() == b.tolist()
            table.play(seat, generator.choice(table.state.legal(seat)))
    assert hidden


@every_game
def test_single_positions_and_batches_show_the_same(name: str) -> None:
    coded, generator = encoding(name), random.Random(9)
    played = batch_of(coded, 1)
    shown = played.begin()
    for _ in range(30):
        chosen = int(played.episodes["chosen"][0])
        observation, mask = coded.show(played.state(0), 0, chosen)
        assert observation.tolist() == shown.observations[0].tolist()
        assert mask.tolist() == shown.masks[0].tolist()
        assert 0 <= observation.min() <= observation.max() <= coded.highest
        shown = played.step(np.array([any_action(shown.masks[0], generator)])).shown


def test_the_fields_fill_the_observation() -> None:
    for name in GAMES:
        coded = encoding(name)
        stops = [0, *(field.stop for field in coded.fields)]
        assert [field.start for field in coded.fields] == stops[:-1]
        assert stops[-1] == coded.size
        assert len({field.name for field in coded.fields}) == len(coded.fields)


VERSIONS = {
    ("london", "board-v1"): "39fc88899bf92285",
    ("london with powers", "ahead-v1"): "a2bf314fe6acf88e",
    ("tokyo with special stations", "ahead-v1"): "8c2f69ffaa4940ab",
    ("ticket to ride", "board-v1"): "1c56e21f4464b569",
    ("ticket to ride for four", "board-v1"): "c2caeffdab765e48",
}
"""What observations say in some positions. Never change one: a change is a new version."""


@pytest.mark.parametrize(("name", "version"), VERSIONS)
def test_an_observation_never_changes_under_its_name(name: str, version: str) -> None:
    game, city, seats, options = GAMES[name]
    coded = encoding_of(open_game(game, city, seats, **options), version.partition("-")[0])
    assert coded.observation == version
    digest, state = hashlib.sha256(repr(coded.fields).encode()), coded.game.start()
    for step in range(300):
        if state.finished():
            break
        if CHANCE not in state.actors():
            for seat in range(seats):
                digest.update(coded.show(state, seat).observations.tobytes())
        actor = min(state.actors())
        legal = sorted(state.legal(actor))
        state.advance(actor, legal[step * 7 % len(legal)])
    assert digest.hexdigest()[:16] == VERSIONS[name, version]


def test_looking_ahead_adds_fields() -> None:
    game = open_game("next-station", "london", 1)
    board, ahead = encoding_of(game), encoding_of(game, "ahead")
    state = Table(game, seed=1).state
    observed = {
        coded: {f.name: coded.show(state, 0)[0][f.start : f.stop].tolist() for f in coded.fields}
        for coded in (board, ahead)
    }
    assert observed[board].items() < observed[ahead].items()
    assert any(observed[ahead]["near"])


def test_a_seat_without_a_decision_has_one_action() -> None:
    coded = encoding("london", 2)
    table = Table(coded.game, seed=1)
    table.play(0, table.state.legal(0)[0])
    assert coded.show(table.state, 0).masks.tolist() == [1] + [0] * (coded.actions - 1)
    assert coded.show(table.state, 1).masks.sum() > 1
    assert table.state.actors() == {1}
    assert CHANCE not in table.state.actors()


def test_wrong_settings_are_refused() -> None:
    game = open_game("next-station", "london", 1)
    with pytest.raises(InputError, match="board"):
        encoding_of(game, "pixels")
    with pytest.raises(InputError, match="winner"):
        encoding_of(game).batch(1, rewards="win")
    with pytest.raises(InputError, match="random"):
        encoding("ticket to ride").batch(1, opponents=["expert"])


def test_large_numbers_of_a_board_stay_in_the_space_of_observations(tmp_path: Path) -> None:
    board = tmp_path / "large.toml"
    board.write_text(box("ticket-to-ride").map_text("london").replace("buses = 17", "buses = 300"))
    coded = encoding_of(open_game("ticket-to-ride", board, 2))
    state = coded.game.start()
    assert isinstance(state, TicketToRideState)
    state.players["hand"][0, 1] = 200
    shown = coded.show(state, 0).observations
    assert 0 <= shown.min() <= shown.max() == coded.highest
