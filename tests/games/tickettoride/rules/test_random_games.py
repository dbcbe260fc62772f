"""A machine that plays anything that is legal, and counts everything after every event."""

from __future__ import annotations

from collections import Counter

from games.tickettoride.playing import LONDON, TINY, opened
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from reference import conductor

from headway.games.contract import CHANCE
from headway.games.tickettoride.state import TicketToRideState


class RandomGame(RuleBasedStateMachine):
    """Any game on the board of London; nothing ever gets lost."""

    board = LONDON
    most_seats = 4

    state: TicketToRideState

    @initialize(data=st.data())
    def sit_down(self, data: st.DataObject) -> None:
        seats = data.draw(st.integers(2, self.most_seats))
        self.state = opened(seats, self.board).start()

    @precondition(lambda self: not self.state.finished())
    @rule(data=st.data())
    def happen(self, data: st.DataObject) -> None:
        """Whoever has to act does something, and chance acts until somebody has to again."""
        seat = data.draw(st.sampled_from(sorted(self.state.actors())))
        self.state.apply(seat, data.draw(st.sampled_from(self.state.legal(seat))))
        while self.state.actors() == {CHANCE}:
            self.check()
            self.state.apply(CHANCE, data.draw(st.sampled_from(self.state.legal(CHANCE))))

    @precondition(lambda self: self.state.finished())
    @rule()
    def start_anew(self) -> None:
        """The game ended: somebody won, and the same people play another one."""
        outcome = self.state.outcome()
        assert outcome is not None
        assert outcome.winners
        self.state = self.state.game.start()

    @invariant()
    def check(self) -> None:
        self.every_card_is_somewhere()
        self.every_bus_is_somewhere()
        self.every_ticket_is_somewhere()
        self.scores_follow_from_the_board()
        self.the_display_is_full_while_there_are_cards()

    def every_card_is_somewhere(self) -> None:
        board, shared = self.state.game.board, self.state.shared
        cards: Counter[str] = Counter()
        for counts in (shared["pile"], shared["discards"], *self.state.players["hand"]):
            assert min(counts) >= 0
            cards.update(dict(zip(board.kinds, counts.tolist(), strict=False)))
        cards.update(kind for kind in self.state.view(CHANCE).display if kind)
        assert cards == board.cards
        assert shared["pile_size"] == shared["pile"].sum()
        assert shared["discards_size"] == shared["discards"].sum()
        assert (self.state.players["open"] <= self.state.players["hand"]).all()

    def every_bus_is_somewhere(self) -> None:
        board, view = self.state.game.board, self.state.view(CHANCE)
        for seat in range(view.seats):
            taken = [board.route_named[name] for name, s in view.routes.items() if s == seat]
            laid = sum(board.routes[i].length for i in taken)
            assert view.buses[seat] + laid == board.play.buses
            assert view.buses[seat] >= 0
        masks = [int(player["routes"]) for player in self.state.players]
        assert sum(masks) == int(self.state.shared["routes"]), "no route has two owners"

    def every_ticket_is_somewhere(self) -> None:
        board, shared = self.state.game.board, self.state.shared
        places = [int(shared["ticket_pile"])] + [int(p["tickets"]) for p in self.state.players]
        tickets = [i for mask in places for i in range(64) if mask >> i & 1]
        tickets += shared["under"][: int(shared["under_size"])].tolist()
        for seat in range(self.state.game.seats):
            tickets += shared["offered"][seat][: int(shared["offers"][seat])].tolist()
        assert sorted(tickets) == list(range(len(board.tickets)))

    def scores_follow_from_the_board(self) -> None:
        view = self.state.view(CHANCE)
        for seat, sheet in enumerate(self.state.scores()):
            routes = [name for name, owner in view.routes.items() if owner == seat]
            tickets = [ticket.name for ticket in sheet.each_ticket]
            expected = conductor.score(routes, tickets)
            assert {name: getattr(sheet, name) for name in expected} == expected
            assert view.points[seat] == expected["routes"]
            assert sum(ticket.worth for ticket in sheet.each_ticket) == expected["tickets"]

    def the_display_is_full_while_there_are_cards(self) -> None:
        if self.state.actors() != {CHANCE} and None in self.state.view(CHANCE).display:
            assert self.state.shared["pile_size"] == self.state.shared["discards_size"] == 0


class SmallRandomGame(RandomGame):
    """The same on a board so small that everything runs out."""

    board = TINY
    most_seats = 3

    def scores_follow_from_the_board(self) -> None:
        """The conductor knows London only; here the points of routes are enough."""
        board, view = self.state.game.board, self.state.view(CHANCE)
        for seat in range(view.seats):
            taken = [board.route_named[name] for name, s in view.routes.items() if s == seat]
            points = sum(board.scoring[board.routes[i].length - 1] for i in taken)
            assert view.points[seat] == points


TestRandomGame = RandomGame.TestCase
TestRandomGame.settings = settings(max_examples=15, stateful_step_count=60, deadline=None)
TestSmallRandomGame = SmallRandomGame.TestCase
TestSmallRandomGame.settings = settings(max_examples=30, stateful_step_count=40, deadline=None)
