"""A review for people: plain text in the user's language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import UNSET

from headway.i18n import language, say, texts
from headway.reviews.arithmetic import printed
from headway.reviews.marks import ERRORS
from headway.reviews.report import Measure, Review, SeatReview, Turn

SUM = ("start", "luck", "loss", "others", "recount", "result")
"""The lines of a sum, in their order; a text `review.NAME` names each."""
_WORD_GROUPS = ("deck", "symbol", "effect", "card", "dealt")
_MINUS, _PLUS = "−", "+"


def sum_of(seat: SeatReview) -> dict[str, int]:
    """Returns the printed figures of a seat in tenths; all but the last add up to the last."""
    parts = [seat.start, seat.luck, -seat.loss, seat.others, seat.recount]
    figures = printed(parts)
    return dict(zip(SUM, [*figures, sum(figures)], strict=True))


def lines(review: Review, names: Sequence[str] | None = None, lang: str | None = None) -> list[str]:
    """Returns the review as lines of text."""
    lang = lang or language()
    printed_lines: list[str] = []
    for seat in review.seats:
        name = names[seat.seat] if names else say("score.seat", lang, seat=seat.seat)
        printed_lines += [name, *_seat(seat, lang), ""]
    if review.best is not UNSET:
        totals = ", ".join(map(str, review.best.totals))
        printed_lines.append(say("review.best", lang, totals=totals))
    return printed_lines


def _seat(seat: SeatReview, lang: str) -> Iterator[str]:
    figures = sum_of(seat)
    shown = [name for name in SUM if figures[name] or name not in ("others", "recount")]
    titles = {name: say(f"review.{name}", lang) for name in shown}
    if seat.measure == "victory":
        titles["start"] = say("review.start_victory", lang)
    cells = {
        name: figure(figures[name], seat.measure, lang, signed=name not in ("start", "result"))
        for name in shown
    }
    wide, broad = (max(map(len, column.values())) for column in (titles, cells))
    for name in shown:
        yield f"  {titles[name].ljust(wide)}  {cells[name].rjust(broad)}"
    if seat.measure == "points":
        without = figures["result"] - figures["luck"]
        yield "  " + say("review.without_luck", lang, value=figure(without, seat.measure, lang))
    yield "  " + say(
        "review.grade",
        lang,
        n=seat.decisions,
        good=figure(round(seat.good * 1000), "victory", lang),
        median=figure(_tenths(seat.median), seat.measure, lang),
        level=say(f"bot.title.{seat.level}", lang),
    )
    for key, at in (("review.luckiest", seat.luckiest), ("review.unluckiest", seat.unluckiest)):
        if at is not None:
            yield "  " + say(key, lang, **_deal(seat, seat.turns[at], lang))
    if seat.turning:
        yield "  " + say("review.turning", lang)
    for index in seat.turning:
        yield from _turning_point(seat, seat.turns[index], lang)


def _deal(seat: SeatReview, turn: Turn, lang: str) -> dict[str, str]:
    luck = figure(_tenths(turn.luck), seat.measure, lang, signed=True)
    return {"luck": luck, "dealt": dealt(turn, lang), "place": place(turn, lang)}


def _turning_point(seat: SeatReview, turn: Turn, lang: str) -> Iterator[str]:
    values = {
        "place": place(turn, lang),
        "played": turn.played,
        "best": turn.best,
        "loss": figure(_tenths(turn.loss), seat.measure, lang),
        "error": figure(_tenths(turn.error or 0), seat.measure, lang),
    }
    marked = f" ({say(f'review.mark.{turn.mark}', lang)})" if turn.mark else ""
    yield "    " + say("review.turning_point", lang, **values) + marked
    for reason in turn.why or ():
        if abs(reason.points) <= ERRORS * reason.error:
            continue
        points = figure(_tenths(reason.points), seat.measure, lang, signed=True)
        error = figure(_tenths(reason.error), seat.measure, lang)
        yield f"      {part(reason.part, lang)}  {points} ± {error}"


def part(name: str, lang: str) -> str:
    """Returns the name of a part of the score."""
    kind, _, line = name.partition(":")
    return say(f"review.part.{kind}", lang, n=line)


def place(turn: Turn, lang: str) -> str:
    """Returns where in the game an event is."""
    if turn.number is not UNSET:
        return say("review.event", lang, n=turn.number)
    round_ = say("place.round", lang, n=turn.round)
    return f"{round_}, {say('place.turn', lang, n=turn.turn)}" if turn.turn else round_


def dealt(turn: Turn, lang: str) -> str:
    """Returns what was dealt; ids that have no text, such as tickets, stay as they are."""
    catalogue = texts(lang)

    def word(token: str) -> str:
        keys = (f"{group}.{token}" for group in _WORD_GROUPS)
        return next((catalogue[key] for key in keys if key in catalogue), token)

    return " ".join(word(token) for token in re.split(r"[ :]", turn.dealt or ""))


def figure(tenths: int, measure: Measure, lang: str, *, signed: bool = False) -> str:
    """Returns a value with one decimal, as the language writes it."""
    from babel.numbers import format_decimal, format_percent

    size = abs(tenths) / 10
    # Babel has no locale for every language that a host may add.
    known = lang if lang in ("en", "fr") else "en"
    if measure == "victory":
        text = format_percent(size / 100, format="#,##0.0%", locale=known)
        text = text.replace("%", "\u00a0%") if known == "fr" else text
    else:
        text = format_decimal(size, format="0.0", locale=known)
    sign = _MINUS if tenths < 0 else _PLUS if signed and tenths else ""
    return f"{sign}{text}"


def _tenths(thousandths: int) -> int:
    return printed([thousandths])[0]
