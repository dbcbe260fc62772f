"""Plays many games of Ticket to Ride side by side, one seat each, in compiled code.

The other seats are played at random or by the policy of the bot `driver`.
"""

from __future__ import annotations

from typing import Any

from headway.bots.tickettoride.playout_policy import sensible
from headway.bots.tickettoride.trials import result as add_result
from headway.envs.episode_log import keep, note
from headway.envs.masks import only_first
from headway.envs.modes import CHANGES, NEXT_STEP, SAME_STEP, SHOW, START, WINNING
from headway.envs.tickettoride.actions import lowest_action, write_mask
from headway.envs.tickettoride.observation import observe
from headway.games.contract import CHANCE
from headway.games.kernel import kernel
from headway.games.tickettoride.rules.arrays import (
    KEEP,
    OPENING,
    OVER,
    TURN,
    BoardRecord,
    SharedRecord,
)
from headway.games.tickettoride.rules.playouts import deal_chance
from headway.games.tickettoride.rules.turns import legal_moves, play
from headway.games.xorshift import below

RANDOM, DRIVER = 0, 1


@kernel
def opponent_move(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    policy: int,
    plans: Any,
    habits: Any,
    workspaces: Any,
    moves: Any,
    generator: Any,
) -> int:
    """Returns the move of another seat."""
    if policy == DRIVER:
        plans[seat]["made"] = 0
        return int(sensible(board, shared, players, seat, plans, habits[0], workspaces[0]))
    n = legal_moves(board, shared, players, seat, moves)
    return int(moves[below(generator, n)])


@kernel
def play_on(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    policies: Any,
    plans: Any,
    habits: Any,
    workspaces: Any,
    moves: Any,
    generator: Any,
    logs: Any,
    game: int,
) -> None:
    """Deals and plays for others until the seat has to act or the game is over."""
    while shared["phase"] != OVER:
        phase = shared["phase"]
        mover = seat
        if phase in (TURN, KEEP):
            mover = int(shared["seat"])
        elif phase == OPENING:
            # The others choose first; the seat does not see it.
            for other in range(players.shape[0]):
                if other != seat and players[other]["choice"] == 0:
                    mover = other
        else:
            note(logs, game, CHANCE, deal_chance(board, shared, players, generator))
            continue
        if mover == seat:
            return
        move = opponent_move(
            board, shared, players, mover, int(policies[mover]), plans, habits, workspaces, moves,
            generator,
        )  # fmt: skip
        play(board, shared, players, mover, move)
        note(logs, game, mover, move)


@kernel
def show_seat(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    acting: bool,
    offers: int,
    table: Any,
    moves: Any,
    reach: Any,
    score_records: Any,
    observations: Any,
    masks: Any,
    row: int,
) -> int:
    """Writes a seat's observation and mask; returns its total if the game ended now."""
    total = observe(
        board, shared, players, seat, offers, reach, score_records[0], observations, row
    )
    if acting:
        n = legal_moves(board, shared, players, seat, moves)
        write_mask(table, moves, n, masks, row)
    else:
        only_first(masks, row)
    return total


@kernel
def won(
    board: BoardRecord, players: Any, seat: int, workspaces: Any, score_records: Any, tallies: Any
) -> float:
    """Returns 1 for a victory, 0 for a shared one, -1 for a defeat."""
    tallies[0]["wins"] = 0.0
    add_result(board, players, seat, workspaces[0], score_records, tallies[0])
    wins = float(tallies[0]["wins"])
    if wins == 0.0:
        return -1.0
    return 1.0 if wins == 1.0 else 0.0


@kernel
def decide(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    table: Any,
    all_moves: Any,
    action: int,
    moves: Any,
    logs: Any,
    game: int,
) -> bool:
    """Takes an action, or the lowest possible one instead; returns whether it was possible."""
    n = legal_moves(board, shared, players, seat, moves)
    move = int(all_moves[action]) if action < all_moves.shape[0] else -1
    possible = False
    for i in range(n):
        possible |= int(moves[i]) == move
    if not possible:
        move = int(all_moves[lowest_action(table, moves, n)])
    play(board, shared, players, seat, move)
    note(logs, game, seat, move)
    return possible


@kernel
def step_games(
    board: BoardRecord,
    seat: int,
    offers: int,
    table: Any,
    all_moves: Any,
    policies: Any,
    blank_shared: Any,
    blank_players: Any,
    habits: Any,
    rows: Any,
    shared_rows: Any,
    player_rows: Any,
    generators: Any,
    logs: Any,
    last_logs: Any,
    autoreset: int,
    rewarded: int,
    first: int,
    last: int,
    moves: Any,
    reach: Any,
    score_records: Any,
    plans: Any,
    workspaces: Any,
    tallies: Any,
    players: Any,
    generator: Any,
    actions: Any,
    observations: Any,
    masks: Any,
    results: Any,
) -> None:
    """Takes an action in games `first` to `last` - 1, or starts or shows them; see `envs/batch.py`.

    Players and generator of a game are copied, because views of arrays are slow in compiled code.
    """
    games, seats = shared_rows.shape[0], players.shape[0]
    for i in range(first, last):
        shared, row, result = shared_rows[i], rows[i], results[i]
        generator[0] = generators[i]
        for k in range(seats):
            players[k] = player_rows[i, k]
        action = int(actions[i])
        result["reward"], result["over"], result["illegal"] = 0.0, 0, 0
        playing = row["over"] == 0 and action >= 0
        again = not playing and (action == START or (action >= 0 and autoreset == NEXT_STEP))
        if playing:
            possible = decide(
                board, shared, players, seat, table, all_moves, action, moves, logs, i
            )
            result["illegal"] = 0 if possible else 1
        # The second time is for a game that starts again in the same step.
        for time in range(2):
            if again:
                shared_rows[i] = blank_shared[0]
                for k in range(seats):
                    players[k] = blank_players[k]
                row["total"], row["over"], logs[i, 0] = 0, 0, 0
            if action != SHOW:
                play_on(
                    board, shared, players, seat, policies, plans, habits, workspaces, moves,
                    generator, logs, i,
                )  # fmt: skip
            over = bool(shared["phase"] == OVER)
            ended = time == 0 and playing and over
            again = ended and autoreset == SAME_STEP
            total = show_seat(
                board, shared, players, seat, not over, offers, table, moves, reach, score_records,
                observations, masks, i + games if again else i,
            )  # fmt: skip
            if time == 0 and playing and rewarded == CHANGES:
                result["reward"] = total - int(row["total"])
                row["total"] = total
            elif ended and rewarded == WINNING:
                result["reward"] = won(board, players, seat, workspaces, score_records, tallies)
            elif ended:
                result["reward"] = total
            if over:
                result["over"], row["over"] = 1, 1
                keep(logs, last_logs, i)
            if not again:
                break
        generators[i] = generator[0]
        for k in range(seats):
            player_rows[i, k] = players[k]
