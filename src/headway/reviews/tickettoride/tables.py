"""Values what a seat of Ticket to Ride decided, was dealt, and saw others do (RV-10 to RV-12)."""

from __future__ import annotations

from headway.games.contract import Move, Seat
from headway.games.tickettoride.moves import PILE
from headway.reviews.arithmetic import Valued
from headway.reviews.job import Positions, Reviewer
from headway.reviews.report import MoveLoss, Turn, victory
from headway.reviews.tickettoride.networked import Networks, networks_of
from headway.reviews.tickettoride.playouts import Playouts
from headway.reviews.tickettoride.seen import SeenGame, TableValues


class TableReviewer(Reviewer):
    """Reviews a table of Ticket to Ride from the information of each seat.

    The networks of the board value positions, if there are any, otherwise playouts.
    """

    game = "ticket-to-ride"
    measure = "victory"
    simulations = 4000

    def __init__(self, played: Positions, simulations: int) -> None:
        super().__init__(played, simulations)
        self.seen = SeenGame(played)
        nets = networks_of(self.seen.game)
        self._values: TableValues = (
            Playouts(self.seen, simulations) if nets is None else Networks(self.seen, nets)
        )
        self.rough = self._values.rough

    def count(self, seat: Seat) -> int:
        return len(self.seen.events[seat])

    @staticmethod
    def kinds(turn: Turn) -> tuple[str, ...]:
        what, _, card = (turn.played or "").partition(" ")
        return ((PILE if card == PILE else "open") if what == "take" else what,)

    def result(self, seat: Seat) -> int:
        winners = self.played.outcome.winners
        return victory(1 / len(winners)) if seat in winners else 0

    def position(self, seat: Seat, index: int) -> int:
        return self.seen.events[seat][index].number

    def value(self, seat: Seat, index: int, move: Move | None = None) -> Valued:
        events, values = self.seen.events[seat], self._values
        event = events[index]
        if event.kind == "setup":
            return values.setup(seat, event)
        if event.kind == "card":
            return values.card(seat, event)
        if event.kind == "tickets":
            return values.tickets(seat, event)
        if event.kind == "move":
            return values.move(seat, event, move)
        if event.kind == "act":
            return values.act(seat, event, events[index + 1].number)
        return values.reveal(seat, event)

    def losses(self, seat: Seat, index: int) -> list[MoveLoss]:
        return self._values.losses(seat, self.seen.events[seat][index])
