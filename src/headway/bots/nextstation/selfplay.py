"""Learning by playing alone: temporal differences along games that the network plays itself.

The network values sheets between two turns. It plays the move after which the sheet is worth
most; what it then finds out about its sheet's worth corrects what it thought before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headway.bots.nextstation.candidates import candidates
from headway.bots.nextstation.features import FEATURE_WORDS, position_bits
from headway.bots.nextstation.network import DEPTH, POINTS, WIDTH, ZERO, output, refresh, update
from headway.games.kernel import NONE, ONE, Record, kernel, lowest
from headway.games.nextstation.building import legal_moves, play
from headway.games.nextstation.layout import OVER, REVEAL, ROUNDS
from headway.games.nextstation.playouts import DECK, deal_setup
from headway.games.nextstation.turns import end_turn, reveal
from headway.games.xorshift import below, shuffle

MOST_TURNS = 44


class Room(NamedTuple):
    """Where a thread plays and remembers; made by `room()`."""

    shared: Any
    sheets: Any
    moves: Any
    zone: Any
    cards: Any
    bits: Any
    sums: Any
    hidden: Any
    past: Any
    worth: Any
    had: Any
    rounds: Any
    target: Any
    back: Any


@kernel
def best_after(city: Record, net: Any, here: Room, generator: Any, explore: int) -> tuple[int, float, bool]:
    """The move to play in `here`, what the sheet is worth after the best one, and if it is that.

    One move in `explore` is played at random. The bits of the sheet after it are in `bits[2]`.
    """
    shared, sheets = here.shared, here.sheets
    n = legal_moves(city, shared[0], sheets, 0, here.moves)
    n = candidates(city, shared[0], sheets[0], here.moves, n)
    lucky = -1
    if explore > 0 and below(generator, explore) == 0:
        lucky = np.int64(below(generator, n))
    best, best_value = 0, -1.0e9
    for i in range(n):
        sheets[1] = sheets[0]
        shared[1] = shared[0]
        play(city, shared[0], sheets[1], int(here.moves[i]))
        end_turn(shared[1], sheets[1:2])
        total = position_bits(city, shared[1], sheets[1], 0, here.zone[0], here.bits[1])
        r = int(shared[1]["round"])
        value = float(total)
        if r < ROUNDS:
            if i == 0:
                refresh(net.first, net.first_bias, here.bits[1], here.sums[0])
                here.bits[0, :] = here.bits[1]
                here.sums[1, :] = here.sums[0]
            else:
                update(net.first, here.bits[0], here.sums[0], here.bits[1], here.sums[1])
            value += output(net.second, net.second_bias, net.third, net.third_bias, r, here.sums[1], here.hidden)
        if value > best_value:
            best, best_value = i, value
    if lucky >= 0:
        return int(here.moves[lucky]), best_value, lucky == best
    return int(here.moves[best]), best_value, True


@kernel
def play_alone(city: Record, net: Any, here: Room, blank: Record, generator: Any, explore: int) -> int:
    """Deals and plays one game by the network; the number of sheets in `past`, the last one's score in `had`."""
    shared, sheets = here.shared, here.sheets
    sheets[0] = blank
    shared[0]["phase"], shared[0]["round"], shared[0]["turn"] = REVEAL, 0, 0
    shared[0]["shown"], shared[0]["undergrounds"], shared[0]["switched"] = NONE, 0, 0
    deal_setup(city, shared[0], generator, here.cards)
    steps, drawn = 0, 0
    while True:
        if shared[0]["turn"] == 0:
            for i in range(DECK):
                here.cards[i] = i
            shuffle(generator, here.cards, DECK)
            drawn = 0
        total = position_bits(city, shared[0], sheets[0], 0, here.zone[0], here.past[steps])
        here.had[steps] = total
        here.rounds[steps] = shared[0]["round"]
        steps += 1
        shared[0]["phase"] = REVEAL
        while shared[0]["phase"] == REVEAL:
            reveal(shared[0], int(here.cards[drawn]))
            drawn += 1
        move, value, greedy = best_after(city, net, here, generator, explore)
        # What the turn before led to: the best that could be done here.
        here.worth[steps] = value
        here.target[steps] = 1.0 if greedy else 0.0
        play(city, shared[0], sheets[0], move)
        end_turn(shared[0], sheets[0:1])
        if shared[0]["phase"] == OVER:
            here.had[steps] = position_bits(city, shared[0], sheets[0], 0, here.zone[0], here.past[steps])
            here.rounds[steps] = ROUNDS
            return steps + 1


@kernel
def learn_game(net: Any, steps_of: Any, here: Room, steps: int, trace: float) -> float:
    """Adds to the steps `steps_of` what a game teaches; the mean squared surprise in points."""
    last = float(here.had[steps - 1])
    goal, surprise = last, 0.0
    for t in range(steps - 2, -1, -1):
        # worth[t + 1] is the best value after the card that followed sheet t.
        if here.target[t + 1] == 0.0:
            goal = here.worth[t + 1]
        else:
            goal = trace * goal + (1.0 - trace) * here.worth[t + 1]
        surprise += learn(net, steps_of, here, t, goal - here.had[t])
    return surprise / max(steps - 1, 1)


@kernel
def learn(net: Any, grad: Any, here: Room, t: int, goal: float) -> float:
    """Adds the gradient of one sheet's squared error; the error squared, in points."""
    bits, r = here.past[t], int(here.rounds[t])
    sums, hidden, back = here.sums[2], here.hidden, here.back
    refresh(net.first, net.first_bias, bits, sums)
    value = output(net.second, net.second_bias, net.third, net.third_bias, r, sums, hidden)
    error = np.float32(value - goal) / POINTS
    slope = error
    if slope > np.float32(1.0):
        slope = np.float32(1.0)
    elif slope < np.float32(-1.0):
        slope = np.float32(-1.0)
    grad.third_bias[r] += slope
    for k in range(WIDTH):
        back[k] = ZERO
    for j in range(DEPTH):
        if hidden[j] > ZERO:
            grad.third[r, j] += slope * hidden[j]
            hidden[j] = slope * net.third[r, j]
            grad.second_bias[r, j] += hidden[j]
        else:
            hidden[j] = ZERO
    for k in range(WIDTH):
        x = sums[k]
        if x > ZERO:
            row, change = net.second[r, k], grad.second[r, k]
            total = ZERO
            for j in range(DEPTH):
                change[j] += x * hidden[j]
                total += row[j] * hidden[j]
            back[k] = total
    for k in range(WIDTH):
        grad.first_bias[k] += back[k]
    for word in range(FEATURE_WORDS):
        rest = bits[word]
        while rest != NONE:
            row = grad.first[64 * word + lowest(rest)]
            rest &= rest - ONE
            for k in range(WIDTH):
                row[k] += back[k]
    return float(error * error) * float(POINTS * POINTS)


@kernel
def learn_games(
    city: Record, net: Any, grad: Any, here: Room, blank: Record, generator: Any,
    games: int, explore: int, trace: float, options: Any, totals: Any,
) -> None:
    """Plays games and adds up what they teach; totals[0] the points, [1] the surprise, [2] the sheets."""
    for g in range(games):
        choice = below(generator, options.shape[0])
        here.shared[0]["use_objectives"] = options[choice, 0]
        here.shared[0]["use_powers"] = options[choice, 1]
        here.shared[0]["use_special"] = options[choice, 2]
        steps = play_alone(city, net, here, blank, generator, explore)
        totals[0] += here.had[steps - 1]
        totals[3] += here.had[steps - 1] ** 2
        totals[2] += steps - 1
        if trace >= 0.0:
            totals[1] += learn_game(net, grad, here, steps, trace)


@kernel
def adam(weights: Any, grad: Any, mean: Any, square: Any, rate: float, scale: float) -> None:
    """One step of Adam over flat arrays; the gradient is cleared."""
    b1, b2 = np.float32(0.9), np.float32(0.999)
    c1, c2 = np.float32(0.1), np.float32(0.001)
    step, s, tiny = np.float32(rate), np.float32(scale), np.float32(1e-8)
    for i in range(weights.shape[0]):
        g = grad[i] * s
        grad[i] = ZERO
        mean[i] = b1 * mean[i] + c1 * g
        square[i] = b2 * square[i] + c2 * g * g
        weights[i] -= step * mean[i] / (np.sqrt(square[i]) + tiny)
