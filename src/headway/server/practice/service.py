"""Practice: puzzles that come with Headway, and new ones from games on this server.

New puzzles are looked for in the games that somebody has reviewed, after all moves and reviews. The
database knows which reviews are still to be searched, so none is lost with its process.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from functools import partial

import msgspec
from msgspec.structs import asdict

from headway.games import boxes
from headway.games.logbook import LogLine
from headway.reviews import puzzles
from headway.reviews.puzzles import MOST_PER_SEAT, Puzzle, candidates
from headway.reviews.report import Measure, MoveLoss, Review
from headway.server.core import metrics
from headway.server.core.calendar import Calendar
from headway.server.core.database import DatabaseAwayError
from headway.server.core.errors import conflict, not_found
from headway.server.core.workers import Account, Owners, PagePool
from headway.server.practice import tasks as puzzle_tasks
from headway.server.practice.store import PuzzleStore, StoredPuzzle
from headway.server.practice.tasks import JudgedMove, PuzzlePosition
from headway.server.reviews.service import ClaimedWork, Reviewing
from headway.server.tables.standings import Skill
from headway.server.tables.view import GameView, titles

SEARCH_SECONDS = 10.0
"""How often a process looks for games to search that another one left."""
POLL_SECONDS = 2.0
"""How often the search for puzzles checks whether reviews are finished."""
SHOWN_SECONDS = 86_400.0
"""How long a solution that was shown in a network counts as known there."""
MOST_NETWORKS = 20_000
"""Networks that are remembered at once."""


class PracticeRating(msgspec.Struct, frozen=True):
    """The rating of a solver or of a puzzle: points around 1500, and how far off they may be."""

    points: int
    error: int
    games: int


class PracticePuzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A position in which a seat looks for its best move, as the seat sees it.

    `mine` is my rating and `rating` that of the puzzle; `left` is the number of puzzles that I have
    not answered, this one included.
    """

    id: str
    game: str
    map: str
    title: dict[str, str]
    options: dict[str, bool]
    seats: int
    seat: int
    measure: Measure
    view: GameView
    legal: list[str]
    log: list[LogLine]
    rating: PracticeRating
    mine: PracticeRating
    left: int


class PracticeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer was worth: the best moves with what they lose, in thousandths of `measure`.

    The first of `moves` is the best one; those that are missing are worse. `played` is what was
    played in the game, `after` what the seat sees after the best move. `counted` says whether the
    ratings moved: with my first answer, if nobody else at my address had seen the solution.
    """

    solved: bool
    measure: Measure
    moves: list[MoveLoss]
    played: str
    after: GameView
    counted: bool
    change: int
    mine: PracticeRating
    rating: PracticeRating


class ShownSolutions:
    """Which solutions were shown in which network lately; only memory knows, and for a day."""

    def __init__(self) -> None:
        self._shown: dict[str, dict[str, tuple[str, float]]] = {}

    def show(self, network: str, guest: str, puzzle_id: str) -> None:
        """Notes that a guest has seen a solution; the first one to see it counts."""
        if network not in self._shown and len(self._shown) >= MOST_NETWORKS:
            del self._shown[next(iter(self._shown))]  # the one that came first
        now = time.monotonic()
        self._shown.setdefault(network, {}).setdefault(puzzle_id, (guest, now))

    def known(self, network: str, guest: str) -> set[str]:
        """Returns the puzzles whose solutions others in a network have seen."""
        shown, since = self._shown.get(network, {}), time.monotonic() - SHOWN_SECONDS
        for puzzle_id in [p for p, (_, at) in shown.items() if at < since]:
            del shown[puzzle_id]
        return {puzzle_id for puzzle_id, (other, _) in shown.items() if other != guest}


class Practice:
    """The puzzles of a server process."""

    def __init__(
        self, reviewing: Reviewing, pages: PagePool, calendar: Calendar, budget: int
    ) -> None:
        self.store = PuzzleStore(reviewing.store.database)
        self.calendar = calendar
        self._reviewing, self._pages = reviewing, pages
        self._budget = puzzles.TIMES_BUDGET * budget or None
        self._solutions = ShownSolutions()
        store = reviewing.store
        self._searching = ClaimedWork(
            store, reviewing.finished, self._next_search, self._search, store.end_search
        )

    async def run(self) -> None:
        """Adds the puzzles that come with Headway, then looks for new ones.

        Another process searches the games that were waiting at the end.
        """
        await self._ship()
        await self._searching.run(SEARCH_SECONDS)

    # Solving

    async def next(self, guest: str, game: str | None, owners: Owners) -> PracticePuzzle:
        """Returns a puzzle as a solver sees it; refuses if all are answered.

        Nothing of its solution is in there.
        """
        today, known = self.calendar.today(), self._solutions.known(owners[0], guest)
        stored = await self.store.next(guest, game, today, known)
        if stored is None:
            raise not_found("server.no_puzzle")
        work = partial(puzzle_tasks.position, stored.content)
        content = await self._pages.json(work, owners)
        position = msgspec.json.decode(content, type=PuzzlePosition)
        ratings = await self.store.ratings(guest, stored.id)
        return PracticePuzzle(
            id=stored.id,
            game=stored.game,
            map=stored.map,
            title=titles(stored.game, stored.map, position.seats),
            rating=_rating(ratings.puzzle),
            mine=_rating(ratings.solver),
            left=await self.store.left(guest, game, today),
            **asdict(position),
        )

    async def rating(self, guest: str) -> PracticeRating:
        """Returns the rating of a solver."""
        return _rating(await self.store.rating(guest))

    async def find(self, puzzle_id: str) -> StoredPuzzle:
        """Returns a puzzle by its id."""
        stored = await self.store.find(puzzle_id, self.calendar.today())
        if stored is None:
            raise not_found()
        return stored

    async def answer(self, puzzle_id: str, guest: str, move: str, owners: Owners) -> PracticeAnswer:
        """Judges an answer; the first one of a solver moves the ratings.

        It does not if somebody else in the same network has just been shown the solution.
        """
        stored, network = await self.find(puzzle_id), owners[0]
        work = partial(puzzle_tasks.outcome, stored.content, move)
        content = await self._pages.json(work, owners)
        outcome = msgspec.json.decode(content, type=JudgedMove)
        if not outcome.possible:
            raise conflict("server.puzzle_move")
        puzzle = msgspec.json.decode(stored.content, type=Puzzle)
        solved = move == puzzle.moves[0].move
        fresh = stored.id not in self._solutions.known(network, guest)
        rated = await self.store.answer(guest, stored.id, solved, rated=fresh)
        self._solutions.show(network, guest, stored.id)
        before, after = rated.before.solver, rated.after.solver
        return PracticeAnswer(
            solved=solved,
            measure=puzzle.measure,
            moves=list(puzzle.moves),
            played=puzzle.played,
            after=outcome.after,
            counted=rated.counted,
            change=after.points() - before.points(),
            mine=_rating(after),
            rating=_rating(rated.after.puzzle),
        )

    # Finding

    async def _ship(self) -> None:
        while True:
            try:
                await self.store.ship(await asyncio.to_thread(_shipped))
                return
            except DatabaseAwayError:
                await asyncio.sleep(POLL_SECONDS)

    async def _next_search(self) -> str | None:
        idle = self.calendar.idle_now()
        return await self._reviewing.store.claim_search() if idle else None

    async def _search(self, table_id: str) -> None:
        """Searches a claimed review, each position after all reviews that are to be made."""
        store = self._reviewing.store
        stored = await store.read(table_id)
        if stored is None:  # deleted with its table
            return
        review = msgspec.json.decode(stored.content, type=Review)
        puzzles_of_seat = dict.fromkeys(range(len(review.seats)), 0)
        clear: list[StoredPuzzle] = []
        for seat, index in candidates(review):
            if puzzles_of_seat[seat] >= MOST_PER_SEAT:
                continue
            work = self._find_puzzle(table_id, stored.record, review.game, (seat, index))
            if content := await self._searching.while_claimed(work):
                puzzles_of_seat[seat] += 1
                clear.append(stored_puzzle(content))
        await self.store.add(clear, table_id)
        await store.end_search(table_id)
        metrics.SEARCHED_GAMES.inc()

    async def _find_puzzle(
        self, table_id: str, text: bytes, game: str, place: tuple[int, int]
    ) -> bytes:
        while self._reviewing.making.key:
            await asyncio.sleep(POLL_SECONDS)
        account = Account(("practice",), slow=True, background=True)
        work = partial(puzzle_tasks.puzzle_at, text, *place, self._budget)
        return await self._reviewing.work(table_id, game, work, account)


def _rating(skill: Skill) -> PracticeRating:
    return PracticeRating(skill.points(), skill.error(), skill.games)


def stored_puzzle(content: bytes) -> StoredPuzzle:
    """Returns a puzzle as it is stored, from its JSON."""
    head = msgspec.json.decode(content, type=Puzzle).record
    return StoredPuzzle(
        hashlib.sha256(content).hexdigest()[:16], head["game"], head["map"], content
    )


def _shipped() -> list[StoredPuzzle]:
    maps = {game_box.name: game_box.maps for game_box in boxes()}
    fitting = [p for p in puzzles.shipped() if p.record["map"] in maps.get(p.record["game"], ())]
    return [stored_puzzle(msgspec.json.encode(puzzle)) for puzzle in fitting]
