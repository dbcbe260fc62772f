"""The conductor: the rules of Ticket to Ride, written a second time, slowly and plainly.

It shares no code with the package, and works the other way round: with real piles, lists in their
order from the top, as somebody would deal a game on a table. The board comes from its own copy of
the board's facts. The tests hold the fast engine against it.

* ``judge(record)`` plays a whole record with a ``deal`` and returns a ``Verdict``, or raises
  ``Refused``.
* ``Game(record)`` plays it step by step: ``moves()`` lists all legal moves of the seat to move,
  ``step(text)`` makes one.
* ``random_record(rng, seats)`` deals and plays a random game. The order of every reshuffle is
  written down when it happens.
"""

from __future__ import annotations

import json
import random
from collections import Counter, deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FACTS = json.loads((Path(__file__).parent / "ticket-to-ride-london.json").read_text())
COLOURS = ("blue", "green", "black", "pink", "yellow", "orange")
POINTS = {1: 1, 2: 2, 3: 4, 4: 7}  # TR-12
CARDS = [colour for colour in COLOURS for _ in range(6)] + ["bus"] * 8  # TR-02


@dataclass(frozen=True)
class Route:
    """A route as the facts have it; `pair` are its ends, `twin` the name of the other half."""

    name: str
    pair: frozenset[str]
    colour: str
    length: int
    twin: str | None


def all_routes() -> dict[str, Route]:
    """Every route by the name that records use."""
    found = {}
    for fact in FACTS["routes"]:
        pair, name = frozenset((fact["a"], fact["b"])), f"{fact['a']}-{fact['b']}"
        for half, colour in enumerate(fact["colours"], 1):
            full, twin = name, None
            if len(fact["colours"]) == 2:
                full, twin = f"{name}#{half}", f"{name}#{3 - half}"
            found[full] = Route(full, pair, colour, fact["length"], twin)
    return found


ROUTES = all_routes()
TICKETS = {f"{t['a']}-{t['b']}": (t["a"], t["b"], t["points"]) for t in FACTS["tickets"]}
DISTRICTS = {d["number"]: (d["locations"], d["value"]) for d in FACTS["districts"]}


class Refused(Exception):
    """A record that is not a legal game, with the number of the move, from 1."""

    def __init__(self, move: int | None, sentence: str) -> None:
        super().__init__(f"move {move}: {sentence}")
        self.move = move


@dataclass
class Verdict:
    """What a record comes to."""

    legal: list[int]
    scores: list[dict[str, int]]
    winners: list[int]
    reshuffles: int
    redeals: int


def joined(routes: list[str], start: str, end: str) -> bool:
    """Whether a path of these routes leads from start to end: a plain search, breadth first."""
    seen, queue = {start}, deque([start])
    while queue:
        here = queue.popleft()
        for name in routes:
            if here in ROUTES[name].pair:
                (there,) = ROUTES[name].pair - {here}
                if there not in seen:
                    seen.add(there)
                    queue.append(there)
    return end in seen


def score(routes: list[str], tickets: list[str]) -> dict[str, int]:
    """TR-12, TR-17 and TR-18 for one player, from nothing but routes and tickets."""
    done = [t for t in tickets if joined(routes, *TICKETS[t][:2])]
    result = {
        "routes": sum(POINTS[ROUTES[name].length] for name in routes),
        "tickets": sum(TICKETS[t][2] * (1 if t in done else -1) for t in tickets),
        "districts": sum(
            value
            for places, value in DISTRICTS.values()
            if all(joined(routes, places[0], place) for place in places)
        ),
    }
    return result | {"total": sum(result.values()), "completed": len(done)}


class Game:
    """A game with all its piles in order, dealt from a record's `deal`."""

    def __init__(self, seats: int, deal: dict[str, Any], rng: random.Random | None = None) -> None:
        self.seats = seats
        self.rng = rng
        self.pile = list(deal["transport"])
        self.orders = [list(order) for order in deal.get("reshuffles", [])]
        self.made: list[list[str]] = []
        self.discards: list[str] = []
        self.display: list[str | None] = [None] * 5
        self.redeals = 0
        self.tickets_pile = list(deal["tickets"])
        self.turn = deal["first"]
        self.hands = [[self.pile.pop(0) for _ in range(2)] for _ in range(seats)]
        self.offers = [[self.tickets_pile.pop(0) for _ in range(2)] for _ in range(seats)]
        self.tickets: list[list[str]] = [[] for _ in range(seats)]
        self.routes: list[list[str]] = [[] for _ in range(seats)]
        self.buses = [17] * seats
        self.opening: list[list[int]] = []
        self.taken = 0
        self.choosing = False
        self.last_turns: int | None = None
        self.passes = 0
        self.over = False
        self.look()

    # Cards

    def draw(self) -> str:
        """The top of the pile; a new pile is made when there is none (TR-09)."""
        if not self.pile:
            if self.rng:
                order = self.discards[:]
                self.rng.shuffle(order)
            elif len(self.made) < len(self.orders):
                order = self.orders[len(self.made)]
            else:
                raise Refused(None, "no order for this reshuffle")
            if Counter(order) != Counter(self.discards):
                raise Refused(None, "a reshuffle has other cards than the discards")
            self.made.append(order)
            self.pile, self.discards = order[:], []
        return self.pile.pop(0)

    def cards_to_draw(self) -> int:
        return len(self.pile) + len(self.discards)

    def fill(self) -> None:
        """Gaps from the left, as long as there are cards (TR-09)."""
        for place in range(5):
            if self.display[place] is None and self.cards_to_draw():
                self.display[place] = self.draw()

    def look(self) -> None:
        """TR-04: after filling, three buses bring a redeal, at most three times in a row."""
        self.fill()
        for _ in range(3):
            rest = self.pile + self.discards
            others = sum(card != "bus" for card in rest)
            if self.display.count("bus") < 3 or len(rest) < 5 or others < 3:
                return
            self.discards += [card for card in self.display if card]
            self.display = [None] * 5
            self.redeals += 1
            self.fill()

    # What the seat to move may do

    def seat(self) -> int:
        return len(self.opening) if len(self.opening) < self.seats else self.turn

    def moves(self) -> list[str]:
        """All legal moves of the seat to move."""
        if len(self.opening) < self.seats or self.choosing:
            both = len(self.offers[self.seat()]) == 2
            return ["keep 1", "keep 2", "keep 1 2"] if both else ["keep 1"]
        found = ["take pile"] if self.cards_to_draw() else []
        found += sorted({f"take {card}" for card in self.display if card and card != "bus"})
        if self.taken:
            return found
        if "bus" in self.display:
            found.append("take bus")
        found += self.claims()
        if self.tickets_pile:
            found.append("tickets")
        return found or ["pass"]

    def claims(self) -> list[str]:
        """TR-10, TR-11, TR-13: all ways to take all free routes."""
        hand = Counter(self.hands[self.turn])
        found = []
        for route in ROUTES.values():
            owners = {
                seat: [r for r in self.routes[seat] if r in (route.name, route.twin)]
                for seat in range(self.seats)
            }
            taken = any(route.name in own for own in owners.values())
            halved = owners[self.turn] or (self.seats == 2 and any(owners.values()))
            if taken or halved or self.buses[self.turn] < route.length:
                continue
            if hand["bus"] >= route.length:
                found.append(f"claim {route.name} bus {route.length}")
            for colour in COLOURS if route.colour == "grey" else [route.colour]:
                for wild in range(route.length):
                    if hand["bus"] >= wild and hand[colour] >= route.length - wild:
                        found.append(f"claim {route.name} {colour} {wild}")
        return found

    # Doing it

    def step(self, text: str) -> None:
        """Makes a legal move."""
        words = text.split()
        if words[0] == "keep" and not self.choosing:
            self.opening.append([int(number) for number in words[1:]])
            if len(self.opening) == self.seats:
                for seat, numbers in enumerate(self.opening):
                    self.keep(seat, numbers)
            return
        if words[0] == "keep":
            self.choosing = False
            self.keep(self.turn, [int(number) for number in words[1:]])
            self.end_turn()
        elif words[0] == "tickets":
            drawn = min(2, len(self.tickets_pile))
            self.offers[self.turn] = [self.tickets_pile.pop(0) for _ in range(drawn)]
            self.choosing = True
        elif words[0] == "take":
            self.take(words[1])
        elif words[0] == "claim":
            self.claim(words[1], words[2], int(words[3]))
        else:
            self.passes += 1
            self.end_turn()
            return
        self.passes = 0

    def keep(self, seat: int, numbers: list[int]) -> None:
        for number, ticket in enumerate(self.offers[seat], 1):
            (self.tickets[seat] if number in numbers else self.tickets_pile).append(ticket)
        self.offers[seat] = []

    def take(self, card: str) -> None:
        """TR-07 to TR-09."""
        self.taken += 1
        if card == "pile":
            piles = len(self.made)
            self.hands[self.turn].append(self.draw())
            if len(self.made) > piles:
                self.look()
        else:
            self.hands[self.turn].append(card)
            self.display[self.display.index(card)] = None
            self.look()
        second = self.cards_to_draw() or any(c not in (None, "bus") for c in self.display)
        if card == "bus" or self.taken == 2 or not second:
            self.end_turn()

    def claim(self, name: str, colour: str, wild: int) -> None:
        route = ROUTES[name]
        paid = ["bus"] * wild + [colour] * (route.length - wild)
        for card in paid:
            self.hands[self.turn].remove(card)
        self.discards += paid
        self.buses[self.turn] -= route.length
        self.routes[self.turn].append(name)
        self.look()
        self.end_turn()

    def end_turn(self) -> None:
        """TR-16; and when all have passed in turn, nothing can change any more."""
        if self.last_turns is not None:
            self.last_turns -= 1
        elif self.buses[self.turn] <= 2:
            self.last_turns = self.seats
        self.over = self.last_turns == 0 or self.passes == self.seats
        self.taken = 0
        self.turn = (self.turn + 1) % self.seats

    # The end

    def scores(self) -> list[dict[str, int]]:
        return [score(self.routes[s], self.tickets[s]) for s in range(self.seats)]

    def winners(self) -> list[int]:
        """TR-19."""
        ranks = [(s["total"], s["completed"]) for s in self.scores()]
        return [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]


def judge(record: dict[str, Any]) -> Verdict:
    """Plays a whole record; raises ``Refused`` at the first move that is not legal."""
    game = Game(record["seats"], record["deal"])
    legal = []
    for number, text in enumerate(record["moves"], 1):
        if game.over:
            raise Refused(number, "the game is over")
        moves = game.moves()
        if text not in moves:
            raise Refused(number, f"{text} is not legal")
        legal.append(len(set(moves)))
        try:
            game.step(text)
        except Refused as refused:
            raise Refused(number, str(refused)) from None
    if not game.over:
        raise Refused(len(record["moves"]) + 1, "the game is not over")
    if len(game.made) < len(game.orders):
        raise Refused(None, "more reshuffles than happened")
    return Verdict(legal, game.scores(), game.winners(), len(game.made), game.redeals)


def random_record(rng: random.Random, seats: int, hoard: float = 0.0) -> dict[str, Any]:
    """A random legal game as a record; with `hoard`, cards are often taken before anything else.

    Players who hoard empty the pile, which brings out the rules for an empty one.
    """
    cards, tickets = CARDS[:], list(TICKETS)
    rng.shuffle(cards)
    rng.shuffle(tickets)
    deal = {"first": rng.randrange(seats), "transport": cards, "tickets": tickets}
    game = Game(seats, deal, rng)
    moves = []
    while not game.over:
        legal = game.moves()
        takes = [move for move in legal if move.startswith("take")]
        move = rng.choice(takes if takes and rng.random() < hoard else legal)
        moves.append(move)
        game.step(move)
    return {
        "format": "headway-record/1",
        "game": "ticket-to-ride",
        "map": "london",
        "options": {},
        "seats": seats,
        "deal": deal | {"reshuffles": game.made},
        "moves": moves,
    }
