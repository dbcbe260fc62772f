"""Fills the scratch memory of native code with given bytes before each call from Python.

`KERNELS` says of every kernel that Python calls which memory it must not read before it has written
it. A kernel or a parameter that is missing there raises `KeyError`, so a new one has to be added.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from headway.games import kernel

Bytes = Callable[[int], bytes]
"""Returns this many bytes to fill memory with."""


EVALUATED = ("city", "net", "trained")
"""What a tree and a workspace are valued by."""


JUDGED = ("board", "net", "habits", "other", "seed")
"""What two networks judge by."""


TRIED = ("board", "seat", "hidden", "belief", "habits", "positions", "hands", "tallies")
"""What trials are made of."""


def _rest(parts: Any, *kept: str) -> list[Any]:
    """The fields of a named tuple, and of tuples in it, or of a record without those kept."""
    names = (parts.dtype.names or ()) if isinstance(parts, np.void) else parts._fields
    fields = [part for name, part in zip(names, parts, strict=True) if name not in kept]
    return [
        memory
        for part in fields
        for memory in (_rest(part, *kept) if isinstance(part, tuple) else [part])
    ]


def _tree(tree: Any) -> list[Any]:
    """The scratch memory of a tree, and its space for more nodes, outcomes and edges."""
    nodes, outcomes, edges = tree.used
    space = [tree.nodes[nodes:], tree.sheets[nodes:], tree.outcomes[outcomes:], tree.edges[edges:]]
    kept = ("nodes", "sheets", "outcomes", "edges", "slots", "used", "worth")
    return [*space, *_rest(tree, "workspace", *kept), *_rest(tree.workspace, *EVALUATED)]


def _position(workspace: Any, first: bool = True) -> list[Any]:
    """A workspace without the position in it; later moves of a turn also need the first one's."""
    later = [workspace.shared[1:], workspace.sheets[1:], workspace.bits[1:], workspace.sums[1:]]
    if first:
        later += [workspace.bits[0], workspace.sums[0]]
    return later + _rest(workspace, *EVALUATED, "shared", "sheets", "bits", "sums")


def _beam(beam: Any, n: int, *kept: str) -> list[Any]:
    """A beam without its first n sheets."""
    return [beam.sheets[n:], *_rest(beam, "sheets", *kept)]


class Kernel(NamedTuple):
    """A kernel that Python calls: its scratch memory, and the names of other parameters."""

    scratch: Callable[[Any], list[Any]]
    kept: str


def _nothing(_: Any) -> list[Any]:
    return []


KERNELS = {
    # Both games
    "bots.value_net.adam": Kernel(_nothing, "weights grad mean square rate scale"),
    # Next Station
    "games.nextstation.rules.engine.play_games": Kernel(
        lambda a: [*_rest(a.work, "city", "shared", "blank"), a.totals], "policy generator"
    ),
    "games.nextstation.rules.engine.deal_setup": Kernel(
        lambda a: [a.scratch], "city shared generator"
    ),
    "games.nextstation.rules.engine.reveal_next": Kernel(_nothing, "shared deck drawn"),
    "games.nextstation.rules.engine.shuffled": Kernel(lambda a: [a.cards], "n generator"),
    "games.nextstation.rules.engine.replay": Kernel(
        lambda a: [a.work.sheets[1::2], *_rest(a.work, "city", "shared", "blank", "sheets")],
        "script",
    ),
    "bots.nextstation.evaluator.candidates": Kernel(lambda a: _position(a.workspace), ""),
    "bots.nextstation.tree.search": Kernel(
        lambda a: _tree(a.tree),
        "sheet between_turns card switched known simulations",
    ),
    "bots.nextstation.evaluator.value_after": Kernel(
        lambda a: _position(a.workspace, a.first), "move"
    ),
    "bots.nextstation.evaluator.endings": Kernel(
        lambda a: [*_rest(a.workspace, *EVALUATED), a.scores], "start sheet move generator"
    ),
    "bots.nextstation.perfect_information.follow": Kernel(
        lambda a: _position(a.workspace) + _beam(a.beam, a.n), ""
    ),
    "benchmarks.perfect_information.follow_fairly": Kernel(
        lambda a: [
            *_rest(a.workspace, *EVALUATED, "shared"),
            *_rest(a.tree, *EVALUATED, "worth"),
            *_beam(a.beam, a.n),
            a.lucks[a.n :],
            a.lucks[:, 1],
        ],
        "simulations",
    ),
    "bots.nextstation.perfect_information.narrow": Kernel(
        lambda a: [
            *_position(a.workspace),
            *_rest(a.beam, "sheets", "parents", "moves", "values"),
        ],
        "order",
    ),
    "bots.nextstation.training.learn_games": Kernel(
        lambda a: [*_rest(a.workspace, *EVALUATED), *_rest(a.trajectory, "tally")],
        "grad lesson generator",
    ),
    "bots.nextstation.training.study_games": Kernel(
        lambda a: [
            *_rest(a.workspace, *EVALUATED),
            *_rest(a.trajectory, "tally"),
            *_rest(a.tree, *EVALUATED, "worth"),
        ],
        "grad lesson generator",
    ),
    "envs.nextstation.episodes.show_seat": Kernel(
        lambda a: [
            a.scratch["sheets"][1:],
            *(a.scratch[name] for name in a.scratch.dtype.names if name != "sheets"),
            a.observation,
            a.mask,
        ],
        "setup shared sheets seat chosen",
    ),
    "envs.nextstation.episodes.step_games": Kernel(
        lambda a: [a.memory.scratch, *a.out], "actions first stop"
    ),
    # Ticket to Ride
    "games.tickettoride.rules.engine.play_games": Kernel(
        lambda a: [*_rest(a.work, "board", "blank_shared", "blank_players"), a.totals],
        "policy generator",
    ),
    "games.tickettoride.rules.engine.replay": Kernel(
        lambda a: _rest(a.work, "board", "shared", "players", "blank_shared", "blank_players"),
        "script",
    ),
    "bots.tickettoride.playout_policy.sensible": Kernel(
        lambda a: [
            a.game.workspace,
            *(a.game.plans[name] for name in a.game.plans.dtype.names if name != "made"),
        ],
        "seat",
    ),
    "bots.tickettoride.beliefs.weigh_tickets": Kernel(
        lambda a: [a.game.workspace, a.fits], "seat belief"
    ),
    "bots.tickettoride.trials.try_moves": Kernel(
        lambda a: _rest(a.trials, *TRIED, "fits"), "samples generator"
    ),
    "bots.tickettoride.trials.try_moves_ahead": Kernel(
        lambda a: [
            *_rest(a.trials, *TRIED, "fits"),
            *_rest(a.valuer, "board", "net", "habits"),
            *([] if a.samples else [a.trials.fits]),
        ],
        "generator",
    ),
    "bots.tickettoride.training.learn_games": Kernel(
        lambda a: [*_rest(a.valuer, "board", "net", "habits"), *_rest(a.trajectory, "tally")],
        "grad games generator",
    ),
    "bots.tickettoride.trials.try_positions": Kernel(
        lambda a: _rest(a.trials, *TRIED, "fits", "shares", "margins"), "first samples generator"
    ),
    "reviews.tickettoride.worth.worth_at": Kernel(
        lambda a: [*_rest(a.pair, *JUDGED), a.out], "shared players seat"
    ),
    "reviews.tickettoride.worth.worth_by_kind": Kernel(
        lambda a: [*_rest(a.pair, *JUDGED), a.out], "shared players seat"
    ),
    "reviews.tickettoride.worth.worths_of_moves": Kernel(
        lambda a: _rest(a.pair, *JUDGED), "shared players seat moves n"
    ),
    "benchmarks.review_training.learn_self_play": Kernel(
        lambda a: [*_rest(a.valuer, "board", "net", "habits"), *_rest(a.game, "tally")],
        "grad plan dice",
    ),
    "benchmarks.review_training.play_after_weak_moves": Kernel(
        lambda a: [*_rest(a.valuer, "board", "net", "habits"), *_rest(a.game, "tally")], "plan dice"
    ),
    "bots.tickettoride.playout_policy.result_of": Kernel(
        lambda a: [a.workspace, a.score_record], "board players seat"
    ),
    "envs.tickettoride.episodes.show_seat": Kernel(
        lambda a: [a.scratch, a.observation, a.mask], "setup shared players seat acting"
    ),
    "envs.tickettoride.episodes.step_games": Kernel(
        lambda a: [a.memory.scratch, *a.out], "actions first stop"
    ),
}
"""By name after `headway.`; a parameter may have scratch memory in a part of it."""


def unlisted(name: str, parameters: set[str]) -> set[str]:
    """Returns the parameters of a kernel that `KERNELS` says nothing about, or that it invents."""
    listed = KERNELS[name]
    named = set(_names(listed.scratch.__code__)) & parameters
    return parameters ^ (named | set(listed.kept.split()))


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def overwrite(memory: Any, source: Bytes) -> None:
    """Replaces the content of an array, or of one record of an array."""
    if isinstance(memory, np.void):
        new = np.frombuffer(source(memory.dtype.itemsize), memory.dtype)[0]
        for name in memory.dtype.names or ():
            memory[name] = new[name]
    elif memory.dtype == np.bool_:
        memory[...] = np.frombuffer(source(memory.size), np.uint8).reshape(memory.shape) % 2
    else:
        memory[...] = np.frombuffer(source(memory.nbytes), memory.dtype).reshape(memory.shape)


class Filled:
    """A kernel that finds given bytes in its scratch memory at each call."""

    def __init__(self, function: Any, source: Bytes, called: set[str]) -> None:
        python = getattr(function, "py_func", function)
        self.name = f"{python.__module__}.{python.__name__}".removeprefix("headway.")
        self.function, self.source, self.called = function, source, called
        self.signature = inspect.signature(python)

    def __call__(self, *args: Any) -> Any:
        assert not unlisted(self.name, set(self.signature.parameters)), self.name
        self.called.add(self.name)
        given = SimpleNamespace(**self.signature.bind(*args).arguments)
        for memory in KERNELS[self.name].scratch(given):
            overwrite(memory, self.source)
        return self.function(*args)


@contextmanager
def filled(source: Bytes) -> Iterator[set[str]]:
    """Lets Python call native code through `Filled`; yields the names of what was called."""
    called, real = set[str](), kernel._entries

    def entries(module: ModuleType) -> dict[str, Any]:
        return {name: Filled(entry, source, called) for name, entry in real(module).items()}

    kernel._entries = entries  # type: ignore[assignment]
    _forget_native_code()
    try:
        yield called
    finally:
        kernel._entries = real
        _forget_native_code()


def _forget_native_code() -> None:
    """Clears what keeps the kernels of `compiled`."""
    kernel.compiled.cache_clear()
    for name, module in list(sys.modules.items()):
        native: Any = vars(module).get("native") if name.startswith("headway.") else None
        if hasattr(native, "cache_clear"):
            native.cache_clear()
