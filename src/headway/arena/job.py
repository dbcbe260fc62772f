"""A job: game, bots, options and seed of an arena; and how one of its games is played.

Every game of a job has a number, which determines its line-up, deal and seating. So games can be
played in any order, on any machine, and repeated: on all cores, or on a cluster.

A results file is JSON lines: the job first, then a line per finished game.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import cache, lru_cache, partial
from itertools import combinations, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

import msgspec

from headway import dealer, process_pool
from headway.bots import Bot, Searcher, luck_teller, make_bot
from headway.bots.registry import ask_at, bot_failure, in_file
from headway.errors import InputError
from headway.games import box, find
from headway.games.contract import Game, Move, Seat
from headway.record import RULES
from headway.table import Table, play_to_end

FORMAT = "headway-arena/1"


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that determines the games of a job; the same job gives the same games."""

    format: str = FORMAT
    game: str
    map: str
    map_hash: str
    rules: int
    seats: int
    options: tuple[str, ...] = ()
    bots: tuple[str, ...]
    files: dict[str, str] = {}
    """The SHA-256 of each bot file; a changed file makes another job."""
    seed: int = 0
    luck: bool = False
    """Whether luck is measured."""

    @property
    def contestants(self) -> tuple[str, ...]:
        """The bots by name; duplicates get a number."""
        before = [self.bots[:i].count(name) for i, name in enumerate(self.bots)]
        named = zip(self.bots, before, strict=True)
        return tuple(f"{name} ({n + 1})" if n else name for name, n in named)

    @property
    def solo(self) -> bool:
        """Whether every contestant plays alone, each deal once."""
        return self.seats == 1

    def open(self) -> Game:
        """Returns the game that is played."""
        return box(self.game).open(self.map, self.seats, dict.fromkeys(self.options, True))

    def numbers(self, games: int) -> range:
        """Returns the numbers of at least `games` games per line-up, in all seatings."""
        deals = -(-games // self.seats)
        return range(deals * self.seats * len(line_ups(len(self.bots), self.seats)))


class Match(NamedTuple):
    """One game of a job: its deal, and the contestant of each seat."""

    deal: int
    seats: tuple[int, ...]


@cache
def line_ups(bots: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Returns all ways to choose the contestants of one game."""
    return tuple(combinations(range(bots), seats))


def match_of(job: Job, number: int) -> Match:
    """Returns the game with a number: line-ups change fastest, then the seats, then the deal."""
    choices = line_ups(len(job.bots), job.seats)
    rest, which = divmod(number, len(choices))
    deal, turn = divmod(rest, job.seats)
    chosen = choices[which]
    return Match(deal, chosen[turn:] + chosen[:turn])


def deal_seed(job: Job, deal: int) -> int:
    """Returns the seed of a deal, the same for all contestants."""
    return dealer.below(job.seed, f"arena deal {deal}", 1 << 53)


def bot_seed(job: Job, deal: int, contestant: int) -> int:
    """Returns the seed of a contestant, which does not depend on its opponents."""
    return dealer.below(job.seed, f"arena bot {deal} {job.contestants[contestant]}", 1 << 63)


def open_job(
    map_name: str,
    bots: Iterable[str],
    *,
    seats: int = 0,
    options: Iterable[str] = (),
    seed: int = 0,
    luck: bool = False,
) -> Job:
    """Returns a job that can be played; raises `InputError` otherwise."""
    game_box, name = find(map_name)
    chosen = tuple(bots)
    seats = seats or game_box.seats.start
    if len(chosen) < seats:
        raise InputError("arena.few_bots", bots=len(chosen), seats=seats)
    game = game_box.open(name, seats, dict.fromkeys(options, True))
    for bot in chosen:
        make_bot(bot, game, 0, files=True)
    if luck and not luck_teller(game):
        raise InputError("arena.no_luck", map=map_name)
    options_on = tuple(sorted(option for option, on in game.options.items() if on))
    paths = sorted({bot.rpartition(":")[0] for bot in chosen if in_file(bot)})
    return Job(
        game=game_box.name,
        map=name,
        map_hash=game.map_hash,
        rules=RULES,
        seats=seats,
        options=options_on,
        bots=chosen,
        files={path: hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in paths},
        seed=seed,
        luck=luck,
    )


# Playing


class Result(msgspec.Struct, frozen=True):
    """The result of one game by seat; a line of the results file.

    `cpu` is the processor time of all moves in seconds, `longest` that of the longest move. Only
    these two depend on the machine.
    """

    game: int
    deal: int
    bots: tuple[str, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    moves: tuple[int, ...]
    cpu: tuple[float, ...]
    longest: tuple[float, ...]
    luck: tuple[float, ...] = ()
    """The points that the cards brought compared with average cards, if the job measures luck."""


def warm_up(sent: bytes) -> None:
    """Compiles and loads what a job needs."""
    prepared(sent)


@lru_cache(maxsize=1)
def prepared(job: bytes, guest: Bot | None = None) -> tuple[Job, Game, Searcher | None]:
    """Returns the job, its game and its luck teller; compiles the bots, once per process."""
    opened = msgspec.json.decode(job, type=Job)
    game = opened.open()
    for bot_spec in opened.bots[1 if guest else 0 :]:
        bot = type(make_bot(bot_spec, game, 0, files=True))
        try:
            bot.warm_up()
        except Exception as error:
            raise bot_failure(bot_spec, bot, error) from error
    return opened, game, luck_teller(game) if opened.luck else None


def play_match(
    sent: bytes, number: int, guest: Bot | None = None
) -> tuple[Table, list[list[float]], list[float]]:
    """Plays the game with this number of an encoded job.

    Returns its table at the end and, by seat, the time of each move and the luck.
    """
    job, game, teller = prepared(sent, guest)
    match = match_of(job, number)
    table = Table(game, seed=deal_seed(job, match.deal))
    bot_specs = [job.bots[contestant] for contestant in match.seats]
    bots = [
        guest
        if guest and contestant == 0
        else make_bot(job.bots[contestant], game, bot_seed(job, match.deal, contestant), files=True)
        for contestant in match.seats
    ]
    spans: list[list[float]] = [[] for _ in bots]
    luck = [0.0 for _ in bots] if teller else []

    def choose(seat: Seat) -> Move:
        if teller:
            luck[seat] += teller.luck(table.view(seat))
        move, seconds = ask_at(table, seat, bots[seat], bot_specs[seat])
        spans[seat].append(seconds)
        return move

    play_to_end(table, choose)
    return table, spans, luck


def play(sent: bytes, number: int, guest: Bot | None = None) -> Result:
    """Returns the result of the game with this number of an encoded job."""
    table, spans, luck = play_match(sent, number, guest)
    job = prepared(sent, guest)[0]
    match = match_of(job, number)
    outcome = table.outcome()
    assert outcome
    return Result(
        game=number,
        deal=match.deal,
        bots=tuple(job.contestants[contestant] for contestant in match.seats),
        totals=outcome.totals,
        winners=outcome.winners,
        moves=tuple(map(len, spans)),
        cpu=tuple(round(sum(span), 6) for span in spans),
        longest=tuple(round(max(span, default=0.0), 6) for span in spans),
        luck=tuple(round(points, 3) for points in luck),
    )


RAY_STARTS = 3
"""How often Ray may start before the job fails: it gives up after 30 seconds on a busy machine."""

T = TypeVar("T")
Work = Callable[[bytes, int], T]
"""What is done with an encoded job and a number; functions of a module, for other processes."""


# The results file


def load(path: Path) -> tuple[Job, list[Result]]:
    """Returns a job and its finished games by number; ignores an incomplete last line."""
    lines = _whole(path).splitlines()
    if not lines:
        raise InputError("arena.no_job", file=path)
    try:
        job = msgspec.json.decode(lines[0], type=Job)
        results = {}
        for line in lines[1:]:
            result = msgspec.json.decode(line, type=Result)
            results[result.game] = result
    except msgspec.DecodeError as error:
        raise InputError("arena.no_job", file=path) from error
    if job.format != FORMAT:
        raise InputError("arena.no_job", file=path)
    return job, [results[number] for number in sorted(results)]


def _whole(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError("format.no_file", file=path, reason=error.strerror) from error
    return content[: content.rfind(b"\n") + 1]


class Results:
    """The finished games of a job, each written to the file at once.

    Refuses the file of another job, and drops an incomplete last line.
    """

    def __init__(self, job: Job, path: Path | None) -> None:
        self.finished: list[Result] = []
        self._file: BinaryIO | None = None
        if path is None:
            return
        begun = path.exists() and bool(_whole(path))
        if begun:
            stored, self.finished = load(path)
            if stored != job:
                raise InputError("arena.other_job", file=path, differs=_difference(stored, job))
        self._file = _appending(path)
        if not begun:
            self._write(job)

    def add(self, result: Result) -> None:
        """Adds a game; it is in the file when this returns."""
        self.finished.append(result)
        self._write(result)

    def close(self) -> None:
        """Closes the file."""
        if self._file:
            self._file.close()

    def _write(self, line: Job | Result) -> None:
        if self._file:
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()


def _appending(path: Path) -> BinaryIO:
    try:
        path.touch()
        file = path.open("r+b")
    except OSError as error:
        raise InputError("format.not_writable", file=path, reason=error.strerror) from error
    file.truncate(len(_whole(path)))
    file.seek(0, 2)
    return file


def _difference(stored: Job, job: Job) -> str:
    names = [n for n in Job.__struct_fields__ if getattr(stored, n) != getattr(job, n)]
    return ", ".join(f"{name} {getattr(stored, name)}" for name in names)


# Playing

OnResult = Callable[[Results], None]


def run(
    job: Job,
    games: int,
    *,
    cores: int = 1,
    file: Path | None = None,
    cluster: bool = False,
    on_result: OnResult = lambda _: None,
) -> list[Result]:
    """Plays `games` games of each line-up, except those in the file; returns all finished ones.

    `on_result` is called after each game. After an interruption the file has every finished game.
    """
    with closing(Results(job, file)) as results:
        finished = {result.game for result in results.finished}
        numbers = job.numbers(games)
        missing = [number for number in numbers if number not in finished]
        on_result(results)
        played = on_cluster(job, missing, play) if cluster else on_cores(job, missing, cores, play)
        with closing(played):
            for result in played if missing else ():
                results.add(result)
                on_result(results)
    chosen = (result for result in results.finished if result.game in numbers)
    return sorted(chosen, key=lambda result: result.game)


def on_cores(
    job: Job, numbers: Iterable[int], cores: int, work: Work[T]
) -> Generator[T, None, None]:
    """Yields what the work makes of each number of a job, in the order in which they end.

    The work runs in processes of this machine.
    """
    sent = msgspec.json.encode(job)
    # The first process compiles; the others find the compiled code on disk.
    return process_pool.each_done(partial(work, sent), numbers, cores, partial(warm_up, sent))


def on_cluster(job: Job, numbers: Iterable[int], work: Work[T]) -> Generator[T, None, None]:
    """Does the same on a Ray cluster: that of RAY_ADDRESS, else one on this machine."""
    try:
        import ray
    except ImportError:
        raise InputError("arena.no_ray") from None
    started = not ray.is_initialized()
    if started:
        _start(ray)
    try:
        sent, left = msgspec.json.encode(job), iter(numbers)
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        far_work: Any = ray.remote(lambda sent, number: work(sent, number))
        places = int(resources.get("CPU", 1)) * process_pool.WAITING_PER_WORKER
        waiting = [far_work.remote(sent, number) for number in islice(left, places)]
        while waiting:
            done, waiting = ray.wait(waiting)
            waiting += [far_work.remote(sent, number) for number in islice(left, len(done))]
            for reference in done:
                try:
                    yield ray.get(reference)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause from None
    finally:
        if started:
            ray.shutdown()


def _start(ray: Any) -> None:
    """Starts or joins a cluster; raises `InputError` with Ray's reason if it cannot."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Headway sends no usage data
    for left in reversed(range(RAY_STARTS)):
        try:
            ray.init(logging_level=logging.ERROR, log_to_driver=False)
            return
        except Exception as error:  # Ray has no class of its own for a start that took too long
            ray.shutdown()
            if not left:
                raise InputError("arena.ray_failed", reason=str(error).split(". ")[0]) from error
