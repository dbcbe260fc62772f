"""A review for people: as text in the user's language, and as a picture.

The picture is the curve of the expected result, with luck, losses and turning points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import UNSET

from headway.games.presentation import LuckSkill
from headway.i18n import language, locale_of, say, texts
from headway.reviews.arithmetic import SURE_ERRORS, printed, tenths
from headway.reviews.report import THOUSAND, Measure, Review, SeatReview, Turn
from headway.svg import BOLD, Palette, Theme, document, element, label, number

SUM = ("start", "luck", "loss", "others", "recount", "result")
"""The lines of a sum, in their order; a text `review.NAME` names each."""
_WORD_GROUPS = ("deck", "symbol", "effect", "card", "dealt")
_MINUS, _PLUS = "−", "+"
WIDTH, MARGIN, LEFT, HEAD, PANEL, FOOT = 900, 24, 64, 64, 240, 44


def sum_of(seat: SeatReview) -> dict[str, int]:
    """Returns the printed figures of a seat in tenths; all but the last add up to the last."""
    figures = printed(_parts(seat))
    return dict(zip(SUM, [*figures, sum(figures)], strict=True))


def _parts(seat: SeatReview) -> tuple[int, ...]:
    return seat.start, seat.luck, -seat.loss, seat.others, seat.recount


def luck_and_skill(seat: SeatReview) -> LuckSkill:
    """Returns a review in two whole numbers, the luck as the review's page prints it.

    Skill is the result without luck in per cent of what was expected at the start. Where victory
    counts, it is the share of decisions without a mark: a win or a loss is no measure of play.
    """
    victory = seat.measure == "victory"
    _, luck, *_ = printed(_parts(seat), THOUSAND)
    if victory:
        marks = sum(turn.mark is not UNSET for turn in seat.turns)
        skill = 100 - round(100 * marks / max(1, seat.decisions))
    else:
        skill = round(100 * (seat.result - seat.luck) / max(1, seat.start))
    return LuckSkill(luck, max(0, skill), victory)


def lines(review: Review, names: Sequence[str] | None = None) -> list[str]:
    """Returns the review as lines of text."""
    printed_lines: list[str] = []
    for seat in review.seats:
        name = names[seat.seat] if names else say("score.seat", seat=seat.seat)
        printed_lines += [name, *_seat(seat), ""]
    if review.best is not UNSET:
        totals = ", ".join(map(str, review.best.totals))
        printed_lines.append(say("review.best", totals=totals))
    return printed_lines


def _seat(seat: SeatReview) -> Iterator[str]:
    if seat.rough:
        yield "  " + say("review.rough", luck=figure(tenths(seat.luck), seat.measure, signed=True))
    else:
        yield from _sum(seat)
    for key, at in (("review.luckiest", seat.luckiest), ("review.unluckiest", seat.unluckiest)):
        if at is not None:
            yield "  " + say(key, **_deal(seat, seat.turns[at]))
    if seat.turning:
        yield "  " + say("review.turning")
    for index in seat.turning:
        yield from _turning_point(seat, seat.turns[index])


def _sum(seat: SeatReview) -> Iterator[str]:
    """Yields the sum of a seat, and the level that loses as much."""
    figures = sum_of(seat)
    shown = [name for name in SUM if figures[name] or name not in ("others", "recount")]
    titles = {name: say(f"review.{name}") for name in shown}
    if seat.measure == "victory":
        titles["start"] = say("review.start_victory")
    cells = {
        name: figure(figures[name], seat.measure, signed=name not in ("start", "result"))
        for name in shown
    }
    wide, broad = (max(map(len, column.values())) for column in (titles, cells))
    for name in shown:
        yield f"  {titles[name].ljust(wide)}  {cells[name].rjust(broad)}"
    if seat.measure == "points":
        without = figures["result"] - figures["luck"]
        yield "  " + say("review.without_luck", value=figure(without, seat.measure))
    yield "  " + say(
        "review.grade",
        n=seat.decisions,
        good=figure(round(seat.good * 1000), "victory"),
        median=figure(tenths(seat.median), seat.measure),
        level=say(f"bot.title.{seat.level}"),
    )


def _deal(seat: SeatReview, turn: Turn) -> dict[str, str]:
    luck = figure(tenths(turn.luck), seat.measure, signed=True)
    return {"luck": luck, "dealt": dealt(turn), "place": place(turn)}


def _turning_point(seat: SeatReview, turn: Turn) -> Iterator[str]:
    values = {
        "place": place(turn),
        "played": turn.played,
        "best": turn.best,
        "loss": figure(tenths(turn.loss), seat.measure),
        "error": figure(tenths(turn.error or 0), seat.measure),
    }
    marked = f" ({say(f'review.mark.{turn.mark}')})" if turn.mark else ""
    yield "    " + say("review.turning_point", **values) + marked
    for reason in turn.why or ():
        if abs(reason.points) <= SURE_ERRORS * reason.error:
            continue
        points = figure(tenths(reason.points), seat.measure, signed=True)
        error = figure(tenths(reason.error), seat.measure)
        yield f"      {part(reason.part)}  {points} ± {error}"


def part(name: str) -> str:
    """Returns the name of a part of the score."""
    kind, _, line = name.partition(":")
    return say(f"review.part.{kind}", n=line)


def place(turn: Turn) -> str:
    """Returns where in the game an event is."""
    if turn.number is not UNSET:
        return say("review.event", n=turn.number)
    round_ = say("place.round", n=turn.round)
    return f"{round_}, {say('place.turn', n=turn.turn)}" if turn.turn else round_


def dealt(turn: Turn) -> str:
    """Returns what was dealt; ids that have no text, such as tickets, stay as they are."""
    catalogue = texts(language())

    def word(token: str) -> str:
        keys = (f"{group}.{token}" for group in _WORD_GROUPS)
        return next((catalogue[key] for key in keys if key in catalogue), token)

    return " ".join(word(token) for token in re.split(r"[ :]", turn.dealt or ""))


def figure(value: int, measure: Measure, lang: str | None = None, *, signed: bool = False) -> str:
    """Returns a value in tenths with one decimal, as the language writes it."""
    from babel.numbers import format_decimal, format_percent

    size = abs(value) / 10
    known = locale_of(lang or language())
    if measure == "victory":
        text = format_percent(size / 100, format="#,##0.0%", locale=known)
        text = text.replace("%", "\u00a0%") if known.language == "fr" else text
    else:
        text = format_decimal(size, format="0.0", locale=known)
    sign = _MINUS if value < 0 else _PLUS if signed and value else ""
    return f"{sign}{text}"


def picture(
    review: Review,
    title: str,
    names: Sequence[str] = (),
    *,
    theme: Theme = "auto",
    lang: str | None = None,
) -> str:
    """Draws the sums and curves of all seats, one below the other; without names, by number."""
    palette = Palette(theme)
    body = [label(title, MARGIN, 36, 20, fill=palette("ink"), font_weight=str(BOLD))]
    said = []
    for row, seat in enumerate(review.seats):
        name = names[seat.seat] if names else say("score.seat", lang, seat=seat.seat)
        panel = _Panel(palette, seat, name, HEAD + row * PANEL, lang)
        body += panel.draw()
        said.append(panel.sentence())
    height = HEAD + PANEL * len(review.seats) + FOOT
    body += _legend(palette, height - 18, lang)
    return document(WIDTH, height, *body, palette=palette, title=title, description="; ".join(said))


def _legend(palette: Palette, y: float, lang: str | None) -> list[str]:
    parts, x = [], float(LEFT)
    for colour, key in (("blue", "review.luck"), ("red", "review.loss")):
        text = say(key, lang)
        parts.append(element("rect", x=x, y=y - 10, width=12, height=12, fill=palette(colour)))
        parts.append(label(text, x + 18, y, 13, fill=palette("muted")))
        x += 40 + 8 * len(text)
    return parts


class _Panel:
    """The curve of one seat."""

    def __init__(
        self, palette: Palette, seat: SeatReview, name: str, top: float, lang: str | None
    ) -> None:
        self.palette, self.seat, self.name, self.lang = palette, seat, name, lang
        values = [turn.expected for turn in seat.turns] + [seat.result]
        values += [turn.expected + turn.luck for turn in seat.turns]
        self.low, self.high = min(values), max(max(values), min(values) + THOUSAND)
        self.top, self.bottom = top + 54, top + PANEL - 24

    def sentence(self) -> str:
        """Returns the sum as text; the luck alone, where figures are rough."""
        figures = sum_of(self.seat)
        if self.seat.rough:
            figures = {"luck": tenths(self.seat.luck)}
        return ", ".join(
            f"{say(f'review.{name}', self.lang)} {figure(value, self.seat.measure, self.lang)}"
            for name, value in figures.items()
        )

    def draw(self) -> list[str]:
        """Draws name, sum, grid, curve and marks."""
        ink, muted = self.palette("ink"), self.palette("muted")
        parts = [
            label(self.name, MARGIN, self.top - 34, 14, fill=ink, font_weight=str(BOLD)),
            label(self.sentence(), MARGIN, self.top - 14, 13, fill=muted),
        ]
        parts += self._grid()
        for i, turn in enumerate(self.seat.turns):
            known, after = turn.expected + turn.luck, turn.expected + turn.luck - turn.loss
            after += turn.others or 0
            parts.append(self._rise(i, turn.expected, known, "blue"))
            parts.append(self._rise(i, known, after, "red" if turn.loss else "muted"))
            right = f"M{number(self._x(i))} {number(self._y(after))}H{number(self._x(i + 1))}"
            parts.append(element("path", d=right, stroke=ink, stroke_width=1.5))
        for rank, i in enumerate(self._by_loss()):
            parts += self._mark(i, rank + 1)
        return parts

    def _by_loss(self) -> list[int]:
        return sorted(self.seat.turning, key=lambda i: (-self.seat.turns[i].loss, i))

    def _mark(self, i: int, rank: int) -> list[str]:
        turn = self.seat.turns[i]
        x, y = self._x(i), self._y(turn.expected + turn.luck - turn.loss) + 12
        disc = element("circle", cx=x, cy=y, r=9, fill=self.palette("red"))
        white = self.palette("on-colour")
        text = label(f"{rank}", x, y + 4, 12, fill=white, text_anchor="middle")
        return [disc, text]

    def _rise(self, i: int, before: int, after: int, colour: str) -> str:
        d = f"M{number(self._x(i))} {number(self._y(before))}V{number(self._y(after))}"
        return element("path", d=d, stroke=self.palette(colour), stroke_width=4)

    def _grid(self) -> list[str]:
        parts = []
        for k in range(5):
            value = self.low + (self.high - self.low) * k // 4
            y, hair = self._y(value), self.palette("hair")
            parts.append(element("path", d=f"M{LEFT} {number(y)}H{WIDTH - MARGIN}", stroke=hair))
            text, muted = f"{round(value / THOUSAND)}", self.palette("muted")
            parts.append(label(text, LEFT - 8, y + 4, 12, fill=muted, text_anchor="end"))
        return parts

    def _x(self, index: float) -> float:
        return LEFT + (WIDTH - LEFT - MARGIN) * index / len(self.seat.turns)

    def _y(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * (value - self.low) / (self.high - self.low)
