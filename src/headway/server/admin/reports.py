"""Reports: remarks at tables that somebody finds an operator should see."""

from __future__ import annotations

import time
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, select, update

from headway.server.admin.acts import note
from headway.server.core.errors import not_found
from headway.server.core.schema import REMARKS, REPORTS


class Report(msgspec.Struct, frozen=True):
    """A report: the remark, who wrote it (`other`) under which name, and who reports it."""

    id: int
    guest: str
    other: str
    name: str
    table_id: str
    seat: int
    text: str
    said: float
    at: float
    handled: float | None


def reports(connection: Connection, *, handled: bool, most: int) -> list[Report]:
    """Returns reports, the newest first; those that were handled only if they are wanted."""
    query = select(REPORTS).order_by(REPORTS.c.at.desc(), REPORTS.c.id.desc()).limit(most)
    if not handled:
        query = query.where(REPORTS.c.handled.is_(None))
    return [Report(**row) for row in connection.execute(query).mappings()]


def report(connection: Connection, number: int) -> Report:
    """Returns a report."""
    query = select(REPORTS).where(REPORTS.c.id == number)
    row: Any = connection.execute(query).mappings().first()
    if row is None:
        raise not_found("admin.no_report", id=number)
    return Report(**row)


def handle(connection: Connection, number: int, *, remove: bool) -> Report:
    """Marks a report as handled; may remove the remark from its table."""
    found = report(connection, number)
    this = REPORTS.c.id == number
    connection.execute(update(REPORTS).where(this).values(handled=time.time()))
    if remove:
        at_table = REMARKS.c.table_id == found.table_id
        written = (REMARKS.c.guest == found.other) & (REMARKS.c.text == found.text)
        connection.execute(delete(REMARKS).where(at_table & written & (REMARKS.c.at == found.said)))
    note(connection, "report.handle", str(number), name=found.name, removed=remove)
    return found
