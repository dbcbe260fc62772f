"""Next Station: the rules, the cities and their presentation."""

from __future__ import annotations

from pathlib import Path

from headway.games.box import Box, BoxParts

OPTIONS = ("objectives", "powers", "special_stations")
SEATS = range(1, 5)


def _parts() -> BoxParts:
    from headway.games.nextstation.city.city_file import check_city
    from headway.games.nextstation.city.map_data import CityData
    from headway.games.nextstation.game import NextStation, city_facts
    from headway.games.nextstation.view import NextStationView

    return BoxParts(NextStation, check_city, city_facts, NextStationView, CityData)


BOX = Box(
    name="next-station",
    seats=SEATS,
    options=OPTIONS,
    default_map="london",
    aliases=("nextstation",),
    map_format="headway-city/1",
    map_folder=Path(__file__).parent / "city",
    map_command="city",
    parts=_parts,
    opponent="tourist",
    never_together=(("powers", "special_stations"),),
    on_paper=True,
)
