"""Ticket to Ride as people and bots play it: table, commands, terminal, planner."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from games.tickettoride import record_files
from games.tickettoride.playing import LONDON, TINY, give_route, legal, opened, turn
from support.preloaded import run

import headway
from headway.bots.tickettoride.levels import PlannedTurn, PlannerBot
from headway.games.tickettoride.board.board_file import load_board
from headway.games.tickettoride.notation import shorthand

# Commands


def test_replay_prints_the_report_of_the_specification() -> None:
    names = ("2-seats-deal-1", "4-seats-planner")
    result = run("replay", *(record_files.FOLDER / f"{name}.json" for name in names), "--json")
    assert result.returncode == 0, result.stderr
    for name, line in zip(names, result.stdout.splitlines(), strict=True):
        report = json.loads(line)
        assert list(report) == ["legal", "scores", "winners"]
        assert list(report["scores"][0]) == ["routes", "tickets", "districts", "total", "completed"]
        assert report == record_files.expected(name)


def test_a_wrong_record_ends_with_a_sentence(tmp_path: Path) -> None:
    plain = json.loads((record_files.FOLDER / "2-seats-deal-1.json").read_text("utf-8"))
    plain["moves"][2] = "pass"
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(plain))
    result = run("replay", wrong)
    assert result.returncode == 2
    assert "move 3, seat" in result.stderr
    assert "TR-15" in result.stderr
    assert "Traceback" not in result.stderr
    assert "coup 3" in run("replay", wrong, lang="fr").stderr


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_draw_and_verify(tmp_path: Path, ending: str) -> None:
    game = record_files.FOLDER / "3-seats-planner.json"
    picture = tmp_path / f"end.{ending}"
    assert run("draw", game, "-o", picture, "--seat", 2).returncode == 0
    assert picture.stat().st_size > 10_000
    assert run("verify", game).returncode == 0


def test_board_check_and_show(tmp_path: Path) -> None:
    assert run("board", "check", TINY).returncode == 0
    wrong = tmp_path / "wrong.toml"
    text = Path(TINY).read_text("utf-8")
    wrong.write_text(text.replace("take = 2", "take = 0").replace("bus = 2", "bus = 0"))
    result = run("board", "check", wrong)
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 2
    assert f"{wrong}:10:" in result.stderr
    assert "17" in run("board", "show", LONDON).stdout


def test_a_whole_game_in_the_terminal(tmp_path: Path) -> None:
    """Somebody types what a hurried player would, and then whatever is possible first."""
    saved = tmp_path / "game.json"
    typed = "keep 1\nblue\nhp-bp\n?\nmoves\nscore\n" + "take pile\n" * 12 + "quit\n"
    arguments = ("play", "tickettoride", "--bots", "planner", "--seed", 3)
    result = run(*arguments, "--save", saved, stdin=typed)
    assert result.returncode == 0, result.stderr
    assert "Ticket to Ride: London" in result.stdout
    assert "Face up" in result.stdout
    record = headway.load(saved)
    assert record.game == "ticket-to-ride"
    assert record.moves[0] == "keep 1"
    assert "Les Aventuriers du Rail" in run(*arguments, stdin="quit\n", lang="fr").stdout


def test_one_player_alone_gets_an_opponent() -> None:
    result = run("play", "tickettoride", "--seed", 1, stdin="quit\n")
    assert result.returncode == 0, result.stderr
    assert "commuter" in result.stdout


def test_five_players_are_told_why_not() -> None:
    result = run("play", "tickettoride", "--people", 5)
    assert result.returncode == 2
    assert "TR-01" in result.stderr


# Shorthand


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("blue", ["take blue"]),
        ("PILE", ["take pile"]),
        ("1 2", ["keep 1 2"]),
        ("bb-wa", ["claim big_ben-waterloo bus 1", "claim big_ben-waterloo blue 0"]),
        ("wa-bb blue", ["claim big_ben-waterloo blue 0"]),
        ("claim waterloo-big_ben bus", ["claim big_ben-waterloo bus 1"]),
        ("cg-ts#1 bus 1", ["claim covent_garden-trafalgar_square#1 bus 1"]),
        ("hp-bp#2", ["claim hyde_park-buckingham_palace#2 bus 1"]),
        ("ch-bl", ["claim charterhouse-brick_lane green 0"]),
        ("2 1", []),
        ("hp-xx", []),
        ("nonsense", []),
        ("", []),
    ],
)
def test_what_a_hurried_player_means(text: str, moves: list[str]) -> None:
    state = turn(hands=[{"blue": 1, "bus": 1}])
    meanings = shorthand(state.game, text, state.legal(0))
    assert [state.game.move_text(move) for move in meanings] == moves


# Bots


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_planner_beats_chance_and_greed(seats: int) -> None:
    won = 0
    for seed in range(6):
        table = headway.Table("tickettoride", seats=seats, seed=seed)
        others = ["greedy", "random", "greedy"][: seats - 1]
        bots = [headway.make_bot(bot, table.game, seed) for bot in ("planner", *others)]
        headway.play_out(table, bots)
        outcome = table.outcome()
        assert outcome
        won += 0 in outcome.winners
    assert won >= 5


def test_the_planner_plays_other_boards() -> None:
    for seed in range(20):
        table = headway.Table(opened(3, TINY), seed=seed)
        headway.play_out(table, [headway.make_bot("planner", table.game, s) for s in range(3)])
        assert table.outcome()


def test_the_planner_says_which_game_it_plays() -> None:
    game = headway.Table("london", seed=1).game
    with pytest.raises(headway.InputError, match="planner"):
        headway.make_bot("planner", game, 1)


def test_bots_see_views_only() -> None:
    """The same view and the same legal moves bring the same choice, whatever is hidden."""
    table = headway.Table("tickettoride", seats=2, seed=5)
    generator = random.Random(1)
    for _ in range(30):
        seat = table.actors()[0]
        view, moves = table.view(seat), table.state.legal(seat)
        world = table.game.resample(view, generator)
        for name in ("planner", "greedy", "random"):
            one = headway.make_bot(name, table.game, 7).choose(view, moves)
            other = headway.make_bot(name, table.game, 7).choose(world.view(seat), moves)
            assert one == other
        table.play(seat, generator.choice(moves))


def planner_move(state: headway.State) -> str:
    bot = PlannerBot(state.game, random.Random(0))
    (seat,) = state.actors()
    return state.game.move_text(bot.choose(state.view(seat), state.legal(seat)))


def test_the_planner_takes_the_routes_of_its_tickets() -> None:
    state = turn(hands=[{"green": 1, "pink": 3}], tickets=["hyde_park-covent_garden"])
    assert planner_move(state) == "claim hyde_park-piccadilly_circus#1 pink 0"
    give_route(state, 0, "hyde_park-piccadilly_circus#1")
    assert planner_move(state) == "claim covent_garden-piccadilly_circus#1 green 0"


def test_the_planner_collects_what_its_ways_need() -> None:
    state = turn(tickets=["baker_street-trafalgar_square"])
    give_route(state, 0, "baker_street-piccadilly_circus")
    assert planner_move(state) == "take blue"


def test_the_planner_asks_for_tickets_when_all_are_joined_and_not_at_the_end() -> None:
    state = turn(tickets=["hyde_park-covent_garden"], hands=[{"blue": 1}])
    give_route(state, 0, "hyde_park-piccadilly_circus#1")
    give_route(state, 0, "covent_garden-piccadilly_circus#1")
    assert planner_move(state) == "tickets"
    state.players[1]["buses"] = 3
    assert planner_move(state).startswith("claim")
    assert "tickets" in legal(state)


def test_the_planner_goes_round_what_is_taken_and_gives_up_what_is_cut_off() -> None:
    board = load_board(LONDON)
    state = turn(tickets=["hyde_park-covent_garden"])
    ticket = board.tickets[board.ticket_named["hyde_park-covent_garden"]]
    assert PlannedTurn(board, state.view(0)).way(ticket, ()) is not None
    give_route(state, 1, "hyde_park-piccadilly_circus#1")
    way = PlannedTurn(board, state.view(0)).way(ticket, ())
    assert way
    assert way[0] > 3, "with two players the other half is closed"
    for name in ("hyde_park-buckingham_palace#1", "baker_street-hyde_park"):
        give_route(state, 1, name)
    assert PlannedTurn(board, state.view(0)).way(ticket, ()) is None
    assert PlannedTurn(board, state.view(0)).goal == []
