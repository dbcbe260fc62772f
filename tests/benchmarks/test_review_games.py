"""Games that the benchmark reviews are kept in a file, which is continued."""

from __future__ import annotations

from pathlib import Path

from benchmarks.review_games import Kind, games_of, load
from benchmarks.reviews import all_kinds, luck_kinds, mean_luck


def test_a_file_of_games_is_continued(tmp_path: Path) -> None:
    file, kind = tmp_path / "games.jsonl", Kind("next-station", "london", 1, (), "random", 2)
    first = games_of([kind], range(1), file, cores=1)
    assert load(file) == first
    with file.open("ab") as opened:
        opened.write(b'{"kind":["next-')  # cut off by an interruption
    both = games_of([kind], range(2), file, cores=1)
    assert both[0] == first[0]
    assert [game.seed for game in both] == [0, 1]
    assert load(file) == both
    assert all(game.exact for game in both)
    assert mean_luck(both)[0] == (both[0].luck + both[1].luck) / 2000


def test_all_kinds_of_games_are_measured() -> None:
    kinds = list(all_kinds())
    assert {(kind.game, kind.seats) for kind in kinds} == {
        *(("next-station", seats) for seats in range(1, 5)),
        *(("ticket-to-ride", seats) for seats in range(2, 5)),
    }
    assert {option for kind in kinds for option in kind.options} == {
        "objectives", "powers", "special_stations",
    }  # fmt: skip
    london = [games for kind, games in luck_kinds().items() if kind.map == "london"]
    assert london.count(2000) == 4
