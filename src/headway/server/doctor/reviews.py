"""Reads every review, and compares its figures with those beside the results of the game."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from headway.errors import HeadwayError
from headway.reviews.figures import figures_of
from headway.reviews.report import Review
from headway.server.core.schema import RESULTS, REVIEWS
from headway.server.doctor.findings import Finding, good, wrong

MOST_SHOWN = 20
_SHOWN = RESULTS.c.measure, RESULTS.c.worth, RESULTS.c.luck, RESULTS.c.loss, RESULTS.c.kinds


def reviews_found(connection: Connection) -> list[Finding]:
    """Checks the reviews that are made, one at a time: a review can be large."""
    made = select(REVIEWS.c.key, REVIEWS.c.engine).where(REVIEWS.c.finished)
    keys = connection.execute(made.order_by(REVIEWS.c.asked, REVIEWS.c.key)).all()
    found = [wrong(what, table=row.key) for row in keys if (what := _wrong_in(connection, row))]
    return found[:MOST_SHOWN] or [good("reviews", n=len(keys))]


def _wrong_in(connection: Connection, row: Any) -> str:
    """Returns the key of what is wrong in a review; empty if nothing is."""
    this = (REVIEWS.c.key == row.key) & (REVIEWS.c.engine == row.engine)
    content = connection.scalar(select(REVIEWS.c.content).where(this))
    try:
        review = msgspec.json.decode(zlib.decompress(content or b""), type=Review)
        figures = {seat.seat: seat for seat in figures_of(review)}
    except (zlib.error, msgspec.DecodeError, HeadwayError):
        return "review_broken"
    beside = (RESULTS.c.table_id == row.key) & (RESULTS.c.reviewed == row.engine)
    for kept in connection.execute(select(RESULTS.c.seat, *_SHOWN).where(beside)):
        seat = figures.get(kept.seat)
        if seat is None:
            return "review_figures"
        sums = seat.measure, seat.result, seat.luck, seat.loss, msgspec.to_builtins(seat.kinds)
        if sums != tuple(kept)[1:]:
            return "review_figures"
    return ""
