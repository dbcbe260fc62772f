"""Plays many games of Ticket to Ride side by side, one seat each, in compiled code.

The other seats are played at random or by the policy of the bot `driver`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headway.bots.tickettoride.playout_policy import sensible
from headway.bots.tickettoride.route_plans import HABITS, PLAN, WORKSPACE
from headway.bots.tickettoride.trials import TALLY
from headway.bots.tickettoride.trials import result as add_result
from headway.envs.episodes import (
    PROGRESS,
    SAME_STEP,
    SHOW,
    WINNING,
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
from headway.envs.tickettoride.actions import MOST_ACTIONS, MOST_PLACES, lowest_action, write_mask
from headway.envs.tickettoride.observation import observe
from headway.games.contract import CHANCE
from headway.games.kernel import kernel
from headway.games.tickettoride.board.board import MOST_LOCATIONS, MOST_SEATS
from headway.games.tickettoride.rules.arrays import (
    BOARD,
    KEEP,
    MOST_MOVES,
    OPENING,
    OVER,
    PLAYER,
    SCORE,
    SHARED,
    TURN,
    SharedRecord,
)
from headway.games.tickettoride.rules.engine import deal
from headway.games.tickettoride.rules.turns import legal_moves, play
from headway.games.xorshift import below

RANDOM, DRIVER = 0, 1

SETUP = np.dtype(
    [
        ("board", BOARD),
        ("blank_shared", SHARED),
        ("blank_player", PLAYER),
        ("seats", "i8"),
        ("seat", "i8"),
        ("policies", "i8", (MOST_SEATS,)),  # RANDOM or DRIVER
        ("habits", HABITS),  # of DRIVER
        ("offers", "i8"),
        ("actions", "i8"),
        ("moves", "i8", (MOST_ACTIONS,)),  # by action
        ("action_at", "i2", (MOST_PLACES,)),  # by the move's `place`
        ("autoreset", "i8"),
        ("rewarded", "i8"),
    ],
    align=True,
)

SCRATCH = np.dtype(
    [
        ("moves", "i8", (MOST_MOVES,)),
        ("reach", "u8", (MOST_LOCATIONS,)),
        ("scores", SCORE, (1,)),
        ("plans", PLAN, (MOST_SEATS,)),
        ("workspace", WORKSPACE),
        ("tally", TALLY),
    ],
    align=True,
)

EPISODE = np.dtype([*PROGRESS, ("shared", SHARED), ("players", PLAYER, (MOST_SEATS,))], align=True)


@kernel
def opponent_move(
    setup: SetupRecord, scratch: ScratchRecord, episode: EpisodeRecord, players: Any, seat: int
) -> int:
    """Returns the move of another seat."""
    board, shared, moves = setup["board"], episode["shared"], scratch["moves"]
    if setup["policies"][seat] == DRIVER:
        plans, workspace = scratch["plans"], scratch["workspace"]
        plans[seat]["made"] = 0
        return int(sensible(board, shared, players, seat, plans, setup["habits"], workspace))
    n = legal_moves(board, shared, players, seat, moves)
    return int(moves[below(episode["generator"], n)])


@kernel
def next_mover(shared: SharedRecord, players: Any, seat: int) -> int:
    """Returns the seat that acts next, CHANCE if cards are dealt.

    At the opening, when all choose their tickets, the given seat comes last.
    """
    phase = shared["phase"]
    if phase in (TURN, KEEP):
        return int(shared["seat"])
    if phase != OPENING:
        return CHANCE
    for other in range(players.shape[0]):
        if other != seat and players[other]["choice"] == 0:
            return other
    return seat


@kernel
def play_on(
    setup: SetupRecord,
    scratch: ScratchRecord,
    episode: EpisodeRecord,
    players: Any,
    logs: Any,
    game: int,
) -> None:
    """Deals and plays for others until the seat has to act or the game is over."""
    board, shared, seat = setup["board"], episode["shared"], int(setup["seat"])
    while shared["phase"] != OVER:
        mover = next_mover(shared, players, seat)
        if mover == seat:
            return
        if mover == CHANCE:
            move = deal(board, shared, players, episode["generator"])
        else:
            move = opponent_move(setup, scratch, episode, players, mover)
            play(board, shared, players, mover, move)
        note(logs, game, mover, move)


@kernel
def start(setup: SetupRecord, episode: EpisodeRecord, players: Any, logs: Any, game: int) -> None:
    """Sets up a new game, before anything is dealt."""
    episode["shared"] = setup["blank_shared"]
    for seat in range(players.shape[0]):
        players[seat] = setup["blank_player"]
    episode["total"], episode["over"] = 0, 0
    clear_log(logs, game)


@kernel
def decide(
    setup: SetupRecord,
    scratch: ScratchRecord,
    episode: EpisodeRecord,
    players: Any,
    logs: Any,
    game: int,
    action: int,
) -> bool:
    """Takes an action, or the lowest possible one instead; returns whether it was possible."""
    board, shared, seat = setup["board"], episode["shared"], int(setup["seat"])
    moves = scratch["moves"]
    n = legal_moves(board, shared, players, seat, moves)
    move = int(setup["moves"][action]) if action < setup["actions"] else -1
    possible = False
    for i in range(n):
        possible |= int(moves[i]) == move
    if not possible:
        move = int(setup["moves"][lowest_action(setup["action_at"], moves, n)])
    play(board, shared, players, seat, move)
    note(logs, game, seat, move)
    return possible


@kernel
def show_seat(
    setup: SetupRecord,
    scratch: ScratchRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    acting: bool,
    observations: Any,
    masks: Any,
    row: int,
) -> int:
    """Writes a seat's observation and mask; returns its total if the game ended now."""
    board, offers, moves = setup["board"], int(setup["offers"]), scratch["moves"]
    reach, score_record = scratch["reach"], scratch["scores"][0]
    total = observe(board, shared, players, seat, offers, reach, score_record, observations, row)
    if acting:
        n = legal_moves(board, shared, players, seat, moves)
        write_mask(setup["action_at"], moves, n, masks, row)
    else:
        only_first(masks, row)
    return total


@kernel
def show(
    setup: SetupRecord,
    scratch: ScratchRecord,
    episode: EpisodeRecord,
    players: Any,
    out: Outputs,
    row: int,
) -> int:
    """Writes the observation and mask of a game; returns the seat's total if it ended now."""
    shared = episode["shared"]
    return show_seat(
        setup, scratch, shared, players, int(setup["seat"]), bool(shared["phase"] != OVER),
        out.observations, out.masks, row,
    )  # fmt: skip


@kernel
def won(setup: SetupRecord, scratch: ScratchRecord, players: Any) -> float:
    """Returns 1 for a victory, 0 for a shared one, -1 for a defeat."""
    tally = scratch["tally"]
    tally["wins"] = 0.0
    add_result(
        setup["board"], players, int(setup["seat"]), scratch["workspace"], scratch["scores"], tally
    )
    wins = float(tally["wins"])
    if wins == 0.0:
        return -1.0
    return 1.0 if wins == 1.0 else 0.0


@kernel
def step_game(memory: Memory, actions: Any, out: Outputs, game: int) -> None:
    """Takes an action in a game, or starts or shows it; see `envs/batch.py`."""
    setup, scratch, logs = memory.setup[0], memory.scratch[0], memory.logs
    episode, action = memory.episodes[game], int(actions[game])
    players = episode["players"][: setup["seats"]]
    out.rewards[game], out.illegal[game] = 0.0, False
    playing = episode["over"] == 0 and action >= 0
    if playing:
        out.illegal[game] = not decide(setup, scratch, episode, players, logs, game, action)
    elif starts(int(setup["autoreset"]), action):
        start(setup, episode, players, logs, game)
    if action != SHOW:
        play_on(setup, scratch, episode, players, logs, game)
    over = bool(episode["shared"]["phase"] == OVER)
    again = playing and over and setup["autoreset"] == SAME_STEP
    row = game + out.over.shape[0] if again else game
    total = show(setup, scratch, episode, players, out, row)
    if playing and over and setup["rewarded"] == WINNING:
        out.rewards[game] = won(setup, scratch, players)
    elif playing:
        out.rewards[game] = reward(episode, int(setup["rewarded"]), total, over)
    out.over[game] = over
    if over:
        episode["over"] = 1
        keep(logs, game)
    if again:
        start(setup, episode, players, logs, game)
        play_on(setup, scratch, episode, players, logs, game)
        show(setup, scratch, episode, players, out, game)


@kernel
def step_games(memory: Memory, actions: Any, out: Outputs, first: int, stop: int) -> None:
    """Takes an action in each game from `first` to `stop` - 1."""
    for game in range(first, stop):
        step_game(memory, actions, out, game)
