"""Makes a data set of games between bots; after an interruption it continues where it stopped."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec

from headway import __version__
from headway.arena.job import Job, match_of, on_cluster, on_cores, play_match, prepared
from headway.dataset.columns import GameRow, Player, arrow, row_of
from headway.dataset.folder import SUMS, Partition, finish, write_games
from headway.errors import InputError
from headway.files import read_text, write_whole
from headway.games.contract import CHANCE

GAMES_PER_PIECE = 20
"""Games that a process plays before it returns them; an interruption loses no more."""
PIECES = ".pieces"


class Plan(msgspec.Struct, frozen=True):
    """Everything that determines a data set of bots; kept in its folder."""

    job: Job
    games: int
    month: str
    version: str = __version__

    def pieces(self) -> int:
        """Returns the number of pieces in which the games are played."""
        return -(-self.games // GAMES_PER_PIECE)


def make(
    plan: Plan,
    data: Path,
    *,
    cores: int = 1,
    cluster: bool = False,
    on_games: Callable[[int], None] = lambda games: None,
) -> int:
    """Plays the games of a plan and writes the data set; returns the number of games.

    `on_games` is called with the number of games so far. A folder with another plan is refused.
    """
    arrow()
    plan = _begun(plan, data)
    if not (data / SUMS).exists():
        _play(plan, data, cores, cluster, on_games)
        map_files = {plan.job.map_hash: plan.job.open().box.map_text(plan.job.map)}
        write_games(data, Partition(plan.job.game, plan.month), _rows(plan, data), map_files)
    games = finish(data, "bots")
    shutil.rmtree(data / PIECES, ignore_errors=True)
    return games


def _play(
    plan: Plan, data: Path, cores: int, cluster: bool, on_games: Callable[[int], None]
) -> None:
    """Plays the pieces that are missing; each is in the folder before the next one is awaited."""
    (data / PIECES).mkdir(exist_ok=True)
    missing = [number for number in range(plan.pieces()) if not _piece(data, number).exists()]
    before = plan.pieces() - len(missing)
    on_games(_games_before(plan, before))
    work = partial(play_piece, plan.games)
    played = (
        on_cluster(plan.job, missing, work) if cluster else on_cores(plan.job, missing, cores, work)
    )
    with closing(played):
        for pieces, (number, lines) in enumerate(played if missing else (), before + 1):
            write_whole(_piece(data, number), lines)
            on_games(_games_before(plan, pieces))


def _begun(plan: Plan, data: Path) -> Plan:
    """Returns the plan of a folder, which is this one or, begun earlier, has another month."""
    file = data / "plan.json"
    try:
        if file.exists():
            kept = msgspec.json.decode(file.read_bytes(), type=Plan)
            if msgspec.structs.replace(kept, month=plan.month) != plan:
                raise InputError("data.other_plan", folder=data)
            return kept
        if data.exists() and any(data.iterdir()):
            raise InputError("data.not_empty", folder=data)
        data.mkdir(parents=True, exist_ok=True)
    except msgspec.DecodeError:
        raise InputError("data.other_plan", folder=data) from None
    except OSError as error:
        raise InputError("format.not_writable", file=data, reason=error.strerror) from None
    write_whole(file, msgspec.json.encode(plan) + b"\n")
    return plan


def _piece(data: Path, number: int) -> Path:
    return data / PIECES / f"{number:06}.jsonl"


def _games_before(plan: Plan, pieces: int) -> int:
    return min(pieces * GAMES_PER_PIECE, plan.games)


def _rows(plan: Plan, data: Path) -> Iterator[GameRow]:
    decoder = msgspec.json.Decoder(GameRow)
    for number in range(plan.pieces()):
        for line in read_text(_piece(data, number)).encode().splitlines():
            yield decoder.decode(line)


def play_piece(games: int, sent: bytes, number: int) -> tuple[int, bytes]:
    """Plays a piece of an encoded job of `games` games; returns its number and its lines."""
    first = number * GAMES_PER_PIECE
    numbers = range(first, min(first + GAMES_PER_PIECE, games))
    return number, b"".join(msgspec.json.encode(_row(sent, one)) + b"\n" for one in numbers)


def _row(sent: bytes, number: int) -> GameRow:
    """Plays a game of a job."""
    job, _, _ = prepared(sent)
    table, _, _ = play_match(sent, number)
    bots = [job.bots[contestant] for contestant in match_of(job, number).seats]
    players = [Player.of_bot(bot, __version__) for bot in bots]
    movers = [seat for seat, _ in table.events if seat != CHANCE]
    return row_of(table, movers=movers, players=players, id=f"{number:08}", rules=job.rules)
