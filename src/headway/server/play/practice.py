"""Practice: puzzles that come with Headway, and new ones from games on this server.

New puzzles are looked for in the games that somebody has reviewed, after all moves and reviews.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from functools import partial
from typing import NamedTuple

import msgspec

from headway.games import box, boxes
from headway.games.contract import LogLine
from headway.reviews import puzzles
from headway.reviews.puzzles import MOST_PER_SEAT, Puzzle, candidates
from headway.reviews.report import Measure, MoveLoss, Review
from headway.server.calendar import Calendar
from headway.server.database.engine import DatabaseAwayError
from headway.server.database.puzzles import PuzzleStore, StoredPuzzle
from headway.server.database.reviews import SENT
from headway.server.errors import conflict, not_found
from headway.server.play import puzzle_tasks
from headway.server.play.bot_tasks import REVIEW, compile_bot
from headway.server.play.puzzle_tasks import Outcome, Position
from headway.server.play.reviewing import Reviewing
from headway.server.table.ratings import Skill
from headway.server.table.view import GameView, titles
from headway.server.workers import Account, WorkerLostError

log = logging.getLogger("headway.practice")
LIMIT_SECONDS = 300.0
"""How long a worker may look at one position."""
LOOK_SECONDS = 2.0
"""How often the search for puzzles checks whether reviews are finished."""
MOST_GAMES_WAITING = 50
"""Games that wait to be searched for puzzles; further ones are left out."""


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
    played in the game, `after` what the seat sees after the best move. `counted` says whether this
    was my first answer; then the ratings moved.
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


class _Game(NamedTuple):
    """A reviewed game that is searched for puzzles."""

    table_id: str
    text: bytes
    review: bytes


class Practice:
    """The puzzles of a server process."""

    def __init__(self, reviewing: Reviewing, calendar: Calendar, budget: int) -> None:
        self.store = PuzzleStore(reviewing.store.database)
        self.calendar = calendar
        self._reviewing = reviewing
        self._budget = puzzles.TIMES_BUDGET * budget or None
        self._games: asyncio.Queue[_Game] = asyncio.Queue(MOST_GAMES_WAITING)
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Adds the puzzles that come with Headway, then looks for new ones."""
        self._task = asyncio.create_task(self._run(), name="practice")

    async def close(self) -> None:
        """Stops; games that were waiting are not searched."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # Solving

    async def next(self, guest: str, game: str | None) -> StoredPuzzle:
        """Returns a puzzle for somebody; refuses if all are answered."""
        stored = await self.store.next(guest, game, self.calendar.today())
        if stored is None:
            raise not_found("server.no_puzzle")
        return stored

    async def find(self, puzzle_id: str) -> StoredPuzzle:
        """Returns a puzzle by its id."""
        stored = await self.store.find(puzzle_id, self.calendar.today())
        if stored is None:
            raise not_found()
        return stored

    async def shown(
        self, stored: StoredPuzzle, position: Position, guest: str, game: str | None
    ) -> PracticePuzzle:
        """Returns a puzzle as a solver sees it; nothing of its solution is in there."""
        ratings = await self.store.ratings(guest, stored.id)
        return PracticePuzzle(
            id=stored.id,
            game=stored.game,
            map=stored.map,
            title=titles(stored.game, stored.map, position.seats),
            options=position.options,
            seats=position.seats,
            seat=position.seat,
            measure=position.measure,
            view=position.view,
            legal=position.legal,
            log=position.log,
            rating=_rating(ratings.puzzle),
            mine=_rating(ratings.solver),
            left=await self.store.left(guest, game, self.calendar.today()),
        )

    async def answer(
        self, stored: StoredPuzzle, outcome: Outcome, guest: str, move: str
    ) -> PracticeAnswer:
        """Judges an answer; the first one of a solver moves the ratings."""
        if not outcome.possible:
            raise conflict("server.puzzle_move")
        puzzle = msgspec.json.decode(stored.content, type=Puzzle)
        solved = move == puzzle.moves[0].move
        rated = await self.store.answer(guest, stored.id, solved)
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

    def look_into(self, key: str, text: bytes, review: bytes) -> None:
        """Notes that a game of this server was reviewed, to be searched when nobody waits."""
        if not key.startswith(SENT) and not self._games.full():
            self._games.put_nowait(_Game(key, text, review))

    async def _run(self) -> None:
        while True:
            try:
                await self.store.ship(await asyncio.to_thread(_shipped))
                break
            except DatabaseAwayError:
                await asyncio.sleep(LOOK_SECONDS)
        while True:
            game = await self._games.get()
            try:
                await self._search(game)
            except (DatabaseAwayError, WorkerLostError):
                log.warning("no puzzles made", extra={"table": game.table_id})
            except Exception:
                log.exception("no puzzles made")

    async def _search(self, game: _Game) -> None:
        review = msgspec.json.decode(game.review, type=Review)
        stored: list[StoredPuzzle] = []
        per_seat = dict.fromkeys(range(len(review.seats)), 0)
        for seat, index in candidates(review):
            if per_seat[seat] >= MOST_PER_SEAT:
                continue
            while self._reviewing.busy:
                await asyncio.sleep(LOOK_SECONDS)
            content = await self._look(game, review.game, seat, index)
            if content:
                per_seat[seat] += 1
                stored.append(stored_puzzle(content))
        await self.store.add(stored, game.table_id)

    async def _look(self, game: _Game, name: str, seat: int, index: int) -> bytes:
        account = Account(("practice",), slow=True, background=True)
        work = partial(puzzle_tasks.puzzle_at, game.text, seat, index, self._budget)
        load = partial(compile_bot, name, REVIEW)
        workers = self._reviewing.bot_runner.workers
        return await workers.run(work, LIMIT_SECONDS, load, key=game.table_id, account=account)


def _rating(skill: Skill) -> PracticeRating:
    return PracticeRating(skill.points(), skill.error(), skill.games)


def stored_puzzle(content: bytes) -> StoredPuzzle:
    """Returns a puzzle as it is stored, from its JSON."""
    head = msgspec.json.decode(content, type=Puzzle).record
    return StoredPuzzle(
        hashlib.sha256(content).hexdigest()[:16], head["game"], head["map"], content
    )


def _shipped() -> list[StoredPuzzle]:
    games = {game_box.name for game_box in boxes()}
    known = [puzzle for puzzle in puzzles.shipped() if puzzle.record["game"] in games]
    fitting = [p for p in known if p.record["map"] in box(p.record["game"]).maps]
    return [stored_puzzle(msgspec.json.encode(puzzle)) for puzzle in fitting]
