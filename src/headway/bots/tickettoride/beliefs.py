"""What a seat believes: deals again what it has not seen, and judges the tickets of others.

The search starts from one state of `game.resample`; this module gathers its hidden cards and
tickets and deals them again. Cards are uniform. The tickets of another player are weighted by how
well its routes fit them.

Bots of all levels have joined nine of ten tickets by the end of a game. A review that expects less
makes every seat too confident until tickets are shown, so its belief has a second parameter. Both
come from about 1,100 games among equal bots. `python -m benchmarks.beliefs` fits them again; with
12 games of each level it found 0.65 and 4.6, with which the hands of those games are 1.1 times as
likely.
"""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

from headway.bots.tickettoride.route_plans import PlannedGame, spread
from headway.games.kernel import BIT, NONE, Mask, count, kernel, lowest
from headway.games.simulation import below, shuffle
from headway.games.tickettoride.rules.arrays import BoardRecord, SharedRecord

FINE = 1 << 20


class Belief(NamedTuple):
    """How likely a player holds a ticket, judged by the routes that the player took."""

    by_saved: float
    """Each bus that routes save between the places of a ticket makes it e to this as likely."""
    by_joined: float = 0.0
    """A joined ticket is e to this times the share of used buses as likely."""
    doubles: bool = False
    """Whether the base is 2 in place of e."""


SEARCH = Belief(0.5, doubles=True)
REVIEW = Belief(0.4, 3.5)


@kernel
def unseen_of(shared: SharedRecord, players: Any, seat: int, kind: int) -> int:
    """Returns how many cards of a kind a seat has not seen: in the pile and in other hands."""
    unseen = int(shared["pile"][kind])
    for other in range(int(shared["seats"])):
        if other != seat:
            unseen += int(players[other]["hand"][kind]) - int(players[other]["open"][kind])
    return unseen


@kernel
def redeal_cards(
    board: BoardRecord, shared: SharedRecord, players: Any, seat: int, cards: Any, generator: Any
) -> None:
    """Deals the pile and the unseen cards of other hands again."""
    kinds, pile = int(board["kinds"]), shared["pile"]
    n = 0
    for kind in range(kinds):
        unseen = unseen_of(shared, players, seat, kind)
        pile[kind] = 0
        for _ in range(unseen):
            cards[n] = kind
            n += 1
    shuffle(generator, cards, n)
    for other in range(int(shared["seats"])):
        if other == seat:
            continue
        hand, seen = players[other]["hand"], players[other]["open"]
        hidden = 0
        for kind in range(kinds):
            hidden += int(hand[kind]) - int(seen[kind])
            hand[kind] = seen[kind]
        for _ in range(hidden):
            n -= 1
            hand[int(cards[n])] += 1
    for i in range(n):
        pile[int(cards[i])] += 1


@kernel
def hidden_tickets(shared: SharedRecord, players: Any, seat: int) -> Mask:
    """Returns all tickets that a seat has not seen."""
    tickets: Mask = shared["ticket_pile"]
    for other in range(int(shared["seats"])):
        if other != seat:
            tickets |= players[other]["tickets"]
            for i in range(int(shared["offers"][other])):
                tickets |= BIT[int(shared["offered"][other, i])]
    for place in range(int(shared["under_size"])):
        if shared["under_by"][place] != seat:
            tickets |= BIT[int(shared["under"][place])]
    return tickets


@kernel
def pick(tickets: Mask, weights: Any, generator: Any) -> int:
    """Returns one of some tickets, with probability proportional to its weight."""
    total = 0.0
    left = tickets
    while left != NONE:
        ticket = lowest(left)
        left &= ~BIT[ticket]
        total += weights[ticket]
    mark = total * below(generator, FINE) / FINE
    left = tickets
    ticket = lowest(left)
    while left != NONE:
        ticket = lowest(left)
        left &= ~BIT[ticket]
        mark -= weights[ticket]
        if mark < 0.0:
            break
    return ticket


@kernel
def redeal_tickets(
    shared: SharedRecord, players: Any, seat: int, fits: Any, generator: Any
) -> None:
    """Deals all tickets again that a seat has not seen; `fits` are weights by seat and ticket.

    The last row of `fits` is for tickets that nobody has chosen.
    """
    left = hidden_tickets(shared, players, seat)
    nobody = fits.shape[0] - 1
    for other in range(int(shared["seats"])):
        if other == seat:
            continue
        held = count(players[other]["tickets"])
        players[other]["tickets"] = NONE
        for _ in range(held):
            ticket = pick(left, fits[other], generator)
            left &= ~BIT[ticket]
            players[other]["tickets"] |= BIT[ticket]
    for other in range(int(shared["seats"])):
        if other != seat:
            for i in range(int(shared["offers"][other])):
                ticket = pick(left, fits[nobody], generator)
                left &= ~BIT[ticket]
                shared["offered"][other, i] = ticket
    for place in range(int(shared["under_size"])):
        if shared["under_by"][place] != seat:
            ticket = pick(left, fits[nobody], generator)
            left &= ~BIT[ticket]
            shared["under"][place] = ticket
    shared["ticket_pile"] = left


@kernel
def weigh_tickets(game: PlannedGame, seat: int, belief: Belief, fits: Any) -> None:
    """Writes a weight for each ticket in each hand, from the routes that the player took.

    A ticket fits better the more the player's routes shorten the way between its places. A seat
    knows its own tickets.
    """
    board, players, workspace = game.board, game.players, game.workspace
    cost, far = workspace["cost"], workspace["far"]
    fits[:] = 1.0
    for route in range(int(board["routes"])):
        cost[route] = float(board["length"][route])
    for other in range(players.shape[0]):
        if other == seat:
            continue
        used = 1.0 - players[other]["buses"] / board["buses"]
        for ticket in range(int(board["tickets"])):
            a, b = int(board["ticket_a"][ticket]), int(board["ticket_b"][ticket])
            spread(board, a, NONE, workspace)
            whole = far[b]
            spread(board, a, players[other]["routes"], workspace)
            joined = belief.by_joined * used if far[b] == 0.0 else 0.0
            growth = belief.by_saved * (whole - far[b]) + joined
            fits[other, ticket] = 2.0**growth if belief.doubles else exp(growth)
