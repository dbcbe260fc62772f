"""Checks a full sheet without its cards: its score, and everything impossible about it.

The cards and their order are unknown. A line is possible if some order of the cards allows it;
otherwise the check says why not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import msgspec

from headway.errors import HeadwayError, InputError, RuleBroken
from headway.games.contract import SheetCheck
from headway.games.nextstation.city.city import City
from headway.games.nextstation.moves import objective_pairs, parse_move, parts, rings
from headway.games.nextstation.rules.arrays import CARDS, OVER, ROUNDS, city_record
from headway.games.nextstation.rules.building import draw

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation

OF_A_SYMBOL = 2
JOKERS = 2
TURNS = len(CARDS) - 1
MOST_SHARED = 10

Drawn = Mapping[str, Sequence[int]]
"""The sections of each colour."""


class SheetInput(msgspec.Struct, forbid_unknown_fields=True):
    """A sheet to check: sections by colour, and the objectives in play."""

    lines: dict[str, list[str]]
    objectives: list[str] = []


def judge(game: NextStation, sheet: Any) -> SheetCheck:
    """Returns the score of a sheet and everything impossible about it."""
    if game.options["powers"] or game.options["special_stations"]:
        raise InputError("sheet.modules")
    try:
        read = msgspec.convert(sheet, SheetInput)
    except msgspec.ValidationError as error:
        raise InputError("format.field", reason=error) from None
    lines = _lines(game.city, read)
    return SheetCheck(_score(game, lines, read.objectives), list(_problems(game.city, lines)))


def _lines(city: City, read: SheetInput) -> dict[str, list[int]]:
    """Returns the sections of every colour, each once; refuses unprinted ones (NS-12)."""
    unknown = next((colour for colour in read.lines if colour not in city.colours), None)
    if unknown is not None:
        raise InputError("format.deal_name", part="lines", name=unknown)
    lines = {}
    for colour in city.colours:
        sections: dict[int, None] = {}
        for text in read.lines.get(colour, []):
            pair = parts(parse_move(city, text)).section
            if pair is None:
                raise InputError("format.token", token=text)
            if pair not in city.section_between:
                a, b = (city.stations[k].name for k in pair)
                raise RuleBroken("NS-12", "broken.NS-12", start=a, end=b)
            sections[city.section_between[pair]] = None
        lines[colour] = list(sections)
    return lines


def _score(game: NextStation, lines: Drawn, objectives: Sequence[str]) -> Any:
    """Returns the score of a game that ended with these lines."""
    state, city = game.start(), game.city
    ring = next(r for r in rings(game.seats) if r[0] == tuple(range(ROUNDS)))
    state.shared["pencils"][: game.seats] = ring
    if game.options["objectives"]:
        names = [objective.id for objective in city.objectives]
        pair = tuple(sorted(names.index(name) for name in objectives if name in names))
        if pair not in objective_pairs(len(names)):
            raise RuleBroken("OB-01", "broken.OB-01")
        state.shared["objectives"] = pair
    state.shared["phase"], state.shared["round"] = OVER, ROUNDS
    laid = set(city.loop)
    for r, colour in enumerate(city.colours):
        for i in lines[colour]:
            section = city.sections[i]
            draw(city_record(city), state.sheets[0], r, section.a, section.b, i in laid)
        laid.update(lines[colour])
    return state.scores()[0]


# --- impossible sheets


def _problems(city: City, lines: Drawn) -> Iterator[HeadwayError]:
    for colour, sections in lines.items():
        if sections:
            yield from _shape(city, colour, sections)
    yield from _crossings(city, lines)
    yield from _tracks(city, lines)
    yield from _cards(city, lines)


def _names(city: City, section: int) -> dict[str, str]:
    s = city.sections[section]
    return {"start": city.stations[s.a].name, "end": city.stations[s.b].name}


def _shape(city: City, colour: str, sections: Sequence[int]) -> Iterator[HeadwayError]:
    """Checks that a line is connected to its departure, has no cycle and at most one fork."""
    departure = city.departures[city.colours.index(colour)]
    joined = list(_joined(city, departure, sections))
    for i, _, closes_ring in joined:
        if closes_ring:
            yield RuleBroken("NS-18", "sheet.ring", colour=colour, **_names(city, i))
    apart = [i for i in sections if i not in {i for i, _, _ in joined}]
    if apart:
        rule, key = ("NS-14", "sheet.apart") if joined else ("NS-13", "sheet.departure")
        yield RuleBroken(
            rule, key, colour=colour, departure=city.stations[departure].name,
            station=_names(city, apart[0])["start"],
        )  # fmt: skip
        return
    meeting = Counter(k for i in sections for k in (city.sections[i].a, city.sections[i].b))
    forks = sum(max(0, count - 2) for count in meeting.values())
    if forks > 1:
        yield RuleBroken("NS-08", "sheet.forks", colour=colour, forks=forks)
    if len(sections) > TURNS:
        yield RuleBroken("NS-10", "sheet.long", colour=colour, count=len(sections), most=TURNS)


def _joined(city: City, departure: int, sections: Sequence[int]) -> Iterator[tuple[int, int, bool]]:
    """Yields the sections that are connected to the departure, from there.

    With each comes the station that it leads to, and whether the line already was there.
    """
    reached, waiting = {departure}, list(sections)
    while touching := [i for i in waiting if {city.sections[i].a, city.sections[i].b} & reached]:
        s = city.sections[touching[0]]
        target = s.a if s.b in reached else s.b
        yield touching[0], target, target in reached
        waiting.remove(touching[0])
        reached.add(target)


def _crossings(city: City, lines: Drawn) -> Iterator[HeadwayError]:
    drawn = {i for sections in lines.values() for i in sections}
    for i, j in city.crossings:
        if i in drawn and j in drawn:
            other = _names(city, j)
            yield RuleBroken(
                "NS-17", "sheet.crossing", **_names(city, i),
                other_start=other["start"], other_end=other["end"],
            )  # fmt: skip


def _tracks(city: City, lines: Drawn) -> Iterator[HeadwayError]:
    """Checks second tracks: only where allowed, and at most two per section (NS-19, NT-04)."""
    laid = Counter([*city.loop, *(i for sections in lines.values() for i in sections)])
    for i, count in sorted(laid.items()):
        if count > 1 and not city.double_track_jokers:
            yield RuleBroken("NS-19", "broken.NS-19", **_names(city, i))
        elif count > 2:
            yield RuleBroken("NT-04", "sheet.tracks", **_names(city, i))


def _cards(city: City, lines: Drawn) -> Iterator[HeadwayError]:
    """Checks that the deck has cards for every line; a second track needs a joker (NT-03)."""
    beside = {c: [i for i in lines[c] if i in city.loop] for c in lines}
    shared = [
        (i, pair)
        for pair in combinations(lines, 2)
        for i in lines[pair[0]]
        if i in lines[pair[1]] and i not in city.loop
    ]
    # Which of two lines came second along a section is unknown; any choice that fits will do.
    free = shared[:MOST_SHARED] if city.double_track_jokers else []
    tries = []
    for answer in product(*(pair for _, pair in free)):
        doubled = {c: list(beside[c]) for c in lines}
        for (i, _), colour in zip(free, answer, strict=True):
            doubled[colour].append(i)
        short = {c: n for c in lines if (n := _jokers(city, c, lines[c], doubled[c])) > JOKERS}
        tries.append(short)
    for colour, jokers in min(tries, key=len).items():
        yield RuleBroken("NS-15", "sheet.cards", colour=colour, jokers=jokers, most=JOKERS)


def _jokers(city: City, colour: str, sections: Sequence[int], doubled: Sequence[int]) -> int:
    """Returns the number of jokers that a line needs.

    They are for second tracks, and for symbols that occur more often than their cards. A wildcard
    station takes any card that is left.
    """
    departure = city.departures[city.colours.index(colour)]
    needed = Counter(
        city.stations[k].symbol
        for i, k, _ in _joined(city, departure, sections)
        if i not in doubled and city.stations[k].symbol != "wild"
    )
    return len(doubled) + sum(max(0, count - OF_A_SYMBOL) for count in needed.values())
