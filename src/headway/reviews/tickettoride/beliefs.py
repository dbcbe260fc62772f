"""How likely a player holds a ticket, judged by the routes that the player took.

Bots of all levels have joined nine of ten tickets by the end of a game. A belief that expects less
makes every seat too confident until tickets are shown. The two parameters come from about 1,100
games among equal bots. `python -m benchmarks.beliefs` fits them again; with 12 games of each
level it found 0.65 and 4.6, with which the hands of those games are 1.1 times as likely.
"""

from __future__ import annotations

from math import exp
from typing import Any

from headway.bots.tickettoride.route_plans import WorkspaceRecord, spread
from headway.games.kernel import NONE, kernel
from headway.games.tickettoride.rules.arrays import BoardRecord, SharedRecord

SAVED = 0.4
"""Each bus that routes save between the places of a ticket makes it exp(SAVED) times as likely."""
JOINED = 3.5
"""A joined ticket is exp(JOINED * u) times as likely, where u is the share of used buses."""


@kernel
def weigh_tickets(
    board: BoardRecord,
    shared: SharedRecord,
    players: Any,
    seat: int,
    by_saved: float,
    by_joined: float,
    workspace: WorkspaceRecord,
    fits: Any,
) -> None:
    """Writes a weight for each ticket in each hand; a seat knows its own tickets.

    `by_saved` and `by_joined` are `SAVED` and `JOINED`, or what is tried in their place.
    """
    cost, far = workspace["cost"], workspace["far"]
    fits[:] = 1.0
    for route in range(int(board["routes"])):
        cost[route] = float(board["length"][route])
    for other in range(int(shared["seats"])):
        if other == seat:
            continue
        used = 1.0 - players[other]["buses"] / board["buses"]
        for ticket in range(int(board["tickets"])):
            a, b = int(board["ticket_a"][ticket]), int(board["ticket_b"][ticket])
            spread(board, a, NONE, workspace)
            whole = far[b]
            spread(board, a, players[other]["routes"], workspace)
            joined = by_joined * used if far[b] == 0.0 else 0.0
            fits[other, ticket] = exp(by_saved * (whole - far[b]) + joined)
