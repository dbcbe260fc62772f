"""A city as plain data, for clients that draw the sheet."""

from __future__ import annotations

import msgspec

from headway.games.contract import MapData
from headway.games.nextstation.city.city import City
from headway.games.nextstation.city.sheet_layout import outline, stamp_place, tints
from headway.games.nextstation.rules.arrays import CARDS, OBJECTIVES_DRAWN, ROUNDS
from headway.games.nextstation.rules.scoring import OBJECTIVE_POINTS
from headway.i18n import in_language, languages


class StationData(msgspec.Struct, frozen=True):
    """A station; `district` is an index into `districts`."""

    name: str
    x: int
    y: int
    symbol: str
    district: int
    departure: str | None
    tourist: bool


class SectionData(msgspec.Struct, frozen=True):
    """A printed connection from station `a` to `b` along a path of grid points.

    `crosses` are the indices of the sections that it crosses: of two that cross, only one can be
    drawn (NS-17).
    """

    a: str
    b: str
    path: tuple[tuple[float, float], ...]
    loop: bool
    over_river: bool
    crosses: tuple[int, ...]


class DistrictData(msgspec.Struct, frozen=True):
    """A district; `stamp` is the value of its stamp, 0 without one."""

    key: str
    name: dict[str, str]
    stamp: int
    tint: int
    """The colour of its ground, from 0 to 3."""
    outline: tuple[tuple[tuple[int, int], ...], ...]
    """The rings around it as corners between cells; corner (x, y) is left above cell (x, y)."""
    stamp_at: tuple[float, float] | None


class ObjectiveData(msgspec.Struct, frozen=True):
    """A shared objective: its kind, how many it needs, and its district (-1 if none)."""

    id: str
    needs: str
    needed: int
    district: int


class ScoringData(msgspec.Struct, frozen=True):
    """The numbers of the scoring; parts that the city does not have are empty or 0."""

    river: int
    tourist: tuple[int, ...]
    interchanges: dict[str, int]
    loop: int
    objective: int
    verdicts: tuple[int, ...]
    verdicts_note: dict[str, str]
    """What players are told about these limits, by language; empty texts for nothing."""
    judge: str


class CityData(MapData, frozen=True, kw_only=True):
    """A city with everything that is printed on its sheet."""

    city: dict[str, str]
    """The city's name, by language."""
    width: int
    height: int
    stations: tuple[StationData, ...]
    sections: tuple[SectionData, ...]
    districts: tuple[DistrictData, ...]
    district_at: tuple[tuple[int, ...], ...]
    river: tuple[tuple[float, float], ...]
    river_name: dict[str, str]
    loop_colour: str
    colours: tuple[str, ...]
    double_track_jokers: bool
    scoring: ScoringData
    objectives: tuple[ObjectiveData, ...]
    objectives_drawn: int
    """How many of the objectives count in a game that is played with them."""
    rounds: int
    cards: tuple[str, ...]


def city_data(game: str, city: City, title: dict[str, str]) -> CityData:
    """Returns the data of a city."""
    return CityData(
        game=game,
        map=city.name,
        title=title,
        note={lang: in_language(city.note, lang) for lang in languages()},
        hash=city.hash,
        city=dict(city.title),
        width=city.width,
        height=city.height,
        stations=_stations(city),
        sections=_sections(city),
        districts=_districts(city),
        district_at=city.district_at,
        river=city.river,
        river_name=dict(city.river_name),
        loop_colour=city.loop_colour,
        colours=city.colours,
        double_track_jokers=city.double_track_jokers,
        scoring=_scoring(city),
        objectives=tuple(
            ObjectiveData(o.id, o.needs, city.needed(o), o.district) for o in city.objectives
        ),
        objectives_drawn=OBJECTIVES_DRAWN,
        rounds=ROUNDS,
        cards=tuple(CARDS),
    )


def _stations(city: City) -> tuple[StationData, ...]:
    return tuple(
        StationData(s.name, s.x, s.y, s.symbol, s.district, s.departure, s.tourist)
        for s in city.stations
    )


def _sections(city: City) -> tuple[SectionData, ...]:
    names = [station.name for station in city.stations]
    crossed: list[list[int]] = [[] for _ in city.sections]
    for i, j in city.crossings:
        crossed[i].append(j)
        crossed[j].append(i)
    return tuple(
        SectionData(names[s.a], names[s.b], s.path, s.loop, s.over_river, tuple(crossed[i]))
        for i, s in enumerate(city.sections)
    )


def _districts(city: City) -> tuple[DistrictData, ...]:
    tint_of = tints(city)
    return tuple(
        DistrictData(
            key=district.key,
            name=dict(district.name),
            stamp=district.stamp,
            tint=tint_of[d],
            outline=tuple(tuple(ring) for ring in outline(city, d)),
            stamp_at=stamp_place(city, d) if district.stamp else None,
        )
        for d, district in enumerate(city.districts)
    )


def _scoring(city: City) -> ScoringData:
    s = city.scoring
    interchanges = {str(lines): points for lines, points in s.interchanges.items()}
    note = {lang: in_language(s.verdicts_note, lang) for lang in languages()}
    return ScoringData(
        s.river, s.tourist, interchanges, s.loop, OBJECTIVE_POINTS, s.verdicts, note, s.judge
    )
