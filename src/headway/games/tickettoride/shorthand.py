"""Abbreviated moves: `blue` for `take blue`, `hp-pc blue 1` for a whole claim."""

from __future__ import annotations

import re
from collections.abc import Sequence

from headway.errors import InputError
from headway.games.contract import Move
from headway.games.tickettoride.board.board import Board
from headway.games.tickettoride.notation import PILE, claim_parts, move_text, parse_move, what
from headway.games.tickettoride.presentation.board_text import short_names
from headway.games.tickettoride.rules.arrays import CLAIM_MOVE


def meant(board: Board, text: str, legal: Sequence[Move]) -> list[Move]:
    """Returns the legal moves that an abbreviated text may mean.

    A kind of card or `pile` takes one; numbers keep tickets; a route, by the ids or short names of
    its places in any order, claims it: as specified, or in every legal way. If there is no legal
    move, returns the nearest illegal one; empty if the text means nothing.
    """
    tokens = text.lower().split()
    if not tokens:
        return []
    if tokens[0] == "claim":
        tokens = tokens[1:]
    elif len(tokens) == 1 and (tokens[0] == PILE or tokens[0] in board.kinds):
        return [parse_move(board, f"take {tokens[0]}")]
    elif all(token.isdigit() for token in tokens):
        return _read(board, f"keep {' '.join(tokens)}")
    return _claims(board, tokens, legal)


def _claims(board: Board, tokens: Sequence[str], legal: Sequence[Move]) -> list[Move]:
    routes = _routes(board, tokens[0]) if tokens else []
    if len(tokens) > 3 or not routes:
        return []
    claims = [move for move in legal if what(move) == CLAIM_MOVE]
    claims = [
        move
        for move in claims
        if claim_parts(move).route in routes
        and move_text(board, move).split()[2:][: len(tokens) - 1] == list(tokens[1:])
    ]
    if claims:
        return claims
    # No legal move fits: return the plainest payment, whose error tells the reason.
    route = board.routes[routes[0]]
    colour = next((token for token in tokens[1:] if token in board.kinds), None)
    colour = colour or (route.colour if route.colour in board.kinds else board.kinds[1])
    buses = tokens[2] if len(tokens) == 3 else str(route.length if colour == board.kinds[0] else 0)
    return _read(board, f"claim {route.name} {colour} {buses}")


def _read(board: Board, text: str) -> list[Move]:
    try:
        return [parse_move(board, text)]
    except InputError:
        return []


def _routes(board: Board, token: str) -> list[int]:
    """Returns the routes between two places, named by id or short name; `#1` is one of a double."""
    match = re.fullmatch(r"([a-z0-9_]+)-([a-z0-9_]+)(#[12])?", token)
    if not match:
        return []
    names = {short.lower(): i for i, short in enumerate(short_names(board))}
    names |= board.location_named
    ends = {names.get(match[1]), names.get(match[2])}
    half = int(match[3][1]) if match[3] else 0
    return [
        i
        for i, route in enumerate(board.routes)
        if {route.a, route.b} == ends and half in (0, route.half)
    ]
