"""Measures the value of hidden information: the expert against one that sees the real state.

For the benchmark only. A bot at a table gets nothing but its view; the clairvoyant is not a bot, so
neither a table nor the registry can use it. It sees the other hands and tickets, but not what
chance will deal.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Iterator
from functools import partial
from itertools import repeat
from statistics import mean, stdev

from benchmarks.figure import Figure, Measure
from headway.bots.bot import Budget
from headway.bots.tickettoride.levels import TicketExpert
from headway.bots.tickettoride.network import network_of
from headway.bots.tickettoride.trials import MoveTrials, worth_trying
from headway.games.contract import Move, Seat
from headway.games.tickettoride.state import TicketToRideState
from headway.process_pool import open_pool
from headway.table import Table, play_to_end


def clairvoyant(
    state: TicketToRideState, seat: Seat, generator: random.Random, budget: Budget
) -> Move:
    """Returns the expert's move, found in the real state instead of in determinizations."""
    legal = worth_trying(state.legal(seat))
    if len(legal) == 1:
        return legal[0]
    trials = MoveTrials(state, seat, legal, generator, net=network_of(state.game), hidden=False)
    return trials.appraisal(trials.halve(budget)[0]).move


def play(deal: int, seer: Seat, budget: Budget) -> tuple[float, int]:
    """Plays one game of two seats; returns the clairvoyant's share of the victory and its lead."""
    table = Table(TicketExpert.games[0], seats=2, seed=deal)
    bot = TicketExpert(table.game, random.Random(deal), budget)
    generator = random.Random(deal)

    def choose(seat: Seat) -> Move:
        if seat != seer:
            return bot.choose(table.view(seat), table.state.legal(seat))
        assert isinstance(table.state, TicketToRideState)
        return clairvoyant(table.state, seat, generator, budget)

    play_to_end(table, choose)
    outcome = table.outcome()
    assert outcome
    won = (seer in outcome.winners) / len(outcome.winners)
    return won, outcome.totals[seer] - outcome.totals[1 - seer]


def measures(quick: bool) -> list[Measure]:
    """Returns the measurement, which takes an hour unless it is quick."""
    return [partial(_figures, 10 if quick else 500, Budget(simulations=1000))]


def _figures(deals: int, budget: Budget) -> Iterator[Figure]:
    """Plays every deal from both seats; yields percent won and points ahead."""
    each_deal, seers = [deal for deal in range(deals) for _ in range(2)], [0, 1] * deals
    with open_pool(os.cpu_count() or 1) as pool:
        games = list(pool.map(play, each_deal, seers, repeat(budget), chunksize=4))
    name = f"ticket-to-ride, {len(games)} games, expert@{budget} with hidden cards shown"
    for what, column, unit in (("won", 0, "%"), ("points ahead", 1, "")):
        values = [game[column] * (100 if unit else 1) for game in games]
        yield Figure(f"{name}: {what}", mean(values), unit, "")
        error = stdev(values) / math.sqrt(len(values))
        yield Figure(f"{name}: {what}, standard error", error, unit, "")
