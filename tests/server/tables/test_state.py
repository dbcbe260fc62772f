"""A table as its events make it, and what the server asks of every game."""

from __future__ import annotations

import random

import msgspec
import pytest

from headway.bots import make_bot
from headway.games import boxes
from headway.games.contract import CHANCE
from headway.server.tables.events import MOVE, TableEvent
from headway.server.tables.setup import NewSeat, NewTable, Persona, new_setup
from headway.server.tables.state import TableState
from headway.table import Table

WHERE = [(box.name, name) for box in boxes() for name in box.maps]


@pytest.mark.parametrize(("game", "name"), WHERE)
def test_logbook_tells_what_the_log_tells(game: str, name: str) -> None:
    game_box = next(box for box in boxes() if box.name == game)
    table = Table(game_box.open(name, 3), seed=5)
    bot = make_bot("random", table.game, 1)
    while not table.finished():
        seat = random.Random(len(table.events)).choice(table.actors())
        table.play(seat, bot.choose(table.view(seat), table.state.legal(seat)))
        for reader in (*range(3), CHANCE):
            assert table.logbook.copy().lines(reader) == table.game.log(table.events, reader)


@pytest.mark.parametrize(("game", "name"), WHERE)
def test_copies_of_a_table_are_tables_of_their_own(game: str, name: str) -> None:
    game_box = next(box for box in boxes() if box.name == game)
    table = Table(game_box.open(name, 2), seed=5)
    twin = table.copy()
    before = (table.view(0), table.log(0), table.record())
    for seat in twin.actors():
        twin.play(seat, twin.legal(seat)[-1])
    assert (table.view(0), table.log(0), table.record()) == before
    assert twin.log(0) != table.log(0)


@pytest.mark.parametrize(("game", "name"), WHERE)
def test_every_game_has_map_data_and_an_idle_move(game: str, name: str) -> None:
    game_box = next(box for box in boxes() if box.name == game)
    opened = game_box.open(name, 2)
    data = opened.map_data()
    assert isinstance(data, game_box.map_data)
    assert (data.game, data.map, data.hash) == (game, opened.map, opened.map_hash)
    assert msgspec.json.decode(msgspec.json.encode(data), type=game_box.map_data) == data
    table = Table(opened, seed=1)
    assert isinstance(table.view(0), game_box.view)
    for seat in table.actors():
        assert opened.idle_move(table.state, seat) in table.state.legal(seat)


def test_a_refused_event_changes_nothing() -> None:
    now = TableState.new(
        new_setup(NewTable("next-station", "london", [NewSeat("me")]), "g", Persona("Ann"), 7)
    )
    before = now.position.dump(), now.number, dict(now.by_client_id)
    event = TableEvent(
        table_id=now.setup.id, number=1, at=1.0, kind=MOVE, seat=0, text="a0j9", client_id="x"
    )
    with pytest.raises(Exception, match="NS-"):
        now.after(event)
    assert (now.position.dump(), now.number, now.by_client_id) == before
