"""A report for people: grids in a terminal, and a picture of the scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from rich.table import Table as Grid

from headway.arena.match import Result
from headway.arena.report import Estimate, Report, Standing
from headway.i18n import say
from headway.svg import BOLD, Palette, Theme, document, element, label, number

Floats = np.ndarray[Any, np.dtype[np.float64]]
COLOURS = ("blue", "orange", "green", "purple", "pink", "teal", "brown", "red")
WIDTH, MARGIN, NAME, ROW, HEAD, FOOT = 900, 24, 190, 92, 84, 48


def grids(report: Report, lang: str | None = None) -> list[Grid]:
    """Returns the standings and, if bots met, the pairs."""
    standings = [_standings(report, lang)]
    return [*standings, _pairs(report, lang)] if report.pairs else standings


def title(report: Report, lang: str | None = None) -> str:
    """Returns what was played as a line of text."""
    job = report.job
    options = ", ".join(say(f"web.option.{option}.title", lang) for option in job.options)
    name = job.open().title(lang)
    said = say("arena.title", lang, game=name, seats=job.seats, games=report.games, seed=job.seed)
    return f"{said} · {options}" if options else said


def _standings(report: Report, lang: str | None) -> Grid:
    grid = Grid(title=title(report, lang))
    columns = ["bot", "games", "mean", "median", "range", "wins", "rating", "elo", "cpu", "longest"]
    if report.job.luck:
        columns.insert(3, "fair")
    for column in columns:
        grid.add_column(
            say(f"arena.{column}", lang), justify="left" if column == "bot" else "right"
        )
    for standing in report.standings:
        grid.add_row(
            standing.bot,
            f"{standing.games}",
            f"{standing.score.mean:.2f} ± {standing.score.error:.2f}",
            *([f"{standing.fair.mean:.2f} ± {standing.fair.error:.2f}"] if standing.fair else []),
            f"{standing.median:g}",
            f"{standing.lowest}–{standing.highest}",
            _percent(standing.wins) if standing.wins else "",
            "" if standing.rating is None else f"{standing.rating:.0f}",
            "" if standing.elo is None else f"{standing.elo:.0f}",
            f"{standing.cpu * 1000:.2f}",
            f"{standing.longest:.2f}",
        )
    return grid


def _pairs(report: Report, lang: str | None) -> Grid:
    grid = Grid(title=say("arena.pairs", lang))
    columns = ["pair", "deals", "difference", "first_wins"]
    if report.job.luck:
        columns.insert(3, "fair_difference")
    for column in columns:
        grid.add_column(say(f"arena.{column}", lang), justify=_side(column))
    for pair in report.pairs:
        grid.add_row(
            f"{pair.bot} – {pair.other}",
            f"{pair.deals}",
            _gap(pair.difference),
            *([_gap(pair.fair)] if pair.fair else []),
            f"{_percent(pair.wins)}  [{pair.wins.low:.1%}, {pair.wins.high:.1%}]",
        )
    return grid


def _side(column: str) -> Literal["left", "right"]:
    return "left" if column in ("bot", "pair") else "right"


def _gap(gap: Estimate) -> str:
    return f"{gap.mean:+.2f}  [{gap.low:+.2f}, {gap.high:+.2f}]"


def _percent(rate: Estimate) -> str:
    return f"{rate.mean:.1%} ± {rate.error:.1%}"


def means(results: Sequence[Result]) -> str:
    """Returns the current means of all contestants in one line."""
    totals: dict[str, list[int]] = {}
    for result in results:
        for bot, total in zip(result.bots, result.totals, strict=True):
            totals.setdefault(bot, []).append(total)
    return " · ".join(f"{bot} {np.mean(totals[bot]):.1f}" for bot in sorted(totals))


def picture(
    report: Report, results: Sequence[Result], *, theme: Theme = "auto", lang: str | None = None
) -> str:
    """Draws the distribution of each contestant's scores, one below the other, with means."""
    palette = Palette(theme)
    totals = [_totals(standing.bot, results) for standing in report.standings]
    low = min(min(row) for row in totals) // 10 * 10
    high = (max(max(row) for row in totals) // 10 + 1) * 10
    bins = np.linspace(low, high, min(61, high - low + 1))
    counts = [np.histogram(row, bins)[0] / len(row) for row in totals]
    tallest = max(float(row.max()) for row in counts)
    chart = _Chart(palette, low, high)
    height = HEAD + ROW * len(totals) + FOOT
    body = [label(title(report, lang), MARGIN, 40, 20, fill=palette("ink"), font_weight=str(BOLD))]
    body += [label(say("arena.plot", lang), MARGIN, 64, 13, fill=palette("muted"))]
    body += chart.grid(HEAD + ROW * len(totals))
    for i, standing in enumerate(report.standings):
        colour = palette(COLOURS[i % len(COLOURS)])
        body += chart.row(standing, bins, counts[i] / tallest, HEAD + ROW * (i + 1) - 8, colour)
    said = "; ".join(f"{s.bot} {s.score.mean:.2f} ± {s.score.error:.2f}" for s in report.standings)
    return document(
        WIDTH, height, *body, palette=palette, title=title(report, lang), description=said
    )


def _totals(bot: str, results: Sequence[Result]) -> list[int]:
    return [r.totals[r.bots.index(bot)] for r in results if bot in r.bots]


class _Chart:
    """The horizontal axis of points, and what is drawn above it."""

    def __init__(self, palette: Palette, low: int, high: int) -> None:
        self.palette = palette
        self.low, self.high = low, high

    def x(self, points: float) -> float:
        """Returns the horizontal position of a number of points."""
        width = WIDTH - NAME - 2 * MARGIN
        return MARGIN + NAME + width * (points - self.low) / (self.high - self.low)

    def grid(self, bottom: float) -> list[str]:
        """Draws a thin line at round numbers of points."""
        step = next(
            s for s in (10, 20, 50, 100, 200, 500, 10_000) if (self.high - self.low) / s < 12
        )
        marks = range(-(-self.low // step) * step, self.high + 1, step)
        lines = [
            element("path", d=f"M{number(self.x(p))} {HEAD}V{bottom}", stroke=self.palette("hair"))
            for p in marks
        ]
        texts = [
            label(
                f"{p}", self.x(p), bottom + 20, 12, fill=self.palette("muted"), text_anchor="middle"
            )
            for p in marks
        ]
        return lines + texts

    def row(
        self,
        standing: Standing,
        bins: Floats,
        heights: Floats,
        foot: float,
        colour: str,
    ) -> list[str]:
        """Draws one contestant: name, mean, and the distribution of points."""
        steps = [f"M{number(self.x(bins[0]))} {number(foot)}"]
        for right, part in zip(bins[1:], heights, strict=True):
            top = number(foot - part * (ROW - 28))
            steps.append(f"V{top}H{number(self.x(right))}")
        steps.append(f"V{number(foot)}Z")
        mean = number(self.x(standing.score.mean))
        ink, muted = self.palette("ink"), self.palette("muted")
        score = f"{standing.score.mean:.1f} ± {standing.score.error:.1f}"
        return [
            label(standing.bot, MARGIN, foot - 26, 15, fill=ink, font_weight=str(BOLD)),
            label(score, MARGIN, foot - 7, 13, fill=muted),
            element("path", d="".join(steps), fill=colour, fill_opacity=0.35),
            element("path", d=f"M{mean} {foot}V{foot - ROW + 22}", stroke=colour, stroke_width=3),
        ]
