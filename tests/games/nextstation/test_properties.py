"""Properties that hold in every position, found by playing random games with all modules."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import msgspec
from games.nextstation.strategies import SEEDS, games, moves, positions
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from reference import referee

from headway import dealer
from headway.errors import HeadwayError
from headway.games.contract import CHANCE, Move, Seat
from headway.games.nextstation.game import NextStation
from headway.games.nextstation.moves import Parts, pack, parts
from headway.games.nextstation.state import NextStationState
from headway.games.nextstation.view import NextStationView

PROFILE = settings(
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    phases=[Phase.generate],  # whole games shrink slowly and stay long
)
ROUNDS = 4
ANYBODY = random.Random(0)


# The sheet from scratch


class Paper:
    """A sheet as a list of what was drawn on it; everything else is worked out anew."""

    def __init__(self, game: NextStation) -> None:
        self.city = game.city
        self.points = [(station.x, station.y) for station in game.city.stations]
        self.other = referee.city(game.map)
        self.tracks: list[list[frozenset[int]]] = [[] for _ in range(ROUNDS)]
        self.circled: list[set[int]] = [set() for _ in range(ROUNDS)]

    def draw(self, r: int, move: Move) -> None:
        drawn = parts(move)
        self.tracks[r] += [frozenset(pair) for pair in (drawn.section, drawn.second) if pair]
        if drawn.circle is not None:
            self.circled[r].add(drawn.circle)

    def stations(self, r: int) -> set[int]:
        return {station for track in self.tracks[r] for station in track}

    def ends(self, r: int) -> set[int]:
        """NS-14."""
        meeting = Counter(station for track in self.tracks[r] for station in track)
        return {station for station, number in meeting.items() if number == 1}

    def drawn(self) -> Counter[frozenset[int]]:
        """The number of tracks between two stations, the loop's included."""
        printed = (frozenset((s.a, s.b)) for s in self.city.sections if s.loop)
        return Counter([*printed, *(track for line in self.tracks for track in line)])

    def crossed(self) -> set[frozenset[int]]:
        """What cannot be drawn because it crosses something (NS-17), by the referee's geometry."""
        at = {point: i for i, point in enumerate(self.points)}
        crossings = set()
        for track in {track for line in self.tracks for track in line}:
            points = frozenset(self.points[i] for i in track)
            for across in self.other.crossings.get(points, ()):
                crossings.add(frozenset(at[point] for point in across))
        return crossings

    def line(self, r: int, colour: str) -> referee.Line:
        """A line as the referee keeps it."""
        tracks = [frozenset(self.points[i] for i in track) for track in self.tracks[r]]
        circled = {self.points[i] for i in self.circled[r]}
        return referee.Line(self.other.departure[colour], tracks, circled)


def stations_in(mask: Any) -> set[int]:
    return {i for i in range(64) if int(mask) >> i & 1}


def sections_in(game: NextStation, words: Any) -> set[frozenset[int]]:
    whole = sum(word << 64 * i for i, word in enumerate(words.tolist()))
    sections = (s for i, s in enumerate(game.city.sections) if whole >> i & 1)
    return {frozenset((s.a, s.b)) for s in sections}


def score_from_scratch(state: NextStationState, papers: list[Paper], seat: Seat) -> Any:
    """The referee's score of what is on the papers."""
    view = state.view(CHANCE)
    pencils = [list(row) for row in view.pencils]
    position = referee.Position(
        city=referee.city(view.map),
        options=view.options,
        pencils=pencils,
        cards=[],
        powers={},
        special=[],
        objectives=list(view.objectives),
        sheets=[
            {colour: paper.line(r, colour) for r, colour in enumerate(row)}
            for paper, row in zip(papers, pencils, strict=True)
        ],
        spent=[False] * view.seats,
    )
    return referee.score(position, seat)


class RandomGames(RuleBasedStateMachine):
    """Plays games turn by turn; after every turn all that the engine keeps is recomputed."""

    state: NextStationState
    papers: list[Paper]

    @initialize(game=games(), seed=SEEDS)
    def sit_down(self, game: NextStation, seed: int) -> None:
        self.game, self.seed = game, seed
        self.state = game.start()
        self.papers = [Paper(game) for _ in range(game.seats)]
        self.deal()

    @precondition(lambda self: self.state.finished())
    @rule(game=games(), seed=SEEDS)
    def play_again(self, game: NextStation, seed: int) -> None:
        assert self.state.outcome()
        assert not any(self.state.legal(seat) for seat in range(self.game.seats))
        self.sit_down(game, seed)

    def deal(self) -> None:
        while CHANCE in self.state.actors():
            self.state.apply(CHANCE, dealer.deal(self.seed, self.state))

    @precondition(lambda self: not self.state.finished())
    @rule(luck=st.integers(0, 1 << 32))
    def turn(self, luck: int) -> None:
        """All seats move, in any order; `luck` chooses for them."""
        generator, r = random.Random(luck), int(self.state.shared["round"])
        for seat in generator.sample(range(self.game.seats), self.game.seats):
            legal = self.state.legal(seat)
            assert legal == sorted(set(legal))
            move, instead = generator.choice(legal), generator.choice(legal)
            self.others_see_nothing(seat, move, instead)
            self.state.apply(seat, move)
            self.papers[seat].draw(r, move)
        self.restored_from_views()
        self.deal()

    def others_see_nothing(self, seat: Seat, move: Move, instead: Move) -> None:
        """Two states that differ only in a move of the running turn look the same (NS-07)."""
        if len(self.state.actors()) == 1:
            return
        one, two = self.state.copy(), self.state.copy()
        one.apply(seat, move)
        two.apply(seat, instead)
        for other in {CHANCE, *range(self.game.seats)} - {seat}:
            assert one.view(other) == two.view(other)

    @precondition(lambda self: not self.state.finished())
    @rule(data=st.data())
    def try_anything(self, data: st.DataObject) -> None:
        seat = data.draw(st.integers(0, self.game.seats - 1))
        legal = set(self.state.legal(seat))
        for move in data.draw(st.lists(moves(self.game), min_size=1, max_size=20)):
            assert allowed(self.state, seat, move) == (move in legal)

    @invariant()
    def sheets_are_as_drawn(self) -> None:
        now = int(self.state.shared["round"])
        for paper, sheet in zip(self.papers, self.state.sheets, strict=True):
            for r in range(ROUNDS):
                assert stations_in(sheet["lines"][r]) == paper.stations(r)
                assert stations_in(sheet["circled"][r]) == paper.circled[r]
                assert sections_in(self.game, sheet["tracks"][r]) == set(paper.tracks[r])
            assert stations_in(sheet["ends"]) == (paper.ends(now) if now < ROUNDS else set())
            drawn = paper.drawn()
            assert max(drawn.values(), default=0) <= 2  # NT-04
            assert sections_in(self.game, sheet["single"]) == {
                p for p, n in drawn.items() if n == 1
            }
            assert sections_in(self.game, sheet["closed"]) == set(drawn) | paper.crossed()

    @invariant()
    def scores_are_the_referee_s(self) -> None:
        for seat, score in enumerate(self.state.scores()):
            known = score_from_scratch(self.state, self.papers, seat)
            assert self.game.records.score_json(self.game, score) == known

    @invariant()
    def restored_from_views(self) -> None:
        """A view tells all that its seat may know: the position comes back from it, bit by bit."""
        for seat in (CHANCE, *range(self.game.seats)):
            view = self.state.view(seat)
            assert self.game.resample(view, ANYBODY).dump() == self.state.dump()
            sent = msgspec.json.encode(view)
            assert msgspec.json.decode(sent, type=NextStationView) == view

    @invariant()
    def copies_are_equal(self) -> None:
        assert self.game.load(self.state.dump()) == self.state == self.state.copy()


def allowed(state: NextStationState, seat: Seat, move: Move) -> bool:
    """Whether `check` lets a move pass; it never fails in another way than with its errors."""
    try:
        state.check(seat, move)
    except HeadwayError as error:
        return not error.sentence("en")
    return True


RandomGames.TestCase.settings = settings(PROFILE, max_examples=30, stateful_step_count=70)
TestRandomGames = RandomGames.TestCase


@settings(PROFILE, max_examples=30)
@given(state=positions())
def test_check_agrees_with_legal_on_every_pair_of_stations(state: NextStationState) -> None:
    numbers = range(len(state.game.city.stations))
    for seat in sorted(state.actors())[:1]:
        legal = set(state.legal(seat))
        for a, b, double in product(numbers, numbers, (False, True)):
            move = pack(Parts(0, double, (a, b), None, None))
            assert (state.why_not(seat, move) is None) == (move in legal)


@PROFILE
@given(state=positions())
def test_after_an_own_move_a_view_brings_back_the_own_position(state: NextStationState) -> None:
    seat = max(state.actors())
    state.apply(seat, state.legal(seat)[-1])
    view = state.view(seat)
    assert state.game.resample(view, ANYBODY).dump() == state.dump()


@PROFILE
@given(state=positions())
def test_a_view_tells_where_and_with_what_a_line_goes_on(state: NextStationState) -> None:
    """Every legal move starts where the view says, and uses nothing but what it says."""
    for seat in state.actors():
        view = state.view(seat)
        sheet = view.sheets[seat]
        moves = [state.game.move_text(move) for move in state.legal(seat)]
        bare = {text.removeprefix("=")[:2] for text in moves if text[0] not in "p!~"}
        if not view.switch_works:
            assert bare <= set(sheet.ends)
        for text in moves:
            way, section = text.split()[:2] if text[0] in "!~" else ("", text.split()[0])
            if section != "pass":
                assert section.removeprefix("=")[:2] in sheet.starts[way]
            if section[0] == "=":
                assert way in view.double_tracks
        extras = [text for text in moves if set(text) & set("!~+*")]
        assert not extras or sheet.extra
        assert all(
            sheet.extra == f"power {text[1:].split()[0]}" for text in extras if text[0] == "!"
        )


@PROFILE
@given(state=positions())
def test_legal_moves_are_printed_and_parsed(state: NextStationState) -> None:
    for seat in state.actors():
        for move in state.legal(seat):
            assert state.game.parse_move(state.game.move_text(move)) == move


@PROFILE
@given(state=positions())
def test_what_a_move_would_score_is_what_it_scores(state: NextStationState) -> None:
    for seat in sorted(state.actors()):
        legal, total = state.legal(seat), state.scores()[seat].total
        move = legal[-1]
        promised = state.score_after(seat, move)
        values = [state.score_after(seat, each) - total for each in legal]
        assert state.gains(seat, legal) == values
        after = state.copy()
        for other in sorted(after.actors()):
            after.apply(other, move if other == seat else 0)
        assert after.scores()[seat].total == promised


@PROFILE
@given(game=games(), data=st.data())
def test_every_readable_move_is_printed_and_parsed(game: NextStation, data: st.DataObject) -> None:
    move = data.draw(moves(game))
    assert game.parse_move(game.move_text(move)) == move
