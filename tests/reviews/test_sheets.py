"""Reviews of Next Station: analyses, special stations, reasons, custom cities, the same bytes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bots.nextstation.worlds import turns
from msgspec import UNSET

import headway
from headway.bots.nextstation.analysis import Analyst, analyst_of, special_pairs_before
from headway.bots.nextstation.evaluator import Evaluator, solo_game_of
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.state import NextStationState
from headway.reviews.job import ReviewJob
from headway.reviews.nextstation import sheets
from headway.reviews.nextstation.sheets import parts_of, reasons
from headway.reviews.presentation import lines, picture

LONDON = Path(headway.__file__).parent / "games/nextstation/city/london.toml"


def own_city(folder: Path) -> str:
    """A city without a network: its scoring is not London's."""
    path = folder / "mine.toml"
    text = LONDON.read_text().replace('name = "london"', 'name = "mine"')
    path.write_text(text.replace("river = 2", "river = 3"))
    return str(path)


def played(city: str, *modules: str, bot: str = "random", seed: int = 1) -> headway.Table:
    table = headway.Table(NextStation(city, 1, dict.fromkeys(modules, True)), seed=seed)
    headway.play_out(table, [headway.make_bot(bot, table.game, seed)])
    return table


def middle(city: str, turns: int, *modules: str) -> NextStationState:
    """A position of a solo game after some turns, with a card to play."""
    table = headway.Table(NextStation(city, 1, dict.fromkeys(modules, True)), seed=4)
    bot = headway.make_bot("greedy", table.game, 1)
    for _ in range(turns):
        table.play(0, bot.choose(table.view(0), table.state.legal(0)))
    assert isinstance(table.state, NextStationState)
    return table.state


def new_analyst(state: NextStationState, simulations: int) -> Analyst:
    assert isinstance(state.game, NextStation)
    return analyst_of(Evaluator(state.game), simulations)


@pytest.mark.rule("RV-01")
@pytest.mark.parametrize("own", [False, True], ids=["network", "rollouts"])
def test_the_expectation_is_the_mean_over_all_cards(own: bool, tmp_path: Path) -> None:
    state = middle(own_city(tmp_path) if own else "london", 3)
    analyst = new_analyst(state, 40)
    state.apply(0, state.legal(0)[-1])
    every = [(turn, float(chance)) for turn, chance in turns(state)]
    assert sum(chance for _, chance in every) == pytest.approx(1)
    found = []
    for turn, chance in every:
        assert isinstance(turn, NextStationState)
        found.append((analyst.analyse(solo_game_of(turn, 0)), chance))
    expected = {analysis.expected for analysis, _ in found}
    assert len(expected) == 1, "the analysis does not depend on the card that comes"
    mean = sum(analysis.known * chance for analysis, chance in found)
    assert mean == pytest.approx(expected.pop(), abs=1e-9)
    assert sum(analysis.luck * chance for analysis, chance in found) == pytest.approx(0, abs=1e-9)


@pytest.mark.rule("RV-01")
@pytest.mark.parametrize("own", [False, True], ids=["network", "rollouts"])
def test_every_legal_move_has_a_value_in_the_same_analysis(own: bool, tmp_path: Path) -> None:
    state = middle(own_city(tmp_path) if own else "london", 5, "powers")
    state.shared["powers"], state.sheets["spent"] = 4, 0  # the power with most moves
    analyst, solo = new_analyst(state, 30), solo_game_of(state, 0)
    best = analyst.analyse(solo)
    legal = state.legal(0)
    tried = [estimate.move for estimate in best.moves]
    untried = [move for move in legal if move not in tried]
    assert untried, "the search leaves some moves out"
    for move in (*tried[:2], *untried[:3]):
        analysis = analyst.analyse(solo, move)
        assert (analysis.expected, analysis.known) == (best.expected, best.known)
        assert analysis.played.move == move
        assert analysis.played in analysis.moves
        assert analysis.played.value <= analysis.known
    assert analyst.analyse(solo, tried[0]).error == 0


@pytest.mark.rule("RV-04")
def test_special_stations_are_events_with_the_mean_zero() -> None:
    table = played("london", "special_stations")
    seat = headway.review(table.record(), budget=8).seats[0]
    dealt = [turn for turn in seat.turns if turn.turn == 0]
    assert [turn.round for turn in dealt] == [1, 2, 3, 4]
    assert seat.turns[0] is dealt[0]
    for turn in dealt:
        assert turn.dealt is not UNSET
        assert turn.dealt.startswith("special ")
        assert (turn.played, turn.loss) == (UNSET, 0)
    assert dealt[-1].luck == 0, "only one pair is left"
    state = middle("london", 0, "special_stations")
    solo = solo_game_of(state, 0)
    shared = solo.before_card()
    pairs, came = special_pairs_before(shared)
    assert (len(pairs), came in pairs) == (16, True)
    values = new_analyst(state, 8).special(shared, solo.sheet, pairs)
    assert len({round(value, 6) for value in values}) > 4


@pytest.mark.rule("RV-04")
def test_the_switch_and_the_card_behind_it_are_one_event() -> None:
    seat = headway.review(played("london", seed=3).record(), budget=2).seats[0]
    switched = [turn for turn in seat.turns if str(turn.dealt).startswith("street:switch ")]
    assert 0 < len(switched) <= 4
    assert "street:switch" not in [turn.dealt for turn in seat.turns]


@pytest.mark.rule("RV-06")
def test_reasons_add_up_and_agree_with_the_loss() -> None:
    state = middle("london", 12, "objectives")
    assert isinstance(state.game, NextStation)
    analyst, solo = new_analyst(state, 100), solo_game_of(state, 0)
    games, before = analyst.evaluator, solo.before_card()
    scores = games.final_scores(before, solo.sheet, 40, "a")
    parts = parts_of(state.game.city, scores)
    assert (sum(parts.values()) + scores["deduction"] == scores["total"]).all()
    assert (games.final_scores(before, solo.sheet, 40, "a") == scores).all(), "the same cards"
    worse = scores.copy()
    worse["interchanges"] -= 2
    worse["total"] -= 2
    (reason,) = reasons(state.game.city, scores, worse, 2000, 100)
    assert (reason.part, reason.points, reason.error) == ("interchanges", -2000, 0)
    assert reasons(state.game.city, scores, worse, 5000, 100) == (), "never a guess"
    whole = reasons(state.game.city, scores, np.roll(scores, 1), 0, 100_000)
    assert abs(sum(reason.points for reason in whole)) <= len(whole)


@pytest.mark.rule("RV-07")
def test_the_expert_plays_like_an_expert_and_the_tourist_does_not() -> None:
    levels = {}
    for bot in ("expert@150", "tourist"):
        record = played("london", bot=bot, seed=2).record()
        levels[bot] = headway.review(record, budget=150).seats[0].level
    assert levels == {"expert@150": "expert", "tourist": "tourist"}


@pytest.mark.rule("RV-09")
def test_one_seat_of_several_can_be_reviewed_alone() -> None:
    table = headway.Table("tokyo", seats=2, seed=2, objectives=True)
    headway.play_out(table, [headway.make_bot("random", table.game, k) for k in range(2)])
    both, one = (headway.review(table.record(), seat=seat, budget=4) for seat in (None, 1))
    assert one.seats == both.seats[1:]
    chances = [[turn.win for turn in seat.turns if turn.win] for seat in both.seats]
    assert all(0 <= chance <= 100_000 for seat in chances for chance in seat)
    assert isinstance(both.best, type(one.best))
    outcome = table.outcome()
    assert outcome
    assert one.best is not UNSET
    assert one.best.totals[0] == outcome.totals[0], "a seat without a review plays as it did"


def test_the_same_record_gives_the_same_bytes(tmp_path: Path) -> None:
    for city in ("london", own_city(tmp_path)):
        record = played(city).record()
        record.folder = tmp_path
        first, second = (headway.review(record, budget=6) for _ in range(2))
        assert first.json() == second.json()
        assert first.budget == "6"


@pytest.mark.rule("RV-08")
def test_the_search_for_the_best_uses_the_time_that_a_review_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jobs = [ReviewJob(played("london", seed=seed).record(), budget=6) for seed in range(4)]
    found = [job.reviewer.best_line(0).total for job in jobs]
    monkeypatch.setattr(sheets, "BEAM", 1)
    assert sum(found) > sum(job.reviewer.best_line(0).total for job in jobs)


def test_a_review_as_text_and_as_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played("london").record()
    review = headway.review(record, budget=6)
    text = "\n".join(lines(review, ["Ada"]))
    assert "Ada" in text
    assert "expected at the start" in text
    assert "Best found with all cards known, in hindsight" in text
    monkeypatch.setenv("HEADWAY_LANG", "fr")
    assert "score attendu au départ" in "\n".join(lines(review))
    drawing = picture(review, "London")
    assert "score attendu au départ" in drawing
    assert drawing.count("<circle") == len(review.seats[0].turning)


def test_progress_counts_all_tasks() -> None:
    told: list[tuple[int, int]] = []
    record = played("london").record()
    headway.review(record, budget=2, progress=lambda done, tasks: told.append((done, tasks)))
    assert [done for done, _ in told] == list(range(told[0][1]))


def test_a_wrong_record_raises_what_replay_raises() -> None:
    record = played("london").record()
    record.moves[0][0][0] = "a0j9"
    for work in (headway.replay, headway.review):
        with pytest.raises(headway.RuleBroken) as error:
            work(record)
        assert error.value.rule == "NS-13"
    with pytest.raises(headway.NotYourTurn):
        headway.review(played("london").record(), seat=1)
