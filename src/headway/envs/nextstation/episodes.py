"""Plays many solo games of Next Station side by side, decision by decision, in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.envs.episodes import (
    DECIDE,
    NOTHING,
    PROGRESS,
    START,
    WATCHING,
    Memory,
    Outputs,
    ScratchRecord,
    SetupRecord,
    clear_progress,
    finish,
    note,
    only_first,
    row_of,
    task_of,
)
from headway.envs.nextstation.actions import find_move, second_action, write_mask
from headway.envs.nextstation.observation import OBSERVED_WORDS, observe, unpack
from headway.games.contract import CHANCE
from headway.games.kernel import kernel
from headway.games.nextstation.city.city import MOST_SECTIONS
from headway.games.nextstation.rules.arrays import (
    CITY,
    DEAL_POWERS,
    MOST_MOVES,
    OVER,
    PLAY,
    SCORE,
    SHARED,
    SHEET,
    CityRecord,
    SharedRecord,
)
from headway.games.nextstation.rules.building import legal_moves, play
from headway.games.nextstation.rules.engine import begin, deal, end_turn, next_deal_phase

SETUP = np.dtype(
    [
        ("city", CITY),
        ("blank", SHEET),
        ("shared", SHARED),  # before anything is dealt
        ("sections", "i8"),
        ("ends", "i8", (MOST_SECTIONS, 2)),  # the two stations of each section
        ("ahead", "i8"),  # whether observations have features about the future
        ("parts", "i8"),
        ("part", "i8", (OBSERVED_WORDS, 2)),  # see `observation.layout`
        ("autoreset", "i8"),
        ("rewarded", "i8"),
    ],
    align=True,
)

SCRATCH = np.dtype(
    [
        ("sheets", SHEET, (2,)),  # of the seat, and one for trials, as `legal_moves` wants them
        ("moves", "i8", (MOST_MOVES,)),
        ("score", SCORE),
        ("words", "u8", (OBSERVED_WORDS,)),
    ],
    align=True,
)

EPISODE = np.dtype([*PROGRESS, ("shared", SHARED), ("sheet", SHEET)], align=True)


@kernel
def deal_on(memory: Memory, game: int) -> None:
    """Deals until the seat has to act or the game is over."""
    episode = memory.episodes[game]
    shared = episode["shared"]
    while shared["phase"] != PLAY and shared["phase"] != OVER:
        note(memory.logs, game, CHANCE, deal(shared, episode["generator"]))


@kernel
def place_of(order: Any) -> int:
    """Returns the place of an order of four things among all their orders, from the lowest on."""
    place = 0
    for i in range(3):
        lower = 0
        for k in range(i + 1, 4):
            if order[k] < order[i]:
                lower += 1
        place = (place + lower) * (3 - i)
    return place


@kernel
def note_setup(city: CityRecord, shared: SharedRecord, logs: Any, game: int) -> None:
    """Appends the events of a set-up, with the moves of `deals.py`."""
    note(logs, game, CHANCE, place_of(shared["pencils"][0]))
    if shared["use_objectives"] != 0:
        a, b = int(shared["objectives"][0]), int(shared["objectives"][1])
        note(logs, game, CHANCE, a * (2 * int(city["objectives"]) - a - 3) // 2 + b - 1)
    if shared["use_powers"] != 0:
        note(logs, game, CHANCE, place_of(shared["powers"]))


@kernel
def start(memory: Memory, game: int) -> None:
    """Sets up a new game and deals until the seat has to act."""
    setup, scratch, episode = memory.setup[0], memory.scratch[0], memory.episodes[game]
    shared = episode["shared"]
    clear_progress(memory, game)
    episode["shared"], scratch["sheets"][0] = setup["shared"], setup["blank"]
    begin(setup["city"], shared, episode["generator"], scratch["moves"])
    note_setup(setup["city"], shared, memory.logs, game)
    # Special stations are dealt round by round.
    shared["phase"] = DEAL_POWERS
    next_deal_phase(shared)
    deal_on(memory, game)


@kernel
def decide(memory: Memory, game: int, action: int) -> bool:
    """Takes an action, or the lowest possible one instead; returns whether it was possible."""
    setup, scratch, episode = memory.setup[0], memory.scratch[0], memory.episodes[game]
    city, shared, moves = setup["city"], episode["shared"], scratch["moves"]
    chosen = int(episode["chosen"])
    n = legal_moves(city, shared, scratch["sheets"], 0, moves)
    at = find_move(setup, shared, moves, n, chosen, action)
    possible = at >= 0
    lowest_action = 0
    while at < 0:
        at = find_move(setup, shared, moves, n, chosen, lowest_action)
        action = lowest_action
        lowest_action += 1
    move, sections = int(moves[at]), int(setup["sections"])
    if chosen == NOTHING and second_action(city, shared, sections, move) != NOTHING:
        episode["chosen"] = action
        return possible
    episode["chosen"] = NOTHING
    play(city, shared, scratch["sheets"][0], move)
    note(memory.logs, game, 0, move)
    end_turn(shared, scratch["sheets"])
    deal_on(memory, game)
    return possible


@kernel
def show_seat(
    setup: SetupRecord,
    scratch: ScratchRecord,
    shared: SharedRecord,
    sheets: Any,
    seat: int,
    chosen: int,
    observation: Any,
    mask: Any,
) -> int:
    """Writes a seat's observation and mask; returns its total if the game ended now.

    `sheets` has one per seat; the seat's is also the first one in `scratch`. `chosen` is its first
    decision, NOTHING or WATCHING.
    """
    total = observe(setup, scratch, shared, sheets, seat, chosen)
    unpack(scratch["words"], setup["part"][: setup["parts"]], observation)
    if chosen == WATCHING:
        only_first(mask)
    else:
        n = legal_moves(setup["city"], shared, scratch["sheets"], seat, scratch["moves"])
        write_mask(setup, shared, scratch["moves"], n, chosen, mask)
    return total


@kernel
def show(memory: Memory, out: Outputs, game: int, row: int) -> int:
    """Writes the observation and mask of a game; returns its total if it ended now."""
    scratch, episode = memory.scratch[0], memory.episodes[game]
    shared = episode["shared"]
    chosen = int(episode["chosen"]) if shared["phase"] != OVER else WATCHING
    return show_seat(
        memory.setup[0], scratch, shared, scratch["sheets"][:1], 0, chosen,
        out.observations[row], out.masks[row],
    )  # fmt: skip


@kernel
def step_games(memory: Memory, actions: Any, out: Outputs, first: int, stop: int) -> None:
    """Takes an action in each game from `first` to `stop` - 1, or starts or shows it."""
    scratch = memory.scratch[0]
    for game in range(first, stop):
        episode = memory.episodes[game]
        scratch["sheets"][0] = episode["sheet"]
        task = task_of(memory, actions, game)
        out.illegal[game] = task == DECIDE and not decide(memory, game, int(actions[game]))
        if task == START:
            start(memory, game)
        over = bool(episode["shared"]["phase"] == OVER)
        row = row_of(memory, out, game, task, over)
        finish(memory, out, game, task, over, show(memory, out, game, row))
        if row != game:
            start(memory, game)
            show(memory, out, game, game)
        episode["sheet"] = scratch["sheets"][0]
