"""A game as a file: set-up, what was dealt (or the seed that deals it) and the moves.

`read` makes a record of a file's text, `replay` plays it through the rules and gives every step;
both raise errors that say what is wrong and where.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from headway import dealer
from headway.errors import HeadwayError, InputError, Place, RuleBroken
from headway.files import read_text
from headway.games import box
from headway.games.contract import CHANCE, Event, Game, Outcome, State
from headway.svg import Theme

FORMAT = "headway-record/1"
RULES = 1
"""The version of the rules that a record was played by; a change of a ruling raises it."""


class Record(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The head and the content of a record file; `deal` and `moves` are the game's own."""

    format: str
    game: str
    map: str
    options: dict[str, bool] = {}
    seats: int
    rules: int | None = None
    map_hash: str | None = None
    names: list[str] | None = None
    seed: int | None = None
    deal: dict[str, Any] | None = None
    chosen: dict[str, Any] | None = None
    """Parts of the deal that the host chose, where a seed dealt the rest."""
    moves: Any
    fair: dealer.Promise | None = None
    folder: Path | None = None
    """Where the file lies: a map that Headway does not ship is looked for beside it."""

    def open(self) -> Game:
        """The game that the record is of."""
        game_box = box(self.game)
        for option in game_box.options:
            if option not in self.options:
                raise InputError("format.option_missing", option=option)
        name = self.map
        beside = (self.folder or Path()) / f"{name}.toml"
        if name not in game_box.maps and beside.exists():
            name = str(beside)
        return game_box.open(name, self.seats, self.options)

    def json(self) -> bytes:
        """The file's content, with every turn on a line of its own."""
        stored = msgspec.structs.replace(self, folder=None)
        return _pretty(msgspec.to_builtins(stored)).encode()


def read(text: str | bytes, folder: Path | None = None) -> Record:
    """The record that a text holds; `InputError` says what is wrong with it."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError("format.no_json", reason=error) from None
    if not isinstance(data, dict):
        raise InputError("format.no_object")
    if data.get("format") != FORMAT:
        raise InputError("format.format", format=FORMAT, found=data.get("format"))
    data.pop("folder", None)
    try:
        record = msgspec.convert(data, Record)
    except msgspec.ValidationError as error:
        raise InputError("format.field", reason=error) from None
    if (record.seed is None) == (record.deal is None):
        raise InputError("format.seed_or_deal")
    record.folder = folder
    return record


def load(path: Path | str) -> Record:
    """The record in a file."""
    path = Path(path)
    return read(read_text(path), path.parent)


@dataclass
class Step:
    """One event of a replay: the state before it, who acted, what, and where the record has it."""

    state: State
    event: Event
    place: Place


@dataclass
class Replay:
    """A record played to its end: the final state, all events, and the counts of legal moves."""

    record: Record
    game: Game
    state: State
    events: list[Event] = field(default_factory=list)
    legal: list[Any] = field(default_factory=list)

    @property
    def outcome(self) -> Outcome:
        """Totals, winners and the reason."""
        outcome = self.state.outcome()
        assert outcome
        return outcome

    def report(self) -> dict[str, Any]:
        """What `headway replay --json` prints."""
        scores = [self.game.score_json(score) for score in self.state.scores()]
        return {"legal": self.legal, "scores": scores, "winners": list(self.outcome.winners)}

    def svg(self, seat: int = 0, *, theme: Theme = "auto", lang: str | None = None) -> str:
        """A seat's board at the end, as a picture."""
        return self.game.svg(self.state.view(seat), theme=theme, lang=lang)

    def _repr_svg_(self) -> str:
        return self.svg()


def steps(record: Record) -> Iterator[Step]:
    """Plays a record through the rules, an event at a time.

    The state of a step is the one before its event and goes on changing: copy it to keep it.
    """
    game = record.open()
    _check_head(record, game)
    state = game.start()
    reader = game.script(record.deal or record.chosen, record.moves)
    seed, chosen = record.seed or 0, record.chosen or {}

    def written(state: State) -> bool:
        return record.seed is None or state.chance_name().split()[0] in chosen

    while actors := state.actors():
        seat = min(actors)
        place: Place = ()
        try:
            if seat == CHANCE:
                move = reader.chance_move(state) if written(state) else dealer.deal(seed, state)
            else:
                place = reader.place(state, seat)
                move = reader.seat_move(state, seat)
            state.check(seat, move)
        except HeadwayError as error:
            raise error.at(place) from None
        yield Step(state, (seat, move), place)
        state.advance(seat, move)
    reader.finish(state)


def replay(record: Record) -> Replay:
    """Plays a whole record; raises at the first thing that is wrong with it."""
    result: Replay | None = None
    for step in steps(record):
        seat, _ = step.event
        if result is None:
            result = Replay(record, step.state.game, step.state)
        result.events.append(step.event)
        if seat != CHANCE:
            count = result.game.legal_count(step.state, seat)
            _nest(result.legal, result.game.nesting(step.place), count)
    assert result
    return result


def verify(record: Record) -> Replay:
    """Replays a record and checks that it was dealt as promised before the first card."""
    result = replay(record)
    fair = record.fair
    if fair is None:
        raise InputError("fair.missing")
    if record.seed is None or fair.salt is None:
        raise InputError("fair.unrevealed")
    if dealer.promise(record.seed, fair.salt).commitment != fair.commitment:
        raise RuleBroken("FAIR", "fair.broken")
    return result


def _check_head(record: Record, game: Game) -> None:
    if record.rules not in (None, RULES):
        raise InputError("format.rules", found=record.rules, known=RULES)
    if record.map_hash not in (None, game.map_hash):
        raise InputError("format.map_hash", map=record.map)
    if record.names is not None and len(record.names) != record.seats:
        raise InputError("format.names", seats=record.seats)


def _nest(lists: list[Any], path: tuple[int, ...], value: int) -> None:
    """Puts a value into nested lists, making those on the way."""
    for index in path[:-1]:
        while len(lists) <= index:
            lists.append([])
        lists = lists[index]
    lists.append(value)


def _pretty(value: Any, depth: int = 0) -> str:
    """JSON for people: objects and long lists one element a line, short ones on one line."""
    flat = msgspec.json.encode(value).decode()
    if len(flat) <= 88 or not isinstance(value, dict | list) or depth > 4:
        return flat if depth else flat + "\n"
    pad, close = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict):
        rows = [f'"{key}": {_pretty(part, depth + 1)}' for key, part in value.items()]
        text = "{\n" + ",\n".join(pad + row for row in rows) + f"\n{close}}}"
    else:
        text = "[\n" + ",\n".join(pad + _pretty(v, depth + 1) for v in value) + f"\n{close}]"
    return text if depth else text + "\n"
