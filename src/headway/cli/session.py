"""A game in a terminal: people at one keyboard and bots, from the first card to the score."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

import msgspec
from rich.cells import cell_len
from rich.columns import Columns
from rich.markup import escape
from rich.table import Table as Grid

from headway.bots import Bot, make_bot
from headway.bots.registry import ask_at
from headway.cli.screen import GAP, Screen
from headway.errors import HeadwayError, InputError
from headway.files import write_whole
from headway.games.choices import ChoiceValue
from headway.games.contract import CHANCE, Game, Move, Outcome, Seat
from headway.i18n import languages, say
from headway.table import Table, play_to_end

COMMANDS = ("help", "moves", "score", "board", "quit")
SUGGESTED_MOVES = 4
"""The number of moves suggested after an error."""
LISTED_MOVES = 90
"""The most moves in the list of all moves: a screenful."""
NARROWEST_LABEL = 24
"""The least width of the first column of the score sheets, which may wrap."""
_BOT_SEEDS = 1 << 63


def play(
    game: Game,
    *,
    people: int,
    bots: Sequence[str],
    seed: int | None,
    names: Sequence[str] = (),
    save: Path | None = None,
) -> Table:
    """Plays a whole game in the terminal; returns the table in its last state.

    The first seats are people, the others bots by name or file; `names` are the people's. The
    record is written to `save` at the end, also if the game is left early: by `quit`, by the end of
    input, or by Ctrl-C, which is raised to the caller as `KeyboardInterrupt`.
    """
    if people + len(bots) != game.seats:
        raise ValueError(f"{people} people and {len(bots)} bots at a table of {game.seats}")
    if names and len(names) != people:
        raise InputError("format.names", seats=people)
    if save:
        _check_writable(save)
    seats = [*(names or _people(people)), *_numbered(bots)]
    table = Table(game, seed=seed, names=seats)
    players = {
        people + i: make_bot(name, game, (table.seed + people + i) % _BOT_SEEDS, files=True)
        for i, name in enumerate(bots)
    }
    session = TerminalSession(table, seats, players)
    try:
        session.play()
    finally:
        if save:
            session.save(save)
    return table


def _people(count: int) -> list[str]:
    if count == 1:
        return [say("terminal.player")]
    return [say("terminal.player_of_many", n=n + 1) for n in range(count)]


def _numbered(bots: Sequence[str]) -> list[str]:
    """Returns the bots' names; duplicates get a number."""
    before = [bots[:i].count(name) for i, name in enumerate(bots)]
    return [f"{name} {n + 1}" if n else name for name, n in zip(bots, before, strict=True)]


def _check_writable(path: Path) -> None:
    """Raises an error before the game, not after it, if a record cannot be written."""
    if path.is_dir():
        problem = errno.EISDIR
    elif not path.parent.is_dir():
        problem = errno.ENOENT
    elif not os.access(path.parent, os.W_OK):
        problem = errno.EACCES
    else:
        return
    raise InputError("format.not_writable", file=path, reason=os.strerror(problem))


class PlayerLeftError(Exception):
    """A person leaves before the end."""


class TerminalSession:
    """The people and bots of a table, and what they see."""

    def __init__(self, table: Table, names: Sequence[str], bots: Mapping[Seat, Bot]) -> None:
        self.table = table
        self.game = table.game
        self.names = names
        self.bots = bots
        self.screen = Screen()
        self.message = self.game.presentation.notation_help(self.game)[0]
        self.people = [seat for seat in range(table.seats) if seat not in bots]

    def play(self) -> None:
        """Plays the game until it ends or the people leave."""
        self.screen.say(self.game.title())
        if note := self.game.note():
            self.screen.say(note)
        for line in self._chosen():
            self.screen.say(line)
        self.screen.say(say("terminal.promise") + " " + self.table.commitment)
        try:
            with self.screen.opened():
                play_to_end(self.table, self._choose)
        except (PlayerLeftError, EOFError):
            self.screen.say()
            self.screen.say(say("terminal.left"))
        except KeyboardInterrupt:
            self.screen.say()
            self.screen.say(say("terminal.left"))
            raise
        else:
            self._finish()

    def _chosen(self) -> Iterator[str]:
        """Returns what was chosen instead of leaving it to chance, a line for each part."""
        for choice in self.game.choices():
            chosen = self.game.chosen.get(choice.name)
            title = say(f"choice.{choice.name}")
            texts = {allowed.value: self._value(allowed) for allowed in choice.values}
            if not choice.each_seat:
                if chosen in texts:
                    yield say("choice.of", name=title, value=texts[chosen])
                continue
            for seat, value in enumerate(chosen or ()):
                if value in texts:
                    name = f"{title}, {self.names[seat]}"
                    yield say("choice.of", name=name, value=texts[value])

    def _value(self, allowed: ChoiceValue) -> str:
        names = [self.names[seat] for seat in allowed.seats]
        return say(allowed.key, **dict(zip("ab", names, strict=False)))

    def save(self, path: Path) -> None:
        """Writes the record, finished or not."""
        write_whole(path, self.table.record().json())
        self.screen.say(say("terminal.saved", file=path))

    # A turn

    def _choose(self, seat: Seat) -> Move:
        """Returns the move of a seat, from its bot or from its person."""
        legal = self.table.state.legal(seat)
        if seat in self.bots:
            return ask_at(self.table, seat, self.bots[seat], self.names[seat])[0]
        if self.game.secret_hands and len(self.people) > 1:
            self.screen.blank(say("terminal.hand_over", name=self.names[seat]))
        self._show(seat, legal)
        while True:
            typed = self.screen.ask(self._prompt(seat, legal)).strip()
            try:
                if self._command(seat, legal, typed):
                    continue
                if typed or len(legal) == 1:
                    return self._read(seat, legal, typed)
                self._answer(seat, legal, self._possible(legal, typed))
            except HeadwayError as error:
                reason = error.sentence()
                if not isinstance(error, InputError):
                    reason = say("place.says", where=error.rule, what=reason)
                self._answer(seat, legal, f"{reason} {self._possible(legal, typed)}")

    def _answer(self, seat: Seat, legal: Sequence[Move], message: str) -> None:
        """Shows what is wrong, with the board still visible."""
        if self.screen.live:
            self._show(seat, legal, message)
        else:
            self.screen.warn(message)

    def _show(self, seat: Seat, legal: Sequence[Move], message: str | None = None) -> None:
        view = self.table.view(seat)
        board = self.game.presentation.screen(self.game, view, legal=legal)
        beside = [f"[bold]{escape(self.game.title())}[/]"]
        if note := self.game.note():
            beside.append(f"[italic]{escape(note)}[/]")
        names = [escape(name) for name in self.names]
        beside += self.game.presentation.status(self.game, view, names=names)
        self.screen.show(board, beside, self.message if message is None else message)
        self.message = ""  # the introduction is shown once

    def _prompt(self, seat: Seat, legal: Sequence[Move]) -> str:
        """Returns the prompt, with a legal move as the example."""
        key = "terminal.prompt" if len(legal) > 1 else "terminal.prompt_only"
        # The first legal move is often a pass, which is no good example.
        texts = [self.game.move_text(move) for move in legal[1:] or legal]
        prompt = say(key, example=min(texts, key=lambda text: len(text.split())))
        if len(self.people) == 1:
            return prompt
        return say("terminal.prompt_name", name=self.names[seat], prompt=prompt)

    def _read(self, seat: Seat, legal: Sequence[Move], typed: str) -> Move:
        """Parses a typed move, full or abbreviated; raises an error that says what is wrong."""
        if not typed:
            return legal[0]
        try:
            move = self._parse(typed)
        except InputError:
            meant = self.game.notation.shorthand(self.game, typed, legal)
            if not meant:
                raise
            if len(meant) > 1:
                moves = ", ".join(self._texts(meant, SUGGESTED_MOVES))
                raise InputError("terminal.several", typed=typed, moves=moves) from None
            move = meant[0]
        self.table.state.check(seat, move)
        return move

    def _parse(self, typed: str) -> Move:
        try:
            return self.game.parse_move(typed)
        except InputError as error:
            try:
                return self.game.parse_move(typed.lower())
            except InputError:
                raise error from None

    def _possible(self, legal: Sequence[Move], typed: str) -> str:
        """Lists the legal moves most similar to the typed text."""

        def distance(move: Move) -> tuple[bool, int, float]:
            text = self.game.move_text(move)
            more_tokens = len(text.split()) - max(len(typed.split()), 1)
            likeness = SequenceMatcher(None, typed.lower(), text).ratio()
            return typed.lower() not in text, abs(more_tokens), -likeness

        # Among equals the first legal move, often a pass, comes last.
        nearest = sorted([*legal[1:], *legal[:1]], key=distance)
        return say("terminal.possible", moves=", ".join(self._texts(nearest, SUGGESTED_MOVES)))

    def _texts(self, moves: Sequence[Move], most: int) -> list[str]:
        """Returns the first moves as texts, and how many there are more."""
        texts = [self.game.move_text(move) for move in moves[:most]]
        if len(moves) > most:
            texts.append(say("terminal.more", count=len(moves) - most))
        return texts

    # Commands

    def _command(self, seat: Seat, legal: Sequence[Move], typed: str) -> bool:
        """Runs a command; returns False if the text is not a command."""
        name, _, rest = typed.lower().partition(" ")
        command = (
            "help" if name == "?" else next((c for c in COMMANDS if name in _aliases(c)), None)
        )
        if command is None or (rest and command != "board"):
            return False
        if command == "quit":
            raise PlayerLeftError
        back = say("terminal.back")
        if command == "help":
            texts = [
                *self.game.presentation.notation_help(self.game),
                "",
                *say("terminal.commands").split("\n"),
            ]
            self.screen.page([escape(text) for text in texts], back)
        elif command == "moves":
            texts = [escape(text) for text in self._texts(legal, LISTED_MOVES)]
            self.screen.page([Columns(texts, padding=(0, 2))], back)
        elif command == "score":
            for grid in self._scores(self._columns(seat)):
                self.screen.page([grid], back)
        elif rest:
            self._other_board(rest)
        if self.screen.live or command == "board":
            self._show(seat, legal)
        return True

    def _columns(self, seat: Seat) -> list[Seat]:
        """Returns the seats whose score a seat may see during the game."""
        return [seat] if self.game.secret_hands else list(range(self.table.seats))

    def _other_board(self, name: str) -> None:
        """Shows the board of another seat, in a game without hidden information."""
        players = {} if self.game.secret_hands else dict(enumerate(self.names))
        seats = [s for s, n in players.items() if name in (str(s + 1), n.lower())]
        if not seats:
            listed = ", ".join(players.values())
            raise InputError("terminal.no_player", name=name, known=listed or "-")
        view = msgspec.structs.replace(self.table.view(CHANCE), seat=seats[0])
        note = self.game.note()
        title = say("terminal.board_of", name=self.names[seats[0]])
        board = self.game.presentation.screen(self.game, view).rstrip("\n")
        head = [escape(text) for text in (title, note) if text]
        self.screen.page([*head, board], say("terminal.back"))

    def _scores(self, seats: Sequence[Seat]) -> Iterator[Grid]:
        """Returns the score sheets side by side, as many at a time as fit."""
        rows = self.game.presentation.score_table(self.table.state)
        rows[0] = [rows[0][0], *self.names]
        widest = max(cell_len(row[1 + seat]) for row in rows for seat in seats)
        width = self.screen.console.width - NARROWEST_LABEL
        together = max(1, width // (widest + GAP))
        for first in range(0, len(seats), together):
            yield _grid(rows, seats[first : first + together])

    # The end

    def _finish(self) -> None:
        outcome = self.table.outcome()
        assert outcome
        for seat in outcome.winners:
            if self.table.seats > 1:
                self.screen.say(say("terminal.board_of", name=self.names[seat]))
            self.screen.board(self.game.presentation.screen(self.game, self.table.view(seat)))
        if note := self.game.note():
            self.screen.say(note)
        for grid in self._scores(range(self.table.seats)):
            self.screen.console.print(grid, highlight=False)
            self.screen.say()
        self.screen.say(self._ending(outcome))
        self.screen.say()
        record = self.table.record()
        assert record.fair
        proof = {"seed": record.seed, **msgspec.structs.asdict(record.fair)}
        self.screen.say(say("terminal.revealed", **proof))

    def _ending(self, outcome: Outcome) -> str:
        total, reason = outcome.totals[outcome.winners[0]], say(outcome.reason)
        if self.table.seats == 1:
            verdict = f"{reason} {self.game.verdict_note()}".rstrip()
            return say("terminal.solo", total=total, verdict=verdict)
        *others, last = (self.names[seat] for seat in outcome.winners)
        if others:
            names = f"{', '.join(others)} {say('terminal.and')} {last}"
            return say("outcome.won_together", names=names, total=total, reason=reason)
        if outcome.reason != "outcome.highest":
            return say("outcome.won_close", names=last, total=total, reason=reason)
        if len(outcome.totals) == 2:
            return say("outcome.won_two", names=last, total=total, other=min(outcome.totals))
        return say("outcome.won", names=last, total=total)


def _grid(rows: Sequence[Sequence[str]], seats: Sequence[Seat]) -> Grid:
    head, *body = rows
    grid = Grid(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
    grid.add_column(escape(head[0]), min_width=NARROWEST_LABEL - GAP)
    for seat in seats:
        grid.add_column(escape(head[1 + seat]), justify="right", no_wrap=True)
    for row in body:
        cells = [row[0], *(row[1 + seat] for seat in seats)]
        grid.add_row(*map(escape, cells), style="bold" if row is body[-1] else None)
    return grid


def _aliases(command: str) -> set[str]:
    """Returns the names of a command in all languages."""
    return {say(f"terminal.command.{command}", lang) for lang in languages()}
