"""Hypothesis strategies for Next Station: options, games, moves that can be read, positions."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from headway import dealer
from headway.games.contract import CHANCE, Move
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.moves import BARE, WITH_EFFECT, WITH_JOKER, WITH_SWITCH, Parts, pack
from headway.games.nextstation.state import NextStationState

SEEDS = st.integers()
"""Every integer is a seed."""


def options() -> st.SearchStrategy[dict[str, bool]]:
    """Modules that may be used together (PW-07)."""
    either = [{}, {"powers": True}, {"special_stations": True}]
    return st.builds(
        lambda objectives, other: {"objectives": objectives, **other},
        st.booleans(),
        st.sampled_from(either),
    )


def games() -> st.SearchStrategy[NextStation]:
    """Both cities, one to four seats, all modules."""
    cities, seats = st.sampled_from(["london", "tokyo"]), st.integers(1, 4)
    return st.builds(NextStation, cities, seats, options())


def moves(game: NextStation) -> st.SearchStrategy[Move]:
    """Everything that the notation can write on this game's sheet, hardly ever legal."""
    station = st.integers(0, len(game.city.stations) - 1)
    section = st.sampled_from(sorted(game.city.section_between))
    pair = st.one_of(section, st.tuples(station, station))
    second, circle = st.one_of(st.none(), pair), st.one_of(st.none(), station)
    way = st.sampled_from([BARE, BARE, WITH_JOKER, WITH_SWITCH, WITH_EFFECT])
    drawn = st.builds(Parts, way, st.booleans(), pair, second, circle)
    passed = st.builds(lambda s, c: Parts(BARE, False, None, s, c), second, circle)
    return st.one_of(drawn, drawn, drawn, passed).map(pack)


@st.composite
def positions(draw: st.DrawFn, turns: int = 12) -> NextStationState:
    """A position in which seats are to move, some random turns into a game."""
    game, seed = draw(games()), draw(SEEDS)
    generator = random.Random(seed)
    state = game.start()
    left = draw(st.integers(0, turns)) * game.seats
    while True:
        if CHANCE in state.actors():
            state.apply(CHANCE, dealer.deal(seed, state))
        elif left:
            seat = min(state.actors())
            state.apply(seat, generator.choice(state.legal(seat)))
            left -= 1
        else:
            return state
