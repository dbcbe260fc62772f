"""Lets OpenSpiel's ISMCTS play a seat of a Headway game against random moves.

    python examples/openspiel_ismcts.py --simulations 200

Needs the extra `research`. Prints the returns of each game; ISMCTS has the first seat.
"""

from __future__ import annotations

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import headway.envs.openspiel_games  # noqa: F401 (registers the games)


def play(game: pyspiel.Game, simulations: int, seed: int) -> list[float]:
    """Plays a game and returns the returns of all seats."""
    rng = np.random.RandomState(seed)
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=50.0,
        evaluator=mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng),
        max_simulations=simulations,
        random_state=rng,
        use_observation_string=True,
    )
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(actions, p=chances))
        elif state.current_player() == 0:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    returns: list[float] = state.returns()
    return returns


def main() -> None:
    """Plays some games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="headway_ticket_to_ride(players=2)")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--simulations", type=int, default=50)
    options = parser.parse_args()
    game = pyspiel.load_game(options.game)
    for number in range(options.games):
        print(*play(game, options.simulations, number))  # noqa: T201


if __name__ == "__main__":
    main()
