"""What reviews of Ticket to Ride say of games between all pairs of levels, and whether it is true.

    python -m benchmarks.accounts games.jsonl 200 2

reviews every seat of 200 fresh games with two seats and prints the mean accounts by level, then how
often positions were won that the networks value at 10, 20 … 90%. The file keeps the games; the same
command continues it. `python -m benchmarks --accounts` measures fewer games against their targets.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from tempfile import TemporaryDirectory

import msgspec
import numpy as np

from benchmarks import review_training as training
from benchmarks.figure import Figure
from headway import Table, make_bot, play_out
from headway.bots.tickettoride.player import new_valuer
from headway.bots.tickettoride.training import Games
from headway.bots.value_net import Network
from headway.games import box
from headway.games.kernel import compiled
from headway.games.simulation import seeded
from headway.games.tickettoride.game import TicketToRide
from headway.games.tickettoride.rules.arrays import blank_players, blank_shared, board_record
from headway.progress import track
from headway.reviews import review
from headway.reviews.tickettoride.networked import networks_of

LEVELS = {"tourist": "tourist", "commuter": "commuter", "driver": "driver", "expert": "expert@300"}
FIRST_SEED = 50_000
PARTS = ("luck", "loss", "others", "recount")
LARGE = 30_000
"""A recount that says that a review could not follow the game, in thousandths of a percent."""
SELF_PLAY = 3000
"""Games of the networks that calibrate them."""
GAMES, QUICK_GAMES = 40, 10
"""Games with two seats that `--accounts` measures: each pair of levels as often."""


class Account(msgspec.Struct, frozen=True):
    """The sum of one seat; a line of the file."""

    seed: int
    seat: int
    levels: list[str]
    start: int
    luck: int
    loss: int
    others: int
    recount: int
    result: int
    marks: int

    @property
    def level(self) -> str:
        """The level that played this seat."""
        return self.levels[self.seat]


def levels_of(seed: int, seats: int) -> list[str]:
    """Returns who sits where in a game: the pairs of levels by turns, from both sides."""
    pairs = list(combinations_with_replacement(LEVELS, 2))
    pair, turn = pairs[seed % len(pairs)], seed // len(pairs)
    return [pair[(seat + turn) % 2] for seat in range(seats)]


def accounts_of(seed: int, seats: int) -> list[Account]:
    """Plays a game and returns what its review says of every seat."""
    game, levels = box("ticket-to-ride").open("london", seats, {}), levels_of(seed, seats)
    table = Table(game, seed=FIRST_SEED + seed)
    bots = [make_bot(LEVELS[level], game, seed + i) for i, level in enumerate(levels)]
    play_out(table, bots)
    return [
        Account(
            seed,
            one.seat,
            levels,
            one.start,
            one.luck,
            one.loss,
            one.others,
            one.recount,
            one.result,
            sum(bool(turn.mark) for turn in one.turns),
        )
        for one in review(table.record()).seats
    ]


def accounts(file: Path, games: int, seats: int) -> list[Account]:
    """Returns the accounts of some games; those that the file does not have are played."""
    lines = file.read_bytes().splitlines() if file.exists() else []
    kept = [msgspec.json.decode(line, type=Account) for line in lines]
    known = {account.seed for account in kept}
    with file.open("ab") as opened:
        missing = [seed for seed in range(games) if seed not in known]
        for seed in track(missing, f"accounts, {seats} seats", len(missing)):
            new = accounts_of(seed, seats)
            opened.write(b"".join(msgspec.json.encode(one) + b"\n" for one in new))
            opened.flush()
            kept += new
    return [account for account in kept if account.seed < games]


def figures(quick: bool, file: Path | None) -> Iterator[Figure]:
    """Yields the accounts of games with two seats, beside what they aim at."""
    with TemporaryDirectory() as folder:
        kept = file or Path(folder, "accounts.jsonl")
        found = accounts(kept, QUICK_GAMES if quick else GAMES, 2)
    by_level = {level: [one.loss / 1000 for one in found if one.level == level] for level in LEVELS}
    equal = [one for one in found if len(set(one.levels)) == 1]
    sizes = [abs(one.recount) for one in found]
    unit, name = "% of a victory", f"accounts of {len(found)} seats"
    for title, values in (
        ("mean recount", [one.recount / 1000 for one in found]),
        ("mean luck", [one.luck / 1000 for one in found]),
        ("loss less others among equals", [(one.loss - one.others) / 1000 for one in equal]),
    ):
        within = f"within ±{2 * _error(values):.1f}"
        yield Figure(f"{name}: {title}", mean(values), unit, within)
    yield Figure(f"{name}: mean size of a recount", mean(sizes) / 1000, unit, "< 12")
    small = 100 * mean(size < LARGE for size in sizes)
    yield Figure(f"{name}: recounts below 30%", small, "% of seats", "> 95")
    for level, losses in by_level.items():
        target = "< 12" if level == "expert" else ""
        yield Figure(f"{name}: loss of the {level}", mean(losses), unit, target)
    ratio = mean(by_level["tourist"]) / mean(by_level["driver"])
    yield Figure(f"{name}: the tourist's loss by the driver's", ratio, "times", "> 2")


def table(found: Sequence[Account]) -> Iterator[str]:
    """Yields a row for all seats, for each level, and for games among equals."""
    equal = [one for one in found if len(set(one.levels)) == 1]
    rows = {"all": found} | {
        level: [one for one in found if one.level == level] for level in LEVELS
    }
    for name, some in (*rows.items(), ("among equals", equal)):
        cells = [_within([getattr(one, part) / 1000 for one in some]) for part in PARTS]
        sizes = [abs(one.recount) for one in some]
        cells.append(f"{mean(sizes) / 1000:.1f}")
        cells.append(f"{100 * mean(size < LARGE for size in sizes):.0f}")
        cells.append(f"{mean(one.marks for one in some):.1f}")
        yield f"| {name} | {len(some)} | " + " | ".join(cells) + " |"


def _within(values: Sequence[float]) -> str:
    return f"{mean(values):.1f} ± {_error(values):.1f}"


def _error(values: Sequence[float]) -> float:
    return stdev(values) / sqrt(len(values))


# Calibration


def said(nets: tuple[Network, Network], active: np.ndarray) -> float:
    """Returns the mean share of both networks for the features of a position."""
    shares = []
    for net in nets:
        sums = np.maximum(net.first[active].sum(axis=0) + net.first_bias, 0)
        hidden = sums @ net.second + net.second_bias
        out = net.third @ np.maximum(hidden, 0.1 * hidden) + net.third_bias
        shares.append(1 / (1 + np.exp(-float(out[0]))))
    return float(sum(shares)) / 2


def calibration(seats: int, games: int = SELF_PLAY) -> Iterator[str]:
    """Yields how often positions were won that the networks value about alike.

    Each is from a game that one of the networks plays against itself; one position of a seat
    counts, so that games count alike. Boards without networks have nothing to calibrate.
    """
    game = box("ticket-to-ride").open("london", seats, {})
    assert isinstance(game, TicketToRide)
    if not (nets := networks_of(game)):
        return
    board, kernels, dice = board_record(game.board), compiled(training), seeded("calibration")
    valuers = [new_valuer(board, net, seats) for net in nets]
    plan = Games(blank_shared(game.board, seats), blank_players(game.board, seats), 1.0)
    record, chosen = np.zeros(1, training.TRAJECTORY)[0], np.random.default_rng(1)
    found: dict[int, list[tuple[float, float]]] = {}
    for number in range(games):
        valuer = valuers[number % 2]
        kernels.play_after_weak_moves(valuer, plan, record, dice)
        for seat in range(seats):
            if count := int(record["positions"][seat]):
                t = int(chosen.integers(count))
                active = record["active"][seat, t, : int(record["lengths"][seat, t])]
                share, _ = kernels.result_of(
                    board, record["players"][:seats], seat, valuer.game.workspace, record["score"]
                )
                value = said(nets, active)
                found.setdefault(round(10 * value), []).append((value, share))
    for tenth, pairs in sorted(found.items()):
        value, won = (mean(column) for column in zip(*pairs, strict=True))
        yield f"| {10 * tenth} | {len(pairs)} | {100 * value:.1f} | {100 * won:.1f} |"


def main(file: Path, games: int, seats: int) -> None:
    """Prints both tables."""
    for line in (*table(accounts(file, games, seats)), *calibration(seats)):
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
