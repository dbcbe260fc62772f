"""The game in the terminal: real processes, at a pseudo-terminal and through pipes."""

from __future__ import annotations

import fcntl
import itertools
import os
import pty
import random
import re
import select
import struct
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text
from support.preloaded import Process, run

from headway import record
from headway.bots import make_bot
from headway.cli.screen import arrange, fold
from headway.cli.session import play
from headway.errors import InputError
from headway.games import find
from headway.i18n import say
from headway.table import Table

PROGRAM = """
import os, sys, msgspec
from pathlib import Path
from headway.games import find
from headway.cli.session import play

if sys.stdin.isatty():
    import fcntl, termios
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
said = msgspec.json.decode(sys.argv[1])
box, name = find(said.pop("map"))
game = box.open(name, said["people"] + len(said["bots"]), said.pop("options"))
type(game).secret_hands = said.pop("secret")
os.environ["HEADWAY_LANG"] = said.pop("lang")
if said["save"]:
    said["save"] = Path(said["save"])
try:
    table = play(game, **said)
except KeyboardInterrupt:
    sys.exit(130)
print("finished" if table.finished() else "unfinished")
"""
ANSI = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
CLEAR = "\x1b[2J\x1b[H"
PROMPT = re.compile(r"\(\? (?:for help\): |pour l’aide\)\s: )$|(?:map|plan|looking|regarde)\. $")
EXAMPLE = re.compile(r"(?:example|exemple|Only|Seul) ([^()]+?) (?:\(|is|est)")
CITIES = pytest.mark.parametrize("map_name", ["london", "tokyo"])
LANGUAGES = pytest.mark.parametrize("lang", ["en", "fr"])


def wish(map_name: str = "london", **said: object) -> str:
    """The game that the program plays."""
    usual: dict[str, object] = {"people": 1, "bots": [], "seed": 3, "lang": "en", "names": []}
    usual |= {"save": None, "options": {}, "secret": False}
    return msgspec.json.encode(usual | said | {"map": map_name}).decode()


def environment(**more: str) -> dict[str, str]:
    unset = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return kept | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | more


def piped(typed: str | bytes, map_name: str = "london", **said: object) -> str:
    """Everything that a game writes to a file for what it reads from another one."""
    done = run(wish(map_name, **said), stdin=typed, env=environment(), program=PROGRAM)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def good_moves(map_name: str, seats: int, people: int, options: dict[str, bool]) -> list[str]:
    """What people who follow a bot type in a game with seed 3."""
    box, name = find(map_name)
    table = Table(box.open(name, seats, options), seed=3)
    bot = make_bot("greedy", table.game, 1)
    typed = []
    while actors := table.actors():
        for seat in actors:
            move = bot.choose(table.view(seat), table.state.legal(seat))
            typed += [table.game.move_text(move)] if seat < people else []
            table.play(seat, move)
    return typed


class Terminal:
    """A process at a pseudo-terminal of 80 columns and 24 rows."""

    def __init__(
        self,
        wish: str,
        columns: int = 80,
        rows: int = 24,
        env: dict[str, str] | None = None,
    ) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        files = [slave] * 3
        self.process = Process(
            [wish], environment(**(env or {})), *files, program=PROGRAM, session=True
        )
        os.close(slave)
        self.written = ""

    def wait(self) -> str:
        """All that is written up to the next prompt, or to the end."""
        data = b""
        while select.select([self.master], [], [], 200)[0]:
            try:
                part = os.read(self.master, 65536)
            except OSError:  # the other side is closed
                part = b""
            data += part
            text = data.decode(errors="ignore").replace("\r\n", "\n")
            if not part or PROMPT.search(ANSI.sub("", text)):
                self.written += text
                return text
        raise AssertionError(f"nothing comes any more: {data!r}")

    def type(self, text: str) -> str:
        os.write(self.master, text.encode())
        return self.wait()

    def close(self) -> None:
        self.process.kill()
        self.process.wait(60)
        os.close(self.master)


@contextmanager
def seated(map_name: str = "london", **said: object) -> Iterator[tuple[Terminal, str]]:
    """A terminal with a game, and its first screen."""
    terminal = Terminal(wish(map_name, **said))
    try:
        yield terminal, terminal.wait()
    finally:
        terminal.close()


def picture(text: str) -> list[str]:
    """The rows of the last picture, without colours."""
    return ANSI.sub("", text.rpartition(CLEAR)[2]).split("\n")


def fits(text: str) -> None:
    rows = picture(text)
    assert len(rows) <= 24, "\n".join(rows)
    assert max(cell_len(row) for row in rows) <= 80, "\n".join(rows)


def example(text: str) -> str:
    """The move that the prompt proposes."""
    match = EXAMPLE.search(picture(text)[-1])
    assert match, picture(text)[-1]
    return match[1]


# Whole games


@CITIES
@LANGUAGES
def test_alone_through_pipes(map_name: str, lang: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    typed = good_moves(map_name, 1, 1, {})
    output = piped("\n".join(typed) + "\n", map_name, lang=lang, save=str(file))
    saved = record.load(file)
    result = record.verify(saved)
    assert output.endswith("finished\n")
    assert "\x1b" not in output
    assert saved.fair
    assert output.index(saved.fair.commitment) < output.index("a   b   c")
    assert f"{saved.seed}" in output
    assert f"{saved.fair.salt}" in output
    assert str(file) in output
    assert f"{result.outcome.totals[0]} points" in output
    assert say(result.outcome.reason, lang) in output
    note = result.game.note(lang)
    assert bool(note) == (map_name == "tokyo")
    boards = output.count("a   b   c") // 2
    assert boards == len(typed) + 1
    words = " ".join(output.replace("\n", " ").split())
    assert words.count(note[:20]) >= boards
    assert bool(result.game.verdict_note(lang)) == (map_name == "tokyo")
    assert result.game.verdict_note(lang) in words


def test_two_people_and_two_bots_through_pipes(tmp_path: Path) -> None:
    file, options = tmp_path / "game.json", {"powers": True, "objectives": True}
    typed = good_moves("tokyo", 4, 2, options)
    said = {"people": 2, "bots": ["greedy", "greedy"], "names": ["Ada", "[b]Bob"]}
    output = piped("\n".join(typed), "tokyo", save=str(file), options=options, **said)
    saved = record.load(file)
    outcome = record.verify(saved).outcome
    assert saved.names == ["Ada", "[b]Bob", "greedy", "greedy 2"]
    assert all(name in output for name in saved.names)
    winner = saved.names[outcome.winners[0]]
    assert f"{winner} wins with {max(outcome.totals)} points." in output
    assert "Map: " + winner in output


@CITIES
@LANGUAGES
def test_every_screen_of_a_game_fits(map_name: str, lang: str) -> None:
    with seated(map_name, lang=lang, bots=["greedy"], options={"special_stations": True}) as (
        terminal,
        screen,
    ):
        assert "\x1b[?1049h" in screen
        turns = 0
        while CLEAR in screen:
            fits(screen)
            turns += 1
            screen = terminal.type(example(screen) + "\n")
        assert turns >= 20
        assert "\x1b[?1049l" in screen
        assert screen.endswith("finished\n")
        assert terminal.process.wait(60) == 0


def test_two_people_share_a_terminal() -> None:
    with seated(people=2, names=["Ada", "Bob"], options={"powers": True}) as (terminal, screen):
        assert picture(screen)[-1].startswith("Ada. ")
        move = example(screen)
        screen = terminal.type(move + "\n")
        assert picture(screen)[-1].startswith("Bob. ")
        assert "Controller: Ada" in "\n".join(picture(screen))
        assert move not in "\n".join(picture(screen)[:21])
        fits(screen)
        screen = terminal.type(example(screen) + "\n")
        assert picture(screen)[-1].startswith("Ada. ")
        other = "\n".join(picture(terminal.type("board bob\n")))
        assert "Map: Bob" in other
        assert "finished" not in other


def test_hidden_hands_change_places_blank() -> None:
    with seated(people=2, names=["Ada", "Bob"], secret=True) as (terminal, screen):
        assert picture(screen) == ["Ada, it’s your turn. Press Enter when nobody else is looking. "]
        screen = terminal.type("\n")
        assert picture(screen)[-1].startswith("Ada. ")
        scores = "\n".join(picture(terminal.type("score\n")))
        assert "Ada" in scores
        assert "Bob" not in scores
        terminal.type("\n")
        assert "There is no player 2" in "\n".join(picture(terminal.type("board 2\n")))
        screen = terminal.type(example(screen) + "\n")
        assert picture(screen) == ["Bob, it’s your turn. Press Enter when nobody else is looking. "]


# The first screen


def test_a_newcomer_sees_what_to_type() -> None:
    with seated(seed=5) as (terminal, screen):
        rows = picture(screen)
        shown = "\n".join(rows)
        assert "[○]" in shown or "[△]" in shown or "[□]" in shown or "[⬠]" in shown
        assert re.search(r"<[●▲■⬟]>", shown)
        assert "Draw a section from <○>" in shown
        table = Table("london", seed=5)
        assert example(screen) in table.legal(0)[1:]
        after = terminal.type(example(screen) + "\n")
        assert "turn 2" in "\n".join(picture(after))


def test_everything_beside_the_map_is_there() -> None:
    options = {"powers": True, "objectives": True}
    with seated(bots=["greedy"], options=options, seed=3) as (_, screen):
        shown = "\n".join(picture(screen))
    view = Table("london", seats=2, seed=3, powers=True, objectives=True).view(0)
    assert msgspec.to_builtins(view)["card"] == "underground:joker"
    for text in (
        "Next Station: London",
        "Round 1/4, turn 1",
        "joker, Underground",
        "+ switch, no effect",
        "Pencil: pink from h3",
        "Then: green, blue, purple",
        "Street: ○ △ □ ⬠ ? gone: ┬",
        "Underground 1/5: ○ △ □ ⬠ gone: ?",
        "Power: second section (+)",
        "green joker",
        "All 13 districts 0/13",
        "At least 6 Thames crossings 0/6",
        "Score now: Player 0, greedy 0",
        "Controller: Player",
    ):
        assert text in shown


def test_colours_and_no_colours() -> None:
    coloured = re.compile(r"\x1b\[[0-9;]*38;[25];")
    cases: list[tuple[dict[str, str], bool]] = [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ]
    for env, expected in cases:
        terminal = Terminal(wish(), env=env)
        screen = terminal.wait()
        terminal.close()
        assert bool(coloured.search(screen)) == expected
        assert (CLEAR in screen) == ("TERM" not in env)


def test_narrow_and_low_terminals_still_show_the_map() -> None:
    terminal = Terminal(wish("tokyo"), columns=60, rows=30)
    rows = picture(terminal.wait())
    terminal.close()
    assert max(cell_len(row) for row in rows) <= 60
    board = [i for i, row in enumerate(rows) if "a   b   c" in row]
    assert board[1] - board[0] == 20
    assert len(rows) - board[0] <= 24


@pytest.mark.parametrize("columns", [20, 43, 200])
def test_pipes_of_every_width_get_the_whole_map(columns: int) -> None:
    done = run(wish(), env=environment(COLUMNS=str(columns)), program=PROGRAM)
    table = Table("london", seed=3)
    board = table.game.presentation.screen(table.game, table.view(0))
    first = Text.from_markup(board).plain.split("\n")[0]
    assert done.returncode == 0
    assert first in done.stdout


@CITIES
@LANGUAGES
@pytest.mark.parametrize(
    "modules", [(), ("powers", "objectives"), ("special_stations", "objectives")]
)
@pytest.mark.parametrize("seats", [1, 4])
def test_the_column_beside_the_map_is_no_longer_than_it(
    map_name: str, lang: str, modules: tuple[str, ...], seats: int
) -> None:
    console = Console(width=80, height=24)
    names = ["Player 1", "Player 2", "greedy", "greedy 2"][:seats]
    box, name = find(map_name)
    for seed in range(3):
        table = Table(box.open(name, seats, dict.fromkeys(modules, True)), seed=seed)
        generator = random.Random(seed)
        while table.actors():
            view = table.view(0)
            head = [table.game.title(lang), table.game.note(lang)]
            lines = [line for line in head if line] + table.game.presentation.status(
                table.game, view, names=names, lang=lang
            )
            board = Text.from_markup(
                table.game.presentation.screen(table.game, view, lang=lang).rstrip("\n")
            )
            rows = arrange(console, board, [Text.from_markup(line) for line in lines])
            assert len(rows) == 21, "\n".join(row.plain for row in rows)
            for seat in table.actors():
                table.play(seat, generator.choice(table.state.legal(seat)))


@CITIES
@LANGUAGES
@pytest.mark.parametrize("modules", [("powers", "objectives"), ("special_stations", "objectives")])
def test_help_fits_a_screen(map_name: str, lang: str, modules: tuple[str, ...]) -> None:
    box, name = find(map_name)
    game = box.open(name, 1, dict.fromkeys(modules, True))
    first, *lines = game.presentation.notation_help(game, lang)
    assert len(fold(Console(width=80), Text(first), 79)) <= 2
    assert len(lines) <= 17
    assert max(cell_len(line) for line in lines) <= 78


# What people type


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("xyzzy", "“xyzzy” is not part of the notation. Possible: h3"),
        ("a2", "NS-12: No track joins h3 and a2."),
        ("z9", "There is no station z9"),
        ("c5c4", "NS-13: The first section of a line starts at its departure station, not at c5."),
        ("!joker h3g2", "PW-01: You don’t have the power “joker”"),
        ("=h3g2", "NT-03: This card does not allow a second track."),
        ("h3g2 *a9", "PW-01: You don’t have the power “double station”"),
        ("pass pass", "“pass pass” is not a move"),
        ("", "Possible: h3"),
        ("   ", "Possible: h3"),
        ("\t", "Possible: h3"),
        ("\x1b[A", "“�[A” is not part of the notation."),
        ("[bold]", "“[bold]” is not part of the notation."),
        ("{0} %s", "“{0}” is not part of the notation."),
        ("é", "“é” is not part of the notation."),
        ("board 7", "There is no player 7"),
        ("score now", "“score” is not part of the notation."),
        ("h" * 5000, "is not part of the notation."),
    ],
)
def test_wrong_input_gets_a_sentence_and_a_way_out(typed: str, answer: str) -> None:
    output = piped(typed + "\n", bots=["greedy"], options={"powers": True, "objectives": True})
    after = " ".join(output.partition("(? for help): ")[2].split())
    assert answer in after, after
    assert "Possible: " in after
    assert "turn 2" not in output
    assert output.endswith("unfinished\n")


def test_a_target_that_takes_an_effect_is_answered_with_it() -> None:
    output = piped("b0\n", "tokyo", seed=8, bots=["greedy"], options={"special_stations": True})
    assert "NS-15: b0 does not have the symbol of the card. Possible: ~ c1b0, " in output


def test_bytes_that_are_no_text() -> None:
    assert "is not part of the notation" in piped(b"\xff\xfe\x00\nquit\n")


@pytest.mark.parametrize("typed", ["g2", "G2", " H3 G2 ", "h3g2", "h3-g2"])
def test_a_target_is_enough(typed: str) -> None:
    output = piped(typed + "\n", bots=["greedy"], options={"powers": True, "objectives": True})
    assert "turn 2" in output
    assert "This line: 2 × 1" in output


def test_a_target_with_several_ways_asks_which() -> None:
    table = Table("london", seed=3)
    typed = []
    while True:
        legal = table.legal(0)
        targets = [text[2:] for text in legal[1:]]
        if doubled := [t for t in targets if targets.count(t) > 1]:
            break
        typed.append(legal[-1])
        table.play(0, legal[-1])
    ways = [text for text in legal if text.endswith(doubled[0])]
    output = piped("\n".join([*typed, doubled[0]]) + "\n")
    assert f"{doubled[0]} can mean {', '.join(ways)}: type one of them." in output


def test_enter_plays_the_only_move() -> None:
    table = Table("london", seed=3)
    typed: list[str] = []
    for _ in itertools.count():
        legal = table.legal(0)
        if len(legal) == 1:
            break
        typed.append(legal[-1])
        table.play(0, legal[-1])
    turn = msgspec.to_builtins(table.view(0))["turn"]
    table.play(0, "pass")
    following = msgspec.to_builtins(table.view(0))
    output = piped("\n".join([*typed, ""]) + "\n")
    assert "Only pass is possible; Enter plays it" in output
    assert f"turn {turn}" in output
    last = output.rpartition("Round ")[2]
    assert last.startswith(f"{following['round']}/4, turn {following['turn']}")


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ("?", "help", "moves", "score", "board", "board 1", "quit")),
        ("fr", ("?", "aide", "coups", "score", "plan", "plan 1", "quitter")),
        ("fr", ("?", "help", "moves", "score", "board", "board 1", "quit")),
    ],
)
def test_commands_in_both_languages(lang: str, words: tuple[str, ...]) -> None:
    output = piped("\n".join(words) + "\n", lang=lang)
    assert output.count(say("terminal.commands", lang).split("\n")[1]) == 2
    assert all(text in output for text in Table("london", seed=3).legal(0))
    assert say("score.interchanges", lang) in output
    assert say("terminal.board_of", lang, name=say("terminal.player", lang)) in output
    assert say("terminal.left", lang) in output


def test_pages_fit_and_come_back() -> None:
    said = {"people": 2, "bots": ["greedy", "random"], "lang": "fr"}
    with seated("tokyo", options={"powers": True, "objectives": True}, **said) as (terminal, _):
        for word, pages in (("?", 1), ("coups", 1), ("score", 2), ("plan 3", 1)):
            screen = terminal.type(word + "\n")
            for _ in range(pages):
                fits(screen)
                assert picture(screen)[-1] == say("terminal.back", "fr")
                screen = terminal.type("\n")
            assert "Votre coup" in picture(screen)[-1]


# Leaving


@pytest.mark.parametrize("typed", ["quit\n", "", "g2\nquit\n", "g2\n"])
def test_quit_and_the_end_of_input_save_what_was_played(typed: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    output = piped(typed, save=str(file), bots=["greedy"])
    saved = record.load(file)
    assert saved.seed is None
    assert saved.deal
    assert saved.deal["cards"]
    assert sum(map(len, saved.moves)) == typed.count("g2")
    assert "You left the game before it was over." in output
    assert f"Record: {file}" in output
    assert output.endswith("unfinished\n")
    assert os.listdir(tmp_path) == ["game.json"]


def test_quit_without_save_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    piped("quit\n")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_keys_that_leave(key: str, code: int, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    with seated(save=str(file)) as (terminal, screen):
        terminal.type(example(screen) + "\n")
        screen = terminal.type(key)
        while written := terminal.wait():
            screen += written
        assert "\x1b[?1049l" in screen
        assert "You left the game before it was over." in screen
        assert "Traceback" not in screen
        assert terminal.process.wait(60) == code
    assert len(record.load(file).moves[0]) == 1
    assert os.listdir(tmp_path) == ["game.json"]


def test_where_nothing_can_be_written_the_game_does_not_begin(tmp_path: Path) -> None:
    box, name = find("london")
    game = box.open(name, 1)
    for place in (tmp_path, tmp_path / "none" / "game.json"):
        with pytest.raises(InputError, match="cannot be written"):
            play(game, people=1, bots=[], seed=1, save=place)


def test_seats_and_names_must_agree() -> None:
    box, name = find("london")
    with pytest.raises(ValueError, match="2 people and 0 bots"):
        play(box.open(name, 1), people=2, bots=[], seed=1)
    with pytest.raises(InputError, match="one name"):
        play(box.open(name, 2), people=2, bots=[], seed=1, names=["Ada"])
