"""Plays whole games in compiled code, many at a time.

The random generator is `games/xorshift.py`; the table never uses it.
"""

from __future__ import annotations

from typing import Any

from headway.games.kernel import kernel
from headway.games.nextstation.rules.arrays import (
    CARDS,
    DEAL_PENCILS,
    OVER,
    PASS,
    REVEAL,
    ROUNDS,
    CityRecord,
    ScoreRecord,
    SharedRecord,
    SheetRecord,
)
from headway.games.nextstation.rules.building import legal_moves, play
from headway.games.nextstation.rules.gains import standing, worth
from headway.games.nextstation.rules.scoring import score
from headway.games.nextstation.rules.turns import end_turn, reveal
from headway.games.xorshift import below, shuffle

RANDOM, GREEDY = 0, 1
DECK = len(CARDS)


@kernel
def deal_setup(city: CityRecord, shared: SharedRecord, generator: Any, scratch: Any) -> None:
    """Deals pencils, objectives, powers and special stations for a whole game."""
    _ordered(scratch, 4)
    shuffle(generator, scratch, 4)
    seats = int(shared["seats"])
    for seat in range(seats):
        # Two players sit opposite each other (NS-02).
        slot = seat * 2 if seats == 2 else seat
        for r in range(ROUNDS):
            shared["pencils"][seat, r] = scratch[(slot - r) % 4]
    objectives = int(city["objectives"])
    _ordered(scratch, objectives)
    shuffle(generator, scratch, objectives)
    for i in range(2):
        shared["objectives"][i] = (
            min(scratch[0], scratch[1]) if i == 0 else max(scratch[0], scratch[1])
        )
    _ordered(scratch, 4)
    shuffle(generator, scratch, 4)
    for colour in range(4):
        shared["powers"][colour] = scratch[colour] + 1
    shuffle(generator, scratch, 4)
    for r in range(ROUNDS):
        shared["special_symbol"][r] = scratch[r]
    shuffle(generator, scratch, 4)
    for r in range(ROUNDS):
        shared["special_effect"][r] = scratch[r] + 1


@kernel
def _ordered(scratch: Any, n: int) -> None:
    for i in range(n):
        scratch[i] = i


@kernel
def best_move(
    city: CityRecord,
    shared: SharedRecord,
    sheets: Any,
    moves: Any,
    n: int,
    score_record: ScoreRecord,
) -> int:
    """Returns the move with the highest score if the game ended now; `sheets[1]` is scratch.

    Among equals a section comes before a pass, then the lowest move, which spends nothing.
    """
    best, best_total = PASS, -(1 << 30)
    if n == 1:
        return int(moves[0])
    objectives = shared["use_objectives"] != 0
    now = standing(city, sheets[0], int(shared["round"]))
    for i in range(n):
        move = int(moves[i])
        if objectives:
            sheets[1] = sheets[0]
            play(city, shared, sheets[1], move)
            total = score(city, shared, sheets[1], score_record)
        else:
            total = worth(city, now, move)
        equal = total == best_total and move != PASS and (best == PASS or move < best)
        if total > best_total or equal:
            best, best_total = move, total
    return best


@kernel
def choose(
    city: CityRecord,
    shared: SharedRecord,
    sheets: Any,
    seat: int,
    policy: int,
    moves: Any,
    score_record: ScoreRecord,
    generator: Any,
) -> int:
    """Returns a seat's move by a simple policy: RANDOM among all legal moves, or GREEDY."""
    n = legal_moves(city, shared, sheets, seat, moves)
    if policy == GREEDY:
        return best_move(city, shared, sheets, moves, n, score_record)
    return int(moves[below(generator, n)])


@kernel
def play_game(
    city: CityRecord,
    shared: SharedRecord,
    sheets: Any,
    blank: SheetRecord,
    policy: int,
    moves: Any,
    score_records: Any,
    generator: Any,
    scratch: Any,
) -> None:
    """Deals and plays one game to its end; `sheets` has a sheet and a scratch sheet per seat."""
    seats = int(shared["seats"])
    for i in range(2 * seats):
        sheets[i] = blank
    shared["phase"], shared["round"], shared["turn"] = DEAL_PENCILS, 0, 0
    deal_setup(city, shared, generator, scratch)
    shared["phase"] = REVEAL
    while shared["phase"] != OVER:
        if shared["turn"] == 0:
            shared["phase"] = REVEAL
            _ordered(scratch, DECK)
            shuffle(generator, scratch, DECK)
            drawn = 0
        while shared["phase"] == REVEAL:
            reveal(shared, int(scratch[drawn]))
            drawn += 1
        for seat in range(seats):
            trial_sheets = sheets[2 * seat : 2 * seat + 2]
            move = choose(
                city, shared, trial_sheets, seat, policy, moves, score_records[0], generator
            )
            play(city, shared, trial_sheets[0], move)
        end_turn(shared, sheets[::2])


@kernel
def play_games(
    city: CityRecord,
    shared: SharedRecord,
    sheets: Any,
    blank: SheetRecord,
    policy: int,
    moves: Any,
    score_records: Any,
    generator: Any,
    scratch: Any,
    totals: Any,
) -> None:
    """Plays one game for each row of `totals` and writes the seats' totals there."""
    for game in range(totals.shape[0]):
        play_game(city, shared, sheets, blank, policy, moves, score_records, generator, scratch)
        for seat in range(int(shared["seats"])):
            totals[game, seat] = score(city, shared, sheets[2 * seat], score_records[0])
