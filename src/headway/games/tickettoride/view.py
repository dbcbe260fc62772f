"""Views (TR-20), and states sampled from a view.

A view consists of the open table and the seat's own hand and tickets. Two of its fields remember
what the seat has seen: `open`, the face-up cards that went into hands, and `under`, the tickets
that the seat put under the pile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from headway.games.contract import Generator, Seat, View
from headway.games.kernel import BIT, NONE
from headway.games.tickettoride.board.board import Board
from headway.games.tickettoride.moves import keep_mask, keep_move, move_text, parse_move
from headway.games.tickettoride.rules.arrays import (
    GAP,
    MOST_KINDS,
    NOBODY,
    NOT_YET,
    OVER,
    PHASES,
    PlayerRecord,
    SharedRecord,
    board_record,
)
from headway.games.tickettoride.rules.scoring import (
    Prospect,
    TicketToRideScore,
    joined_places,
    prospects,
    score_sheet,
)
from headway.games.tickettoride.rules.turns import closed, keep_moves, tickets_left

if TYPE_CHECKING:
    from headway.games.tickettoride.game import TicketToRide
    from headway.games.tickettoride.state import TicketToRideState

Cards = dict[str, int]
AFTER = ("tickets", "card", "next")


class TicketToRideView(View, frozen=True, kw_only=True):
    """What a seat knows."""

    phase: str
    """What comes next, one of `PHASES`."""
    first: Seat | None
    """The seat that begins; None before it is drawn."""
    turn: Seat
    """The seat whose turn it is."""
    taken: int
    """The number of cards taken in this turn."""
    turns_left: int | None
    """Turns until the game ends; None before the end is triggered (TR-16)."""
    routes: dict[str, Seat]
    """The seat of each claimed route."""
    closed: tuple[str, ...]
    """Free routes that the seat cannot claim because of their other half (TR-13)."""
    points: tuple[int, ...]
    """The score track: points for routes by seat (TR-12)."""
    buses: tuple[int, ...]
    bus_colours: tuple[str, ...]
    """The colour of each seat's buses."""
    display: tuple[str | None, ...]
    """The face-up cards; None for a gap."""
    pile: int
    discards: Cards
    hands: tuple[int, ...]
    """The number of cards by seat."""
    open: tuple[Cards, ...]
    """Cards by seat that were taken face up and cannot have been played since."""
    ticket_pile: int
    """The number of tickets in the pile, including those under it."""
    tickets: tuple[int, ...]
    """The number of kept tickets by seat (TR-14)."""
    under: tuple[str | None, ...]
    """Tickets put back, in their order under the pile; None for those of other seats."""
    offers: tuple[int, ...]
    """The number of tickets that each seat has to choose from."""
    chosen: tuple[bool, ...]
    """Who has made the opening choice; the choice is secret until all have made it."""
    hand: Cards
    """The seat's cards."""
    own_tickets: tuple[str, ...]
    offered: tuple[str, ...]
    """The tickets that the seat has to choose from."""
    own_choice: str | None
    """The seat's opening choice, if made."""
    joined: tuple[int, ...]
    """How many places of each district the seat has connected, at most; empty for a spectator."""
    own_score: TicketToRideScore | None
    """The seat's score if the game ended now."""
    prospects: tuple[Prospect, ...]
    """The prospects of the seat's tickets, then of those offered."""
    revealed: tuple[tuple[str, ...], ...]
    """All tickets by seat, when the game is over (TR-17)."""
    scores: tuple[TicketToRideScore, ...]
    """All final scores, when the game is over."""
    ranking: tuple[Seat, ...]
    """The seats of a finished game, best first (TR-19); empty before."""
    passed: int
    """The number of seats that passed in a row."""
    reshuffles: int
    drawn: int
    """The number of cards drawn from this pile."""
    tickets_seen: int
    """The number of tickets drawn from the original pile."""
    after: str
    """What comes when the display is complete."""
    redealt: int
    """How often the display was replaced in a row (TR-04)."""
    look: bool
    """Whether the display is to be checked again (TR-04)."""

    def owners(self, board: Board) -> dict[int, Seat]:
        """Returns the seat of each claimed route, by the route's number."""
        return {board.route_named[name]: seat for name, seat in self.routes.items()}


def make_view(state: TicketToRideState, seat: Seat) -> TicketToRideView:
    """Returns the view of a seat, or of a spectator."""
    game, board, shared, players = state.game, state.game.board, state.shared, state.players
    player = players[seat] if seat >= 0 else None
    over = state.phase == OVER
    choice = int(player["choice"]) if player is not None else 0
    return TicketToRideView(
        game=game.box.name,
        map=game.map,
        seat=seat,
        seats=game.seats,
        actors=tuple(sorted(state.actors())),
        finished=over,
        phase=PHASES[state.phase],
        first=None if shared["first"] == NOT_YET else int(shared["first"]),
        turn=int(shared["seat"]),
        taken=int(shared["taken"]),
        turns_left=None if shared["turns_left"] == NOT_YET else int(shared["turns_left"]),
        routes=_owners(board, players),
        closed=_closed(board, shared, players if player is None else (player,)),
        points=tuple(players["points"].tolist()),
        buses=tuple(players["buses"].tolist()),
        bus_colours=game.bus_colours,
        display=tuple(
            None if kind == GAP else board.kinds[kind]
            for kind in shared["display"][: board.play.display].tolist()
        ),
        pile=int(shared["pile_size"]),
        discards=_cards(board, shared["discards"]),
        hands=tuple(players["hand"].sum(axis=1).tolist()),
        open=tuple(_cards(board, player["open"]) for player in players),
        ticket_pile=tickets_left(shared),
        tickets=tuple(int(player["tickets"]).bit_count() for player in players),
        under=_under(board, shared, seat),
        offers=tuple(shared["offers"][: game.seats].tolist()),
        chosen=tuple((players["choice"] != 0).tolist()),
        hand={} if player is None else _cards(board, player["hand"]),
        own_tickets=() if player is None else _tickets(board, player),
        offered=() if player is None else _offered(board, shared, seat),
        own_choice=move_text(board, keep_move(choice)) if choice else None,
        joined=() if player is None else joined_places(board, player),
        own_score=None if player is None else score_sheet(board, player),
        prospects=() if player is None else _prospects(board, shared, player, seat),
        revealed=tuple(_tickets(board, player) for player in players) if over else (),
        scores=tuple(state.scores()) if over else (),
        ranking=state.ranking() if over else (),
        passed=int(shared["passed"]),
        reshuffles=int(shared["reshuffles"]),
        drawn=int(shared["drawn"]),
        tickets_seen=int(shared["tickets_seen"]),
        after=AFTER[int(shared["after"])],
        redealt=int(shared["redealt"]),
        look=bool(shared["look"]),
    )


def _owners(board: Board, players: Iterable[PlayerRecord]) -> dict[str, Seat]:
    owner = {
        i: seat
        for seat, player in enumerate(players)
        for i in range(len(board.routes))
        if player["routes"] & BIT[i] != NONE
    }
    return {board.routes[i].name: owner[i] for i in sorted(owner)}


def _closed(board: Board, shared: SharedRecord, players: Iterable[PlayerRecord]) -> tuple[str, ...]:
    """Returns the free routes that none of these players can claim because of the other half."""
    shut = ~int(shared["routes"])
    for player in players:
        shut &= int(closed(board_record(board), shared, player))
    return tuple(route.name for i, route in enumerate(board.routes) if shut >> i & 1)


def _cards(board: Board, counts: np.ndarray) -> Cards:
    numbers = counts.tolist()
    return {kind: numbers[i] for i, kind in enumerate(board.kinds) if numbers[i]}


def _tickets(board: Board, player: PlayerRecord) -> tuple[str, ...]:
    held = int(player["tickets"])
    return tuple(ticket.name for i, ticket in enumerate(board.tickets) if held >> i & 1)


def _offered(board: Board, shared: SharedRecord, seat: Seat) -> tuple[str, ...]:
    offers = int(shared["offers"][seat])
    return tuple(board.tickets[i].name for i in shared["offered"][seat][:offers].tolist())


def _prospects(
    board: Board, shared: SharedRecord, player: PlayerRecord, seat: Seat
) -> tuple[Prospect, ...]:
    held = int(player["tickets"])
    held_tickets = [i for i in range(len(board.tickets)) if held >> i & 1]
    offered = shared["offered"][seat][: int(shared["offers"][seat])].tolist()
    return prospects(board, shared, player, [*held_tickets, *offered])


def _under(board: Board, shared: SharedRecord, seat: Seat) -> tuple[str | None, ...]:
    """Returns the tickets under the pile as a seat knows them; a spectator knows none."""
    places = range(int(shared["under_size"]))
    return tuple(
        board.tickets[int(shared["under"][place])].name
        if seat != NOBODY and shared["under_by"][place] == seat
        else None
        for place in places
    )


# Sampling states from a view


def resample(game: TicketToRide, view: TicketToRideView, generator: Generator) -> TicketToRideState:
    """Returns a state with this view; what the seat has not seen is sampled uniformly.

    Uniformly means: the cards that are neither visible nor in the seat's hand are shuffled and
    dealt to the other hands and the pile in their sizes; so are the tickets. A secret opening
    choice of another seat becomes a random legal choice.
    """
    state = game.start()
    _restore_table(game.board, view, state)
    _deal_hands(game.board, view, state, generator)
    _deal_tickets(game.board, view, state, generator)
    for seat, chosen in enumerate(view.chosen):
        if seat == view.seat and view.own_choice:
            choice = keep_mask(parse_move(game.board, view.own_choice))
        elif chosen:
            choice = _any_choice(state, seat, generator)
        else:
            choice = 0
        state.players[seat]["choice"] = choice
    return state


def _restore_table(board: Board, view: TicketToRideView, state: TicketToRideState) -> None:
    shared, record = state.shared, board_record(board)
    shared["phase"] = PHASES.index(view.phase)
    shared["after"] = AFTER.index(view.after)
    shared["first"] = NOT_YET if view.first is None else view.first
    shared["seat"], shared["taken"], shared["passed"] = view.turn, view.taken, view.passed
    shared["turns_left"] = NOT_YET if view.turns_left is None else view.turns_left
    shared["redealt"], shared["look"] = view.redealt, view.look
    shared["reshuffles"], shared["drawn"] = view.reshuffles, view.drawn
    shared["tickets_seen"] = view.tickets_seen
    for slot, kind in enumerate(view.display):
        shared["display"][slot] = GAP if kind is None else board.kinds.index(kind)
    shared["discards"] = _counts(board, view.discards)
    shared["discards_size"] = sum(view.discards.values())
    for name, seat in view.routes.items():
        route = board.route_named[name]
        shared["routes"] |= BIT[route]
        state.players[seat]["routes"] |= BIT[route]
        state.players[seat]["points"] += record["points"][route]
        state.players[seat]["buses"] -= record["length"][route]


def _deal_hands(
    board: Board, view: TicketToRideView, state: TicketToRideState, generator: Generator
) -> None:
    """Deals hands and pile: seen cards stay where they are, all others are shuffled."""
    known = [_counts(board, cards) for cards in view.open]
    state.players["open"] = known
    if view.seat >= 0:
        known[view.seat] = _counts(board, view.hand)
    seen = [*known, _counts(board, view.discards), _counts(board, Counter(view.display))]
    unseen = _counts(board, board.cards) - sum(seen)
    hidden = [kind for kind, number in enumerate(unseen.tolist()) for _ in range(number)]
    _shuffle(hidden, generator)
    state.players["hand"] = known
    for player, hand in zip(state.players, view.hands, strict=True):
        for _ in range(hand - int(player["hand"].sum())):
            player["hand"][hidden.pop()] += 1
    state.shared["pile"] = np.bincount(hidden, minlength=MOST_KINDS)
    state.shared["pile_size"] = len(hidden)


def _counts(board: Board, cards: Mapping[Any, int]) -> np.ndarray:
    """Returns the numbers of cards by kind."""
    numbers = [cards.get(kind, 0) for kind in board.kinds]
    return np.array(numbers + [0] * (MOST_KINDS - len(numbers)))


def _deal_tickets(
    board: Board, view: TicketToRideView, state: TicketToRideState, generator: Generator
) -> None:
    """Deals tickets kept, offered and under the pile; the rest is the pile."""
    named, shared = board.ticket_named, state.shared
    kept: list[Iterable[int] | None] = [None] * view.seats
    if view.seat >= 0:
        kept[view.seat] = [named[name] for name in view.own_tickets]
    if view.revealed:
        kept = [[named[name] for name in names] for names in view.revealed]
    offered = [named[name] for name in view.offered]
    under = [None if name is None else named[name] for name in view.under]
    seen = {t for group in kept if group is not None for t in group} | {*offered} | {*under}
    hidden = [ticket for ticket in range(len(board.tickets)) if ticket not in seen]
    _shuffle(hidden, generator)
    for seat, group in enumerate(kept):
        for ticket in [hidden.pop() for _ in range(view.tickets[seat])] if group is None else group:
            state.players[seat]["tickets"] |= BIT[ticket]
        is_viewer = seat == view.seat
        for i in range(view.offers[seat]):
            shared["offered"][seat, i] = offered[i] if is_viewer else hidden.pop()
        shared["offers"][seat] = view.offers[seat]
    for place, (seen_ticket, name) in enumerate(zip(under, view.under, strict=True)):
        shared["under"][place] = hidden.pop() if seen_ticket is None else seen_ticket
        shared["under_by"][place] = NOBODY if name is None else view.seat
    shared["under_size"] = len(under)
    shared["ticket_pile"] = NONE
    for ticket in hidden:
        shared["ticket_pile"] |= BIT[ticket]


def _any_choice(state: TicketToRideState, seat: Seat, generator: Generator) -> int:
    out = np.empty(256, np.int64)
    n = keep_moves(board_record(state.game.board), state.shared, seat, out)
    return keep_mask(int(out[generator.randrange(n)]))


def _shuffle(items: list[int], generator: Generator) -> None:
    for i in range(len(items) - 1, 0, -1):
        j = generator.randrange(i + 1)
        items[i], items[j] = items[j], items[i]
