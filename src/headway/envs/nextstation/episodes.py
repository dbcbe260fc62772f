"""Next Station for environments: many solo games side by side, in compiled code."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from headway.envs.encoding import Encoding
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
    Shown,
    clear_progress,
    finish,
    note,
    only_first,
    row_of,
    task_of,
)
from headway.envs.nextstation.spaces import (
    OBSERVED_WORDS,
    VERSION,
    find_move,
    first_action,
    layout,
    observe,
    planes,
    second_action,
    unpack,
    write_mask,
)
from headway.games.contract import CHANCE, Game, Move, Seat, State
from headway.games.kernel import compiled, kernel
from headway.games.nextstation.city.city import MOST_SECTIONS
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.moves import Parts, move_text, pack
from headway.games.nextstation.rules.arrays import (
    CITY,
    MOST_MOVES,
    OVER,
    PLAY,
    SCORE,
    SHARED,
    SHEET,
    CityRecord,
    SharedRecord,
    city_record,
    new_sheets,
)
from headway.games.nextstation.rules.building import legal_moves, play
from headway.games.nextstation.rules.engine import begin, begin_dealing, deal, end_turn
from headway.games.nextstation.state import WAITING, NextStationState

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
    """Appends the events of a set-up, with the moves of `moves.py`."""
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
    begin_dealing(shared)
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


class NextStationEncoding(Encoding):
    """Decisions and observations of Next Station; `spaces.py` lists the actions."""

    highest = 1
    private = frozenset(("chosen",))
    episode, scratch, words, longest = EPISODE, SCRATCH, np.dtype(np.uint64), 127

    def __init__(self, game: Game, ahead: bool = False) -> None:
        assert isinstance(game, NextStation)
        self.game: NextStation = game
        self.observation = f"{'ahead' if ahead else 'board'}-v{VERSION}"
        self.city = city_record(game.city)
        self.sections = len(game.city.sections)
        powers, special = game.options["powers"], game.options["special_stations"]
        with_extra = self.sections + len(game.city.stations)
        self.actions = 1 + self.sections + with_extra * (powers or special)
        self.fields, parts = layout(planes(game.city, game.options, game.seats, ahead))
        self.size = self.fields[-1].stop
        self.setup = np.zeros(1, SETUP)
        self.setup["city"], self.setup["blank"] = self.city, new_sheets(game.city, 1)
        self.setup["shared"] = game.start().shared
        self.setup["sections"], self.setup["ahead"] = self.sections, ahead
        self.setup["ends"][0, : self.sections] = [(s.a, s.b) for s in game.city.sections]
        self.setup["parts"], self.setup["part"][0, : len(parts)] = len(parts), parts
        self._scratch = np.zeros(1, SCRATCH)[0]

    def show(self, state: State, seat: Seat, chosen: int = NOTHING) -> Shown:
        assert isinstance(state, NextStationState)
        observation = np.empty(self.size // 8, np.uint64)
        mask = np.empty(self.actions, np.int8)
        self._scratch["sheets"][0] = state.sheets[seat]
        self.kernels().show_seat(
            self.setup[0], self._scratch, state.shared, state.sheets, seat,
            chosen if seat in state.actors() else WATCHING, observation, mask,
        )  # fmt: skip
        return Shown(observation.view(np.int8), mask)

    def decisions(self, move: Move) -> tuple[int, ...]:
        shared = np.zeros(1, SHARED)[0]
        shared["use_powers"] = self.game.options["powers"]
        first = first_action(self.city, self.sections, move)
        second = second_action(self.city, shared, self.sections, move)
        return (first,) if second == NOTHING else (first, second)

    def text(self, action: int) -> str:
        if action == 0:
            return "pass"
        extra, index = divmod(action - 1, self.sections)
        if action > 2 * self.sections:
            return "*" + self.game.city.stations[action - 2 * self.sections - 1].name
        section = self.game.city.sections[index]
        names = move_text(self.game.city, pack(Parts(0, False, (section.a, section.b), None, None)))
        return f"{names} with the extra" if extra else names

    def kernels(self) -> Any:
        return compiled(sys.modules[__name__])

    def state_of(self, episode: Any) -> State:
        waiting = np.full(1, WAITING, np.int64)
        parts = episode["shared"], episode["sheet"], waiting
        return self.game.load(b"".join(part.tobytes() for part in parts))

    def load(self, episode: Any, state: State) -> None:
        assert isinstance(state, NextStationState)
        episode["shared"], episode["sheet"] = state.shared, state.sheets[0]
