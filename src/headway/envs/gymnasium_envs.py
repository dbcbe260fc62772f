"""Gymnasium environments: one seat, alone or against bots; single and vectorised.

`import headway.envs` registers `Headway/NextStation-v0` and `Headway/TicketToRide-v0`.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from headway.envs import checks
from headway.envs.checks import ActionError, StartPoint, start_point
from headway.envs.encoding import (
    NEXT_STATION,
    TICKET_TO_RIDE,
    Batch,
    Encoding,
    encoding_of,
    open_game,
)
from headway.envs.episodes import DISABLED, NEXT_STEP, SAME_STEP, Shown
from headway.envs.seats_game import BotGame
from headway.envs.tickettoride.episodes import POLICIES
from headway.errors import InputError
from headway.games.contract import Game, Seat, View
from headway.games.nextstation import OPTIONS
from headway.record import Record, record_of

Observation = dict[str, np.ndarray]
AUTORESET = {
    AutoresetMode.NEXT_STEP: NEXT_STEP,
    AutoresetMode.SAME_STEP: SAME_STEP,
    AutoresetMode.DISABLED: DISABLED,
}
MODES = ["rgb_array", "ansi", "svg"]
WIDTH = 800
"""Pixels of an `rgb_array`."""


def space_of(encoding: Encoding) -> Any:
    """Returns the space of observations: the elements, and the mask of possible actions."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, encoding.highest, (encoding.size,), np.int8),
            "action_mask": spaces.Box(0, 1, (encoding.actions,), np.int8),
        }
    )


def render(game: Game, view: View, mode: str | None) -> Any:
    """Returns what a seat sees in one of the modes; None without a mode."""
    if mode == "svg":
        return game.presentation.svg(game, view, theme="light")
    if mode == "ansi":
        from rich.text import Text

        return Text.from_markup(game.presentation.screen(game, view)).plain
    if mode == "rgb_array":
        from PIL import Image

        from headway.svg import png

        picture = Image.open(
            BytesIO(png(game.presentation.svg(game, view, theme="light"), WIDTH))
        ).convert("RGB")
        return np.array(picture)
    return None


class SeatEnv(gym.Env[Observation, np.int64]):
    """One seat of a game.

    An action that is not possible counts as the lowest possible one: `info["illegal"]` tells, and
    `info["illegal_actions"]` counts them in the episode. With `illegal="raise"` it raises
    `ActionError`.
    """

    metadata = {"render_modes": MODES, "render_fps": 2}  # noqa: RUF012 (gymnasium's type)

    def __init__(
        self,
        encoding: Encoding,
        played: Batch | BotGame,
        *,
        seat: Seat = 0,
        illegal: str = "replace",
        render_mode: str | None = None,
    ) -> None:
        self.encoding, self.game, self.seat = encoding, encoding.game, seat
        self.metadata = SeatEnv.metadata | {"observation": encoding.observation}
        self.raises, self.render_mode = checks.raises(illegal), render_mode
        self.action_space = spaces.Discrete(encoding.actions)
        self.observation_space = space_of(encoding)
        self._played = played
        self._mask = np.zeros(encoding.actions, np.int8)
        self._seeded = self._playing = self._closed = False
        self._illegal_actions = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a game; the same seed gives the same games from then on.

        `options={"record": record, "event": n}` starts after the first n events of a record;
        without `event` it is the first decision of the seat.
        """
        checks.check_ready(self._closed)
        seed = None if seed is None else checks.checked_seed(seed)
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            self._played.seed(0, int(self.np_random.integers(1 << 62)) if seed is None else seed)
            self._seeded = True
        self._illegal_actions = 0
        if options and "record" in options:
            start = start_point(self.game, options, self.seat)
            dealt = start.dealt(int(self.np_random.integers(1 << 62)))
            shown = self._played.resume({0: dealt})
        else:
            shown = self._played.begin()
        self._playing = True
        return self._shown(shown, False)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes an action; an episode ends with the game."""
        checks.check_ready(self._closed, self._playing)
        number = checks.checked_action(action, self.encoding.actions)
        if self.raises and not self._mask[number]:
            raise ActionError("env.illegal", action=number, text=self.encoding.text(number))
        result = self._played.step(np.array([number]))
        over = bool(result.over[0])
        self._playing = not over
        observation, info = self._shown(result.shown, bool(result.illegal[0]))
        return observation, float(result.rewards[0]), over, False, info

    def _shown(self, shown: Shown, illegal: bool) -> tuple[Observation, dict[str, Any]]:
        self._mask = shown.masks[0]
        self._illegal_actions += illegal
        observation = {"observation": shown.observations[0], "action_mask": self._mask.copy()}
        return observation, {
            "action_mask": self._mask.copy(),
            "illegal": illegal, "illegal_actions": self._illegal_actions,
        }  # fmt: skip

    def action_masks(self) -> np.ndarray:
        """Returns which actions are possible, as sb3-contrib asks for it."""
        return self._mask.astype(np.bool_)

    def record(self, names: Sequence[str] | None = None) -> Record:
        """Returns the game so far as a record."""
        return record_of(self.game, self._played.events(0), names)

    def render(self) -> Any:
        """Returns the board as the seat sees it."""
        return render(self.game, self._played.state(0).view(self.seat), self.render_mode)

    def close(self) -> None:
        """Ends the environment."""
        self._closed = True
        self._played.close()


class SeatVectorEnv(VectorEnv[Observation, np.ndarray, np.ndarray]):
    """Many games of one seat each in compiled code; the same games as single environments.

    A seed is for the first game, the next ones have the following seeds. With `records`, `record`
    returns the last finished game of each place.
    """

    def __init__(
        self,
        encoding: Encoding,
        played: Batch,
        *,
        seat: Seat = 0,
        illegal: str = "replace",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.encoding, self.game, self.seat = encoding, encoding.game, seat
        self._played = played
        self.raises = checks.raises(illegal)
        self.num_envs = played.games
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": MODES, "autoreset_mode": self.autoreset_mode,
            "observation": encoding.observation,
        }  # fmt: skip
        self.single_action_space = spaces.Discrete(encoding.actions)
        self.single_observation_space = space_of(encoding)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._masks = np.zeros((self.num_envs, encoding.actions), np.int8)
        self._over = np.zeros(self.num_envs, np.bool_)
        self._illegal_actions = np.zeros(self.num_envs, np.int64)
        self._random: dict[int, int | np.random.Generator | None] = {}
        """By place, what deals the next cards after a recorded start, or the seed of it."""

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts all games, or those of `options["reset_mask"]`.

        `record` and `event` in `options` mean the same as in a single environment, for each game.
        """
        checks.check_ready(self.closed)
        options = options or {}
        places = options.get("reset_mask")
        if places is not None:
            places = checks.checked_places(places, self.num_envs)
        self._seed(checks.checked_seeds(seed, self.num_envs))
        if "record" in options:
            shown = self._played.resume(self._start_points(options, places))
        else:
            shown = self._played.begin(places)
        again = np.ones(self.num_envs, np.bool_) if places is None else places
        self._over = self._over & ~again
        self._illegal_actions[again] = 0
        info = self._info(shown.masks, np.zeros(self.num_envs, np.bool_), places)
        return self._observation(shown), info

    def _seed(self, seeds: Sequence[int | None]) -> None:
        """Seeds the places that have a seed, and at random those that never had one."""
        fresh = np.random.default_rng()
        for place, seed in enumerate(seeds):
            if seed is None and place not in self._random:
                seed = int(fresh.integers(1 << 62))
            if seed is not None:
                self._played.seed(place, seed)
                self._random[place] = seed

    def _start_points(
        self, options: dict[str, Any], places: np.ndarray | None
    ) -> dict[int, StartPoint]:
        """Returns where the games of some places start; each is dealt by the place's generator."""
        start, dealt = start_point(self.game, options, self.seat), {}
        for place in range(self.num_envs) if places is None else np.flatnonzero(places).tolist():
            generator = self._random.get(place, None)
            if not isinstance(generator, np.random.Generator):
                generator = self._random[place] = seeding.np_random(generator)[0]
            dealt[place] = start.dealt(int(generator.integers(1 << 62)))
        return dealt

    def step(
        self, actions: np.ndarray
    ) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Takes one action in each game."""
        checks.check_ready(self.closed, bool(self._random))
        actions = checks.checked_actions(actions, self.num_envs, self.encoding.actions)
        if self.raises:
            self._check(actions)
        if self.autoreset_mode == AutoresetMode.DISABLED and self._over.any():
            raise InputError("env.over", places=np.flatnonzero(self._over).tolist()[:3])
        result = self._played.step(actions)
        self._illegal_actions[self._over] = 0  # of games that have started again
        self._illegal_actions += result.illegal
        self._over = result.over.copy()
        info = self._info(result.shown.masks, result.illegal)
        if result.finals is not None and result.over.any():
            info |= self._finals(result.finals, result.over, result.illegal)
            info["illegal"] = result.illegal & ~result.over
            info["illegal_actions"][result.over] = 0
        over = result.over
        return (
            self._observation(result.shown), result.rewards, over, np.zeros_like(over), info,
        )  # fmt: skip

    def _check(self, actions: np.ndarray) -> None:
        legal = self._masks[np.arange(self.num_envs), actions] != 0
        wrong = np.flatnonzero(~legal & ~self._over)
        if len(wrong):
            action = int(actions[wrong[0]])
            raise ActionError("env.illegal", action=action, text=self.encoding.text(action))

    def _observation(self, shown: Shown) -> Observation:
        self._masks = shown.masks
        return {"observation": shown.observations, "action_mask": self._masks.copy()}

    def _info(
        self, masks: np.ndarray, illegal: np.ndarray, places: np.ndarray | None = None
    ) -> dict[str, Any]:
        """Returns what is told of all games, or of those where `places` is true."""
        info = {
            "action_mask": masks.copy(), "illegal": illegal.copy(),
            "illegal_actions": self._illegal_actions.copy(),
        }  # fmt: skip
        if places is None:
            return _told_of(np.ones(self.num_envs, np.bool_), info)
        for column in info.values():
            column[~places] = 0
        return _told_of(places, info)

    def _finals(self, finals: Shown, over: np.ndarray, illegal: np.ndarray) -> dict[str, Any]:
        observations = np.full(self.num_envs, None, dtype=object)
        for place in np.flatnonzero(over).tolist():
            observations[place] = {
                "observation": finals.observations[place].copy(),
                "action_mask": finals.masks[place].copy(),
            }
        last = self._info(finals.masks, illegal, over)
        return _told_of(over, {"final_obs": observations, "final_info": last})

    def action_masks(self) -> np.ndarray:
        """Returns which actions are possible, a row for each game."""
        return self._masks.astype(np.bool_)

    def record(self, place: int, names: Sequence[str] | None = None) -> Record:
        """Returns the last finished game of a place as a record; needs `records=True`."""
        return record_of(self.game, self._played.events(place, last=True), names)

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self._played.close()


def _told_of(places: np.ndarray, info: dict[str, Any]) -> dict[str, Any]:
    """Returns information with the games that it is about, as Gymnasium's vectors have it."""
    return info | {f"_{name}": places.copy() for name in info}


def next_station(
    map: str | Path = "london",  # noqa: A002 (a public keyword)
    *,
    observation: str = "board",
    rewards: str = "score",
    illegal: str = "replace",
    render_mode: str | None = None,
    **modules: bool,
) -> SeatEnv:
    """Returns `Headway/NextStation-v0`: a solo game in a city, which may be a file.

    `modules` are `objectives`, `powers` and `special_stations`.
    """
    encoding = encoding_of(open_game(NEXT_STATION, map, 1, **modules), observation)
    played = encoding.batch(1, rewards=rewards, autoreset=DISABLED, records=True)
    return SeatEnv(encoding, played, illegal=illegal, render_mode=render_mode)


def next_station_vector(
    num_envs: int = 1,
    *,
    map: str | Path = "london",  # noqa: A002 (a public keyword)
    observation: str = "board",
    **settings: Any,
) -> SeatVectorEnv:
    """Returns the vector environment of `Headway/NextStation-v0`.

    `settings` are modules, as above, and those of `_vector`.
    """
    modules = {name: settings.pop(name) for name in OPTIONS if name in settings}
    encoding = encoding_of(open_game(NEXT_STATION, map, 1, **modules), observation)
    return _vector(encoding, num_envs, **settings)


def _vector(
    encoding: Encoding,
    num_envs: int,
    *,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    illegal: str = "replace",
    **settings: Any,
) -> SeatVectorEnv:
    """Returns a vector environment; `settings` are those of `Encoding.batch`."""
    mode, seat = AutoresetMode(autoreset_mode), settings.get("seat", 0)
    played = encoding.batch(num_envs, autoreset=AUTORESET[mode], **settings)
    return SeatVectorEnv(encoding, played, seat=seat, illegal=illegal, autoreset_mode=mode)


def ticket_to_ride(
    map: str | Path = "london",  # noqa: A002 (a public keyword)
    *,
    seats: int = 2,
    seat: Seat = 0,
    opponents: str | Sequence[str] = "driver",
    rewards: str = "score",
    illegal: str = "replace",
    render_mode: str | None = None,
) -> SeatEnv:
    """Returns `Headway/TicketToRide-v0`: one seat against bots, as `headway arena` names them."""
    game = open_game(TICKET_TO_RIDE, map, seats)
    encoding, bots = encoding_of(game), _opponents(game, opponents)
    if all(bot in POLICIES for bot in bots):
        played: Batch | BotGame = encoding.batch(
            1, rewards=rewards, autoreset=DISABLED, records=True, seat=seat, opponents=bots
        )
    else:
        played = BotGame(encoding, seat=seat, opponents=bots, rewards=rewards)
    return SeatEnv(encoding, played, seat=seat, illegal=illegal, render_mode=render_mode)


def ticket_to_ride_vector(
    num_envs: int = 1,
    *,
    map: str | Path = "london",  # noqa: A002 (a public keyword)
    seats: int = 2,
    opponents: str | Sequence[str] = "driver",
    **settings: Any,
) -> SeatVectorEnv:
    """Returns the vector environment of `Headway/TicketToRide-v0`; for bots in `POLICIES`."""
    game = open_game(TICKET_TO_RIDE, map, seats)
    bots = _opponents(game, opponents)
    return _vector(encoding_of(game), num_envs, opponents=bots, **settings)


def _opponents(game: Game, opponents: str | Sequence[str]) -> list[str]:
    """Returns a bot for each other seat; one name stands for all of them."""
    needed = game.seats - 1
    bots = [opponents] * needed if isinstance(opponents, str) else list(opponents)
    if len(bots) != needed:
        raise InputError("env.opponents", seats=game.seats, needed=needed, given=len(bots))
    return bots
