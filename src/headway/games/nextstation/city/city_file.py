"""Reads city files and reports everything that is wrong with one.

A city file is TOML. The checks collect problems with their lines instead of stopping at the first;
only a file without problems becomes a `City`.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import msgspec

from headway.games.mapfile import (
    MOST_NUMBER,
    Draft,
    MapReader,
    is_number,
    is_point,
    is_whole,
    unreached,
)
from headway.games.nextstation import BOX
from headway.games.nextstation.city.city import (
    COLUMNS,
    MOST_DISTRICTS,
    MOST_OBJECTIVES,
    MOST_SECTIONS,
    MOST_STATIONS,
    OBJECTIVE_POINTS,
    PALETTES,
    PENCILS,
    RADIUS,
    REACH,
    ROWS,
    STREETS,
    TOURIST_RADIUS,
    TURNS,
    WILD,
    City,
    District,
    Drawing,
    Landmark,
    Name,
    Objective,
    Park,
    Scoring,
    Section,
    Station,
    landmarks,
    lay_sections,
    meet,
    obstacles,
)
from headway.i18n import in_language, is_language, languages
from headway.svg import Point

LETTERS = {"C": "circle", "T": "triangle", "S": "square", "P": "pentagon", "?": WILD}
COUNTS = {"2": 2, "3": 3, "4": 4, "5": 5}  # lines at an interchange, as TOML writes keys
JUDGES = ("mayor", "emperor")
NEEDS = ("interchanges", "districts", "tourist", "district", "river", "stamps", "hub", "loop")
"""The kinds of objectives; `objective_progress` in `rules/scoring.py` counts each of them.

A new objective on a shipped map changes its hash: bots need a network that is trained on it.
"""
COUNTED = ("interchanges", "river", "stamps", "hub")
KEYS = {
    *("sheet", "districts", "tourist", "double_track_jokers"),
    *("pencils", "district", "river", "loop", "scoring", "objectives", "drawing"),
}
TABLE_KEYS = {
    "river": {"name", "path"},
    "loop": {"colour", "path"},
    "drawing": {"palette", "streets", "centre", "parks", "names", "landmarks"},
    "scoring": {"river", "tourist", "interchanges", "loop", "verdicts", "verdicts_note", "judge"},
}
ENTRY_KEYS = {"district": {"stamp"}, "objectives": {"needs", "at_least", "district"}}


class _CityDraft(Draft[City]):
    """A city file that is being read."""

    texts = "city"

    def row_line(self, key: str, row: int) -> int:
        """Returns the line of a row of a picture."""
        first = self.line(key)
        content = self.text.splitlines()[first - 1] if self.text else ""
        opens_with_row = re.search(r'"""\s*\S', content) is not None
        return first + row + (0 if opens_with_row else 1)

    def picture(self, key: str) -> list[str]:
        """Returns the rows of a picture."""
        return str(self.take(str, key) or "").strip("\n").splitlines()

    def points(self, value: object, *path: str) -> int:
        """Returns the value of a key or of a part of it, a whole number that is not negative."""
        if isinstance(value, int) and is_whole(value):
            return value
        self.no_number(value, 0, *path)
        return 0

    # The parts of a city

    def build(self) -> City | None:
        self.keys()
        rows, letters = self.sheet()
        names = self.station_names(rows)
        departures = self.departures(names)
        tourist = self.tourist(names)
        districts = self.districts(rows, letters)
        stations = tuple(
            Station(name, x, y, LETTERS[letter], self.district_index(letters, x, y),
                    departures.get(name), name in tourist)
            for name, (x, y, letter) in names.items()
        )  # fmt: skip
        river, river_name = self.river()
        loop, loop_colour = self.loop(names)
        sections, cut = lay_sections(stations, river, loop)
        self.network(stations, sections)
        has = {"river": bool(river), "tourist": bool(tourist), "loop": bool(loop)}
        scoring = self.scoring(has)
        objectives = self.objectives(has, stations, sections, districts)
        drawing = self.drawing(stations, sections, rows)
        jokers = self.take(bool, "double_track_jokers", default=False)
        if self.problems:
            return None
        keys = self.district_keys()
        return City(
            name=self.data["name"],
            title=self.translations("title"),
            note=self.translations("note", required=False),
            width=len(rows[0]),
            height=len(rows),
            stations=stations,
            sections=tuple(sections),
            districts=districts,
            district_at=tuple(tuple(keys.index(letter) for letter in row) for row in letters),
            river=tuple(river),
            river_name=river_name,
            loop=tuple(i for i, s in enumerate(sections) if s.loop),
            loop_colour=loop_colour,
            cut_by_loop=cut,
            colours=tuple(self.data["pencils"]),
            double_track_jokers=jokers,
            scoring=scoring,
            objectives=objectives,
            drawing=drawing,
            hash=_hash(self.data),
        )

    def keys(self) -> None:
        self.head(BOX.map_format, KEYS)
        for section, keys in TABLE_KEYS.items():
            self.check_keys(self.data.get(section), keys, section)
        for section, keys in ENTRY_KEYS.items():
            for key in self.take(dict, section, default={}):
                entry = self.data[section][key]
                self.check_keys(entry, keys, section, key, named=section == "district")

    def sheet(self) -> tuple[list[str], list[str]]:
        rows, letters = self.picture("sheet"), self.picture("districts")
        width = len(rows[0]) if rows else 0
        for key, picture in (("sheet", rows), ("districts", letters)):
            for y, row in enumerate(picture):
                if len(row) != width:
                    line = self.row_line(key, y)
                    self.problem(line, "row_length", row=y, is_=len(row), should=width)
        if len(rows) != len(letters):
            line = self.line("districts")
            self.problem(line, "picture_height", is_=len(letters), should=len(rows))
        if width > len(COLUMNS) or len(rows) > len(ROWS):
            self.problem(self.line("sheet"), "too_large", most=len(COLUMNS))
        for y, row in enumerate(rows):
            for letter in sorted(set(row) - set(LETTERS) - {"."}):
                self.problem(self.row_line("sheet", y), "unknown_symbol", symbol=letter, row=y)
        return rows, letters

    def station_names(self, rows: list[str]) -> dict[str, tuple[int, int, str]]:
        names = {
            COLUMNS[x] + ROWS[y]: (x, y, letter)
            for y, row in enumerate(rows[: len(ROWS)])
            for x, letter in enumerate(row[: len(COLUMNS)])
            if letter in LETTERS
        }
        if not names:
            self.problem(self.line("sheet"), "no_stations")
        self.at_most("sheet", "too_many_stations", len(names), MOST_STATIONS)
        return names

    def departures(self, names: Mapping[str, Any]) -> dict[str, str]:
        pencils: dict[str, Any] = self.take(dict, "pencils") or {}
        if pencils and len(pencils) != 4:
            self.problem(self.line("pencils"), "four_pencils", count=len(pencils))
        colour_at: dict[str, str] = {}
        for colour, station in ((colour, str(name)) for colour, name in pencils.items()):
            line = self.line("pencils", colour)
            if colour not in PENCILS:
                self.problem(line, "unknown_colour", colour=colour, known=", ".join(PENCILS))
            if station not in names:
                self.problem(line, "departure_missing", colour=colour, station=station)
            elif station in colour_at:
                other = colour_at[station]
                self.problem(line, "departure_twice", colour=colour, station=station, other=other)
            else:
                colour_at[station] = colour
        return colour_at

    def tourist(self, names: Mapping[str, Any]) -> frozenset[str]:
        sites = [str(site) for site in self.take(list, "tourist", default=[])]
        for site in sites:
            if site not in names:
                self.problem(self.line("tourist"), "site_missing", station=site)
        for site, times in Counter(sites).items():
            if times > 1:
                self.problem(self.line("tourist"), "site_twice", station=site)
        return frozenset(sites)

    def district_keys(self) -> list[str]:
        return list(self.take(dict, "district", default={}))

    def district_index(self, letters: list[str], x: int, y: int) -> int:
        keys = self.district_keys()
        letter = letters[y][x] if y < len(letters) and x < len(letters[y]) else ""
        return keys.index(letter) if letter in keys else 0

    def districts(self, rows: list[str], letters: list[str]) -> tuple[District, ...]:
        keys = self.district_keys()
        if not keys:
            self.problem(self.line("district"), "missing", name="district")
        self.at_most("district", "too_many_districts", len(keys), MOST_DISTRICTS)
        for y, row in enumerate(letters):
            for letter in sorted(set(row) - set(keys)):
                line = self.row_line("districts", y)
                self.problem(line, "unknown_district", district=letter, row=y)
        served = {
            district
            for row, line in zip(rows, letters, strict=False)
            for symbol, district in zip(row, line, strict=False)
            if symbol in LETTERS
        }
        districts = []
        for key in keys:
            line = self.line("district", key)
            if key not in served:
                self.problem(line, "empty_district", district=key)
            entry = self.take(dict, "district", key) or {}
            stamp = self.points(entry.get("stamp", 0), "district", key, "stamp")
            districts.append(District(key, self.translations("district", key), stamp))
        return tuple(districts)

    def river(self) -> tuple[list[Point], dict[str, str]]:
        if "river" not in self.data:
            return [], {}
        path = self.take(list, "river", "path") or []
        good = [p for p in path if is_point(p) and max(map(abs, p)) <= 100]
        if len(good) < len(path) or len(path) < 2:
            self.problem(self.line("river", "path"), "river_path")
        return [(p[0], p[1]) for p in good], self.translations("river", "name")

    def loop(self, names: Mapping[str, Any]) -> tuple[list[Point], str]:
        if "loop" not in self.data:
            return [], ""
        line = self.line("loop", "path")
        colour = self.take(str, "loop", "colour") or ""
        if colour and (colour not in PENCILS or colour in self.data.get("pencils", {})):
            self.problem(self.line("loop", "colour"), "loop_colour", colour=colour)
        path: list[Point] = []
        for token in (self.take(str, "loop", "path") or "").split():
            match = re.fullmatch(r"\(([a-j])([0-9])\)|([a-j])([0-9])", token)
            if not match:
                self.problem(line, "loop_token", token=token)
                continue
            column, row = match[1] or match[3], match[2] or match[4]
            if (column + row in names) != bool(match[3]):
                key = "loop_bend" if match[1] else "loop_station"
                self.problem(line, key, point=column + row)
                continue
            path.append((COLUMNS.index(column), ROWS.index(row)))
        if len(path) < 4 or path[0] != path[-1]:
            self.problem(line, "loop_open")
            return [], colour
        self.loop_way(path, names, line)
        return path, colour

    def loop_way(self, path: list[Point], names: Mapping[str, Any], line: int) -> None:
        if len(set(path)) < len(path) - 1:
            self.problem(line, "loop_twice")
        for p, q in pairwise(path):
            dx, dy = abs(p[0] - q[0]), abs(p[1] - q[1])
            if dx and dy and dx != dy:
                self.problem(line, "loop_slant", start=_name(p), end=_name(q))
            for name, (x, y, _) in names.items():
                if (x, y) not in (p, q) and p != q and meet((p, q), ((x, y), (x, y)), ()):
                    self.problem(line, "loop_over", station=name)

    def network(self, stations: tuple[Station, ...], sections: list[Section]) -> None:
        self.at_most("sheet", "too_many_sections", len(sections), MOST_SECTIONS)
        for i in unreached(len(stations), [(s.a, s.b) for s in sections]):
            line = self.row_line("sheet", stations[i].y)
            self.problem(line, "disconnected", station=stations[i].name, other=stations[0].name)

    def scoring(self, has: Mapping[str, bool]) -> Scoring:
        """Returns the scoring of a city that has these parts."""
        entries: dict[str, Any] = self.take(dict, "scoring") or {}
        for key, there in has.items():
            if there and key not in entries:
                self.problem(self.line("scoring"), "missing", name=f"scoring.{key}")
        interchanges = {
            self.points(COUNTS.get(lines, lines), "scoring", "interchanges"): self.points(
                points, "scoring", "interchanges", lines
            )
            for lines, points in self.take(dict, "scoring", "interchanges", default={}).items()
        }
        verdicts = self.take(list, "scoring", "verdicts") or []
        if len(verdicts) != 5 or not _rising(verdicts):
            line = self.line("scoring", "verdicts")
            self.problem(line, "verdicts", most=MOST_NUMBER)
        judge = self.take(str, "scoring", "judge", default=JUDGES[0])
        if judge not in JUDGES:
            line = self.line("scoring", "judge")
            self.problem(line, "judge", judge=judge, known=", ".join(JUDGES))
        marks = self.take(list, "scoring", "tourist", default=[])
        if len(marks) > 32:
            self.problem(self.line("scoring", "tourist"), "tourist_marks", most=32)
        note = self.translations("scoring", "verdicts_note", required=False)
        return Scoring(
            river=self.points(entries.get("river", 0), "scoring", "river"),
            tourist=tuple(self.points(mark, "scoring", "tourist") for mark in marks),
            interchanges=interchanges,
            loop=self.points(entries.get("loop", 0), "scoring", "loop"),
            objective=OBJECTIVE_POINTS,
            verdicts=tuple(verdicts),
            verdicts_note={lang: in_language(note, lang) for lang in languages()},
            judge=judge,
        )

    def objectives(
        self,
        has: Mapping[str, bool],
        stations: tuple[Station, ...],
        sections: list[Section],
        districts: tuple[District, ...],
    ) -> tuple[Objective, ...]:
        entries: dict[str, Any] = self.take(dict, "objectives", default={})
        if entries and not 2 <= len(entries) <= MOST_OBJECTIVES:
            self.problem(self.line("objectives"), "objective_count", most=MOST_OBJECTIVES)
        has = {**has, "stamps": any(district.stamp for district in districts)}
        whole = {
            "districts": len(districts),
            "tourist": sum(station.tourist for station in stations),
            "loop": len({end for one in sections if one.loop for end in (one.a, one.b)}),
        }
        keys, objectives = self.district_keys(), []
        for name, entry in entries.items():
            line = self.line("objectives", name)
            needs = entry.get("needs") if isinstance(entry, dict) else None
            if needs not in NEEDS:
                self.problem(line, "objective_needs", objective=name, known=", ".join(NEEDS))
                continue
            if not has.get(needs, True):
                self.problem(line, "objective_without", objective=name, needs=needs)
            district = entry.get("district")
            if needs == "district" and district not in keys:
                self.problem(line, "objective_district", objective=name, district=district)
                continue
            at_least = self.points(entry.get("at_least", 0), "objectives", name, "at_least")
            if needs in COUNTED and not at_least:
                self.problem(line, "objective_number", objective=name)
            index, needed = 0, whole.get(needs, at_least)
            if needs == "district":
                index = keys.index(district)
                needed = sum(station.district == index for station in stations)
            objectives.append(Objective(name, needs, needed, index))
        return tuple(objectives)

    # How the city looks

    def drawing(
        self, stations: tuple[Station, ...], sections: list[Section], rows: list[str]
    ) -> Drawing:
        entries: dict[str, Any] = self.take(dict, "drawing", default={})
        looks = {}
        for key, known in (("palette", PALETTES), ("streets", STREETS)):
            looks[key] = entries.get(key, known[0])
            if looks[key] not in known:
                line, names = self.line("drawing", key), ", ".join(known)
                self.problem(line, "drawing_word", name=key, value=looks[key], known=names)
        centre: Any = entries.get("centre")
        placed = is_point(centre)
        if centre is not None and not placed:
            self.problem(self.line("drawing", "centre"), "drawing_place", name="centre")
        return Drawing(
            palette=looks["palette"],
            streets=looks["streets"],
            centre=(centre[0], centre[1]) if placed else None,
            parks=self.parks(),
            names=self.names(stations, sections, rows),
            landmarks=self.landmarks({station.name for station in stations}),
        )

    def parks(self) -> tuple[Park, ...]:
        parks = []
        for entry in self.take(list, "drawing", "parks", default=[]):
            if isinstance(entry, list) and len(entry) == 3 and all(map(is_number, entry)):
                parks.append(Park((entry[0], entry[1]), entry[2]))
            else:
                self.problem(self.line("drawing", "parks"), "drawing_park")
        return tuple(parks)

    def names(
        self, stations: tuple[Station, ...], sections: list[Section], rows: list[str]
    ) -> tuple[Name, ...]:
        discs = [(s.name, s.point, TOURIST_RADIUS if s.tourist else RADIUS) for s in stations]
        ways = [piece for section in sections for piece in pairwise(section.path)]
        names = []
        for key in self.take(dict, "drawing", "names", default={}):
            line = self.line("drawing.names", key)
            entry = self.data["drawing"]["names"][key]
            if key not in self.district_keys():
                self.problem(line, "drawing_district", district=key)
            if not (isinstance(entry, dict) and is_point(entry.get("place"))):
                self.problem(line, "drawing_place", name=f"drawing.names.{key}.place")
                continue
            self.check_keys(entry, {"place", "turn"}, "drawing.names", key, named=True)
            text = self.translations("drawing", "names", key)
            turn, (x, y) = entry.get("turn", 0), entry["place"]
            if turn not in TURNS:
                known = ", ".join(map(str, TURNS))
                self.problem(line, "drawing_word", name="turn", value=turn, known=known)
            elif text:
                names.append(Name(text, (x, y), turn))
                self.room_for(names[-1], key, (len(rows[0]) if rows else 0, len(rows)), discs, ways)
        return tuple(names)

    def room_for(
        self,
        name: Name,
        key: str,
        size: tuple[int, int],
        discs: list[tuple[str, Point, float]],
        ways: list[tuple[Point, Point]],
    ) -> None:
        """Checks that a name is on the sheet, and over no station and no section."""
        line, corners = self.line("drawing.names", key), name.box()
        if any(not -REACH <= p[k] <= size[k] - 1 + REACH for p in corners for k in (0, 1)):
            self.problem(line, "name_outside", district=key)
        for obstacle in dict.fromkeys(obstacles(name, discs, ways)):
            if obstacle:
                self.problem(line, "name_over_station", district=key, station=obstacle)
            else:
                self.problem(line, "name_over_section", district=key)

    def landmarks(self, names: set[str]) -> tuple[Landmark, ...]:
        placed, drawings = [], landmarks()
        for station in self.take(dict, "drawing", "landmarks", default={}):
            line = self.line("drawing.landmarks", station)
            entry = self.data["drawing"]["landmarks"][station]
            if station not in names:
                self.problem(line, "landmark_station", station=station)
            drawing: Any = entry.get("drawing") if isinstance(entry, dict) else None
            if drawing not in drawings:
                known = ", ".join(drawings)
                self.problem(line, "drawing_word", name="drawing", value=drawing, known=known)
            elif not is_point(entry.get("place")):
                self.problem(line, "drawing_place", name=f"drawing.landmarks.{station}.place")
            else:
                self.check_keys(entry, {"drawing", "place"}, "drawing.landmarks", station)
                x, y = entry["place"]
                placed.append(Landmark(station, (x, y), *drawings[drawing]))
        return tuple(placed)


_READER = MapReader(_CityDraft, BOX)
load_city, read_city, check_city = _READER.load, _READER.read, _READER.check


def _rising(values: list[Any]) -> bool:
    return all(map(is_whole, values)) and all(a < b for a, b in pairwise(values))


def _hash(data: dict[str, Any]) -> str:
    """Returns a hash of everything that matters for play; comments, texts and looks do not."""

    def meaning(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: meaning(part)
                for key, part in sorted(value.items())
                if not (isinstance(part, str) and is_language(key))
            }
        return value

    played = {key: part for key, part in data.items() if key != "drawing"}
    return hashlib.sha256(msgspec.json.encode(meaning(played))).hexdigest()


def _name(point: Point) -> str:
    return COLUMNS[int(point[0])] + ROWS[int(point[1])]
