"""Scoring: tickets, districts and the total (TR-12, TR-17, TR-18)."""

from __future__ import annotations

from typing import Any

from headway.games.kernel import BIT, NONE, Mask, kernel, lowest
from headway.games.tickettoride.rules.arrays import BoardRecord, PlayerRecord, ScoreRecord


@kernel
def join(board: BoardRecord, routes: Mask, reach: Any) -> None:
    """Writes into `reach`, for each location, the mask of all locations connected to it."""
    for place in range(int(board["locations"])):
        reach[place] = BIT[place]
    while routes != NONE:
        route = lowest(routes)
        routes &= ~BIT[route]
        a, b = int(board["route_a"][route]), int(board["route_b"][route])
        both = reach[a] | reach[b]
        if reach[a] != both:
            left = both
            while left != NONE:
                place = lowest(left)
                left &= ~BIT[place]
                reach[place] = both


@kernel
def score(board: BoardRecord, player: PlayerRecord, reach: Any, score_record: ScoreRecord) -> int:
    """Writes a player's score as if the game ended now into `score_record`; returns the total.

    `reach` is scratch memory: a mask for each location.
    """
    join(board, player["routes"], reach)
    tickets, completed, done = 0, 0, NONE
    left = player["tickets"]
    while left != NONE:
        ticket = lowest(left)
        left &= ~BIT[ticket]
        points = int(board["ticket_points"][ticket])
        if reach[int(board["ticket_a"][ticket])] & BIT[int(board["ticket_b"][ticket])] != NONE:
            tickets += points
            completed += 1
            done |= BIT[ticket]
        else:
            tickets -= points
    districts, joined = 0, NONE
    for i in range(int(board["districts"])):
        places = board["district"][i]
        # The way may lead through places of other districts (TR-18, ruling).
        if places & ~reach[int(board["district_first"][i])] == NONE:
            districts += int(board["district_points"][i])
            joined |= BIT[i]
    total = int(player["points"]) + tickets + districts
    score_record["routes"] = player["points"]
    score_record["tickets"], score_record["districts"], score_record["total"] = (
        tickets,
        districts,
        total,
    )
    score_record["completed"], score_record["completed_tickets"] = completed, done
    score_record["joined_districts"] = joined
    return total
