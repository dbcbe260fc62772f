"""Plays many solo games of Next Station side by side, decision by decision, in compiled code."""

from __future__ import annotations

from typing import Any

from headway.envs.episode_log import keep, note
from headway.envs.masks import only_first
from headway.envs.modes import CHANGES, NEXT_STEP, SAME_STEP, START
from headway.envs.nextstation.decisions import NOTHING, find_move, second_action, write_mask
from headway.envs.nextstation.observation import observe
from headway.envs.unpacking import unpack
from headway.games.contract import CHANCE
from headway.games.kernel import BIT, NONE, count, kernel, lowest
from headway.games.nextstation.rules.arrays import (
    DEAL_POWERS,
    DEAL_SPECIAL,
    OVER,
    PLAY,
    CityRecord,
    SharedRecord,
)
from headway.games.nextstation.rules.building import legal_moves, play
from headway.games.nextstation.rules.playouts import DECK, deal_setup
from headway.games.nextstation.rules.turns import end_turn, next_deal_phase, reveal
from headway.games.xorshift import below

WHOLE_DECK = BIT[DECK] - BIT[0]


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
def deal_on(shared: SharedRecord, generator: Any, logs: Any, game: int) -> None:
    """Deals until the seat has to act or the game is over."""
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
    city: CityRecord,
    shared: SharedRecord,
    sheets: Any,
    blank: Any,
    generator: Any,
    scratch: Any,
    logs: Any,
    game: int,
) -> None:
    """Sets up a new game and deals until the seat has to act."""
    sheets[0] = blank[0]
    shared["round"], shared["turn"], shared["undergrounds"], shared["switched"] = 0, 0, 0, 0
    shared["shown"] = NONE
    deal_setup(city, shared, generator, scratch)
    logs[game, 0] = 0
    shared["phase"] = DEAL_POWERS
    next_deal_phase(shared)
    deal_on(shared, generator, logs, game)


@kernel
def decide(
    city: CityRecord,
    shared: SharedRecord,
    sheets: Any,
    sections: int,
    chosen: int,
    action: int,
    generator: Any,
    moves: Any,
    logs: Any,
    game: int,
) -> int:
    """Takes an action; returns the first decision of a turn that is not complete, or NOTHING.

    `moves[-1]` becomes 1 if the action was not possible, else 0. Then the lowest possible action
    is taken instead.
    """
    n = legal_moves(city, shared, sheets, 0, moves)
    at = find_move(city, shared, sections, moves, n, chosen, action)
    moves[moves.shape[0] - 1] = 1 if at < 0 else 0
    lowest_action = 0
    while at < 0:
        at = find_move(city, shared, sections, moves, n, chosen, lowest_action)
        action = lowest_action
        lowest_action += 1
    move = int(moves[at])
    if chosen == NOTHING and second_action(city, shared, sections, move) != NOTHING:
        return action
    play(city, shared, sheets[0], move)
    note(logs, game, 0, move)
    end_turn(shared, sheets)
    deal_on(shared, generator, logs, game)
    return NOTHING


@kernel
def show_seat(
    city: CityRecord,
    shared: SharedRecord,
    seat_sheets: Any,
    trial_sheets: Any,
    seat: int,
    acting: bool,
    chosen: int,
    ahead: bool,
    ends: Any,
    parts: Any,
    moves: Any,
    score_records: Any,
    words: Any,
    observations: Any,
    masks: Any,
    row: int,
) -> int:
    """Writes a seat's observation and mask; returns its total if the game ended now.

    `trial_sheets` are as `legal_moves` wants them.
    """
    total = observe(city, shared, seat_sheets, seat, chosen, ahead, ends, score_records[0], words)
    unpack(words, parts, observations, row)
    if acting:
        n = legal_moves(city, shared, trial_sheets, seat, moves)
        write_mask(city, shared, ends.shape[0], moves, n, chosen, masks, row)
    else:
        only_first(masks, row)
    return total


@kernel
def step_games(
    city: CityRecord,
    ahead: bool,
    ends: Any,
    parts: Any,
    blank: Any,
    rows: Any,
    shared_rows: Any,
    sheets: Any,
    generators: Any,
    logs: Any,
    last_logs: Any,
    autoreset: int,
    rewarded: int,
    first: int,
    last: int,
    moves: Any,
    score_records: Any,
    words: Any,
    trial_sheets: Any,
    generator: Any,
    actions: Any,
    observations: Any,
    masks: Any,
    results: Any,
) -> None:
    """Takes an action in games `first` to `last` - 1, or starts or shows them; see `envs/batch.py`.

    Sheet and generator of a game are copied, because views of arrays are slow in compiled code.
    """
    games, seat_sheets = shared_rows.shape[0], trial_sheets[:1]
    for i in range(first, last):
        shared, row, result = shared_rows[i], rows[i], results[i]
        trial_sheets[0], generator[0] = sheets[i], generators[i]
        action = int(actions[i])
        result["reward"], result["over"], result["illegal"] = 0.0, 0, 0
        playing = row["over"] == 0 and action >= 0
        again = not playing and (action == START or (action >= 0 and autoreset == NEXT_STEP))
        if playing:
            row["chosen"] = decide(
                city, shared, trial_sheets, ends.shape[0], int(row["chosen"]), action, generator,
                moves, logs, i,
            )  # fmt: skip
            result["illegal"] = moves[moves.shape[0] - 1]
        # The second time is for a game that starts again in the same step.
        for time in range(2):
            if again:
                start(city, shared, trial_sheets, blank, generator, moves, logs, i)
                row["chosen"], row["total"], row["over"] = NOTHING, 0, 0
            over = bool(shared["phase"] == OVER)
            ended = time == 0 and playing and over
            again = ended and autoreset == SAME_STEP
            total = show_seat(
                city, shared, seat_sheets, trial_sheets, 0, not over, int(row["chosen"]), ahead,
                ends, parts, moves, score_records, words, observations, masks,
                i + games if again else i,
            )  # fmt: skip
            if time == 0 and playing and rewarded == CHANGES:
                result["reward"] = total - int(row["total"])
                row["total"] = total
            elif ended:
                result["reward"] = total
            if over:
                result["over"], row["over"] = 1, 1
                keep(logs, last_logs, i)
            if not again:
                break
        sheets[i], generators[i] = trial_sheets[0], generator[0]
