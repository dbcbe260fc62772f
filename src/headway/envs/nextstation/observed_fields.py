"""The fields of an observation of Next Station, in their order, with their meaning."""

from __future__ import annotations

from collections.abc import Mapping

from headway.envs.nextstation.observation import CHOSEN, SCORES, STARTS, TARGETS, TURN, TURN_BITS
from headway.envs.unpacking import Plane
from headway.games.nextstation.city.city import City
from headway.games.nextstation.observation import layout as at


def planes(city: City, options: Mapping[str, bool], seats: int, ahead: bool) -> list[Plane]:
    """Returns the fields of an observation for a city and its modules."""
    powers, special = options["powers"], options["special_stations"]
    objectives = options["objectives"]
    stations, sections = len(city.stations), len(city.sections)
    modules = powers or special
    chosen = [
        Plane("line", at.LINE, stations, "stations of the line in hand"),
        Plane("ends", at.ENDS, stations, "its ends"),
        Plane("starts", STARTS, stations, "stations where a section may start with the card alone"),
        Plane("targets", TARGETS, stations, "stations off the line that the card may reach"),
        Plane("visited", at.VISITED, stations, "stations with at least one line"),
        Plane("twice", at.TWICE, stations, "stations with at least two lines"),
        Plane("thrice", at.THRICE, stations, "stations with at least three lines"),
        Plane("circled", at.CIRCLED, stations * modules, "circled stations of the line"),
        Plane("chosen", CHOSEN, stations * powers, "ends of the section of the first decision"),
        Plane("closed", at.CLOSED, sections, "sections that are drawn or crossed"),
        Plane(
            "single",
            at.SINGLE,
            sections * (bool(city.double_track_jokers) or special),
            "sections with exactly one track",
        ),
        Plane(
            "turn",
            TURN,
            TURN_BITS,
            "card of the turn (11), switch came up, switches work, decision (first, second section,"
            " circle), turn of the round (10), power of the pencil (4), effect of the turn (4),"
            " game over",
        ),
        Plane(
            "progress",
            at.PROGRESS,
            32,
            "cards left (11), round (4), pencils from this round on (4 for each), early turn",
        ),
        Plane("left", at.LEFT, 42, "underground cards left times 7, plus street cards left"),
        Plane(
            "numbers",
            at.NUMBERS,
            22 + at.MOST_FULLEST + 16,
            "of the line: districts (14), stations in the fullest one (9), sections over the river"
            " (8); tourist marks (16)",
        ),
        Plane(
            "districts",
            at.DISTRICTS,
            8 * len(city.districts),
            "by district, its number of stations on the line (1 to 8)",
        ),
        Plane(
            "objectives",
            at.TASKS,
            8 * len(city.objectives) * objectives,
            "by objective of the game, how much is missing (0 to 7)",
        ),
        Plane(
            "modules",
            at.MODULES,
            40 * modules,
            "powers to come, by rounds ahead (4 for each); special stations of this round as a pair"
            " (16); symbols (4) and effects (4) of earlier rounds",
        ),
    ]
    stamps = objectives or any(district.stamp for district in city.districts)
    chosen.append(
        Plane("reached", at.REACHED, 64 * stamps, "districts with a stamp (32), visited (32)")
    )
    if ahead:
        chosen += _ahead(stations)
    chosen.append(
        Plane("scores", SCORES, 32 * seats, "by seat, the observer first: one for each 8 points")
    )
    return [plane for plane in chosen if plane.bits]


def _ahead(stations: int) -> list[Plane]:
    """Returns the fields about the future, which a network could also work out."""
    reach = "stations one open section away from an end"
    return [
        Plane(
            "shape",
            at.SHAPE,
            at.MOST_DISTRICTS * at.MOST_FULLEST,
            "districts of the line times 9, plus stations in the fullest one",
        ),
        Plane("near", at.REACH, stations, reach),
        Plane("near_new", at.REACH + 1, stations, f"{reach}, in new districts"),
        Plane("near_full", at.REACH + 2, stations, f"{reach}, in the fullest districts"),
        Plane("far", at.REACH + 3, stations, "stations two open sections away"),
        Plane("branches", at.REACH + 4, stations, "stations one section away from its middle"),
        Plane("meets", at.MEETS, stations, f"{reach}, with other lines"),
        Plane("far_new", at.BEYOND, stations, "stations two sections away, in new districts"),
        Plane("far_full", at.BEYOND + 1, stations, "the same, in the fullest districts"),
        Plane("chances", at.CHANCES, 60, "by symbol: stations one away (0 to 4) times cards left"),
        Plane(
            "homes",
            at.HOMES,
            56,
            "by pencil to come: open sections at its departure (9), then lines there (4)",
        ),
        Plane("gains", at.GAINS, 60, "by symbol: most points of a section, if one card is left"),
        Plane("gains_two", at.GAINS + 1, 60, "the same, if two cards are left"),
        Plane("alive", at.ALIVE, stations, f"{reach}, whose symbol is on a card that is left"),
        Plane("pace_full", at.PACE, 54, "stations in the fullest district times undergrounds left"),
        Plane("pace", at.PACE + 1, 84, "districts of the line times undergrounds left"),
        Plane("ways", at.WAYS, 49, "open sections at the two ends"),
        Plane("prospect", at.PROSPECT, 48, "average points of the next section, times four"),
        Plane("lands", at.LANDS, 64, "by pencil to come: stations near its departure (16)"),
    ]
