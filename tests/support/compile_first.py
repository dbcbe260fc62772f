"""Compiles the rules and the bots, so that the tests find native code and need not each make it."""

from __future__ import annotations

import math
import time

import gymnasium

from benchmarks.perfect_information import best_fair, best_known, numbered_deal
from benchmarks.rules import SPEEDS
from headway import reviews
from headway.bots import bots_of, make_bot, play_out
from headway.bots.nextstation.training import LEARN_BATCH, SheetPlan, SheetTrainer
from headway.envs import ENVIRONMENTS
from headway.envs.gymnasium_envs import SeatEnv
from headway.games import boxes
from headway.games.nextstation.game import NextStation
from headway.record import replay_many
from headway.table import Table


def main() -> None:
    for box in boxes():
        game = box.open(box.default_map, 2)
        for speed in SPEEDS[box.name]:
            game.simulate(1, policy=speed.policy)
        table = Table(game)
        play_out(table, [make_bot("random", game, 0)] * 2)
        list(replay_many([table.record()]))
        for bot in bots_of(box.name).values():
            bot.warm_up()
        reviews.warm_up(box.name)
    london = NextStation("london", 1, {})
    # More games than it learns from at a time, so that it studies too.
    plan = SheetPlan(1, LEARN_BATCH, modules=False, seed=1, threads=1)
    list(SheetTrainer(london, plan).run(math.inf, time.monotonic))
    for name in ENVIRONMENTS:
        gymnasium.make_vec(name, 1).reset(seed=1)
        single = gymnasium.make(name).unwrapped
        assert isinstance(single, SeatEnv)
        single.encoding.show(Table(single.game, seed=1).state, 0)
    best_known(london, numbered_deal(london, 1), 2)
    best_fair(london, numbered_deal(london, 1), 2, 2)


if __name__ == "__main__":
    main()
