"""Records: a game as a file with its set-up, its deal (or the seed) and its moves.

`read` parses a record, `replay` plays it through the rules; both raise errors that say what is
wrong and where. `replay_many` does it in compiled code where possible, about a hundred times as
fast: every card and every move is checked by the rules as well. What the compiled replay does not
accept is replayed again by the interpreted one, so both always agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from headway import dealer
from headway.dealer import SeededDealer
from headway.errors import HeadwayError, InputError, Place, RuleBroken
from headway.files import read_text
from headway.games import box
from headway.games.contract import CHANCE, Event, Game, Outcome, Seat, State
from headway.svg import Theme

if TYPE_CHECKING:
    from headway.games.replay import FinalTotals, Replayer


FORMAT = "headway-record/1"
RULES = 1
"""The version of the rules of a record; a changed ruling increments it."""
_BYTE = re.compile(r"\(byte (\d+)\)")
_FIELD = re.compile(r"`\$\.([A-Za-z_.]+)")
_HEAD = {
    "format.format": ("format",),
    "format.unknown_game": ("game",),
    "format.unknown_map": ("map",),
    "format.map_hash": ("map_hash",),
    "format.names": ("names",),
    "format.rules": ("rules",),
    "format.option": ("options",),
    "format.option_missing": ("options",),
    "format.no_option": ("options",),
    "format.seed_or_deal": ("deal",),
    "format.moves": ("moves",),
    "format.move_list": ("moves",),
}
"""Where the errors of a record's head lie."""


class Record(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A record file; the format of `deal` and `moves` depends on the game."""

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
    """Parts of the set-up that the host chose instead of the dealer."""
    moves: Any
    fair: dealer.Promise | None = None
    folder: Path | None = None
    """The folder of the file; maps that are not shipped are searched there."""

    def open(self) -> Game:
        """Returns the game of the record."""
        game_box = box(self.game)
        for option in game_box.options:
            if option not in self.options:
                raise InputError("format.option_missing", option=option)
        name = self.map
        beside = (self.folder or Path()) / f"{name}.toml"
        if name not in game_box.maps and beside.exists():
            name = str(beside)
        game = game_box.open(name, self.seats, self.options)
        try:
            return game.choose(self.chosen) if self.chosen else game
        except HeadwayError as error:
            error.path = ("chosen", *error.path[1:])
            raise

    def plain(self) -> dict[str, Any]:
        """Returns the file's content as plain data."""
        stored: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(self, folder=None))
        if self.seed is not None:
            stored["seed"] = dealer.seed_json(self.seed)
        return stored

    def json(self) -> bytes:
        """Returns the file's content, with one line per turn."""
        return _pretty(self.plain()).encode()


def record_of(game: Game, events: Sequence[Event], names: Sequence[str] | None = None) -> Record:
    """Returns the record of these events, with everything that was dealt and without its seed."""
    deal, moves = game.records.write(game, events)
    return Record(
        format=FORMAT,
        game=game.box.name,
        map=game.map,
        options=dict(game.options),
        seats=game.seats,
        rules=RULES,
        map_hash=game.map_hash,
        names=list(names) if names else None,
        deal=deal,
        chosen=dict(game.chosen) or None,
        moves=moves,
    )


def read(text: str | bytes, folder: Path | None = None) -> Record:
    """Parses a record; raises `InputError` that says what is wrong with it."""
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError("format.no_json", reason=error) from None
    if not isinstance(data, dict):
        raise InputError("format.no_object")
    if data.get("format") != FORMAT:
        raise InputError("format.format", format=FORMAT)
    data.pop("folder", None)
    if isinstance(data.get("seed"), str):
        data["seed"] = dealer.parse_seed(data["seed"])
    try:
        record = msgspec.convert(data, Record)
    except msgspec.ValidationError as error:
        raise InputError("format.field", reason=error) from None
    if (record.seed is None) == (record.deal is None):
        raise InputError("format.seed_or_deal")
    record.folder = folder
    return record


def load(path: Path | str) -> Record:
    """Reads a record from a file."""
    path = Path(path)
    return read(read_text(path), path.parent)


@dataclass
class Step:
    """One event of a replay: the state before it, the event, and its place in the record."""

    state: State
    event: Event
    place: Place


@dataclass
class Replay:
    """A replayed record: the final state, all events, and the counts of legal moves."""

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
        """Returns what `headway replay --json` prints."""
        scores = [self.game.records.score_json(self.game, score) for score in self.state.scores()]
        return {"legal": self.legal, "scores": scores, "winners": list(self.outcome.winners)}

    def svg(self, seat: int = 0, *, theme: Theme = "auto", lang: str | None = None) -> str:
        """Returns a seat's final board as SVG; CHANCE is a spectator."""
        if seat != CHANCE and seat not in range(self.game.seats):
            raise InputError("turn.no_seat", seat=seat, seats=self.game.seats)
        names = self.record.names or ()
        return self.game.presentation.svg(
            self.game, self.state.view(seat), names=names, theme=theme, lang=lang
        )

    def _repr_svg_(self) -> str:
        return self.svg()


def steps(record: Record) -> Iterator[Step]:
    """Plays a record through the rules, one event at a time.

    The state of a step is the one before its event. It changes with the next step; copy it to keep
    it.
    """
    game = record.open()
    try:
        yield from _steps(record, game)
    except HeadwayError as error:
        if error.place:
            error.inside("moves", *game.records.nesting(error.place))
        raise


def _steps(record: Record, game: Game) -> Iterator[Step]:
    check_head(record, game)
    state = game.start()
    reader, seed = game.records.read(game, record.deal, record.moves), record.seed
    while actors := state.actors():
        seat = min(actors)
        place: Place = ()
        try:
            if seat == CHANCE:
                move = reader.chance_move(state) if seed is None else dealer.deal(seed, state)
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
    """Plays a whole record; raises at the first error."""
    result: Replay | None = None
    for step in steps(record):
        seat, _ = step.event
        if result is None:
            result = Replay(record, step.state.game, step.state)
        result.events.append(step.event)
        if seat != CHANCE:
            count = result.game.records.legal_count(step.state, seat)
            _nest(result.legal, result.game.records.nesting(step.place), count)
    assert result
    return result


def verify(record: Record) -> Replay:
    """Replays a record and checks that its deal was fixed before the first card."""
    result = replay(record)
    fair = record.fair
    if fair is None:
        raise InputError("fair.missing")
    if record.seed is None or fair.salt is None:
        raise InputError("fair.unrevealed")
    if dealer.promise(record.seed, fair.salt).commitment != fair.commitment:
        raise RuleBroken("FAIR", "fair.broken")
    return result


def line_of(text: str, error: HeadwayError) -> int:
    """Returns the line of a record's text in which an error lies, 0 if it cannot be told."""
    reason = str(error.values.get("reason", ""))
    if error.key == "format.no_json":
        at = _BYTE.search(reason)
        before = text.encode(errors="replace")[: int(at[1])] if at else text.rstrip().encode()
        return before.count(b"\n") + 1
    if field := _FIELD.search(reason):
        return line_of_path(text, field[1].split("."))
    return line_of_path(text, error.path or _HEAD.get(error.key, ())) if text else 0


def check_head(record: Record, game: Game) -> None:
    """Raises if a record is of other rules or of another map."""
    if record.rules not in (None, RULES):
        raise InputError("format.rules", found=record.rules, known=RULES)
    if record.map_hash not in (None, game.map_hash):
        raise InputError("format.map_hash", map=record.map)
    checked_names(record.names, record.seats)


def checked_names(names: Sequence[str] | None, seats: int) -> list[str] | None:
    """Returns the names of all seats, None without any; raises unless there is one for each."""
    if names is None:
        return None
    if isinstance(names, str) or len(names) != seats or not all(isinstance(n, str) for n in names):
        raise InputError("format.names", seats=seats)
    return list(names)


def _nest(lists: list[Any], path: tuple[int, ...], value: int) -> None:
    """Appends a value to nested lists, creating missing ones."""
    for index in path[:-1]:
        while len(lists) <= index:
            lists.append([])
        lists = lists[index]
    lists.append(value)


def _pretty(value: Any, depth: int = 0) -> str:
    """Formats JSON: objects and long lists with one element per line, short ones in one line."""
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


class ReplayResult(NamedTuple):
    """The result of a replayed record: totals and winners, or the error that it raises.

    The error is the one of `replay`: the first difference between the record and the rules, with
    its place.
    """

    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    error: HeadwayError | None = None


def replay_many(records: Iterable[Record | str | bytes]) -> Iterator[ReplayResult]:
    """Replays records, or their texts, one after the other; yields a result for each.

    Takes about a tenth of a millisecond for each record, after the rules are compiled.
    """
    replayers = Replayers()
    for record in records:
        try:
            yield replayers.play(record if isinstance(record, Record) else read(record))
        except HeadwayError as error:
            yield ReplayResult((), (), error)


class Replayers:
    """The replayers of the games met so far."""

    def __init__(self) -> None:
        self._ready: dict[tuple[object, ...], tuple[Game, Replayer | None]] = {}

    def play(self, record: Record, dealt: dict[str, Any] | None = None) -> ReplayResult:
        """Returns the result of a record; raises what is wrong with it.

        `dealt` is what the record's seed has to deal, as a record's `deal` writes it.
        """
        result = self._compiled(record, dealt)
        if result is None:
            played = replay(record)
            if dealt is not None:
                _compare(played.game.records.write(played.game, played.events)[0], dealt)
            outcome = played.outcome
            return ReplayResult(outcome.totals, outcome.winners)
        return ReplayResult(*result)

    def _compiled(self, record: Record, dealt: dict[str, Any] | None = None) -> FinalTotals | None:
        try:
            game, replayer = self._of(record)
            check_head(record, game)
            dealer = None if record.seed is None else SeededDealer(record.seed)
            deal = record.deal if dealt is None else dealt
            return replayer.play(deal, record.moves, dealer) if replayer else None
        except HeadwayError:
            return None

    def _of(self, record: Record) -> tuple[Game, Replayer | None]:
        """Returns the game of a record and its replayer, kept for later unless a host chose."""
        if record.chosen:
            game = record.open()
            return game, game.records.replayer(game)
        folder = None if record.map in box(record.game).maps else record.folder
        key = (record.game, folder, record.map, record.seats, *sorted(record.options.items()))
        if key not in self._ready:
            game = record.open()
            self._ready[key] = game, game.records.replayer(game)
        return self._ready[key]


def _compare(seeded: dict[str, Any], dealt: dict[str, Any]) -> None:
    """Raises with the parts of a deal that are not what its seed deals."""
    names = dict.fromkeys((*seeded, *dealt))
    parts = [part for part in names if seeded.get(part) != dealt.get(part)]
    if parts:
        raise InputError("format.other_deal_parts", parts=", ".join(parts))


# Lines of a JSON text


Key = str | int
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[^\s{}\[\],:"]+|[{}\[\],:]')


def line_of_path(text: str, path: Sequence[Key]) -> int:
    """Returns the line, from 1, of the value at a path, or of the nearest value before it.

    For a text that is not JSON, the result is a guess.
    """
    target, best, line = tuple(path), 0, 1
    for path_here, at in _values(text):
        if len(path_here) >= best and _leads_to(path_here, target[: len(path_here)]):
            best, line = len(path_here), text.count("\n", 0, at) + 1
    return line


def _leads_to(path: tuple[Key, ...], target: tuple[Key, ...]) -> bool:
    """Whether a path is the target, or an earlier element of the same list."""
    if path == target or not path or len(path) != len(target):
        return path == target
    last, meant = path[-1], target[-1]
    earlier = isinstance(last, int) and isinstance(meant, int) and last < meant
    return earlier and path[:-1] == target[:-1]


def _values(text: str) -> Iterator[tuple[tuple[Key, ...], int]]:
    """Yields every value of a text in order: its path and its offset."""
    path: list[Key] = []
    kinds: list[str] = []
    key: Key = ""
    named = False
    for token in _TOKEN.finditer(text):
        token_text = token.group()
        if token_text in "}]":
            if kinds:
                kinds.pop()
                key = path.pop() if path else ""
        elif token_text == ",":
            named = False
            if kinds and kinds[-1] == "[" and isinstance(key, int):
                key += 1
        elif token_text == ":":
            named = True
        elif kinds and kinds[-1] == "{" and not named:
            key = token_text[1:-1]
        else:
            here = (*path, key) if kinds else ()
            yield here, token.start()
            if token_text in "{[":
                if kinds:
                    path.append(key)
                kinds.append(token_text)
                key, named = (0 if token_text == "[" else ""), False
