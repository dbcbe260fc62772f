"""Trains a player of Next Station with PPO, in one file, on the native vector environment.

    python examples/ppo.py --steps 500000

Needs the extra `research` and torch (a CPU build suffices). Prints the decisions so far and the
mean total of the games that ended since the last line.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import headway.envs  # noqa: F401 (registers the environments)

STEPS_PER_UPDATE = 64
EPOCHS, MINIBATCHES = 4, 8
LEARNING_RATE, CLIP, ENTROPY, LAMBDA = 5e-4, 0.2, 0.003, 0.95
REWARD_SCALE = 0.1
"""A total is around 125 points; networks learn smaller numbers faster."""
IMPOSSIBLE = -1e9


class Agent(nn.Module):
    """A policy over the possible actions, and the points that are still to come."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, actions))
        self.value = nn.Sequential(nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 1))

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor
    ) -> tuple[Categorical, torch.Tensor]:
        seen = observations.float()
        logits = self.policy(seen).masked_fill(masks == 0, IMPOSSIBLE)
        return Categorical(logits=logits), self.value(seen).squeeze(-1)


class Rollout:
    """What happened in some steps of all games."""

    def __init__(self, games: int, size: int, actions: int) -> None:
        steps = STEPS_PER_UPDATE
        self.observations = torch.zeros(steps, games, size, dtype=torch.int8)
        self.masks = torch.zeros(steps, games, actions, dtype=torch.int8)
        self.actions = torch.zeros(steps, games, dtype=torch.int64)
        self.likelihoods, self.rewards = torch.zeros(steps, games), torch.zeros(steps, games)
        self.values, self.over = torch.zeros(steps, games), torch.zeros(steps, games)

    def advantages(self, last_values: torch.Tensor) -> torch.Tensor:
        """Returns how much better each action was than expected; the future is not discounted."""
        result, advantage, after = torch.zeros_like(self.values), 0.0, last_values
        for step in reversed(range(STEPS_PER_UPDATE)):
            goes_on = 1 - self.over[step]
            error = self.rewards[step] + goes_on * after - self.values[step]
            result[step] = advantage = error + goes_on * LAMBDA * advantage
            after = self.values[step]
        return result


def learn(
    agent: Agent, optimizer: torch.optim.Optimizer, rollout: Rollout, advantages: torch.Tensor
) -> None:
    """Improves the agent with a rollout."""
    kept = (rollout.observations, rollout.masks, rollout.actions, rollout.likelihoods, advantages)
    columns = [column.flatten(0, 1) for column in (*kept, advantages + rollout.values)]
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(columns[2])).chunk(MINIBATCHES):
            observed, masks, actions, before, advantage, returns = (c[rows] for c in columns)
            policy, values = agent(observed, masks)
            ratio = (policy.log_prob(actions) - before).exp()
            scaled = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * scaled, ratio.clamp(1 - CLIP, 1 + CLIP) * scaled).mean()
            loss = 0.5 * (values - returns).pow(2).mean() - gain - ENTROPY * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def gather(
    agent: Agent, envs: Any, rollout: Rollout, observed: dict[str, np.ndarray], totals: np.ndarray
) -> tuple[dict[str, np.ndarray], list[float]]:
    """Fills a rollout; returns what is observed after it, and the totals of games that ended."""
    finished: list[float] = []
    for step in range(STEPS_PER_UPDATE):
        rollout.observations[step] = torch.from_numpy(observed["observation"])
        rollout.masks[step] = torch.from_numpy(observed["action_mask"])
        with torch.no_grad():
            policy, values = agent(rollout.observations[step], rollout.masks[step])
        actions = policy.sample()
        rollout.actions[step], rollout.values[step] = actions, values
        rollout.likelihoods[step] = policy.log_prob(actions)
        observed, rewards, over, _, _ = envs.step(actions.numpy())
        totals += rewards
        finished += totals[over].tolist()
        totals[over] = 0
        rollout.rewards[step] = torch.from_numpy(rewards * REWARD_SCALE)
        rollout.over[step] = torch.from_numpy(over)
    return observed, finished


def main() -> None:
    """Trains for a number of decisions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=256, help="games at once")
    parser.add_argument("--map", default="london")
    parser.add_argument("--observation", default="ahead", choices=("board", "ahead"))
    options = parser.parse_args()
    torch.manual_seed(0)
    envs = gymnasium.make_vec(
        "Headway/NextStation-v0", num_envs=options.games, autoreset_mode="SameStep",
        map=options.map, observation=options.observation,
    )  # fmt: skip
    size = envs.single_observation_space["observation"].shape[0]
    agent = Agent(size, int(envs.single_action_space.n))
    optimizer = torch.optim.Adam(agent.parameters(), LEARNING_RATE)
    rollout = Rollout(options.games, size, int(envs.single_action_space.n))
    totals = np.zeros(options.games)
    observed, _ = envs.reset(seed=1)
    for update in range(-(-options.steps // (STEPS_PER_UPDATE * options.games))):
        observed, finished = gather(agent, envs, rollout, observed, totals)
        with torch.no_grad():
            _, last_values = agent(
                torch.from_numpy(observed["observation"]), torch.from_numpy(observed["action_mask"])
            )
        learn(agent, optimizer, rollout, rollout.advantages(last_values))
        if finished:
            steps = (update + 1) * STEPS_PER_UPDATE * options.games
            print(f"{steps} {np.mean(finished):.1f}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
