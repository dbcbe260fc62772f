"""OpenSpiel games: `headway_next_station` and `headway_ticket_to_ride`.

Importing this module registers them. Chance is explicit: its actions are the moves of chance of the
contract. Seats that move at once decide one after the other, unseen by each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from headway.envs.encoding import (
    NEXT_STATION,
    TICKET_TO_RIDE,
    Encoding,
    Field,
    encoding_of,
    open_game,
)
from headway.envs.episodes import FINAL, NOTHING, WINNING
from headway.envs.seats_game import rewards_of
from headway.errors import InputError
from headway.games.contract import CHANCE, Event, Move, State
from headway.record import Record, record_of

MOST_CHANCE = 128
"""More than the numbers of all moves of chance."""
LONGEST_GAME = 4096
MOST_POINTS = 1000.0


SPIEL_REWARDS = {"score": FINAL, "win": WINNING}


class SpielInputError(InputError, pyspiel.SpielError):  # type: ignore[misc]
    """What cannot be used; also the error of OpenSpiel."""


class Memories(NamedTuple):
    """What seats remember of a sampled position, whose events nobody knows.

    The past up to the sample is `public`. After it, a seat remembers what it observed at each of
    its decisions.
    """

    public: list[str]
    seats: list[list[str]]


@dataclass
class SpielPosition:
    """A state of the contract and how it came about; copies are independent of each other.

    It has either its events or, if it was sampled, memories.
    """

    state: State
    events: list[Event]
    chosen: int = NOTHING
    memories: Memories | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> SpielPosition:
        memories = self.memories
        if memories:
            memories = Memories(memories.public, [list(lines) for lines in memories.seats])
        return SpielPosition(self.state.copy(), list(self.events), self.chosen, memories)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Headway with its parameters."""

    def __init__(self, kind: Any, name: str, params: dict[str, Any]) -> None:
        seats, options = params["players"], {m: bool(params[m]) for m in MODULES if m in params}
        self.coded: Encoding = encoding_of(open_game(name, params["map"], seats, **options))
        if params["rewards"] not in SPIEL_REWARDS:
            known = ", ".join(SPIEL_REWARDS)
            raise SpielInputError("env.rewards", rewards=params["rewards"], known=known)
        self.rewarded = SPIEL_REWARDS[params["rewards"]]
        info = pyspiel.GameInfo(
            num_distinct_actions=self.coded.actions,
            max_chance_outcomes=MOST_CHANCE,
            num_players=seats,
            min_utility=-MOST_POINTS,
            max_utility=MOST_POINTS,
            max_game_length=LONGEST_GAME,
        )
        super().__init__(kind, info, params)

    def new_initial_state(self) -> SpielState:
        """Returns the state before anything is dealt."""
        return SpielState(self, SpielPosition(self.coded.game.start(), []))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Returns an observer of public information, private information, or both."""
        return SpielObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position of a game of Headway."""

    def __init__(self, game: SpielGame, position: SpielPosition) -> None:
        super().__init__(game)
        self.at = position

    @property
    def coded(self) -> Encoding:
        """The actions and observations of the game."""
        game: SpielGame = self.get_game()
        return game.coded

    def current_player(self) -> int:
        """Returns the seat that decides, chance, or the end."""
        actors = self.at.state.actors()
        if not actors:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if CHANCE in actors else min(actors)

    def _legal_actions(self, player: int) -> list[int]:
        if player < 0:
            return self.at.state.legal(CHANCE)
        mask = self.coded.show(self.at.state, player, self.at.chosen).masks
        return [int(action) for action in np.flatnonzero(mask)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns what may be dealt now, with probabilities."""
        return [(move, float(share)) for move, share in self.at.state.chance()]

    def _apply_action(self, action: int) -> None:
        at, seat = self.at, self.current_player()
        if seat == pyspiel.PlayerId.TERMINAL:
            raise SpielInputError("env.reset_first")
        if seat == pyspiel.PlayerId.CHANCE:
            if action not in at.state.legal(CHANCE):
                raise SpielInputError("env.illegal", action=action, text="chance")
            event: Event | None = (CHANCE, action)
        else:
            move = self._move(seat, action)
            if at.memories:
                memory = f"{self.observation_string(seat)}: {self.coded.text(action)}"
                at.memories.seats[seat].append(memory)
            at.chosen = action if move is None else NOTHING
            event = None if move is None else (seat, move)
        if event:
            at.state.advance(*event)
            at.events.append(event)

    def _move(self, seat: int, action: int) -> Move | None:
        """Returns the move that an action completes, if any; raises if it is not possible."""
        try:
            return self.coded.move(self.at.state, seat, self.at.chosen, action)
        except KeyError:
            last = self.coded.actions - 1
            if not 0 <= action <= last:
                raise SpielInputError("env.action", action=str(action), last=last) from None
            text = self.coded.text(action)
            raise SpielInputError("env.illegal", action=action, text=text) from None

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.coded.game.notation.chance_text(self.at.state, action)
        return self.coded.text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.at.state.finished()

    def returns(self) -> list[float]:
        """Returns the totals of a finished game, or who won it."""
        game: SpielGame = self.get_game()
        return rewards_of(self.at.state, game.rewarded, [])[0]

    def information_state_string(self, player: int | None = None) -> str:
        """Returns everything that a seat has seen, in order, and what it observes now."""
        seat = self.current_player() if player is None else player
        return "\n".join([*self._remembered(seat), self.observation_string(seat)])

    def _remembered(self, seat: int) -> list[str]:
        memories = self.at.memories
        return memories.seats[seat] if memories else self._log(seat)

    def _log(self, seat: int) -> list[str]:
        return [line.text for line in self.coded.game.log(self.at.events, seat)]

    def observation_string(self, player: int | None = None) -> str:
        """Returns what a seat observes now: the elements of each field that are not 0."""
        seat = self.current_player() if player is None else player
        return self.spelled(seat, self.coded.fields)

    def shown(self, seat: int, private: bool = True) -> np.ndarray:
        """Returns what a seat observes; others do not know the first decision of its turn."""
        chosen = self.at.chosen if private and seat == self.current_player() else NOTHING
        return self.coded.show(self.at.state, seat, chosen).observations

    def spelled(self, seat: int, fields: Iterable[Field], private: bool = True) -> str:
        """Returns some fields as text: `hand 1 3=2` is one card of kind 1 and two of kind 3."""
        shown = self.shown(seat, private)
        parts = []
        for field in fields:
            values = shown[field.start : field.stop]
            places = np.flatnonzero(values).tolist()
            parts.append([field.name, *(_element(i, int(values[i])) for i in places)])
        return ", ".join(" ".join(part) for part in parts if len(part) > 1)

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """Returns a state that a seat cannot tell from this one.

        It has no history: nobody knows the moves of chance that led to it. The other seats remember
        only what everybody has seen.
        """
        generator = random.Random(int(sampler() * (1 << 53)))
        state = self.coded.game.resample(self.at.state.view(player), generator)
        game: SpielGame = self.get_game()
        public = self.at.memories.public if self.at.memories else self._log(CHANCE)
        seats = [
            list(self._remembered(seat) if seat == player else public)
            for seat in range(self.coded.game.seats)
        ]
        return SpielState(game, SpielPosition(state, [], self.at.chosen, Memories(public, seats)))

    def record(self) -> Record:
        """Returns the game so far as a record; a sampled state has none."""
        if self.at.memories:
            raise InputError("env.sampled")
        return record_of(self.coded.game, self.at.events)

    def __str__(self) -> str:
        return " ".join(map(str, self.history()))


def _element(index: int, value: int) -> str:
    return str(index) if value == 1 else f"{index}={value}"


class SpielObserver:
    """Writes what a seat observes into `tensor`, with the fields of the encoding in `dict`."""

    def __init__(self, game: SpielGame, kind: Any) -> None:
        private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.kind, self.coded, self.private = kind, game.coded, private
        self.fields = [
            field
            for field in game.coded.fields
            if (private if field.name in game.coded.private else kind.public_info)
        ]
        self.tensor = np.zeros(sum(f.stop - f.start for f in self.fields), np.float32)
        self.dict: dict[str, np.ndarray] = {}
        at = 0
        for field in self.fields:
            size = field.stop - field.start
            self.dict[field.name] = self.tensor[at : at + size]
            at += size

    def set_from(self, state: SpielState, player: int) -> None:
        """Takes over what a seat observes in a state."""
        shown = state.shown(player, self.private)
        for field in self.fields:
            self.dict[field.name][:] = shown[field.start : field.stop]

    def string_from(self, state: SpielState, player: int) -> str:
        """Returns what a seat observes as text."""
        if self.kind.perfect_recall and len(self.fields) == len(self.coded.fields):
            return state.information_state_string(player)
        return state.spelled(player, self.fields, self.private)


def _kind(name: str, title: str, seats: range, params: dict[str, Any]) -> Any:
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats[-1],
        min_num_players=seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=params,
    )


MODULES = {"objectives": False, "powers": False, "special_stations": False}
STATION_PARAMS = {"map": "london", "players": 2, "rewards": "score", **MODULES}
RIDE_PARAMS = {"map": "london", "players": 2, "rewards": "score"}
STATION_KIND = _kind("headway_next_station", "Next Station", range(1, 5), STATION_PARAMS)
RIDE_KIND = _kind("headway_ticket_to_ride", "Ticket to Ride", range(2, 5), RIDE_PARAMS)


class NextStationSpiel(SpielGame):
    """`headway_next_station`; parameters `map`, `players`, `rewards` and the modules."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(STATION_KIND, NEXT_STATION, STATION_PARAMS | (params or {}))


class TicketToRideSpiel(SpielGame):
    """`headway_ticket_to_ride`; parameters `map`, `players` and `rewards`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(RIDE_KIND, TICKET_TO_RIDE, RIDE_PARAMS | (params or {}))


pyspiel.register_game(STATION_KIND, NextStationSpiel)
pyspiel.register_game(RIDE_KIND, TicketToRideSpiel)
