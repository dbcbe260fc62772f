"""Compiles the rules and the bots, so that the tests find native code and need not each make it."""

from __future__ import annotations

import time

from headway.bots import bots_of
from headway.bots.nextstation.perfect_information import best_fair, best_known, numbered_deal
from headway.bots.nextstation.training.training import Training, TrainingPlan
from headway.games import boxes
from headway.games.nextstation.game import NextStation


def main() -> None:
    for box in boxes():
        game = box.open(box.default_map, 2)
        for speed in box.speeds:
            game.simulate(1, policy=speed.policy)
        for bot in bots_of(box.name).values():
            bot.warm_up()
    london = NextStation("london", 1, {})
    list(
        Training(london, TrainingPlan(1, 1, modules=False, seed=1, threads=1)).run(
            1, time.monotonic
        )
    )
    best_known(london, numbered_deal(london, 1), 2)
    best_fair(london, numbered_deal(london, 1), 2, 2)


if __name__ == "__main__":
    main()
