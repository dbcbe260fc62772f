"""Trains a value network for a city from nothing, by self-play, in two ways.

`learn_games` plays the move of highest value and corrects each estimate by the later ones (temporal
differences). It plays thousands of games per second. `study_games` searches every good move one
turn deeper, over all possible cards, and trains each sheet to that value. It is slower, but its
targets contain no luck. A training first learns, then it studies.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from headway.bots.nextstation.evaluator import Workspace, glance, new_workspace
from headway.bots.nextstation.network import (
    DEPTH,
    MOST_WIDTH,
    POINTS_PER_UNIT,
    WIDTH,
    head_of,
    output,
    position_bits,
    refresh,
    untrained,
)
from headway.bots.nextstation.tree import (
    Tree,
    add_node,
    clear,
    grow,
    new_tree,
    root_outcome,
    set_between_turns,
)
from headway.bots.value_net import Network, Trainer, add_back, learn_back
from headway.games.kernel import NONE, ONE, compiled, kernel, lowest
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.observation import FEATURE_WORDS
from headway.games.nextstation.rules.arrays import OVER, REVEAL, city_record, new_sheets
from headway.games.nextstation.rules.building import play
from headway.games.nextstation.rules.engine import begin, end_turn, next_turn
from headway.games.simulation import below, seeded

MOST_SHEETS = 48
"""More than the number of turns of a game."""
SCRATCH = MOST_SHEETS - 1
"""The index for a sheet that is not part of the game itself."""
LARGEST_ERROR = np.float32(1.0)
"""The largest error that counts, in units of the output, so that one bad estimate moves little."""


TRAJECTORY = np.dtype(
    [
        ("bits", "u8", (MOST_SHEETS, FEATURE_WORDS)),
        ("score", "f8", (MOST_SHEETS,)),
        ("rounds", "i8", (MOST_SHEETS,)),
        ("mean", "f8", (MOST_SHEETS,)),  # the sheet's value over all cards that might come
        ("value", "f8", (MOST_SHEETS,)),  # once the card was known: the best move's value
        ("best", "i8", (MOST_SHEETS,)),  # 1 if the best move was played
        ("sums", "f4", (MOST_WIDTH,)),
        ("hidden", "f4", (DEPTH,)),
        ("back", "f4", (MOST_WIDTH,)),
        ("slopes", "f4", (1,)),
        ("tally", "f8", (4,)),  # sums: points, games; error squared, sheets
    ],
    align=True,
)
"""The positions of the game that a thread learns from, with scratch memory."""
TrajectoryRecord = Any


class Lesson(NamedTuple):
    """The games that a thread plays between two gradient steps."""

    blank: Any
    """An empty sheet."""
    modules: Any
    """The choices of modules; each game has one of them."""
    games: int
    explore: int
    """How many moves there are for each random one."""
    trace: float
    """The weight of later turns in a target."""
    margin: float
    """How many points below the best a move may be and still be searched."""


@kernel
def start(workspace: Workspace, lesson: Lesson, generator: Any) -> None:
    """Sets up a new game with a random choice of modules."""
    shared = workspace.shared[0]
    workspace.sheets[0] = lesson.blank[0]
    chosen = lesson.modules[below(generator, lesson.modules.shape[0])]
    shared["use_objectives"], shared["use_powers"] = chosen[0], chosen[1]
    shared["use_special"], shared["seats"] = chosen[2], 1
    begin(workspace.city, shared, generator, workspace.cards)


@kernel
def _append(workspace: Workspace, trajectory: TrajectoryRecord, t: int) -> None:
    shared = workspace.shared[0]
    trajectory["score"][t] = position_bits(
        workspace.city, shared, workspace.sheets[0], 0, workspace.score[0], trajectory["bits"][t]
    )
    trajectory["rounds"][t] = shared["round"]


@kernel
def _finished(trajectory: TrajectoryRecord, total: float) -> None:
    trajectory["tally"][0] += total
    trajectory["tally"][1] += 1


@kernel
def play_alone(
    workspace: Workspace, trajectory: TrajectoryRecord, lesson: Lesson, generator: Any
) -> int:
    """Plays the workspace's game by the network and records it; returns the number of turns."""
    t, drawn = 0, 0
    while True:
        _append(workspace, trajectory, t)
        if workspace.shared[0]["phase"] == OVER:
            return t
        drawn = next_turn(workspace.shared[0], workspace.cards, drawn, generator)
        n, best, trajectory["value"][t] = glance(workspace)
        chosen = best
        if lesson.explore > 0 and below(generator, lesson.explore) == 0:
            chosen = below(generator, n)
        trajectory["best"][t] = 1 if chosen == best else 0
        move = int(workspace.moves[chosen])
        play(workspace.city, workspace.shared[0], workspace.sheets[0], move)
        end_turn(workspace.shared[0], workspace.sheets[0:1])
        t += 1


@kernel
def learn_games(
    workspace: Workspace,
    grad: Network,
    trajectory: TrajectoryRecord,
    lesson: Lesson,
    generator: Any,
) -> None:
    """Plays games and adds their gradient.

    The target of a sheet is its value once the next card is known, with weight `trace` on later
    values.
    """
    for _ in range(lesson.games):
        start(workspace, lesson, generator)
        last = play_alone(workspace, trajectory, lesson, generator)
        goal = trajectory["score"][last]
        _finished(trajectory, goal)
        for t in range(last - 1, -1, -1):
            if trajectory["best"][t] == 0:
                goal = trajectory["value"][t]
            goal = lesson.trace * goal + (1.0 - lesson.trace) * trajectory["value"][t]
            learn(workspace.net, grad, trajectory, t, goal)


@kernel
def learn(net: Network, grad: Network, trajectory: TrajectoryRecord, t: int, goal: float) -> None:
    """Adds the gradient of the squared error of a recorded sheet with target `goal`."""
    bits, r = trajectory["bits"][t], int(trajectory["rounds"][t])
    refresh(net, bits, trajectory["sums"])
    surprise = (
        output(net, r, trajectory["sums"], trajectory["hidden"]) + trajectory["score"][t] - goal
    )
    trajectory["tally"][2] += surprise * surprise
    trajectory["tally"][3] += 1
    slope = np.float32(surprise) / POINTS_PER_UNIT
    trajectory["slopes"][0] = min(max(slope, -LARGEST_ERROR), LARGEST_ERROR)
    learn_back(head_of(net, r), head_of(grad, r), trajectory, DEPTH)
    width = grad.first_bias.shape[0]
    back = trajectory["back"][:width]
    add_back(grad.first_bias, back)
    for word in range(FEATURE_WORDS):
        rest = bits[word]
        while rest != NONE:
            add_back(grad.first[64 * word + lowest(rest)], back)
            rest &= rest - ONE


@kernel
def study_games(
    workspace: Workspace,
    grad: Network,
    trajectory: TrajectoryRecord,
    tree: Tree,
    lesson: Lesson,
    generator: Any,
) -> None:
    """Plays games, searching one turn deeper, and adds their gradient.

    The sheets of the game also learn from later turns, with weight `trace`: from the searched
    values of the moves, not from the luck of the cards.
    """
    for _ in range(lesson.games):
        start(workspace, lesson, generator)
        last = _study_alone(workspace, grad, trajectory, tree, lesson, generator)
        goal = trajectory["score"][last]
        _finished(trajectory, goal)
        for t in range(last - 1, -1, -1):
            later = goal - trajectory["value"][t] if trajectory["best"][t] != 0 else 0.0
            goal = trajectory["mean"][t] + lesson.trace * later
            learn(workspace.net, grad, trajectory, t, goal)


@kernel
def _study_alone(
    workspace: Workspace,
    grad: Network,
    trajectory: TrajectoryRecord,
    tree: Tree,
    lesson: Lesson,
    generator: Any,
) -> int:
    """Plays the workspace's game one turn deeper and records it; returns the number of turns."""
    shared, t, drawn = workspace.shared[0], 0, 0
    while True:
        _append(workspace, trajectory, t)
        if shared["phase"] == OVER:
            return t
        clear(tree)
        shared["phase"] = REVEAL
        tree.between[0] = shared
        root = add_node(tree, workspace.sheets[0], tree.between[0])
        drawn = next_turn(shared, workspace.cards, drawn, generator)
        at = root_outcome(tree, root, int(shared["card_id"]), int(shared["switched"]))
        outcome = tree.outcomes[at]
        trajectory["mean"][t], trajectory["value"][t] = tree.nodes[root]["value"], outcome["value"]
        trajectory["best"][t] = 1
        edge = _study_turn(grad, trajectory, tree, root, at, lesson.margin)
        if lesson.explore > 0 and below(generator, lesson.explore) == 0:
            edge = int(outcome["first"]) + below(generator, int(outcome["edges"]))
            trajectory["best"][t] = 0
        play(workspace.city, shared, workspace.sheets[0], int(tree.edges[edge]["move"]))
        end_turn(shared, workspace.sheets[0:1])
        t += 1


@kernel
def _study_turn(
    grad: Network, trajectory: TrajectoryRecord, tree: Tree, root: int, at: int, margin: float
) -> int:
    """Searches each good move one turn deeper and learns from it; returns the edge of the best."""
    work, outcome = tree.workspace, tree.outcomes[at]
    first, last = int(outcome["first"]), int(outcome["first"]) + int(outcome["edges"])
    least = outcome["value"] - margin
    best, most = first, -1.0e9
    for e in range(first, last):
        edge = tree.edges[e]
        if edge["value"] < least:
            continue
        if edge["solved"] == 0:
            child = grow(tree, root, at, e)
            edge["value"] = tree.nodes[child]["value"]
            set_between_turns(tree, child, tree.between[0])
            bits = trajectory["bits"][SCRATCH]
            trajectory["score"][SCRATCH] = position_bits(
                work.city, tree.between[0], tree.sheets[child], 0, work.score[0], bits
            )
            trajectory["rounds"][SCRATCH] = tree.nodes[child]["round"]
            learn(work.net, grad, trajectory, SCRATCH, edge["value"])
        if edge["value"] > most:
            best, most = e, edge["value"]
    return best


LEARN_BATCH, STUDY_BATCH = 8, 4
"""Games per thread between two gradient steps."""
LEARN_RATE, STUDY_RATE = 1e-3, 3e-4
WARM_UP_SHARE = 0.02
"""The part of a training in which the learning rate rises; a high rate at the start kills neurons.
"""
RANDOM_MOVE_EVERY = 50
STUDY_MARGIN_POINTS = 5.0
TRACE = 0.9, 0.4
"""The weight of later turns, at the start and at the end of learning."""
STUDY_TRACE = 0.8
PLAIN = [(0, 0, 0)]
MODULES = [c for c in product((0, 1), repeat=3) if any(c) and not (c[1] and c[2])]
"""All combinations of objectives, powers and special stations that may be chosen (PW-07)."""


class SheetPlan(NamedTuple):
    """The games to learn from and to study, with modules or not, and technical settings."""

    learn: int
    study: int
    modules: bool
    seed: int
    threads: int
    width: int = WIDTH


class SheetProgress(NamedTuple):
    """The games played so far, and the mean score and error of the latest ones."""

    games: int
    mean: float
    error: float


class SheetTrainer(Trainer):
    """Trains the network of a city."""

    plan: SheetPlan

    def __init__(self, game: NextStation, plan: SheetPlan) -> None:
        super().__init__(untrained(plan.seed, plan.width), plan, game.map_hash)
        count = range(plan.threads)
        city, choices = city_record(game.city), MODULES if plan.modules else PLAIN
        self._lesson = Lesson(
            blank=new_sheets(game.city, 1),
            modules=np.array(choices, np.int64),
            games=LEARN_BATCH,
            explore=RANDOM_MOVE_EVERY,
            trace=0.0,
            margin=STUDY_MARGIN_POINTS,
        )
        self._workspaces = [new_workspace(city, self.net) for _ in count]
        self._trajectories = [np.zeros(1, TRAJECTORY)[0] for _ in count]
        self._trees = [new_tree(new_workspace(city, self.net), 2000) for _ in count]
        self._kernels = compiled(sys.modules[__name__])

    @property
    def _learning(self) -> bool:
        return self.games < self.plan.learn

    @property
    def _part(self) -> float:
        """The finished part of the current way of training, from 0 to 1."""
        if self._learning:
            return self.games / self.plan.learn
        return min((self.games - self.plan.learn) / max(self.plan.study, 1), 1.0)

    @property
    def rate(self) -> float:
        top = LEARN_RATE if self._learning else STUDY_RATE
        slowly = min(self._part / WARM_UP_SHARE, 1.0)
        return top * slowly * float(max((1 - self._part) ** 1.5, 0.02))

    def run(self, every: float, clock: Callable[[], float]) -> Iterator[SheetProgress]:
        """Trains until the plan is done; yields its progress every `every` seconds of `clock`."""
        last = clock()
        with ThreadPoolExecutor(self.plan.threads) as pool:
            while self.games < self.plan.learn + self.plan.study:
                self.step(pool, LEARN_BATCH if self._learning else STUDY_BATCH)
                if clock() - last >= every:
                    last = clock()
                    yield self.progress()
        yield self.progress()

    def progress(self) -> SheetProgress:
        """Returns the progress since the last call."""
        points, games, squares, sheets = self.sums()
        error = float(np.sqrt(squares / max(sheets, 1)))
        return SheetProgress(self.games, points / max(games, 1), error)

    def play(self, thread: int) -> None:
        workspace, trajectory = self._workspaces[thread], self._trajectories[thread]
        grad = self.grads[thread]
        # New randomness for each step: a continued training gives the same network.
        generator = seeded(f"train|{self.plan.seed}|{self.games}|{thread}")
        if self._learning:
            trace = TRACE[0] + (TRACE[1] - TRACE[0]) * self._part
            lesson = self._lesson._replace(trace=trace)
            self._kernels.learn_games(workspace, grad, trajectory, lesson, generator)
        else:
            lesson = self._lesson._replace(games=STUDY_BATCH, trace=STUDY_TRACE)
            tree = self._trees[thread]
            self._kernels.study_games(workspace, grad, trajectory, tree, lesson, generator)
