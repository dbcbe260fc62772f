"""PettingZoo environments: all seats of a game, one after the other (AEC) or at once (parallel).

`import headway.envs` registers both kinds of `Headway/NextStation-v0` and
`Headway/TicketToRide-v0`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv

from headway.envs import checks
from headway.envs.checks import start_point
from headway.envs.encoding import NEXT_STATION, TICKET_TO_RIDE, encoding_of, open_game
from headway.envs.gymnasium_envs import MODES, render, space_of
from headway.envs.seats_game import SeatsGame
from headway.games.contract import CHANCE, Seat
from headway.record import Record, record_of

Agent = str


class _Seats:
    """What both kinds of environments share: agents, spaces, observations, records.

    `options` are the modules of Next Station.
    """

    def __init__(
        self,
        game: str,
        *,
        map: str | Path = "london",  # noqa: A002 (a public keyword)
        seats: int = 2,
        observation: str = "board",
        rewards: str = "score",
        render_mode: str | None = None,
        **options: bool,
    ) -> None:
        encoding = encoding_of(open_game(game, map, seats, **options), observation)
        self.metadata = {
            "render_modes": MODES, "name": f"headway_{game.replace('-', '_')}_v0",
            "is_parallelizable": True, "observation": encoding.observation,
        }  # fmt: skip
        self.render_mode = render_mode
        self.encoding, self.played = encoding, SeatsGame(encoding, rewards)
        self.possible_agents = [f"seat_{seat}" for seat in range(encoding.game.seats)]
        self.agents = list(self.possible_agents)
        self._actions = {a: spaces.Discrete(encoding.actions) for a in self.possible_agents}
        self._observations = {a: space_of(encoding) for a in self.possible_agents}
        self._random: np.random.Generator | None = None
        self._illegal_actions = dict.fromkeys(self.possible_agents, 0)
        self._closed = False

    def observation_space(self, agent: Agent) -> spaces.Space[Any]:
        """Returns the space of an agent's observations."""
        space: spaces.Space[Any] = self._observations[agent]
        return space

    def action_space(self, agent: Agent) -> spaces.Space[Any]:
        """Returns the space of an agent's actions."""
        return self._actions[agent]

    def observe(self, agent: Agent) -> dict[str, np.ndarray]:
        """Returns what an agent observes; one that has nothing to decide may take action 0 only."""
        observation, mask = self.played.show(self._seat(agent))
        return {"observation": observation, "action_mask": mask}

    def action_masks(self, agent: Agent) -> np.ndarray:
        """Returns which actions of an agent are possible."""
        return self.played.show(self._seat(agent)).masks.astype(np.bool_)

    def record(self) -> Record:
        """Returns the game so far as a record."""
        return record_of(self.encoding.game, self.played.events)

    def render(self) -> Any:
        """Returns the board as a spectator sees it."""
        return render(self.encoding.game, self.played.state.view(CHANCE), self.render_mode)

    def close(self) -> None:
        """Ends the environment."""
        self._closed = True

    def _seat(self, agent: Agent) -> Seat:
        return self.possible_agents.index(agent)

    def _start(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Starts a game; without a seed the next one of the last seed.

        `options={"record": record, "event": n}` starts after the first n events of a record;
        without `event` it is the first decision.
        """
        checks.check_ready(self._closed)
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(None if seed is None else checks.checked_seed(seed))
        dealt = int(self._random.integers(1 << 62))
        start = None
        if options and "record" in options:
            start = start_point(self.encoding.game, options)
        self.played.start(dealt, start)
        self.agents = list(self.possible_agents)
        self._illegal_actions = dict.fromkeys(self.agents, 0)

    def _decide(self, agent: Agent, action: int) -> bool:
        """Takes an agent's action, or another one instead; returns whether it was possible."""
        possible = self.played.decide(self._seat(agent), action)
        self._illegal_actions[agent] += not possible
        return possible

    def _info(self, agent: Agent, mask: np.ndarray, illegal: bool) -> dict[str, Any]:
        count = self._illegal_actions[agent]
        return {"action_mask": mask.copy(), "illegal": illegal, "illegal_actions": count}


class SeatsAEC(_Seats, AECEnv[Agent, Any, Any]):  # type: ignore[misc]
    """All seats one after the other; those that move at once decide in the order of seats."""

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts a game; see `_start` for `options`."""
        self._start(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[self.played.actors()[0]]
        self.infos = {a: self._info(a, self.observe(a)["action_mask"], False) for a in self.agents}

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Takes an action of the selected agent; an impossible one is the lowest possible one."""
        checks.check_ready(self._closed, self._random is not None and bool(self.agents))
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        possible = self._decide(agent, checks.checked_action(action, self.encoding.actions))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self.played.rewards(), strict=True))
        actors = self.played.actors()
        if actors:
            self.agent_selection = self.possible_agents[actors[0]]
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        for other in self.agents:
            illegal = other == agent and not possible
            self.infos[other] = self._info(other, self.observe(other)["action_mask"], illegal)
        self._accumulate_rewards()


class SeatsParallel(_Seats, ParallelEnv[Agent, Any, Any]):  # type: ignore[misc]
    """All seats at once; the action of a seat that has nothing to decide is ignored."""

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[Agent, Any], dict[Agent, Any]]:
        """Starts a game; see `_start` for `options`."""
        self._start(seed, options)
        return self._shown(set())

    def step(self, actions: Mapping[Agent, Any]) -> tuple[dict[Agent, Any], ...]:
        """Takes the actions of all seats that have to decide."""
        checks.check_ready(self._closed, self._random is not None and bool(self.agents))
        taken = checks.checked_agents_actions(actions, self.agents, self.encoding.actions)
        deciding = [self.possible_agents[seat] for seat in self.played.actors()]
        wrong = {agent for agent in deciding if not self._decide(agent, taken[agent])}
        over = not self.played.actors()
        rewards = dict(zip(self.possible_agents, self.played.rewards(), strict=True))
        observations, infos = self._shown(wrong)
        ended, cut = dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, False)
        if over:
            self.agents = []
        return observations, rewards, ended, cut, infos

    def _shown(self, wrong: set[Agent]) -> tuple[dict[Agent, Any], dict[Agent, Any]]:
        observations = {agent: self.observe(agent) for agent in self.agents}
        infos = {a: self._info(a, o["action_mask"], a in wrong) for a, o in observations.items()}
        return observations, infos


# What the registry makes; settings are those of `_Seats`.
next_station = partial(SeatsAEC, NEXT_STATION)
next_station_parallel = partial(SeatsParallel, NEXT_STATION)
ticket_to_ride = partial(SeatsAEC, TICKET_TO_RIDE)
ticket_to_ride_parallel = partial(SeatsParallel, TICKET_TO_RIDE)
