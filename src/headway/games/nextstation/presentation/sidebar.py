"""The column beside the sheet: round, card, deck, pencils, modules, scores, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from headway.games.nextstation.city.city import City
from headway.games.nextstation.presentation.score_table import objective_name
from headway.games.nextstation.presentation.sheet_text import SYMBOL
from headway.games.nextstation.rules.arrays import CARDS, ROUNDS, UNDERGROUNDS
from headway.games.nextstation.view import NextStationView
from headway.games.text_canvas import TERMINAL
from headway.i18n import number, say

if TYPE_CHECKING:
    from headway.games.nextstation.game import NextStation

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


def status(game: NextStation, view: NextStationView, names: Sequence[str], lang: str) -> list[str]:
    """Returns everything a player needs to know besides the sheet, in rich's markup."""
    seat = max(view.seat, 0)
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
    river = f" + {line.over_river} × {city.scoring.river}" if city.river else ""
    total = f"{line.districts} × {line.fullest}{river} = {line.points}"
    return say("status.line", lang, sum=total)


def _scores(view: NextStationView, seat: int, names: Sequence[str], lang: str) -> str:
    """Returns the totals if the game ended now, the seat's own in bold."""
    shown = []
    for owner, sheet in enumerate(view.sheets):
        name = f"{names[owner]} " if names and view.seats > 1 else ""
        text = f"{name}{number(sheet.score.total)}"
        shown.append(f"[bold]{text}[/]" if owner == seat else text)
    return say("status.scores", lang, scores=", ".join(shown))
