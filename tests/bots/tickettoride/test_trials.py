"""The search at Ticket to Ride, beside brute force where that can be done."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations, islice
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

import headway
from benchmarks import hidden_cards
from headway.bots.tickettoride import playout_policy
from headway.bots.tickettoride.beliefs import Belief
from headway.bots.tickettoride.levels import TicketDriver, TicketExpert
from headway.bots.tickettoride.route_plans import planned_game
from headway.bots.tickettoride.trials import MoveTrials, native, worth_trying
from headway.games.contract import CHANCE, Move
from headway.games.kernel import BIT
from headway.games.tickettoride.moves import what
from headway.games.tickettoride.rules.arrays import CLAIM_MOVE, OVER, TICKETS, TURN, board_record
from headway.games.tickettoride.state import TicketToRideState

TINY = str(Path(__file__).parents[2] / "games" / "tickettoride" / "tiny.toml")


class Uniform(TicketExpert):
    """The expert, but all tickets of others are equally likely to it, as to brute force."""

    belief = Belief(0.0, doubles=True)


def appraise(
    state: TicketToRideState, seat: int, simulations: int, bot: type[TicketExpert] = Uniform
) -> list[headway.Appraisal]:
    searcher = bot(state.game, random.Random(5))
    budget = headway.Budget(simulations=simulations)
    return searcher.appraise(state.view(seat), state.legal(seat), budget)


def positions(
    map_name: str, bot: str, deals: int, *, moves: int, turns_left: int
) -> Iterator[TicketToRideState]:
    """Positions of 2 seats after so many events, declared to be near the end of the game."""
    for seed in range(deals):
        table = headway.Table(map_name, seats=2, seed=seed)
        bots = [headway.make_bot(bot, table.game, seed + i) for i in range(2)]
        while seats := table.actors():
            seat, state = seats[0], table.state
            assert isinstance(state, TicketToRideState)
            turn = state.phase == TURN and state.shared["taken"] == 0
            if turn and len(table.events) >= moves:
                near = state.copy()
                near.shared["turns_left"] = turns_left
                if any(what(move) == CLAIM_MOVE for move in near.legal(seat)):
                    yield near
                break
            table.play(seat, bots[seat].choose(table.view(seat), state.legal(seat)))


def agrees(appraisals: list[headway.Appraisal], exact: dict[Move, float]) -> None:
    """Each value is the true one within its error, and no move is better than the first."""
    for one in appraisals:
        # What is rarer than a trial in hundreds need not have come up at all.
        doubt = 4 * one.error + 4 / one.simulations
        assert abs(one.value - exact[one.move]) <= doubt, one
    assert exact[appraisals[0].move] >= max(exact.values()) - 0.02


# The last turn: nothing is left to deal, but what tickets the other has is not known


class Standing:
    """Points and completed tickets of a seat, for any tickets that it may have."""

    def __init__(self, world: TicketToRideState, seat: int) -> None:
        sheet = world.scores()[seat]
        self.points = sheet.routes + sheet.districts
        self.joined = joins(world, seat)
        self.worth = [ticket.points for ticket in world.game.board.tickets]

    def rank(self, tickets: Iterable[int]) -> tuple[int, int]:
        points = sum(self.worth[t] if self.joined[t] else -self.worth[t] for t in tickets)
        return self.points + points, sum(self.joined[t] for t in tickets)


def share(own: tuple[int, int], other: tuple[int, int]) -> float:
    return 1.0 if own > other else 0.5 if own == other else 0.0


def after_move(state: TicketToRideState, seat: int, move: Move) -> float:
    """The chance to win with a last move, over all tickets that the other may have."""
    world = state.copy()
    if move != TICKETS:
        world.apply(seat, move)
    own, rival = Standing(world, seat), Standing(world, 1 - seat)
    mine = [i for i in range(len(own.worth)) if world.players[seat]["tickets"] & BIT[i]]
    chances = []
    for kept in others_tickets(state, seat):
        other = rival.rank(kept)
        if move != TICKETS:
            chances.append(share(own.rank(mine), other))
            continue
        left = [ticket for ticket in hidden(state, seat) if ticket not in kept]
        for one, two in combinations(left, 2):
            choices = [[one], [two], [one, two]]
            chances.append(max(share(own.rank(mine + more), other) for more in choices))
    return mean(chances)


def hidden(state: TicketToRideState, seat: int) -> list[int]:
    view = state.view(seat)
    seen = {*view.own_tickets, *view.under}
    return [i for i, ticket in enumerate(state.game.board.tickets) if ticket.name not in seen]


def others_tickets(state: TicketToRideState, seat: int) -> list[tuple[int, ...]]:
    return list(combinations(hidden(state, seat), state.view(seat).tickets[1 - seat]))


def joins(world: TicketToRideState, seat: int) -> list[bool]:
    """For every ticket, whether a seat's routes join its places."""
    board = world.game.board
    group = list(range(len(board.locations)))
    for i, route in enumerate(board.routes):
        if world.players[seat]["routes"] & BIT[i]:
            old, new = group[route.a], group[route.b]
            group = [new if label == old else label for label in group]
    return [group[ticket.a] == group[ticket.b] for ticket in board.tickets]


def test_the_last_turn_is_solved() -> None:
    solved = 0
    for state in positions("ticket-to-ride", "planner", 8, moves=70, turns_left=1):
        (seat,) = state.actors()
        if state.view(seat).tickets[1 - seat] > 2:  # brute force would take long
            continue
        moves = worth_trying(state.legal(seat))
        exact = {move: after_move(state, seat, move) for move in moves}
        agrees(appraise(state, seat, 6000), exact)
        solved += len(set(exact.values())) > 1
    assert solved >= 2


# The last two turns on a tiny board: every world, every card, every reply


def worlds_of(state: TicketToRideState, seat: int) -> list[TicketToRideState]:
    """Every world that the seat cannot tell from this one, all equally likely."""
    worlds = []
    rival = 1 - seat
    counts = state.players[rival]["hand"] - state.players[rival]["open"]
    cards = [kind for kind, n in enumerate(state.shared["pile"] + counts) for _ in range(n)]
    tickets = hidden(state, seat)
    for held in combinations(range(len(cards)), int(counts.sum())):
        for kept in others_tickets(state, seat):
            world = state.copy()
            hand = world.players[rival]["hand"]
            hand[:] = world.players[rival]["open"]
            world.shared["pile"] = 0
            for i, card in enumerate(cards):
                (hand if i in held else world.shared["pile"])[card] += 1
            world.players[rival]["tickets"] = sum(1 << ticket for ticket in kept)
            left = [ticket for ticket in tickets if ticket not in kept]
            for place in range(int(world.shared["under_size"])):
                if world.shared["under_by"][place] != seat:
                    world.shared["under"][place] = left.pop()
            world.shared["ticket_pile"] = sum(1 << ticket for ticket in left)
            worlds.append(world)
    return worlds


def expected(world: TicketToRideState, seat: int) -> float:
    """The seat's chance in a world whose every card is tried; the other takes what brings most."""
    if world.phase == OVER:
        outcome = world.outcome()
        assert outcome
        return (seat in outcome.winners) / len(outcome.winners)
    if CHANCE in world.actors():
        return float(
            sum(p * expected(after(world, CHANCE, deal), seat) for deal, p in world.chance())
        )
    (mover,) = world.actors()
    legal = world.legal(mover)
    if mover == seat:
        return max(expected(after(world, seat, move), seat) for move in legal)
    claims = [move for move in legal if what(move) == CLAIM_MOVE]
    best = max(claims or legal[:1], key=lambda move: world.score_after(mover, move))
    return expected(after(world, mover, best), seat)


def after(world: TicketToRideState, seat: int, move: Move) -> TicketToRideState:
    copy = world.copy()
    copy.apply(seat, move)
    return copy


def test_the_last_two_turns_are_solved_on_a_tiny_board() -> None:
    solved = 0
    for state in positions(TINY, "random", 20, moves=12, turns_left=2):
        (seat,) = state.actors()
        if state.shared["under_size"] > 0:
            continue  # the order of tickets makes more worlds than these
        worlds = worlds_of(state, seat)
        exact = {
            move: mean(expected(after(world, seat, move), seat) for world in worlds)
            for move in worth_trying(state.legal(seat))
        }
        agrees(appraise(state, seat, 6000), exact)
        solved += len(set(exact.values())) > 1
    assert solved >= 3


# What a search may depend on


@pytest.fixture(scope="module")
def middle() -> TicketToRideState:
    """The middle of a game of three."""
    table = headway.Table("ticket-to-ride", seats=3, seed=11)
    bots = [headway.make_bot("planner", table.game, i) for i in range(3)]
    for _ in range(45):
        seat = table.actors()[0]
        table.play(seat, bots[seat].choose(table.view(seat), table.state.legal(seat)))
    assert isinstance(table.state, TicketToRideState)
    return table.state


def test_the_same_seed_and_simulations_give_the_same_appraisals(middle: TicketToRideState) -> None:
    (seat,) = middle.actors()
    assert appraise(middle, seat, 500, TicketExpert) == appraise(middle, seat, 500, TicketExpert)


def test_only_what_the_seat_knows_counts(middle: TicketToRideState) -> None:
    (seat,) = middle.actors()
    other = middle.game.resample(middle.view(seat), random.Random(99))
    assert isinstance(other, TicketToRideState)
    assert other.dump() != middle.dump()
    assert appraise(other, seat, 500, TicketExpert) == appraise(middle, seat, 500, TicketExpert)


def redealt(state: TicketToRideState, seat: int, trust: float) -> Iterator[TicketToRideState]:
    """Worlds as the search deals them, without end."""
    belief = Belief(trust, doubles=True)
    trials = MoveTrials(state, seat, state.legal(seat), random.Random(3), belief=belief)
    cards, generator = trials.workspace.cards, trials.generator
    while True:
        world = state.copy()
        args = board_record(state.game.board), world.shared, world.players, seat
        native().redeal_cards(*args, cards, generator)
        native().redeal_tickets(*args[1:], trials.workspace.fits[0], generator)
        yield world


@pytest.mark.parametrize("trust", [0.0, 0.5])
def test_worlds_of_the_search_look_the_same_to_the_seat(
    middle: TicketToRideState, trust: float
) -> None:
    (seat,) = middle.actors()
    seen = set()
    for world in islice(redealt(middle, seat, trust), 30):
        assert world.view(seat) == middle.view(seat)
        seen.add(world.dump())
        cards = world.shared["pile"] + world.shared["discards"] + world.players["hand"].sum(axis=0)
        for kind in world.shared["display"][:5]:
            cards[kind] += 1
        assert (cards == board_record(world.game.board)["cards"]).all()
    assert len(seen) == 30


def test_tickets_come_uniformly_unless_routes_tell_of_them(middle: TicketToRideState) -> None:
    (seat,) = middle.actors()
    rival = (seat + 1) % 3
    unseen = hidden(middle, seat)
    rounds = 4000

    def shares(trust: float) -> list[float]:
        counts = np.zeros(len(middle.game.board.tickets))
        for world in islice(redealt(middle, seat, trust), rounds):
            for ticket in unseen:
                counts[ticket] += bool(world.players[rival]["tickets"] & BIT[ticket])
        return [float(counts[ticket]) / rounds for ticket in unseen]

    even = middle.view(seat).tickets[rival] / len(unseen)
    assert all(abs(share - even) < 0.03 for share in shares(0.0))
    joined = [joins(middle, rival)[ticket] for ticket in unseen]
    weighted = shares(0.5)
    for is_joined, share in zip(joined, weighted, strict=True):
        assert not is_joined or share > even


def test_a_route_is_not_paid_with_more_buses_than_needed() -> None:
    game = headway.Table("ticket-to-ride", seats=2, seed=1).game
    texts = [
        "take pile",
        "claim big_ben-waterloo bus 1",
        "claim big_ben-waterloo blue 0",
        "claim globe_theatre-elephant_castle bus 2",
        "claim waterloo-globe_theatre pink 0",
        "claim waterloo-globe_theatre pink 1",
        "tickets",
    ]
    kept = [game.move_text(move) for move in worth_trying(list(map(game.parse_move, texts)))]
    assert kept == [texts[0], texts[2], texts[3], texts[4], texts[6]]


# The sensible player


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_levels_play_legal_games(seats: int) -> None:
    table = headway.Table("ticket-to-ride", seats=seats, seed=seats)
    names = ["expert@60", "driver", "commuter", "tourist"][:seats]
    headway.play_out(table, [headway.make_bot(name, table.game, 1) for name in names])
    assert table.finished()


@pytest.mark.parametrize(("map_name", "seats"), [("ticket-to-ride", 2), (TINY, 2), (TINY, 3)])
def test_the_sensible_player_is_legal_and_the_same_compiled(map_name: str, seats: int) -> None:
    for seed in range(4):
        table = headway.Table(map_name, seats=seats, seed=seed)
        while actors := table.actors():
            state, seat = table.state, actors[0]
            assert isinstance(state, TicketToRideState)
            move = TicketDriver(table.game, random.Random(0)).choose(
                table.view(seat), state.legal(seat)
            )
            here = state.copy()
            game = planned_game(board_record(here.game.board), here.shared, here.players)
            assert move == playout_policy.sensible(game, seat)
            table.play(seat, move)


def test_the_expert_beats_random() -> None:
    for seed in range(6):
        table = headway.Table("ticket-to-ride", seats=2, seed=seed)
        names = ["random", "random"]
        names[seed % 2] = "expert@100"
        headway.play_out(table, [headway.make_bot(name, table.game, seed) for name in names])
        outcome = table.outcome()
        assert outcome
        assert outcome.winners == (seed % 2,)


def test_a_budget_of_time_gives_a_legal_move(middle: TicketToRideState) -> None:
    (seat,) = middle.actors()
    bot = TicketExpert(middle.game, random.Random(1), headway.Budget(seconds=0.01))
    assert bot.choose(middle.view(seat), middle.legal(seat)) in middle.legal(seat)


def test_the_clairvoyant_is_for_the_benchmark_only() -> None:
    won, _ = hidden_cards.play(1, 0, headway.Budget(simulations=40))
    assert won in (0, 0.5, 1)
    levels = ["tourist", "commuter", "driver", "expert"]
    assert list(headway.bots_of("ticket-to-ride")) == [*levels, "greedy", "planner", "random"]


def test_explain_tells_the_best_move_and_how_sure_it_is() -> None:
    table = headway.Table("ticket-to-ride", seats=2, seed=4)
    seat = table.actors()[0]
    best = headway.explain(
        table.game, table.view(seat), table.state.legal(seat), headway.Budget(simulations=300)
    )[0]
    assert best.measure == "win"
    assert 0 <= best.value <= 1
    assert 0 < best.error < 0.1
    assert 60 < best.simulations < 300
