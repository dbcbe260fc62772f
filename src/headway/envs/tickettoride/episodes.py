"""Ticket to Ride for environments: many games side by side, one seat each, in compiled code.

The other seats are played at random or by the policy of the bot `driver`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from headway.bots.tickettoride.playout_policy import result_of, sensible
from headway.bots.tickettoride.route_plans import HABITS, PLAN, SENSIBLE, WORKSPACE, PlannedGame
from headway.envs import checks
from headway.envs.encoding import Batch, Encoding
from headway.envs.episodes import (
    DECIDE,
    NOTHING,
    PROGRESS,
    RESUME,
    START,
    WINNING,
    EpisodeRecord,
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
from headway.envs.tickettoride.spaces import (
    HIGHEST,
    MOST_ACTIONS,
    MOST_PLACES,
    PRIVATE,
    VERSION,
    all_moves,
    fields,
    lowest_action,
    numbers,
    observe,
    offers,
    place,
    write_mask,
)
from headway.errors import InputError
from headway.games.contract import CHANCE, Game, Move, Seat, State
from headway.games.kernel import compiled, kernel
from headway.games.replay import among
from headway.games.simulation import below
from headway.games.tickettoride.board.board import MOST_LOCATIONS, MOST_SEATS
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import (
    BOARD,
    MOST_MOVES,
    OPENING,
    OVER,
    PLAYER,
    SCORE,
    SHARED,
    SharedRecord,
    blank_players,
    blank_shared,
    board_record,
)
from headway.games.tickettoride.rules.engine import actor, deal
from headway.games.tickettoride.rules.turns import legal_moves, play
from headway.games.tickettoride.state import TicketToRideState

RANDOM, DRIVER = 0, 1

SETUP = np.dtype(
    [
        ("board", BOARD),
        ("blank_shared", SHARED),
        ("blank_player", PLAYER),
        ("seats", "i8"),
        ("seat", "i8"),
        ("policies", "i8", (MOST_SEATS,)),  # RANDOM or DRIVER
        ("habits", HABITS, (MOST_SEATS,)),  # of DRIVER
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
        ("score", SCORE),
        ("plans", PLAN, (MOST_SEATS,)),
        ("workspace", WORKSPACE),
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
        return sensible(
            PlannedGame(board, shared, players, setup["habits"], plans, workspace), seat
        )
    n = legal_moves(board, shared, players, seat, moves)
    return int(moves[below(episode["generator"], n)])


@kernel
def next_actor(shared: SharedRecord, players: Any, seat: int) -> int:
    """Returns who acts next; at the opening, when all choose their tickets, the seat comes last."""
    next_one = actor(shared, players)
    if next_one == seat and shared["phase"] == OPENING:
        for other in range(seat + 1, players.shape[0]):
            if players[other]["choice"] == 0:
                return other
    return next_one


@kernel
def play_on(memory: Memory, game: int) -> None:
    """Deals and plays for others until the seat has to act or the game is over."""
    setup, scratch, episode = memory.setup[0], memory.scratch[0], memory.episodes[game]
    board, shared, seat = setup["board"], episode["shared"], int(setup["seat"])
    players = episode["players"][: setup["seats"]]
    while shared["phase"] != OVER:
        other = next_actor(shared, players, seat)
        if other == seat:
            return
        if other == CHANCE:
            move = deal(board, shared, players, episode["generator"])
        else:
            move = opponent_move(setup, scratch, episode, players, other)
            play(board, shared, players, other, move)
        note(memory.logs, game, other, move)


@kernel
def start(memory: Memory, game: int) -> None:
    """Sets up a new game, and plays until the seat has to act."""
    setup, episode = memory.setup[0], memory.episodes[game]
    clear_progress(memory, game)
    episode["shared"] = setup["blank_shared"]
    for seat in range(int(setup["seats"])):
        episode["players"][seat] = setup["blank_player"]
    play_on(memory, game)


@kernel
def decide(memory: Memory, game: int, action: int) -> bool:
    """Takes an action, or the lowest possible one instead; returns whether it was possible."""
    setup, episode, moves = memory.setup[0], memory.episodes[game], memory.scratch[0]["moves"]
    board, shared, seat = setup["board"], episode["shared"], int(setup["seat"])
    players = episode["players"][: setup["seats"]]
    n = legal_moves(board, shared, players, seat, moves)
    move = int(setup["moves"][action]) if action < setup["actions"] else -1
    possible = among(moves, n, move)
    if not possible:
        move = int(setup["moves"][lowest_action(setup["action_at"], moves, n)])
    play(board, shared, players, seat, move)
    note(memory.logs, game, seat, move)
    play_on(memory, game)
    return possible


@kernel
def show_seat(
    setup: SetupRecord,
    scratch: ScratchRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    acting: bool,
    observation: Any,
    mask: Any,
) -> int:
    """Writes a seat's observation and mask; returns its total if the game ended now."""
    total = observe(setup, scratch, shared, players, seat, observation)
    if acting:
        n = legal_moves(setup["board"], shared, players, seat, scratch["moves"])
        write_mask(setup["action_at"], scratch["moves"], n, mask)
    else:
        only_first(mask)
    return total


@kernel
def show(memory: Memory, out: Outputs, game: int, row: int) -> int:
    """Writes the observation and mask of a game; returns the seat's total if it ended now."""
    setup, episode = memory.setup[0], memory.episodes[game]
    shared, players = episode["shared"], episode["players"][: setup["seats"]]
    acting = bool(shared["phase"] != OVER)
    return show_seat(
        setup, memory.scratch[0], shared, players, int(setup["seat"]), acting,
        out.observations[row], out.masks[row],
    )  # fmt: skip


@kernel
def won(memory: Memory, game: int) -> int:
    """Returns 1 for a victory, 0 for a shared one, -1 for a defeat."""
    setup, scratch, episode = memory.setup[0], memory.scratch[0], memory.episodes[game]
    players, seat = episode["players"][: setup["seats"]], int(setup["seat"])
    workspace, score_record = scratch["workspace"], scratch["score"]
    share, _ = result_of(setup["board"], players, seat, workspace, score_record)
    if share == 0.0:
        return -1
    return 1 if share == 1.0 else 0


@kernel
def step_games(memory: Memory, actions: Any, out: Outputs, first: int, stop: int) -> None:
    """Takes an action in each game from `first` to `stop` - 1, or starts or shows it."""
    setup = memory.setup[0]
    for game in range(first, stop):
        task = task_of(memory, actions, game)
        out.illegal[game] = task == DECIDE and not decide(memory, game, int(actions[game]))
        if task == START:
            start(memory, game)
        elif task == RESUME:
            play_on(memory, game)
        over = bool(memory.episodes[game]["shared"]["phase"] == OVER)
        row = row_of(memory, out, game, task, over)
        total = show(memory, out, game, row)
        if over and setup["rewarded"] == WINNING:
            total = won(memory, game)
        finish(memory, out, game, task, over, total)
        if row != game:
            start(memory, game)
            show(memory, out, game, game)


POLICIES = {"random": RANDOM, "driver": DRIVER}
"""The bots that play in compiled code."""


class TicketToRideEncoding(Encoding):
    """Decisions and observations of Ticket to Ride; `spaces.py` lists the actions."""

    observation, highest = f"board-v{VERSION}", HIGHEST
    private = PRIVATE
    episode, scratch, words, longest = EPISODE, SCRATCH, np.dtype(np.int8), 2047

    def __init__(self, game: Game) -> None:
        assert isinstance(game, TicketToRide)
        self.game: TicketToRide = game
        self.moves = all_moves(game.board)
        self.table = numbers(self.moves)
        self.actions = len(self.moves)
        self.fields = fields(game.board, game.seats)
        self.size = self.fields[-1].stop
        self.setup = np.zeros(1, SETUP)
        self.setup["board"], self.setup["offers"] = board_record(game.board), offers(game.board)
        self.setup["blank_shared"] = blank_shared(game.board, game.seats)
        self.setup["blank_player"] = blank_players(game.board, 1)
        self.setup["seats"], self.setup["actions"] = game.seats, self.actions
        self.setup["moves"][0, : self.actions] = self.moves
        self.setup["action_at"] = self.table
        self._scratch = np.zeros(1, SCRATCH)[0]

    def show(self, state: State, seat: Seat, chosen: int = NOTHING) -> Shown:
        assert isinstance(state, TicketToRideState)
        shown = Shown(np.empty(self.size, np.int8), np.empty(self.actions, np.int8))
        self.kernels().show_seat(
            self.setup[0], self._scratch, state.shared, state.players, seat,
            seat in state.actors(), *shown,
        )  # fmt: skip
        return shown

    def decisions(self, move: Move) -> tuple[int, ...]:
        return (int(self.table[place(move)]),)

    def text(self, action: int) -> str:
        return self.game.move_text(int(self.moves[action]))

    def kernels(self) -> Any:
        return compiled(sys.modules[__name__])

    def state_of(self, episode: Any) -> State:
        players = episode["players"][: self.game.seats]
        return self.game.load(episode["shared"].tobytes() + players.tobytes())

    def load(self, episode: Any, state: State) -> None:
        assert isinstance(state, TicketToRideState)
        episode["shared"], episode["players"][: self.game.seats] = state.shared, state.players

    def batch(
        self,
        games: int,
        *,
        seat: Seat = 0,
        opponents: Sequence[str] = ("driver",),
        **settings: Any,
    ) -> Batch:
        """Returns games for one seat against bots, which are among `POLICIES`."""
        setup, seats = self.setup.copy(), self.game.seats
        setup["seat"] = seat = checks.checked_seat(seat, self.game)
        setup["habits"] = np.array([SENSIBLE], HABITS)
        for i, bot in enumerate(opponents):
            if bot not in POLICIES:
                raise InputError("env.native", bot=bot, known=", ".join(POLICIES))
            setup["policies"][0, (seat + 1 + i) % seats] = POLICIES[bot]
        return Batch(self, setup, games, **settings)
