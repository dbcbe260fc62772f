"""How a table is set up: what a host asks for, who sits where, and what is fixed from then on."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from headway import dealer
from headway.bots import find_bot
from headway.dealer import SEED_TEXT
from headway.errors import InputError
from headway.games import box, boxes
from headway.games.box import Box
from headway.games.choices import Choice, check_choices, seats_left
from headway.games.contract import Game
from headway.record import RULES
from headway.server.core.calendar import steady_time
from headway.server.core.codes import clear_code
from headway.server.core.errors import invalid, not_found
from headway.server.core.fields import MOST_SEATS, NAME_LENGTH, Name, SeatNumber, Word
from headway.server.tables.clocks import Clock
from headway.table import Opening

ID_LENGTH = 10
SeedText = Annotated[str, Meta(pattern=SEED_TEXT, max_length=40)]


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits there: me (several times at one screen), a bot, or the first person to join."""

    kind: Literal["me", "bot", "open"]
    bot: Word | None = None
    name: Name | None = None


Chosen = SeatNumber | Word | Annotated[list[Word | None], Meta(max_length=MOST_SEATS)]
"""What the host chose: a seat, a word, or a word (or nothing) for each seat."""


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to set up. A seed can be chosen in training games only.

    `chosen` has what the host decides instead of chance; the shelf says what each map allows.
    """

    game: Word
    map: Word
    seats: Annotated[list[NewSeat], Meta(min_length=1, max_length=MOST_SEATS)]
    options: Annotated[dict[Word, bool], Meta(max_length=16)] = {}
    clock: Clock = Clock()
    training: bool = False
    public: bool = False
    chat: bool = False
    """Whether players may write to each other in their own words."""
    chosen: Annotated[dict[Word, Chosen], Meta(max_length=16)] = {}
    seed: Annotated[int, Meta(ge=0, lt=1 << 53)] | SeedText | None = None


class Persona(NamedTuple):
    """What a person is called and looks like at a table."""

    name: str
    face: str = ""


class Occupant(msgspec.Struct, frozen=True):
    """Who has a seat: a guest, a bot, or nobody; `former` is the guest who may come back to it.

    `face` is the one that the person chose; without one their name makes it.
    """

    name: str = ""
    guest: str | None = None
    bot: str | None = None
    former: str | None = None
    face: str = ""

    @property
    def kind(self) -> Literal["person", "bot", "open"]:
        """`person`, `bot` or `open`."""
        return "bot" if self.bot else "person" if self.guest else "open"


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What was fixed when the table was set up; seed and salt stay secret until the end."""

    id: str
    created: float
    host: str
    game: str
    map: str
    map_hash: str
    rules: int
    options: dict[str, bool]
    occupants: tuple[Occupant, ...]
    seed: int
    salt: str
    commitment: str
    clock: Clock
    training: bool
    public: bool
    chat: bool = False
    seed_chosen: bool = False
    """Whether the host chose the seed, and so may know every card."""
    day: str = ""
    """The day whose deal this is; empty for other tables."""
    chosen: dict[str, Any] = {}
    """What the host chose instead of chance."""
    opening: Opening | None = None
    """The game that this one continues, up to the moment it begins; None for a new game."""
    confirm: bool = False
    """Whether people confirm that they are ready before the game begins."""
    countdown: float = 0.0
    """Seconds after which a full table begins without that, unless it is held; 0 for never."""


class GameChoice(NamedTuple):
    """What opens a game, also in another process; the options are sorted by name."""

    game: str
    map: str
    seats: int
    options: tuple[tuple[str, bool], ...]

    @classmethod
    def of(cls, game: Game) -> GameChoice:
        """Returns what opens this game again."""
        return cls(game.box.name, game.map, game.seats, tuple(sorted(game.options.items())))


@lru_cache(maxsize=256)
def opened(choice: GameChoice) -> Game:
    """Returns a game; the same choices give the same object."""
    return box(choice.game).open(choice.map, choice.seats, dict(choice.options))


def box_with_map(name: str, map_name: str) -> Box:
    """Returns the box of a game that ships this map; not found if there is none."""
    for game_box in boxes():
        if game_box.name == name and map_name in game_box.maps:
            return game_box
    raise not_found()


def game_of_seats(setup: Setup, chosen: Mapping[str, Any], seats: list[int]) -> Game:
    """Returns the game of a table at which only these seats are left."""
    choices = chosen_game(setup, {}, len(seats)).choices()
    return chosen_game(setup, seats_left(choices, chosen, seats), len(seats))


def choice_of(game: Game, part: str) -> Choice:
    """Returns what may be chosen under this name; refuses any other name."""
    choices = {choice.name: choice for choice in game.choices()}
    if part not in choices:
        raise InputError("choice.unknown", part=part, known=", ".join(choices))
    return choices[part]


def picked_game(setup: Setup, game: Game, seat: int, pick: str) -> Game:
    """Returns a game after a pick such as `pencils=green`; without a value it is taken back.

    A seat picks for itself, the host (seat -1) what is for all.
    """
    part, _, text = pick.partition("=")
    choice = choice_of(game, part)
    values = {str(one.value): one.value for one in choice.values}
    if text and text not in values:
        raise InputError("choice.value", part=part, value=text, known=", ".join(values))
    value: Any = values.get(text)
    if choice.each_seat:
        of_seats = list(game.chosen.get(part) or [None] * game.seats)
        of_seats[seat] = value
        value = of_seats if any(of_seats) else None
    chosen = {**game.chosen, part: value}
    return chosen_game(setup, {p: v for p, v in chosen.items() if v is not None}, game.seats)


def game_without_picks(setup: Setup, game: Game, seat: int) -> Game:
    """Returns a game after somebody has left a seat, and with it what was picked for it."""
    for choice in game.choices():
        if choice.each_seat and choice.name in game.chosen:
            game = picked_game(setup, game, seat, f"{choice.name}=")
    return game


def chosen_game(setup: Setup, chosen: Mapping[str, Any], seats: int) -> Game:
    """Returns the game of a table with a number of seats and what its host chose.

    Tables with the same options share what is opened.
    """
    options = tuple(sorted(setup.options.items()))
    game = opened(GameChoice(setup.game, setup.map, seats, options))
    return game.choose(chosen) if chosen else game


def against_people(occupants: Iterable[Occupant]) -> bool:
    """Tells whether more than one person plays, counting free seats as people."""
    return len({who.guest or seat for seat, who in enumerate(occupants) if not who.bot}) > 1


class SeedSource:
    """The seeds of new tables; a `fixed` text makes them repeatable, for tests."""

    def __init__(self, fixed: str = "") -> None:
        self.fixed = fixed
        self._made: Counter[str] = Counter()

    def seed(self, host: str, map_name: str) -> int:
        """Returns a new seed; a repeatable one depends on the map and the host's earlier ones."""
        if not self.fixed:
            return dealer.new_seed()
        self._made[f"{host} {map_name}"] += 1
        text = f"{self.fixed} {map_name} {self._made[f'{host} {map_name}']}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])


def new_setup(request: NewTable, guest: str, persona: Persona, seed: int) -> Setup:
    """Returns the set-up of a new table; refuses what cannot be played."""
    game_box = box(request.game)
    if request.map not in game_box.maps:
        raise InputError("server.no_map", map=request.map, known=", ".join(game_box.maps))
    game = game_box.open(request.map, len(request.seats), request.options)
    if request.seed is not None and not request.training:
        raise invalid("server.seed_training")
    for seat in request.seats:
        if seat.kind == "bot":
            find_bot(seat.bot or "", game_box.name)
    if request.chosen:
        check_choices(game, request.chosen)
        game.choose(request.chosen)
    occupants = tuple(_occupant(seat, guest, persona) for seat in request.seats)
    if request.clock.kind == "days" and not against_people(occupants):
        raise invalid("server.clock_days")
    promise = dealer.promise(seed)
    return Setup(
        id=clear_code(ID_LENGTH),
        created=steady_time(),
        host=guest,
        game=game_box.name,
        map=game.map,
        map_hash=game.map_hash,
        rules=RULES,
        options=dict(game.options),
        occupants=occupants,
        seed=seed,
        salt=promise.salt or "",
        commitment=promise.commitment,
        clock=request.clock.checked(request.training),
        training=request.training,
        seed_chosen=request.seed is not None,
        public=request.public,
        chat=request.chat,
        chosen=dict(request.chosen),
        # Nobody loses days by not being there when a game of days begins.
        confirm=request.clock.kind not in ("none", "days"),
    )


def _occupant(seat: NewSeat, guest: str, persona: Persona) -> Occupant:
    if seat.kind == "open":
        return Occupant()
    if seat.kind == "bot":
        return Occupant((seat.name or seat.bot or "")[:NAME_LENGTH], None, seat.bot)
    # Who else plays at the same screen has a name of their own, and with it a face.
    return (
        Occupant(seat.name, guest)
        if seat.name
        else Occupant(persona.name, guest, face=persona.face)
    )


def rematch_setup(
    setup: Setup, occupants: Iterable[Occupant], chosen: Mapping[str, Any], seed: int
) -> Setup:
    """Returns the set-up of a rematch: the same people and bots, another deal."""
    promise = dealer.promise(seed)
    return msgspec.structs.replace(
        setup,
        id=clear_code(ID_LENGTH),
        created=steady_time(),
        occupants=tuple(who if who.kind != "open" else Occupant() for who in occupants),
        chosen=dict(chosen),
        day="",
        opening=None,
        seed_chosen=False,
        seed=seed,
        salt=promise.salt or "",
        commitment=promise.commitment,
    )
