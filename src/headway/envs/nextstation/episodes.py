"""Plays many solo games of Next Station side by side, decision by decision, in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.envs.episodes import (
    PROGRESS,
    SAME_STEP,
    EpisodeRecord,
    Memory,
    Outputs,
    ScratchRecord,
    SetupRecord,
    clear_log,
    keep,
    note,
    only_first,
    reward,
    starts,
)
from headway.envs.nextstation.actions import NOTHING, find_move, second_action, write_mask
from headway.envs.nextstation.observation import OBSERVED_WORDS, observe, unpack
from headway.games.contract import CHANCE
from headway.games.kernel import BIT, NONE, count, kernel, lowest
from headway.games.nextstation.city.city import MOST_SECTIONS
from headway.games.nextstation.rules.arrays import (
    CITY,
    DEAL_POWERS,
    DEAL_SPECIAL,
    DECK,
    MOST_MOVES,
    OVER,
    PLAY,
    SCORE,
    SHARED,
    SHEET,
    SharedRecord,
)
from headway.games.nextstation.rules.building import legal_moves, play
from headway.games.nextstation.rules.engine import deal_setup, end_turn, next_deal_phase, reveal
from headway.games.xorshift import below

WHOLE_DECK = BIT[DECK] - BIT[0]

SETUP = np.dtype(
    [
        ("city", CITY),
        ("blank", SHEET),
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
def any_bit(mask: Any, generator: Any) -> int:
    """Returns a random bit of a mask that is not empty."""
    for _ in range(below(generator, count(mask))):
        mask &= ~BIT[lowest(mask)]
    return lowest(mask)


@kernel
def deal_special(shared: SharedRecord, generator: Any) -> int:
    """Deals the special stations of a round among those left (SP-01); returns the pair."""
    symbols, effects = BIT[4] - BIT[0], BIT[5] - BIT[1]
    r = int(shared["round"])
    for earlier in range(r):
        symbols &= ~BIT[shared["special_symbol"][earlier]]
        effects &= ~BIT[shared["special_effect"][earlier]]
    symbol, effect = any_bit(symbols, generator), any_bit(effects, generator)
    shared["special_symbol"][r], shared["special_effect"][r] = symbol, effect
    return symbol * 8 + effect


@kernel
def deal_on(episode: EpisodeRecord, logs: Any, game: int) -> None:
    """Deals until the seat has to act or the game is over."""
    shared, generator = episode["shared"], episode["generator"]
    while shared["phase"] != PLAY and shared["phase"] != OVER:
        if shared["phase"] == DEAL_SPECIAL:
            note(logs, game, CHANCE, deal_special(shared, generator))
            next_deal_phase(shared)
        else:
            card = any_bit(WHOLE_DECK & ~shared["shown"], generator)
            reveal(shared, card)
            note(logs, game, CHANCE, card)


@kernel
def start(
    setup: SetupRecord, scratch: ScratchRecord, episode: EpisodeRecord, logs: Any, game: int
) -> None:
    """Sets up a new game and deals until the seat has to act."""
    shared = episode["shared"]
    scratch["sheets"][0] = setup["blank"]
    shared["round"], shared["turn"], shared["undergrounds"], shared["switched"] = 0, 0, 0, 0
    shared["shown"] = NONE
    deal_setup(setup["city"], shared, episode["generator"], scratch["moves"])
    episode["chosen"], episode["total"], episode["over"] = NOTHING, 0, 0
    clear_log(logs, game)
    shared["phase"] = DEAL_POWERS
    next_deal_phase(shared)
    deal_on(episode, logs, game)


@kernel
def decide(
    setup: SetupRecord,
    scratch: ScratchRecord,
    episode: EpisodeRecord,
    logs: Any,
    game: int,
    action: int,
) -> bool:
    """Takes an action, or the lowest possible one instead; returns whether it was possible."""
    city, shared, moves = setup["city"], episode["shared"], scratch["moves"]
    sections, chosen = int(setup["sections"]), int(episode["chosen"])
    n = legal_moves(city, shared, scratch["sheets"], 0, moves)
    at = find_move(city, shared, sections, moves, n, chosen, action)
    possible = at >= 0
    lowest_action = 0
    while at < 0:
        at = find_move(city, shared, sections, moves, n, chosen, lowest_action)
        action = lowest_action
        lowest_action += 1
    move = int(moves[at])
    if chosen == NOTHING and second_action(city, shared, sections, move) != NOTHING:
        episode["chosen"] = action
        return possible
    episode["chosen"] = NOTHING
    play(city, shared, scratch["sheets"][0], move)
    note(logs, game, 0, move)
    end_turn(shared, scratch["sheets"])
    deal_on(episode, logs, game)
    return possible


@kernel
def show_seat(
    setup: SetupRecord,
    scratch: ScratchRecord,
    shared: SharedRecord,
    sheets: Any,
    seat: int,
    acting: bool,
    chosen: int,
    observations: Any,
    masks: Any,
    row: int,
) -> int:
    """Writes a seat's observation and mask; returns its total if the game ended now.

    `sheets` has one per seat; the seat's is also the first one in `scratch`.
    """
    city, sections = setup["city"], int(setup["sections"])
    ends, words, moves = setup["ends"][:sections], scratch["words"], scratch["moves"]
    ahead = bool(setup["ahead"])
    total = observe(city, shared, sheets, seat, chosen, ahead, ends, scratch["score"], words)
    unpack(words, setup["part"][: setup["parts"]], observations, row)
    if acting:
        n = legal_moves(city, shared, scratch["sheets"], seat, moves)
        write_mask(city, shared, sections, moves, n, chosen, masks, row)
    else:
        only_first(masks, row)
    return total


@kernel
def show(
    setup: SetupRecord, scratch: ScratchRecord, episode: EpisodeRecord, out: Outputs, row: int
) -> int:
    """Writes the observation and mask of a game; returns its total if it ended now."""
    shared = episode["shared"]
    return show_seat(
        setup, scratch, shared, scratch["sheets"][:1], 0, bool(shared["phase"] != OVER),
        int(episode["chosen"]), out.observations, out.masks, row,
    )  # fmt: skip


@kernel
def step_game(memory: Memory, actions: Any, out: Outputs, game: int) -> None:
    """Takes an action in a game, or starts or shows it; see `envs/batch.py`."""
    setup, scratch, logs = memory.setup[0], memory.scratch[0], memory.logs
    episode, action = memory.episodes[game], int(actions[game])
    scratch["sheets"][0] = episode["sheet"]
    out.rewards[game], out.illegal[game] = 0.0, False
    playing = episode["over"] == 0 and action >= 0
    if playing:
        out.illegal[game] = not decide(setup, scratch, episode, logs, game, action)
    elif starts(int(setup["autoreset"]), action):
        start(setup, scratch, episode, logs, game)
    over = bool(episode["shared"]["phase"] == OVER)
    again = playing and over and setup["autoreset"] == SAME_STEP
    total = show(setup, scratch, episode, out, game + out.over.shape[0] if again else game)
    if playing:
        out.rewards[game] = reward(episode, int(setup["rewarded"]), total, over)
    out.over[game] = over
    if over:
        episode["over"] = 1
        keep(logs, game)
    if again:
        start(setup, scratch, episode, logs, game)
        show(setup, scratch, episode, out, game)
    episode["sheet"] = scratch["sheets"][0]


@kernel
def step_games(memory: Memory, actions: Any, out: Outputs, first: int, stop: int) -> None:
    """Takes an action in each game from `first` to `stop` - 1."""
    for game in range(first, stop):
        step_game(memory, actions, out, game)
