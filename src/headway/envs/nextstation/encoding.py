"""Next Station for environments: actions, observations and compiled games."""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.envs.encoding import Encoding
from headway.envs.episodes import NOTHING, WATCHING, Shown
from headway.envs.nextstation import episodes
from headway.envs.nextstation.actions import first_action, second_action
from headway.envs.nextstation.episodes import EPISODE, SCRATCH, SETUP
from headway.envs.nextstation.observation import VERSION, layout, planes
from headway.games.contract import Game, Move, Seat, State
from headway.games.kernel import compiled
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.moves import Parts, move_text, pack
from headway.games.nextstation.rules.arrays import (
    SHARED,
    city_record,
    new_sheets,
)
from headway.games.nextstation.state import WAITING, NextStationState


class NextStationEncoding(Encoding):
    """Decisions and observations of Next Station; `actions.py` lists the actions."""

    highest = 1
    private = frozenset(("chosen",))
    episode, scratch, words, longest = EPISODE, SCRATCH, np.dtype(np.uint64), 127

    def __init__(self, game: Game, ahead: bool = False) -> None:
        assert isinstance(game, NextStation)
        self.game: NextStation = game
        self.observation = f"{'ahead' if ahead else 'board'}-v{VERSION}"
        self.city = city_record(game.city)
        self.sections = len(game.city.sections)
        powers, special = game.options["powers"], game.options["special_stations"]
        with_extra = self.sections + len(game.city.stations)
        self.actions = 1 + self.sections + with_extra * (powers or special)
        self.fields, parts = layout(planes(game.city, game.options, game.seats, ahead))
        self.size = self.fields[-1].stop
        self.setup = np.zeros(1, SETUP)
        self.setup["city"], self.setup["blank"] = self.city, new_sheets(game.city, 1)
        self.setup["shared"] = game.start().shared
        self.setup["sections"], self.setup["ahead"] = self.sections, ahead
        self.setup["ends"][0, : self.sections] = [(s.a, s.b) for s in game.city.sections]
        self.setup["parts"], self.setup["part"][0, : len(parts)] = len(parts), parts
        self._scratch = np.zeros(1, SCRATCH)[0]

    def show(self, state: State, seat: Seat, chosen: int = NOTHING) -> Shown:
        assert isinstance(state, NextStationState)
        observation = np.empty(self.size // 8, np.uint64)
        mask = np.empty(self.actions, np.int8)
        self._scratch["sheets"][0] = state.sheets[seat]
        self.kernels().show_seat(
            self.setup[0], self._scratch, state.shared, state.sheets, seat,
            chosen if seat in state.actors() else WATCHING, observation, mask,
        )  # fmt: skip
        return Shown(observation.view(np.int8), mask)

    def decisions(self, move: Move) -> tuple[int, ...]:
        shared = np.zeros(1, SHARED)[0]
        shared["use_powers"] = self.game.options["powers"]
        first = first_action(self.city, self.sections, move)
        second = second_action(self.city, shared, self.sections, move)
        return (first,) if second == NOTHING else (first, second)

    def text(self, action: int) -> str:
        if action == 0:
            return "pass"
        extra, index = divmod(action - 1, self.sections)
        if action > 2 * self.sections:
            return "*" + self.game.city.stations[action - 2 * self.sections - 1].name
        section = self.game.city.sections[index]
        names = move_text(self.game.city, pack(Parts(0, False, (section.a, section.b), None, None)))
        return f"{names} with the extra" if extra else names

    def kernels(self) -> Any:
        return compiled(episodes)

    def state_of(self, episode: Any) -> State:
        waiting = np.full(1, WAITING, np.int64)
        parts = episode["shared"], episode["sheet"], waiting
        return self.game.load(b"".join(part.tobytes() for part in parts))

    def load(self, episode: Any, state: State) -> None:
        assert isinstance(state, NextStationState)
        episode["shared"], episode["sheet"] = state.shared, state.sheets[0]
