"""The search at Next Station: exact where all is known, honest about what it may not know."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import count, islice, permutations
from pathlib import Path

import numpy as np
import pytest
from bots.nextstation.worlds import turns

import headway
from benchmarks.perfect_information import best_fair, best_known, numbered_deal
from headway.bots import Budget, explain, luck_teller, make_bot
from headway.bots.nextstation import analysis
from headway.bots.nextstation.analysis import TreeAnalyst
from headway.bots.nextstation.evaluator import Evaluator, curve_against, solo_games
from headway.bots.nextstation.levels import Expert
from headway.bots.nextstation.perfect_information import KnownDeal
from headway.games import box
from headway.games.contract import CHANCE, Move, State
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.rules.arrays import DECK, REVEAL, ROUNDS, SHARED, SHEET
from headway.games.nextstation.state import NextStationState
from headway.games.nextstation.view import NextStationView

ALL_KNOWN = Budget(simulations=3000)
UNDERGROUNDS = tuple(
    f"underground:{s}" for s in ("circle", "triangle", "square", "pentagon", "joker")
)


def seen(table: headway.Table) -> NextStationView:
    view = table.view(0)
    assert isinstance(view, NextStationView)
    return view


def played(name: str, game: headway.Game | str, seed: int) -> int:
    """The total of a game alone."""
    table = headway.Table(game, seed=seed)
    headway.play_out(table, [make_bot(name, table.game, seed)])
    outcome = table.outcome()
    assert outcome
    return outcome.totals[0]


def late(city: str, number: int, cards_left: int, **options: bool) -> headway.Table:
    """A game in its last round with so many cards left, or at its last turn with none to come."""
    tables = (late_turn(city, seed, cards_left, **options) for seed in count())
    return next(islice((table for table in tables if table), number, None))


def late_turn(city: str, seed: int, cards_left: int, **options: bool) -> headway.Table | None:
    table = headway.Table(box("next-station").open(city, 1, options), seed=seed)
    driver = make_bot("driver", table.game, seed)
    while table.actors():
        view = seen(table)
        left = len(view.cards_left)
        to_come = any(card in UNDERGROUNDS for card in view.cards_left)
        if view.round == 4 and (left <= cards_left and to_come if cards_left else not to_come):
            return table
        table.play(0, driver.choose(view, table.state.legal(0)))
    return None


def expectation(world: State) -> Fraction:
    """The best that can be expected of a game for one, by trying everything."""
    if world.finished():
        return Fraction(world.scores()[0].total)
    if CHANCE in world.actors():
        total = Fraction(0)
        for move, chance in world.chance():
            dealt = world.copy()
            dealt.apply(CHANCE, move)
            total += chance * expectation(dealt)
        return total
    return max(after(world, move) for move in world.legal(0))


def after(world: State, move: Move) -> Fraction:
    played = world.copy()
    played.apply(0, move)
    return expectation(played)


@pytest.mark.parametrize(
    "options", [{}, {"objectives": True, "powers": True}, {"special_stations": True}]
)
@pytest.mark.parametrize("city", ["london", "tokyo"])
def test_last_turn(city: str, options: dict[str, bool]) -> None:
    for seed in range(4):
        table = late(city, seed, 0, **options)
        legal = table.state.legal(0)
        exact = {move: table.state.score_after(0, move) for move in legal}
        best = explain(table.game, table.view(0), legal, Budget(simulations=10))[0]
        assert exact[best.move] == max(exact.values()) == best.value
        assert best.error == 0


@pytest.mark.parametrize(
    ("city", "options"), [("london", {}), ("tokyo", {}), ("london", {"objectives": True})]
)
def test_last_turns_by_brute_force(city: str, options: dict[str, bool]) -> None:
    for seed in range(3):
        table = late(city, seed, 2, **options)
        legal = table.state.legal(0)
        world = table.game.resample(table.view(0), random.Random(0))
        exact = {move: after(world, move) for move in legal}
        appraisals = explain(table.game, table.view(0), legal, ALL_KNOWN)
        assert exact[appraisals[0].move] == max(exact.values())
        assert appraisals[0].value == pytest.approx(float(max(exact.values())), abs=1e-6)
        assert appraisals[0].error == 0
        for appraisal in appraisals:
            assert appraisal.value == pytest.approx(float(exact[appraisal.move]), abs=1e-6)


def test_last_two_turns_of_a_round_are_exact_but_for_what_comes_after() -> None:
    """In an earlier round the tree ends at the same cards; only the rounds to come are valued."""
    table = headway.Table("london", seed=5)
    driver = make_bot("driver", table.game, 1)
    while len(seen(table).cards_left) > 1:
        table.play(0, driver.choose(table.view(0), table.state.legal(0)))
    appraisals = explain(table.game, table.view(0), table.state.legal(0), Budget(simulations=400))
    assert appraisals[0].value == max(appraisal.value for appraisal in appraisals)
    assert sum(appraisal.simulations for appraisal in appraisals) >= 400


def test_same_seed_same_choice() -> None:
    table = headway.Table("tokyo", seed=11, powers=True)
    view, legal = table.view(0), table.state.legal(0)
    choices = [make_bot("expert@60", table.game, 5).choose(view, legal) for _ in range(2)]
    assert choices[0] == choices[1]
    assert explain(table.game, view, legal, Budget(simulations=60)) == explain(
        table.game, view, legal, Budget(simulations=60)
    )


def test_hidden_moves_change_nothing() -> None:
    tables = [headway.Table("london", seats=2, seed=4) for _ in range(2)]
    for table, choice in zip(tables, (0, -1), strict=True):
        table.play(1, table.state.legal(1)[choice])
    views = [table.view(0) for table in tables]
    legal = tables[0].state.legal(0)
    for name in ("tourist", "commuter", "driver", "expert@40"):
        one, other = (make_bot(name, tables[0].game, 3).choose(view, legal) for view in views)
        assert one == other, name


@pytest.mark.parametrize(
    ("city", "seats", "options"),
    [
        ("london", 1, {}),
        ("london", 2, {"powers": True}),
        ("london", 3, {"objectives": True, "special_stations": True}),
        ("tokyo", 2, {"objectives": True, "powers": True}),
        ("tokyo", 4, {"special_stations": True}),
    ],
)
def test_whole_games(city: str, seats: int, options: dict[str, bool]) -> None:
    table = headway.Table(box("next-station").open(city, seats, options), seed=2)
    names = ["expert@4", "driver", "commuter", "tourist"]
    headway.play_out(table, [make_bot(names[seat], table.game, seat) for seat in range(seats)])
    assert table.finished()


def test_levels_are_in_order() -> None:
    levels = ("random", "tourist", "commuter", "driver")
    sums = [sum(played(name, "london", seed) for seed in range(30)) for name in levels]
    assert sums == sorted(sums)


def test_tree_is_of_use_again() -> None:
    table = headway.Table("london", seed=8)
    bot = make_bot("expert@200", table.game, 1)
    assert isinstance(bot, Expert)
    table.play(0, bot.choose(table.view(0), table.state.legal(0)))
    assert isinstance(bot.analyst, TreeAnalyst)
    used = bot.analyst.tree.used
    after_one = int(used[0])
    assert after_one > 100
    bot.appraise(table.view(0), table.state.legal(0), Budget(simulations=1))
    assert after_one <= used[0] <= after_one + 2


def test_a_tree_is_emptied_before_any_part_of_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """With powers there are many moves for each sheet: they run out of room first."""
    monkeypatch.setattr(analysis, "TREE_NODES", 2000)
    table = headway.Table("london", seed=4, powers=True)
    bot = make_bot("expert@100", table.game, 1)
    assert isinstance(bot, Expert)
    while table.actors():
        table.play(0, bot.choose(table.view(0), table.state.legal(0)))
        assert isinstance(bot.analyst, TreeAnalyst)
        kept = bot.analyst.tree
        parts = zip(kept.used, (kept.nodes, kept.outcomes, kept.edges), strict=True)
        assert max(n / len(part) for n, part in parts) < 0.6


def test_city_without_a_network(tmp_path: Path) -> None:
    """A city of one's own is played by games to their end."""
    shipped = Path(headway.__file__).parent / "games/nextstation/city/london.toml"
    own = tmp_path / "own.toml"
    own.write_text(shipped.read_text().replace("river = 2", "river = 3"))
    table = headway.Table(str(own), seed=1)
    game = table.game
    assert isinstance(game, NextStation)
    assert not Evaluator(game).trained
    legal = table.state.legal(0)
    appraisals = explain(game, table.view(0), legal, Budget(simulations=400))
    assert sorted(appraisal.move for appraisal in appraisals) == legal
    assert all(appraisal.error > 0 for appraisal in appraisals)
    expert, rough = (sum(played(b, game, s) for s in range(3)) for b in ("expert@64", "random"))
    assert expert > rough + 60


def test_worth_of_a_total_is_the_win() -> None:
    rivals = np.array([100.0, 110.0, 120.0, 130.0])
    curve = curve_against(rivals, 12.0, 115.0, 3)
    assert curve.wins(np.array([99.0, 110.0, 125.0, 131.0])).tolist() == [0, 0.375, 0.75, 1]
    for row in curve.worth:
        assert (np.diff(row) > 0).all()


def test_last_round_among_several_is_about_winning() -> None:
    table = headway.Table("london", seats=2, seed=6)
    driver = make_bot("driver", table.game, 1)
    while seen(table).round < 4 or any(c in UNDERGROUNDS for c in seen(table).cards_left):
        # The other one only passes: whoever draws, wins.
        table.play(0, driver.choose(table.view(0), table.state.legal(0)))
        table.play(1, table.state.legal(1)[0])
    for seat, win in ((0, 1.0), (1, 0.0)):
        appraisals = explain(table.game, table.view(seat), table.state.legal(seat))
        assert appraisals[0].measure == "win"
        assert appraisals[0].value == pytest.approx(win, abs=0.01)
    games = solo_games(driver.game, table.view(0), random.Random(1))  # type: ignore[arg-type]
    assert sorted(games) == [0, 1]


def test_hindsight_finds_more_than_players() -> None:
    game = box("next-station").open("tokyo")
    assert isinstance(game, NextStation)
    for number in range(3):
        dealt = numbered_deal(game, number)
        narrow, wide = best_known(game, dealt, 1), best_known(game, dealt, 50)
        assert wide > narrow
        assert narrow == driven(game, dealt)


@pytest.mark.parametrize("city", ["london", "tokyo"])
def test_without_luck_every_deal_holds_what_could_be_expected(city: str) -> None:
    """So it is where the search sees the whole rest of the game: whatever cards come then."""
    table = late(city, 1, 2)
    world = table.game.resample(table.view(0), random.Random(0))
    world.apply(0, world.legal(0)[0])
    assert isinstance(world, NextStationState)
    assert isinstance(table.game, NextStation)
    shared, sheet = np.zeros(1, SHARED), np.zeros(1, SHEET)
    shared[0], sheet[0] = world.shared, world.sheets[0]
    shown = int(world.shared["shown"])
    gone = [card for card in range(DECK) if shown >> card & 1]
    left = [card for card in range(DECK) if not shown >> card & 1]
    for order in permutations(left):
        dealt = KnownDeal(shared, sheet, np.tile(np.array([*gone, *order]), (ROUNDS, 1)))
        assert best_fair(table.game, dealt, 50, 3000) == pytest.approx(float(expectation(world)))


@pytest.mark.parametrize(("city", "options"), [("london", {"powers": True}), ("tokyo", {})])
def test_luck_is_nought_over_all_cards(city: str, options: dict[str, bool]) -> None:
    """Weighed by their exact probabilities, the cards of a turn bring nothing."""
    table = headway.Table(box("next-station").open(city, 1, options), seed=8)
    driver, teller = make_bot("driver", table.game, 1), luck_teller(table.game)
    assert teller
    for _ in range(5):
        table.play(0, driver.choose(table.view(0), table.state.legal(0)))
    world = table.game.resample(table.view(0), random.Random(0))
    world.apply(0, world.legal(0)[0])
    chances = list(turns(world))
    lucks = [teller.luck(turn.view(0)) for turn, _ in chances]
    weighed = sum(luck * float(chance) for luck, (_, chance) in zip(lucks, chances, strict=True))
    assert max(lucks) > 0.5 > -0.5 > min(lucks)
    assert weighed == pytest.approx(0, abs=1e-9)


def test_without_luck_a_deal_holds_less_than_with_it() -> None:
    game = box("next-station").open("london")
    assert isinstance(game, NextStation)
    deals = [numbered_deal(game, number) for number in range(8)]
    fair = [best_fair(game, dealt, 20, 0) for dealt in deals]
    known = [best_known(game, dealt, 20) for dealt in deals]
    played = [best_fair(game, dealt, 1, 0) for dealt in deals]
    assert sum(played) < sum(fair) < sum(known)
    assert np.std(fair) < np.std(known)


def driven(game: NextStation, dealt: KnownDeal) -> int:
    """The driver's total on the same cards."""
    state = game.start()
    assert isinstance(state, NextStationState)
    state.shared["pencils"] = dealt.shared[0]["pencils"]
    state.shared["phase"] = REVEAL
    driver, drawn = make_bot("driver", game, 1), 0
    while not state.finished():
        drawn = 0 if state.shared["turn"] == 0 else drawn
        while CHANCE in state.actors():
            state.apply(CHANCE, int(dealt.decks[int(state.shared["round"]), drawn]))
            drawn += 1
        state.apply(0, driver.choose(state.view(0), state.legal(0)))
    return state.scores()[0].total
