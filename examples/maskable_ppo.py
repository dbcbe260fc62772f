"""Trains MaskablePPO of sb3-contrib on solo games of Next Station, and prints its curve.

    python examples/maskable_ppo.py --minutes 30 --output ppo.zip

Needs the extra `research`, torch (a CPU build suffices) and sb3-contrib. Each line of the output is
a point of the curve: minutes, minutes of processor time, decisions so far, and the mean total on
deals that training never sees.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

import headway.envs  # noqa: F401 (registers the environments)

REWARD_SCALE = 0.1
"""A total is around 125 points; networks learn smaller numbers faster."""
FIRST_TRAINING_SEED = 1_000_000_000
"""Evaluation uses smaller seeds, so no deal is in both."""


class HeadwayVecEnv(VecEnv):
    """Headway's native vector environment, as Stable Baselines 3 expects one."""

    def __init__(self, games: int, seed: int, **settings: Any) -> None:
        self.envs = gymnasium.make_vec(
            "Headway/NextStation-v0", num_envs=games, autoreset_mode="SameStep", **settings
        )
        spaces = self.envs.single_observation_space.spaces
        super().__init__(games, spaces["observation"], self.envs.single_action_space)
        self.first_seed = seed
        self.totals = np.zeros(games)

    def reset(self) -> np.ndarray:
        observations, _ = self.envs.reset(seed=self.first_seed)
        self.totals[:] = 0
        return observations["observation"]

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observations, rewards, over, _, infos = self.envs.step(self.actions)
        self.totals += rewards
        notes: list[dict[str, Any]] = [{} for _ in over]
        for place in np.flatnonzero(over):
            final = infos["final_obs"][place]["observation"]
            notes[place] = {"terminal_observation": final, "total": float(self.totals[place])}
            self.totals[place] = 0
        return observations["observation"], rewards * REWARD_SCALE, over, notes

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **more: Any) -> Any:
        return list(getattr(self.envs.unwrapped, method_name)(*args, **more))

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.envs.unwrapped, attr_name, None)] * self.num_envs

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self.envs.unwrapped, attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        self.envs.close()


def evaluate(model: MaskablePPO, deals: int, **settings: Any) -> float:
    """Returns the mean total of the most likely actions, one game for each deal."""
    env = HeadwayVecEnv(deals, seed=0, **settings)
    observations = env.reset()
    finished: dict[int, float] = {}
    while len(finished) < deals:
        masks = env.envs.unwrapped.action_masks()
        actions, _ = model.predict(observations, action_masks=masks, deterministic=True)
        env.step_async(actions)
        observations, _, over, notes = env.step_wait()
        for place in np.flatnonzero(over):
            finished.setdefault(int(place), notes[place]["total"])
    env.close()
    return float(np.mean(list(finished.values())))


class Curve(BaseCallback):
    """Evaluates and saves the model from time to time, and ends the training in time."""

    def __init__(self, options: argparse.Namespace, settings: dict[str, Any]) -> None:
        super().__init__()
        self.options, self.settings = options, settings
        self.began = self.last = time.monotonic()

    def _on_rollout_start(self) -> None:
        now = time.monotonic()
        if now - self.last >= self.options.every:
            self.last = now
            self.note()

    def note(self) -> None:
        """Prints a point of the curve and saves the model."""
        total = evaluate(self.model, self.options.deals, **self.settings)
        minutes = (time.monotonic() - self.began) / 60
        used = time.process_time() / 60
        print(f"{minutes:.1f} {used:.1f} {self.num_timesteps} {total:.1f}", flush=True)  # noqa: T201
        if self.options.output:
            self.model.save(self.options.output)

    def _on_step(self) -> bool:
        return time.monotonic() - self.began < self.options.minutes * 60


def main() -> None:
    """Trains for the given time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--steps", type=int, default=1_000_000_000)
    parser.add_argument("--map", default="london")
    parser.add_argument("--observation", default="ahead", choices=("board", "ahead"))
    parser.add_argument("--games", type=int, default=256, help="games at once")
    parser.add_argument("--deals", type=int, default=500, help="deals of an evaluation")
    parser.add_argument("--every", type=float, default=60, help="seconds between evaluations")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    settings = {"map": options.map, "observation": options.observation}
    torch.manual_seed(0)
    torch.set_num_threads(options.threads)
    env = HeadwayVecEnv(options.games, FIRST_TRAINING_SEED, **settings)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=64,
        batch_size=min(2048, options.games * 64),
        n_epochs=4,
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.003,
        learning_rate=5e-4,
        policy_kwargs={"net_arch": {"pi": [256], "vf": [256]}, "activation_fn": torch.nn.ReLU},
        seed=0,
        device="cpu",
    )
    curve = Curve(options, settings)
    model.learn(options.steps, callback=curve)
    curve.note()


if __name__ == "__main__":
    main()
