"""A report for people: grids in a terminal, and a picture of the scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table as Grid

from headway.arena.job import Result
from headway.arena.report import ArenaReport, BotStanding, Estimate
from headway.i18n import say
from headway.svg import BOLD, Palette, document, element, label, number

Floats = np.ndarray[Any, np.dtype[np.float64]]
Rows = list[dict[str, str]]
"""The cells of each row by column; the first column has names."""
COLOURS = ("blue", "orange", "green", "purple", "pink", "teal", "brown", "red")
STANDINGS_LAST = ("longest", "cpu", "range", "median", "elo", "rating", "games", "wins")
"""The columns of the standings that may be left out, the least important one first."""
PAIRS_LAST = ("deals", "first_wins")
WIDTH, MARGIN, NAME, ROW, HEAD, FOOT = 900, 24, 190, 92, 84, 48


def grids(report: ArenaReport, width: int = 140) -> list[Grid]:
    """Returns the standings and, if bots met, the pairs, each within a number of columns.

    Names and means are always complete; what finds no room is left out, and the caption says so.
    """
    standings = [_fitting(_standing_rows(report), STANDINGS_LAST, width, title(report))]
    if not report.pairs:
        return standings
    heading = say("arena.pairs")
    return [*standings, _fitting(_pair_rows(report), PAIRS_LAST, width, heading)]


def _fitting(rows: Rows, last: Sequence[str], width: int, heading: str) -> Grid:
    """Returns a grid without as many of the last columns as it takes to be narrow enough."""
    measure = Console(width=10_000).measure
    left_out = [column for column in last if column in rows[0]]
    for most in range(len(left_out) + 1):
        grid = _grid(rows, left_out[:most], heading)
        if measure(grid).maximum <= width:
            break
    return grid


def _grid(rows: Rows, left_out: Sequence[str], heading: str) -> Grid:
    grid = Grid(title=heading)
    if left_out:
        names = ", ".join(say(f"arena.{column}") for column in left_out)
        grid.caption = say("arena.narrow", columns=names)
    first, *others = columns = [column for column in rows[0] if column not in left_out]
    grid.add_column(say(f"arena.{first}"), overflow="fold")
    for column in others:
        grid.add_column(say(f"arena.{column}"), justify="right", no_wrap=True)
    for row in rows:
        grid.add_row(*(row[column] for column in columns))
    return grid


def title(report: ArenaReport) -> str:
    """Returns what was played as a line of text."""
    job = report.job
    options = ", ".join(say(f"web.option.{option}.title") for option in job.options)
    name = job.open().title()
    said = say("arena.title", game=name, seats=job.seats, games=report.games, seed=job.seed)
    return f"{said} · {options}" if options else said


def _standing_rows(report: ArenaReport) -> Rows:
    return [
        {
            "bot": standing.bot,
            "games": f"{standing.games}",
            "mean": f"{standing.score.mean:.2f} ± {standing.score.error:.2f}",
            **_fair(standing.fair),
            "median": f"{standing.median:g}",
            "range": f"{standing.lowest}–{standing.highest}",
            "wins": _percent(standing.wins) if standing.wins else "",
            "rating": "" if standing.rating is None else f"{standing.rating:.0f}",
            "elo": "" if standing.elo is None else f"{standing.elo:.0f}",
            "cpu": f"{standing.cpu * 1000:.2f}",
            "longest": f"{standing.longest:.2f}",
        }
        for standing in report.standings
    ]


def _fair(fair: Estimate | None) -> dict[str, str]:
    return {"fair": f"{fair.mean:.2f} ± {fair.error:.2f}"} if fair else {}


def _pair_rows(report: ArenaReport) -> Rows:
    return [
        {
            "pair": f"{pair.bot} – {pair.other}",
            "deals": f"{pair.deals}",
            "difference": _gap(pair.difference),
            **({"fair_difference": _gap(pair.fair)} if pair.fair else {}),
            "first_wins": f"{_percent(pair.wins)}  [{pair.wins.low:.1%}, {pair.wins.high:.1%}]",
        }
        for pair in report.pairs
    ]


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


def picture(report: ArenaReport, results: Sequence[Result]) -> str:
    """Draws the distribution of each contestant's scores, one below the other, with means."""
    palette = Palette("auto")
    totals = [_totals(standing.bot, results) for standing in report.standings]
    low = min(min(row) for row in totals) // 10 * 10
    high = (max(max(row) for row in totals) // 10 + 1) * 10
    bins = np.linspace(low, high, min(61, high - low + 1))
    counts = [np.histogram(row, bins)[0] / len(row) for row in totals]
    tallest = max(float(row.max()) for row in counts)
    chart = _Chart(palette, low, high)
    height = HEAD + ROW * len(totals) + FOOT
    body = [label(title(report), MARGIN, 40, 20, fill=palette("ink"), font_weight=str(BOLD))]
    body += [label(say("arena.plot"), MARGIN, 64, 13, fill=palette("muted"))]
    body += chart.grid(HEAD + ROW * len(totals))
    for i, standing in enumerate(report.standings):
        colour = palette(COLOURS[i % len(COLOURS)])
        body += chart.row(standing, bins, counts[i] / tallest, HEAD + ROW * (i + 1) - 8, colour)
    said = "; ".join(f"{s.bot} {s.score.mean:.2f} ± {s.score.error:.2f}" for s in report.standings)
    return document(WIDTH, height, *body, palette=palette, title=title(report), description=said)


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
        standing: BotStanding,
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
