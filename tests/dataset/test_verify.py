"""`headway data verify` accepts what the rules play, and names every difference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet
import pytest
from dataset.data_sets import MONTH, london, routes, rows_of, write
from games.tickettoride.playing import TINY
from typer.testing import CliRunner

import headway
from headway.arena.job import open_job
from headway.cli.app import app
from headway.dataset import folder
from headway.dataset.columns import GameRow, columns
from headway.dataset.folder import verify

LONDON = folder.Partition("next-station", MONTH)


def run(*words: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["data", *map(str, words)])
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set with both games, one of them on a map of its own file."""
    data = tmp_path_factory.mktemp("both")
    for job, rows in (london(), routes()):
        write(data, job, rows)
    tiny = open_job(TINY, ["random", "random", "random"], seats=3)
    write(data, tiny, rows_of(tiny, 2), "2026-10")
    return data


def test_every_game_of_a_data_set_replays(both: Path) -> None:
    assert verify(both) == (12, [])
    assert [str(part.folder) for part in folder.partitions(both)] == [
        "game=next-station/year=2026/month=11",
        "game=ticket-to-ride/year=2026/month=10",
        "game=ticket-to-ride/year=2026/month=11",
    ]


def test_lines_are_records_with_all_columns_of_the_parquet_file(both: Path) -> None:
    table = pyarrow.parquet.read_table(both / LONDON.parquet).to_pylist()
    code, printed, _ = run("lines", both / LONDON.parquet)
    assert code == 0
    for text, row in zip(printed.splitlines(), table, strict=True):
        played, line = headway.replay(headway.read(text)), msgspec.json.decode(text)
        assert list(played.outcome.totals) == row["totals"] == line["totals"]
        assert row["movers"] == [seat for seat, _ in played.events if seat >= 0]
        assert row["map_file"].startswith("#")
        assert {player["version"] for player in row["players"]} == {headway.__version__}
        assert [name for name, on in line["options"].items() if on] == row["modules"]
        assert line["names"] == [player["name"] for player in row["players"]]
        for name in columns().keys() - {"modules", "map_file", "dealt", "moves"}:
            assert line[name] == row[name]
        for name in ("dealt", "moves"):
            assert line[name] == msgspec.json.decode(row[name])


def test_lines_need_the_folders_that_say_the_game(both: Path, tmp_path: Path) -> None:
    alone = tmp_path / "games.parquet"
    alone.write_bytes((both / LONDON.parquet).read_bytes())
    with pytest.raises(headway.InputError, match="its game is not known"):
        CliRunner().invoke(app, ["data", "lines", str(alone)], catch_exceptions=False)


def other_total(row: GameRow) -> dict[str, Any]:
    return {"totals": [row.totals[0] + 1, *row.totals[1:]]}


def other_winner(row: GameRow) -> dict[str, Any]:
    return {"winners": [1 - row.winners[0]]}


def other_seed(row: GameRow) -> dict[str, Any]:
    return {"seed": "1"}


def other_deal(row: GameRow) -> dict[str, Any]:
    """A last card that no rule forbids, but that the seed does not deal."""
    cards = [list(turn) for turn in row.dealt["cards"]]
    unseen = [card for r in cards for card in r if card not in cards[-1]]
    cards[-1][-1] = unseen[0]
    return {"dealt": row.dealt | {"cards": cards}}


def other_powers(row: GameRow) -> dict[str, Any]:
    powers = dict(zip(row.dealt["powers"], reversed(row.dealt["powers"].values()), strict=True))
    return {"dealt": row.dealt | {"powers": powers}}


def other_move(row: GameRow) -> dict[str, Any]:
    return {"moves": [[["a0b0", *row.moves[0][0][1:]], *row.moves[0][1:]], *row.moves[1:]]}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (other_total, "The totals are"),
        (other_winner, "The winners are"),
        (other_seed, ""),
        (other_deal, "The seed deals something else: cards."),
        (other_powers, "The seed deals something else: powers."),
        (other_move, "round 1, turn 1, seat 0: NS-"),
    ],
)
def test_a_difference_is_named_with_its_game(
    tmp_path: Path, change: Callable[[GameRow], dict[str, Any]], sentence: str
) -> None:
    job, rows = london(3)
    rows[1] = msgspec.structs.replace(rows[1], **change(rows[1]))
    write(tmp_path, job, rows)
    code, _, error = run("verify", tmp_path, "--cores", 1)
    *_, first, last = error.splitlines()
    assert code == 2
    assert first.startswith(f"{LONDON.parquet}: game {rows[1].id}: ")
    assert sentence in first
    assert last == "1 difference in 3 games."


def test_a_deal_of_ticket_to_ride_is_compared_with_its_seed(tmp_path: Path) -> None:
    job, rows = routes(3)
    pile = rows[2].dealt["transport"]
    other = next(i for i, card in enumerate(pile) if card != pile[0])
    pile[0], pile[other] = pile[other], pile[0]
    write(tmp_path, job, rows)
    _, bad = verify(tmp_path)
    assert [(game.game, game.sentence) for game in bad] == [
        (rows[2].id, "FORMAT: The seed deals something else: transport.")
    ]


def broken(data: Path) -> None:
    path = data / LONDON.parquet
    path.write_bytes(path.read_bytes()[:-40])


def torn_page(data: Path) -> None:
    """Breaks a column that no replay needs, in a file whose hash is right."""
    path = data / LONDON.parquet
    group = pyarrow.parquet.ParquetFile(path).metadata.row_group(0)
    columns = [group.column(i) for i in range(group.num_columns)]
    page = next(c for c in columns if c.path_in_schema == "players.list.element.name")
    content = bytearray(path.read_bytes())
    content[page.data_page_offset : page.data_page_offset + 60] = b"x" * 60
    path.write_bytes(content)
    folder.finish(data, "bots")


def no_text(data: Path) -> None:
    """Puts bytes that are no UTF-8 into a column of texts, in a file whose hash is right."""
    path = data / LONDON.parquet
    table = pyarrow.parquet.read_table(path)
    ids = pyarrow.array([b"\xff"] * len(table)).view(pyarrow.string())
    pyarrow.parquet.write_table(table.set_column(0, table.schema.field("id"), ids), path)
    folder.finish(data, "bots")


def foreign(data: Path) -> None:
    table = pyarrow.parquet.read_table(data / LONDON.parquet)
    pyarrow.parquet.write_table(table.drop_columns(["moves"]), data / LONDON.parquet)


def no_map(data: Path) -> None:
    next((data / "maps").rglob("*.toml")).unlink()


def unlisted_map(data: Path) -> None:
    no_map(data)
    folder.finish(data, "bots")


def other_map(data: Path) -> None:
    path = next((data / "maps").rglob("*.toml"))
    path.write_text(path.read_text("utf-8") + "\n# changed\n", "utf-8")
    folder.finish(data, "bots")


def changed(data: Path) -> None:
    (data / "README.md").write_text("changed", "utf-8")


def no_sums(data: Path) -> None:
    (data / folder.SUMS).unlink()


def empty(data: Path) -> None:
    (data / LONDON.parquet).unlink()


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (broken, "games.parquet: this file cannot be read"),
        (torn_page, "games.parquet: this file cannot be read"),
        (no_text, "games.parquet: this file cannot be read"),
        (foreign, "games.parquet: this is not a file of the format headway-data/2."),
        (no_map, "london.toml: this map is missing."),
        (unlisted_map, "london.toml: this map is missing."),
        (other_map, "this is not the map that the games were played on."),
        (changed, "README.md: this file has another hash than in SHA256SUMS."),
        (no_sums, "the file SHA256SUMS is missing."),
        (empty, "there are no games of a data set here."),
    ],
)
def test_broken_files_give_one_sentence(
    tmp_path: Path, damage: Callable[[Path], None], sentence: str
) -> None:
    job, rows = london(2)
    write(tmp_path, job, rows)
    damage(tmp_path)
    result = CliRunner().invoke(app, ["data", "verify", str(tmp_path), "--cores", "1"])
    error = result.exception
    assert isinstance(error, headway.HeadwayError), (
        result.output
    )  # `main` prints it and exits with 2
    assert sentence in error.explain()
    assert "\n" not in error.explain()
