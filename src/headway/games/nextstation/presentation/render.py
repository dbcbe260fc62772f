"""Shows a game: pictures, the screen of a terminal, the column beside it, the score table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from headway.games.contract import Move
from headway.games.nextstation import OPTIONS
from headway.games.nextstation.city.city import City
from headway.games.nextstation.moves import BARE, parts
from headway.games.nextstation.presentation.blank_sheet import draw_blank_sheet
from headway.games.nextstation.presentation.poster import poster as poster
from headway.games.nextstation.presentation.sheet_svg import draw_sheet
from headway.games.nextstation.presentation.sheet_text import (
    SYMBOL,
    drawn_lines,
    objective_name,
    rich_board,
)
from headway.games.nextstation.rules.arrays import CARDS, ROUNDS, UNDERGROUNDS
from headway.games.nextstation.rules.scoring import LineScore, ScoreSheet
from headway.games.nextstation.state import NextStationState
from headway.games.nextstation.view import NextStationView
from headway.games.presentation import TERMINAL
from headway.i18n import language, number, say
from headway.svg import Theme

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation


def svg(
    game: NextStation,
    view: NextStationView,
    *,
    names: Sequence[str] = (),
    theme: Theme = "auto",
    lang: str | None = None,
) -> str:
    """Draws the sheet of the view's seat (a spectator sees the first) with its score below.

    Before the deal there is no score.
    """
    lang, seat = lang or language(), max(view.seat, 0)
    sheet = view.sheets[seat]
    name = say("score.total" if view.finished else "score.now", lang)
    footer = say("score.sheet_of", lang, name=name, total=sheet.score.total)
    return draw_sheet(
        game.city,
        drawn_lines(game.city, sheet),
        theme=theme,
        lang=lang,
        title=game.title(lang),
        footer=(footer,) if view.pencils else (),
    )


def screen(
    game: NextStation, view: NextStationView, *, legal: Iterable[Move] = (), lang: str | None = None
) -> str:
    """Returns the seat's sheet for a terminal; starts and ends of legal sections are marked."""
    seat = max(view.seat, 0)
    moves = [parts(move) for move in legal]
    sections = [(move.section, move.way == BARE) for move in moves if move.section]
    plain = [section for section, bare in sections if bare]
    pencil = view.pencils[seat][view.round - 1] if view.pencils else ""
    return rich_board(
        game.city,
        drawn_lines(game.city, view.sheets[seat]),
        targets=frozenset(end for _, end in plain),
        powered=frozenset(end for (_, end), _ in sections),
        ends=frozenset(start for start, _ in plain) or frozenset(s for (s, _), _ in sections),
        pencil=pencil,
    )


FACE = {
    "circle": (" ▗▟██▙▖ ", " ██████ ", " ▝▜██▛▘ "),
    "triangle": ("   ▟▙   ", "  ▟██▙  ", " ▟████▙ "),
    "square": (" ██████ ", " ██████ ", " ██████ "),
    "pentagon": ("  ▗▟▙▖  ", " ██████ ", "  ████  "),
    "joker": (" ○    △ ", "   ??   ", " □    ⬠ "),
}
"""A card's picture, three rows of eight columns."""
SIGN = SYMBOL | {"joker": "?", "switch": "┬"}
"""A card as one character, as in the list of the deck."""
TOKEN = {"second": "+", "joker": "!joker", "switch": "!switch", "double": "*"}
"""The notation of a power."""
EFFECT_TOKEN = {"switch": "~", "joker": "~", "extension": "+", "double": "*"}


def status(
    game: NextStation, view: NextStationView, *, names: Sequence[str] = (), lang: str | None = None
) -> list[str]:
    """Returns everything a player needs to know besides the sheet, in rich's markup."""
    lang, seat = lang or language(), max(view.seat, 0)
    lines = [*_card(game.city, view, seat, names, lang), *_later(view, seat, lang)]
    lines += _deck(view, lang)
    lines += _powers(view, seat, lang)
    lines += _special(view, lang)
    lines += _objectives(game.city, view, seat, lang)
    lines.append(_line(game.city, view, seat, lang))
    lines.append(_scores(view, seat, names, lang))
    return lines


def _tint(colour: str, text: str) -> str:
    return f"[{TERMINAL[colour]} bold]{text}[/]"


def _card(
    city: City, view: NextStationView, seat: int, names: Sequence[str], lang: str
) -> Iterator[str]:
    """Returns the card as a picture in the colour of the pencil, with the turn beside it."""
    if not view.card:
        return
    colour = view.pencils[seat][view.round - 1]
    symbol = view.card.split(":")[1]
    rows = [f"│{_tint(colour, row)}│" for row in FACE[symbol]]
    labels = _turn(city, view, seat, names, lang)
    for row, beside in zip(["╭────────╮", *rows, "╰────────╯"], labels, strict=True):
        yield f"{row} {beside}".rstrip()


def _turn(
    city: City, view: NextStationView, seat: int, names: Sequence[str], lang: str
) -> list[str]:
    """Returns five short lines: round and turn, card, switch, pencil, controller."""
    kind, symbol = (view.card or ":").split(":")
    colour = view.pencils[seat][view.round - 1]
    departure = city.stations[city.departures[city.colours.index(colour)]].name
    name = _tint(colour, say(f"colour.{colour}", lang))
    switch = "status.switch_works" if view.turn > 2 else "status.switch_idle"  # NS-09
    flips = names[view.controller] if names else str(view.controller)
    return [
        say("status.course", lang, round=view.round, rounds=ROUNDS, turn=view.turn),
        f"[bold]{say(f'symbol.{symbol}', lang)}[/], {say(f'deck.{kind}', lang)}",
        f"[bold]{say(switch, lang)}[/]" if view.switch else "",
        say("status.pencil", lang, colour=name, station=departure),
        f"[dim]{say('status.controller', lang, name=flips)}[/]" if view.seats > 1 else "",
    ]


def _later(view: NextStationView, seat: int, lang: str) -> Iterator[str]:
    if later := view.pencils[seat][view.round :]:
        named = ", ".join(_tint(colour, say(f"colour.{colour}", lang)) for colour in later)
        yield say("status.then", lang, colours=named)


def _deck(view: NextStationView, lang: str) -> Iterator[str]:
    """Returns the deck by kind: the cards left, and those gone."""
    for kind in ("street", "underground"):
        cards = [card for card in CARDS if card.startswith(kind)]
        left, gone = (
            " ".join(SIGN[card.split(":")[1]] for card in cards if card in part)
            for part in (view.cards_left, view.cards_shown)
        )
        come = sum(card.startswith(kind) for card in view.cards_shown)
        text = say(f"status.{kind}", lang, cards=f"[bold]{left}[/]", come=come, last=UNDERGROUNDS)
        yield text + (f" [dim]{say('deck.gone', lang, cards=gone)}[/]" if gone else "")


def _powers(view: NextStationView, seat: int, lang: str) -> Iterator[str]:
    if not view.powers:
        return
    held = view.pencils[seat][view.round - 1]
    power = view.powers[held]
    spent = view.sheets[seat].power_spent
    key = "status.power_spent" if spent else "status.power"
    yield say(key, lang, power=say(f"power.{power}", lang), token=TOKEN[power])
    others = [
        f"{_tint(colour, say(f'colour.{colour}', lang))} {say(f'power.{other}', lang)}"
        for colour, other in view.powers.items()
        if colour != held
    ]
    yield ", ".join(others)


def _special(view: NextStationView, lang: str) -> Iterator[str]:
    if not view.special:
        return
    symbol, effect = view.special[-1]
    up = view.card is not None and view.card.endswith(":" + symbol)
    values = {"symbol": SYMBOL[symbol], "effect": say(f"effect.{effect}", lang)}
    yield say("status.special", lang, **values)
    if up:
        yield f"[bold]{say('status.special_up', lang, token=EFFECT_TOKEN[effect])}[/]"


def _objectives(city: City, view: NextStationView, seat: int, lang: str) -> Iterator[str]:
    for objective in view.sheets[seat].score.objectives:
        name = objective_name(city, objective.id, lang)
        far = f"{objective.reached}/{objective.needed}"
        yield f"[bold]{name} ✓[/]" if objective.met else f"{name} {far}"


def _line(city: City, view: NextStationView, seat: int, lang: str) -> str:
    line = view.sheets[seat].score.lines[view.round - 1]
    return say("status.line", lang, sum=_sum(city, line))


def _scores(view: NextStationView, seat: int, names: Sequence[str], lang: str) -> str:
    """Returns the totals if the game ended now, the seat's own in bold."""
    shown = []
    for owner, sheet in enumerate(view.sheets):
        name = f"{names[owner]} " if names and view.seats > 1 else ""
        text = f"{name}{number(sheet.score.total)}"
        shown.append(f"[bold]{text}[/]" if owner == seat else text)
    return say("status.scores", lang, scores=", ".join(shown))


def score_table(state: NextStationState, lang: str | None = None) -> list[list[str]]:
    """Returns a header row, then a row per line of the score; the first column is its name."""
    city, sheets, lang = state.game.city, state.scores(), lang or language()
    head = ["", *(say("score.seat", lang, seat=seat) for seat in range(len(sheets)))]
    grid = [head]

    def row(key: str, value: Callable[[ScoreSheet], object], **values: object) -> None:
        grid.append([say(key, lang, **values), *(str(value(sheet)) for sheet in sheets)])

    for r in range(len(sheets[0].lines)):
        grid.append(
            [
                say("place.round", lang, n=r + 1),
                *(
                    f"{say(f'colour.{line.colour}', lang)}  {_sum(city, line)}"
                    for line in (sheet.lines[r] for sheet in sheets)
                ),
            ]
        )
    row("score.lines", lambda s: sum(line.points for line in s.lines))
    if city.scoring.tourist:
        row("score.tourist", lambda s: f"{s.marks} → {s.tourist}")
    if any(district.stamp for district in city.districts):
        row("score.stamps", lambda s: f"{s.stamps_won} → {s.stamps}")
    if city.loop:
        row("score.loop", lambda s: f"{s.loop_missed} → {number(s.loop)}")
    row("score.interchanges", _interchanges)
    for i, objective in enumerate(sheets[0].objectives):
        name = objective_name(city, objective.id, lang)
        row("score.objective", partial(_objective, i), objective=name)
    if any(sheet.deduction for sheet in sheets):
        row("score.deduction", lambda s: number(s.deduction))
    row("score.total", lambda s: number(s.total))
    return grid


def _sum(city: City, line: LineScore) -> str:
    """Returns how a line's points come about."""
    river = f" + {line.over_river} × {city.scoring.river}" if city.river else ""
    return f"{line.districts} × {line.fullest}{river} = {line.points}"


def _interchanges(sheet: ScoreSheet) -> str:
    counts = " ".join(f"{n}×{lines}" for lines, n in sheet.meeting.items() if n)
    return f"{counts} → {sheet.interchanges}" if counts else "0"


def _objective(i: int, sheet: ScoreSheet) -> str:
    objective = sheet.objectives[i]
    return f"{objective.reached}/{objective.needed}" + (" ✓" if objective.met else "")


def notation_help(game: NextStation, lang: str | None = None) -> list[str]:
    """Explains how moves are typed, with the game's options."""
    parts = ["all", *(name for name in OPTIONS if game.options[name])]
    if game.city.double_track_jokers or game.options["special_stations"]:
        parts.insert(1, "double_track")
    texts = [say(f"notation.{part}", lang) for part in parts]
    return [line for text in texts for line in text.splitlines()]


def blank_sheet(game: NextStation, lang: str | None = None) -> str:
    """Returns the empty sheet as an SVG file of size A4, with the game's options."""
    lang = lang or language()
    return draw_blank_sheet(game.city, game.options, game.title(lang), lang)
