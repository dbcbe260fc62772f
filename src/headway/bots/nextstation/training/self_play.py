"""Learning by self-play, in two ways.

`learn_games` plays the move of highest value and corrects each estimate by the later ones (temporal
differences). It plays thousands of games per second. `study_games` searches every good move one
turn deeper, over all possible cards, and trains each sheet to that value. It is slower, but its
targets contain no luck.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headway.bots.nextstation.network.network import (
    DEPTH,
    LEAK,
    MOST_WIDTH,
    POINTS_PER_UNIT,
    ZERO,
    Network,
    output,
    refresh,
)
from headway.bots.nextstation.network.position import position_bits
from headway.bots.nextstation.rollouts import Workspace, glance
from headway.bots.nextstation.tree import (
    Tree,
    add_node,
    clear,
    grow,
    root_outcome,
    set_between_turns,
)
from headway.games.kernel import NONE, ONE, kernel, lowest
from headway.games.nextstation.observation.layout import FEATURE_WORDS
from headway.games.nextstation.rules.arrays import DECK, OVER, REVEAL, CityRecord
from headway.games.nextstation.rules.building import play
from headway.games.nextstation.rules.engine import deal_setup, end_turn, reveal
from headway.games.xorshift import below, shuffle

MOST_SHEETS = 48
"""More than the number of turns of a game."""
SCRATCH = MOST_SHEETS - 1
"""The index for a sheet that is not part of the game itself."""
FULL = np.float32(1.0)
LARGEST_ERROR = np.float32(1.0)
"""The largest error that counts, in units of the output, so that one bad estimate moves little."""


class Trajectory(NamedTuple):
    """The positions of the game that a thread learns from, with scratch memory."""

    bits: Any
    score: Any
    rounds: Any
    mean: Any
    """The sheet's value over all cards that might come."""
    value: Any
    """The sheet's value once the card was known: the best move's value."""
    best: Any
    """1 if the move played was the one with the highest value."""
    sums: Any
    hidden: Any
    back: Any
    tally: Any
    """Sums: points, points squared, games; error squared, sheets."""


def new_trajectory() -> Trajectory:
    """Creates an empty trajectory."""
    return Trajectory(
        bits=np.zeros((MOST_SHEETS, FEATURE_WORDS), np.uint64),
        score=np.zeros(MOST_SHEETS),
        rounds=np.zeros(MOST_SHEETS, np.int64),
        mean=np.zeros(MOST_SHEETS),
        value=np.zeros(MOST_SHEETS),
        best=np.zeros(MOST_SHEETS, np.int64),
        sums=np.zeros(MOST_WIDTH, np.float32),
        hidden=np.zeros(DEPTH, np.float32),
        back=np.zeros(MOST_WIDTH, np.float32),
        tally=np.zeros(5),
    )


@kernel
def begin(city: CityRecord, workspace: Workspace, blank: Any, modules: Any, generator: Any) -> None:
    """Sets up a new game with a random choice of modules."""
    shared = workspace.shared[0]
    workspace.sheets[0] = blank[0]
    chosen = modules[below(generator, modules.shape[0])]
    shared["use_objectives"], shared["use_powers"] = chosen[0], chosen[1]
    shared["use_special"], shared["seats"] = chosen[2], 1
    shared["phase"], shared["round"], shared["turn"] = REVEAL, 0, 0
    shared["shown"], shared["undergrounds"], shared["switched"] = NONE, 0, 0
    deal_setup(city, shared, generator, workspace.cards)


@kernel
def next_card(workspace: Workspace, drawn: int, generator: Any) -> int:
    """Reveals the next card, from a new deck in a new round; returns how many were drawn."""
    shared = workspace.shared[0]
    if shared["turn"] == 0:
        for card in range(DECK):
            workspace.cards[card] = card
        shuffle(generator, workspace.cards, DECK)
        drawn = 0
    shared["phase"] = REVEAL
    while shared["phase"] == REVEAL:
        reveal(shared, int(workspace.cards[drawn]))
        drawn += 1
    return drawn


@kernel
def _append(city: CityRecord, workspace: Workspace, trajectory: Trajectory, t: int) -> None:
    shared = workspace.shared[0]
    trajectory.score[t] = position_bits(
        city, shared, workspace.sheets[0], 0, workspace.score[0], trajectory.bits[t]
    )
    trajectory.rounds[t] = shared["round"]


@kernel
def _finished(trajectory: Trajectory, total: float) -> None:
    trajectory.tally[0] += total
    trajectory.tally[1] += total * total
    trajectory.tally[2] += 1


@kernel
def play_alone(
    city: CityRecord,
    net: Network,
    workspace: Workspace,
    trajectory: Trajectory,
    generator: Any,
    explore: int,
) -> int:
    """Plays the workspace's game by the network and records it; returns the number of turns.

    One move in `explore` is random.
    """
    t, drawn = 0, 0
    while True:
        _append(city, workspace, trajectory, t)
        if workspace.shared[0]["phase"] == OVER:
            return t
        drawn = next_card(workspace, drawn, generator)
        n, best, trajectory.value[t] = glance(city, net, True, workspace)
        chosen = best
        if explore > 0 and below(generator, explore) == 0:
            chosen = below(generator, n)
        trajectory.best[t] = 1 if chosen == best else 0
        play(city, workspace.shared[0], workspace.sheets[0], int(workspace.moves[chosen]))
        end_turn(workspace.shared[0], workspace.sheets[0:1])
        t += 1


@kernel
def learn_games(
    city: CityRecord,
    net: Network,
    grad: Network,
    workspace: Workspace,
    trajectory: Trajectory,
    blank: Any,
    modules: Any,
    generator: Any,
    games: int,
    explore: int,
    trace: float,
) -> None:
    """Plays games and adds their gradient.

    The target of a sheet is its value once the next card is known, with weight `trace` on later
    values.
    """
    for _ in range(games):
        begin(city, workspace, blank, modules, generator)
        last = play_alone(city, net, workspace, trajectory, generator, explore)
        goal = trajectory.score[last]
        _finished(trajectory, goal)
        for t in range(last - 1, -1, -1):
            if trajectory.best[t] == 0:
                goal = trajectory.value[t]
            goal = trace * goal + (1.0 - trace) * trajectory.value[t]
            learn(net, grad, trajectory, t, goal)


@kernel
def learn(net: Network, grad: Network, trajectory: Trajectory, t: int, goal: float) -> None:
    """Adds the gradient of the squared error of a recorded sheet with target `goal`."""
    bits, r = trajectory.bits[t], int(trajectory.rounds[t])
    sums, hidden, back = trajectory.sums, trajectory.hidden, trajectory.back
    refresh(net, bits, sums)
    surprise = output(net, r, sums, hidden) + trajectory.score[t] - goal
    trajectory.tally[3] += surprise * surprise
    trajectory.tally[4] += 1
    slope = np.float32(surprise) / POINTS_PER_UNIT
    slope = min(max(slope, -LARGEST_ERROR), LARGEST_ERROR)
    grad.third_bias[r] += slope
    for j in range(DEPTH):
        through = FULL if hidden[j] > ZERO else LEAK
        grad.third[r, j] += slope * through * hidden[j]
        hidden[j] = slope * through * net.third[r, j]
        grad.second_bias[r, j] += hidden[j]
    for k in range(net.first_bias.shape[0]):
        back[k] = ZERO
        x = sums[k]
        if x > ZERO:
            total = ZERO
            for j in range(DEPTH):
                grad.second[r, k, j] += x * hidden[j]
                total += net.second[r, k, j] * hidden[j]
            back[k] = total
    _first_layer(grad, bits, back)


@kernel
def _first_layer(grad: Network, bits: Any, back: Any) -> None:
    width = grad.first_bias.shape[0]
    for k in range(width):
        grad.first_bias[k] += back[k]
    for word in range(FEATURE_WORDS):
        rest = bits[word]
        while rest != NONE:
            row = grad.first[64 * word + lowest(rest)]
            rest &= rest - ONE
            for k in range(width):
                row[k] += back[k]


@kernel
def study_games(
    city: CityRecord,
    net: Network,
    grad: Network,
    workspace: Workspace,
    trajectory: Trajectory,
    tree: Tree,
    blank: Any,
    modules: Any,
    generator: Any,
    games: int,
    explore: int,
    margin: float,
    trace: float,
) -> None:
    """Plays games, searching one turn deeper, and adds their gradient.

    Moves within `margin` points of the best are searched. The sheets of the game also learn from
    later turns, with weight `trace`: from the searched values of the moves, not from the luck of
    the cards.
    """
    for _ in range(games):
        begin(city, workspace, blank, modules, generator)
        last = _study_alone(
            city, net, grad, workspace, trajectory, tree, generator, explore, margin
        )
        goal = trajectory.score[last]
        _finished(trajectory, goal)
        for t in range(last - 1, -1, -1):
            later = goal - trajectory.value[t] if trajectory.best[t] != 0 else 0.0
            goal = trajectory.mean[t] + trace * later
            learn(net, grad, trajectory, t, goal)


@kernel
def _study_alone(
    city: CityRecord,
    net: Network,
    grad: Network,
    workspace: Workspace,
    trajectory: Trajectory,
    tree: Tree,
    generator: Any,
    explore: int,
    margin: float,
) -> int:
    """Plays the workspace's game one turn deeper and records it; returns the number of turns."""
    shared, t, drawn = workspace.shared[0], 0, 0
    while True:
        _append(city, workspace, trajectory, t)
        if shared["phase"] == OVER:
            return t
        clear(tree)
        shared["phase"] = REVEAL
        for i in range(tree.shared.shape[0]):
            tree.shared[i] = shared
        root = add_node(city, net, tree, workspace.sheets[0], tree.shared[0])
        drawn = next_card(workspace, drawn, generator)
        at = root_outcome(tree, root, int(shared["card_id"]), int(shared["switched"]))
        outcome = tree.outcomes[at]
        trajectory.mean[t], trajectory.value[t] = tree.nodes[root]["value"], outcome["value"]
        trajectory.best[t] = 1
        edge = _study_turn(city, net, grad, workspace, trajectory, tree, root, at, margin)
        if explore > 0 and below(generator, explore) == 0:
            edge = int(outcome["first"]) + below(generator, int(outcome["edges"]))
            trajectory.best[t] = 0
        play(city, shared, workspace.sheets[0], int(tree.edges[edge]["move"]))
        end_turn(shared, workspace.sheets[0:1])
        t += 1


@kernel
def _study_turn(
    city: CityRecord,
    net: Network,
    grad: Network,
    workspace: Workspace,
    trajectory: Trajectory,
    tree: Tree,
    root: int,
    at: int,
    margin: float,
) -> int:
    """Searches each good move one turn deeper and learns from it; returns the edge of the best."""
    outcome = tree.outcomes[at]
    first, last = int(outcome["first"]), int(outcome["first"]) + int(outcome["edges"])
    least = outcome["value"] - margin
    best, most = first, -1.0e9
    for e in range(first, last):
        edge = tree.edges[e]
        if edge["value"] < least:
            continue
        if edge["solved"] == 0:
            child = grow(city, net, tree, root, at, e)
            edge["value"] = tree.nodes[child]["value"]
            set_between_turns(tree, child, tree.shared[0])
            sheet, score_record = tree.sheets[child], workspace.score[0]
            bits = trajectory.bits[SCRATCH]
            trajectory.score[SCRATCH] = position_bits(
                city, tree.shared[0], sheet, 0, score_record, bits
            )
            trajectory.rounds[SCRATCH] = tree.nodes[child]["round"]
            learn(net, grad, trajectory, SCRATCH, edge["value"])
        if edge["value"] > most:
            best, most = e, edge["value"]
    return best
