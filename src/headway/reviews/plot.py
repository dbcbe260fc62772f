"""The curve of the expected result as a picture, with luck, losses and turning points."""

from __future__ import annotations

from collections.abc import Sequence

from headway.i18n import say
from headway.reviews.report import Review, SeatReview
from headway.reviews.words import figure, sum_of
from headway.svg import BOLD, Palette, Theme, document, element, label, number

WIDTH, MARGIN, LEFT, HEAD, PANEL, FOOT = 900, 24, 64, 64, 240, 44
THOUSAND = 1000


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
        self.palette, self.seat, self.name, self.lang = palette, seat, name, lang or "en"
        values = [turn.expected for turn in seat.turns] + [seat.result]
        values += [turn.expected + turn.luck for turn in seat.turns]
        self.low, self.high = min(values), max(max(values), min(values) + THOUSAND)
        self.top, self.bottom = top + 54, top + PANEL - 24

    def sentence(self) -> str:
        """Returns the sum as text."""
        figures = sum_of(self.seat)
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
