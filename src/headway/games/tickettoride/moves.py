"""Moves as text, as records write them (`docs/records.md`)."""

from __future__ import annotations

import re
from typing import NamedTuple

from headway.errors import InputError
from headway.games.contract import Move
from headway.games.kernel import kernel
from headway.games.tickettoride.board.board import BUS_CARD, Board
from headway.games.tickettoride.rules.arrays import (
    BUS,
    CLAIM_MOVE,
    KEEP_MOVE,
    KIND_AT,
    PASS,
    ROUTE_AT,
    TAKE_MOVE,
    TAKE_PILE,
    TICKETS,
    TICKETS_MOVE,
    WHAT_AT,
)

PILE = "pile"
_NUMBER = re.compile(r"0|[1-9][0-9]?")


class Claim(NamedTuple):
    """The parts of a claim: the route, the kind of the cards, the number of buses among them."""

    route: int
    kind: int
    buses: int


@kernel
def what(move: Move) -> int:
    """Returns the kind of a move: TAKE_MOVE, CLAIM_MOVE, TICKETS_MOVE, KEEP_MOVE or PASS_MOVE."""
    return move >> WHAT_AT


@kernel
def claim_parts(move: Move) -> Claim:
    """Splits a claim into its parts."""
    return Claim((move >> ROUTE_AT) & 63, (move >> KIND_AT) & 15, move & 15)


def claim_move(parts: Claim) -> Move:
    """Returns the claim with these parts."""
    return CLAIM_MOVE << WHAT_AT | parts.route << ROUTE_AT | parts.kind << KIND_AT | parts.buses


@kernel
def keep_mask(move: Move) -> int:
    """Returns the tickets that a move keeps, as a mask over those offered."""
    return move & 255


def keep_move(mask: int) -> Move:
    """Returns the move that keeps the tickets of a mask."""
    return KEEP_MOVE << WHAT_AT | mask


def _canonical(board: Board, parts: Claim) -> bool:
    """Whether a claim is in its only valid form: a claim of buses alone is `bus` and the length."""
    length = board.routes[parts.route].length
    return parts.buses <= length and (parts.kind == BUS) == (parts.buses == length)


def move_text(board: Board, move: Move) -> str:
    """Returns a move in the notation of records: `claim hyde_park-piccadilly_circus#1 blue 1`."""
    if what(move) == TAKE_MOVE:
        return f"take {PILE if move == TAKE_PILE else board.kinds[move - 1]}"
    if what(move) == CLAIM_MOVE:
        route, kind, buses = claim_parts(move)
        return f"claim {board.routes[route].name} {board.kinds[kind]} {buses}"
    if what(move) == KEEP_MOVE:
        return " ".join(["keep", *(str(i + 1) for i in range(8) if keep_mask(move) >> i & 1)])
    return "tickets" if what(move) == TICKETS_MOVE else "pass"


def parse_move(board: Board, text: str) -> Move:
    """Parses a move on this board, legal or not."""
    tokens = text.split()
    match tokens:
        case ["pass"]:
            return PASS
        case ["tickets"]:
            return TICKETS
        case ["take", card]:
            return TAKE_PILE if card == PILE else _kind(board, card) + 1
        case ["keep", *numbers]:
            return _keep(numbers)
        case ["claim", route, card, number]:
            return _claim(board, route, card, number)
        case ["take" | "claim" | "tickets" | "pass", *_]:
            raise InputError("format.words", move=text)
    raise InputError("format.token", token=tokens[0] if tokens else "")


def _kind(board: Board, card: str) -> int:
    if card not in board.kinds:
        raise InputError("format.card", card=card, known=", ".join(board.kinds))
    return board.kinds.index(card)


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise InputError("format.token", token=text)
    return int(text)


def _keep(texts: list[str]) -> Move:
    """Parses the kept numbers, rising from 1; an empty list is left to the rules to refuse."""
    numbers = [_number(text) for text in texts]
    if numbers != sorted(set(numbers)) or any(not 1 <= number <= 8 for number in numbers):
        raise InputError("format.keep", numbers=" ".join(texts))
    return keep_move(sum(1 << number - 1 for number in numbers))


def _claim(board: Board, name: str, card: str, number: str) -> Move:
    if name not in board.route_named:
        halves = f"{name}#1" in board.route_named
        raise InputError("format.half" if halves else "format.route", route=name, board=board.name)
    parts = Claim(board.route_named[name], _kind(board, card), _number(number))
    if not _canonical(board, parts):
        length = board.routes[parts.route].length
        raise InputError("format.buses", card=card, buses=number, bus=BUS_CARD, length=length)
    return claim_move(parts)
