"""Views: everything on the table and all sheets, without the moves of the current turn."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from headway.games.contract import CHANCE, Seat, View
from headway.games.kernel import BIT, NONE, Mask
from headway.games.nextstation.city.city import SYMBOLS, City
from headway.games.nextstation.moves import BARE, WAY_TOKENS, parse_move
from headway.games.nextstation.rules.arrays import (
    CARDS,
    DEAL_OBJECTIVES,
    DEAL_PENCILS,
    DEAL_POWERS,
    DEAL_SPECIAL,
    EFFECTS,
    OVER,
    PHASES,
    PLAY,
    POWERS,
    ROUNDS,
    SWITCH_CARD,
    SharedRecord,
    SheetRecord,
    bits,
    city_fields,
    fields,
)
from headway.games.nextstation.rules.building import (
    double_track,
    draw,
    effect_up,
    from_anywhere,
    power_held,
    starts,
    way_open,
)
from headway.games.nextstation.rules.engine import controller, show
from headway.games.nextstation.rules.scoring import ScoreSheet

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation
    from headway.games.nextstation.state import NextStationState

WAYS = ((BARE, ""), *WAY_TOKENS.items())


class LineView(msgspec.Struct, frozen=True):
    """A line on a sheet: its sections as pairs of stations, `=` before a second track."""

    colour: str
    sections: tuple[str, ...]
    circled: tuple[str, ...]


class SheetView(msgspec.Struct, frozen=True):
    """A seat's sheet: lines in the order of rounds, and the score if the game ended now."""

    lines: tuple[LineView, ...]
    power_spent: bool
    score: ScoreSheet
    ends: tuple[str, ...]
    """The ends of the line in hand, its departure before the first section; empty between turns."""
    extra: str
    """What may be used besides the card: `power joker`, `effect double`, or nothing."""
    starts: dict[str, tuple[str, ...]]
    """Where a section may start, by the way of drawing it (`!switch`), "" with the card alone."""


class NextStationView(View, frozen=True, kw_only=True):
    """What a seat knows. Rounds and turns count from 1."""

    options: dict[str, bool]
    phase: str
    """What comes next, one of `PHASES`."""
    round: int
    turn: int
    card: str | None
    """The card to play; None between turns."""
    switch: bool
    """Whether the switch came up with the card."""
    switch_works: bool
    """Whether a section may start at any station of the line."""
    double_tracks: tuple[str, ...]
    """The ways of drawing (`~`, "" with the card alone) that allow a second track."""
    cards_shown: tuple[str, ...]
    cards_left: tuple[str, ...]
    controller: Seat
    pencils: tuple[tuple[str, ...], ...]
    """Colours by seat and round; empty before they are dealt."""
    objectives: tuple[str, ...]
    powers: dict[str, str]
    special: tuple[tuple[str, str], ...]
    """Symbol and effect of each round so far."""
    sheets: tuple[SheetView, ...]
    moved: tuple[bool, ...]
    """Who has moved in this turn; their moves are not known yet."""
    own_move: str | None
    """The seat's move of this turn, if it has moved."""
    ranking: tuple[Seat, ...]
    """The seats of a finished game, best first; empty before."""


def make_view(state: NextStationState, seat: Seat) -> NextStationView:
    """Returns the view of a seat, or of a spectator."""
    waiting_move = int(state.moved[seat]) if seat >= 0 else -1
    return msgspec.structs.replace(
        _open_view(state),
        seat=seat,
        actors=tuple(sorted(state.actors())),
        moved=tuple(move >= 0 for move in state.moved.tolist()),
        own_move=state.game.move_text(waiting_move) if waiting_move >= 0 else None,
    )


def _open_view(state: NextStationState) -> NextStationView:
    """Returns the public part of a view; cached until the public state changes."""
    public = state.shared_rows.tobytes() + state.sheets.tobytes()
    if state.seen is None or state.seen[0] != public:
        state.seen = public, _make_open_view(state)
    return state.seen[1]


def _make_open_view(state: NextStationState) -> NextStationView:
    game, shared, left = state.game, fields(state.shared), state.cards_left()
    phase = int(shared["phase"])
    pencils, scores = _pencils(state), state.scores()
    return NextStationView(
        game=game.box.name,
        map=game.map,
        seat=CHANCE,
        seats=game.seats,
        actors=(),
        finished=phase == OVER,
        options=dict(game.options),
        phase=PHASES[phase],
        round=min(int(shared["round"]) + 1, ROUNDS),
        turn=int(shared["turn"]),
        card=CARDS[int(shared["card_id"])] if phase == PLAY else None,
        switch=bool(shared["switched"]),
        switch_works=phase == PLAY and from_anywhere(shared, BARE),
        double_tracks=tuple(
            token
            for way, token in WAYS
            if phase == PLAY and double_track(city_fields(game.city), shared, way)
        ),
        cards_shown=tuple(name for i, name in enumerate(CARDS) if i not in left),
        cards_left=tuple(CARDS[card] for card in left),
        controller=(controller(shared) + game.chosen.get("controller", 0)) % game.seats,
        pencils=pencils,
        objectives=_objectives(state),
        powers=_powers(state),
        special=_special(state),
        sheets=tuple(
            _sheet(
                game.city,
                shared,
                fields(sheet),
                seat,
                colours=pencils[seat] if pencils else game.city.colours,
                score=scores[seat],
            )
            for seat, sheet in enumerate(state.sheets)
        ),
        moved=(),
        own_move=None,
        ranking=state.ranking() if phase == OVER else (),
    )


def _pencils(state: NextStationState) -> tuple[tuple[str, ...], ...]:
    if state.shared["phase"] <= DEAL_PENCILS:
        return ()
    dealt = state.shared["pencils"][: state.game.seats].tolist()
    return tuple(tuple(state.game.city.colours[i] for i in row) for row in dealt)


def _objectives(state: NextStationState) -> tuple[str, ...]:
    if not state.game.options["objectives"] or state.shared["phase"] <= DEAL_OBJECTIVES:
        return ()
    dealt = state.shared["objectives"].tolist()
    return tuple(state.game.city.objectives[i].id for i in dealt)


def _powers(state: NextStationState) -> dict[str, str]:
    if not state.game.options["powers"] or state.shared["phase"] <= DEAL_POWERS:
        return {}
    powers = [POWERS[i] for i in state.shared["powers"].tolist()]
    return dict(zip(state.game.city.colours, powers, strict=True))


def _special(state: NextStationState) -> tuple[tuple[str, str], ...]:
    if not state.game.options["special_stations"]:
        return ()
    rounds = int(state.shared["round"]) + (state.shared["phase"] > DEAL_SPECIAL)
    symbols, effects = state.shared["special_symbol"], state.shared["special_effect"]
    return tuple((SYMBOLS[symbols[r]], EFFECTS[effects[r]]) for r in range(min(rounds, ROUNDS)))


def _sheet(
    city: City,
    shared: SharedRecord,
    sheet: SheetRecord,
    seat: Seat,
    *,
    colours: tuple[str, ...],
    score: ScoreSheet,
) -> SheetView:
    tracks, circled = sheet["tracks"], sheet["circled"]
    playing = bool(shared["phase"] == PLAY)
    return SheetView(
        lines=tuple(
            _line(city, colours[r], tracks[:r].tobytes(), tracks[r].tobytes(), circled[r])
            for r in range(ROUNDS)
        ),
        power_spent=bool(sheet["spent"]),
        score=score,
        ends=_starts(city, shared, sheet, seat, False) if playing else (),
        extra=_extra(shared, sheet, seat) if playing else "",
        starts={
            token: _starts(city, shared, sheet, seat, from_anywhere(shared, way))
            for way, token in WAYS
            if playing and way_open(shared, sheet, seat, way)
        },
    )


# Three of four lines of a sheet are finished or not begun, and the same in every turn.
@lru_cache(maxsize=10_000)
def _line(city: City, colour: str, before: bytes, tracks: bytes, circled: Mask) -> LineView:
    """Returns a line; `before` are the tracks of earlier rounds."""
    drawn = set(city.loop)
    for earlier in np.frombuffer(before, np.uint64).reshape(-1, len(tracks) // 8):
        drawn.update(bits(earlier))
    sections = bits(np.frombuffer(tracks, np.uint64))
    names = tuple(("=" if i in drawn else "") + _pair(city, i) for i in sections)
    return LineView(colour, names, _names(city, circled))


def _names(city: City, stations: Mask) -> tuple[str, ...]:
    return tuple(city.stations[i].name for i in bits(np.array([stations])))


def _starts(
    city: City, shared: SharedRecord, sheet: SheetRecord, seat: Seat, anywhere: bool
) -> tuple[str, ...]:
    return _names(city, starts(city_fields(city), shared, sheet, seat, anywhere))


def _extra(shared: SharedRecord, sheet: SheetRecord, seat: Seat) -> str:
    if power := power_held(shared, sheet, seat):
        return f"power {POWERS[power]}"
    effect = effect_up(shared)
    return f"effect {EFFECTS[effect]}" if effect else ""


def _pair(city: City, section: int) -> str:
    s = city.sections[section]
    return city.stations[s.a].name + city.stations[s.b].name


def restore(game: NextStation, view: NextStationView) -> NextStationState:
    """Returns the state that a view shows, without moves of others in the current turn."""
    state = game.start()
    _restore_shared(view, state)
    for seat, sheet in enumerate(view.sheets):
        for r, line in enumerate(sheet.lines):
            _restore_line(game.city, state.sheets[seat], r, line, r + 1 == view.round)
        if view.finished or view.turn == 0:
            state.sheets[seat]["ends"] = NONE
        state.sheets[seat]["spent"] = sheet.power_spent
    if view.own_move is not None:
        state.moved[view.seat] = parse_move(game.city, view.own_move)
    return state


def _restore_shared(view: NextStationView, state: NextStationState) -> None:
    shared, city = state.shared, state.game.city
    for seat, colours in enumerate(view.pencils):
        shared["pencils"][seat] = [city.colours.index(colour) for colour in colours]
    if view.objectives:
        names = [objective.id for objective in city.objectives]
        shared["objectives"] = [names.index(name) for name in view.objectives]
    for colour, power in view.powers.items():
        shared["powers"][city.colours.index(colour)] = POWERS.index(power)
    for r, (symbol, effect) in enumerate(view.special):
        shared["special_symbol"][r] = SYMBOLS.index(symbol)
        shared["special_effect"][r] = EFFECTS.index(effect)
    for name in view.cards_shown:
        card = CARDS.index(name)
        shared["shown"] |= BIT[card]
        shared["undergrounds"] += card > SWITCH_CARD
    if view.card:
        show(shared, CARDS.index(view.card))
    shared["phase"] = PHASES.index(view.phase)
    shared["round"] = ROUNDS if view.finished else view.round - 1
    shared["turn"] = view.turn
    shared["switched"] = view.switch


def _restore_line(city: City, sheet: SheetRecord, r: int, line: LineView, in_hand: bool) -> None:
    meeting: Counter[int] = Counter()
    for name in line.sections:
        double, pair = name.startswith("="), name.removeprefix("=")
        a, b = city.station_named[pair[:2]], city.station_named[pair[2:]]
        draw(city_fields(city), sheet, r, a, b, double)
        meeting.update((a, b))
    for name in line.circled:
        sheet["circled"][r] |= BIT[city.station_named[name]]
    if in_hand:
        # The order of drawing is unknown here, so the ends are stations with one section (NS-14).
        ends = NONE
        for station, sections in meeting.items():
            if sections == 1:
                ends |= BIT[station]
        sheet["ends"] = ends
