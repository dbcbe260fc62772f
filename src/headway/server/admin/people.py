"""What operators see of people, and do about them."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import (
    Column,
    Connection,
    LargeBinary,
    Select,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from headway.errors import InputError
from headway.server.admin.acts import note
from headway.server.admin.operator import Operator
from headway.server.core.errors import conflict, not_found
from headway.server.core.schema import (
    ACCOUNTS,
    BANS,
    EVENTS,
    GUESTS,
    RATINGS,
    REMARKS,
    REPORTS,
    RESULTS,
    SEATS,
    SESSIONS,
    TABLES,
    TOKENS,
)
from headway.server.people.accounts import good_password
from headway.server.people.guests import end_sessions
from headway.server.people.names import looks, name_key
from headway.server.people.store import OWNED

MOST_SHOWN_ALIKE = 5
SECRETS = {"hash", "password", "recovery", "secret", "session", "endpoint", "p256dh", "auth"}
"""Columns that open something to whoever reads them."""


class Person(msgspec.Struct, frozen=True):
    """A person in a list; `seen` is when one of their tables changed last."""

    id: str
    name: str
    account: bool
    created: float
    seen: float | None
    tables: int
    banned: bool


class PersonDetails(msgspec.Struct, frozen=True):
    """All that an operator needs to know of a person; nothing of it is secret."""

    person: Person
    banned_until: float | None
    ban_reason: str
    sessions: int
    tokens: int
    running: list[str]
    ratings: dict[str, int]


def people(connection: Connection, search: str, banned: bool, most: int) -> list[Person]:
    """Returns people who took a name, the newest first; without an account they are guests."""
    query = _people().order_by(GUESTS.c.created.desc(), GUESTS.c.id).limit(most)
    if search:
        # SQLite knows small letters of ASCII alone; what a name looks like has small letters.
        shown = func.coalesce(ACCOUNTS.c.small_look, GUESTS.c.small_look)
        query = query.where(shown.contains(looks(search).small_look, autoescape=True))
    if banned:
        query = query.where(BANS.c.guest.is_not(None))
    return [_person(row) for row in connection.execute(query)]


def _people() -> Select[Any]:
    mine = or_(SEATS.c.guest == GUESTS.c.id, SEATS.c.former == GUESTS.c.id)
    seats = select(func.count()).where(mine).correlate(GUESTS).scalar_subquery()
    seen = select(func.max(TABLES.c.changed)).join(SEATS, SEATS.c.table_id == TABLES.c.id)
    return (
        select(
            GUESTS.c.id,
            GUESTS.c.name,
            ACCOUNTS.c.guest.is_not(None).label("account"),
            GUESTS.c.created,
            seen.where(mine).correlate(GUESTS).scalar_subquery().label("seen"),
            seats.label("tables"),
            BANS.c.guest.is_not(None).label("banned"),
        )
        .outerjoin(ACCOUNTS, ACCOUNTS.c.guest == GUESTS.c.id)
        .outerjoin(BANS, BANS.c.guest == GUESTS.c.id)
    )


def _person(row: Any) -> Person:
    flags = {"account": bool(row.account), "banned": bool(row.banned)}
    return Person(**row._asdict() | flags)


def find(connection: Connection, who: str) -> Person:
    """Returns the person of a name or an id: an account before guests of the same name."""
    account = select(ACCOUNTS.c.guest).where(ACCOUNTS.c.key == name_key(who))
    guest = connection.scalar(account) or who
    if row := connection.execute(_people().where(GUESTS.c.id == guest)).first():
        return _person(row)
    rows = connection.execute(_people().where(GUESTS.c.name == who)).all()
    if len(rows) == 1:
        return _person(rows[0])
    if rows:
        ids = ", ".join(row.id for row in rows[:MOST_SHOWN_ALIKE])
        raise InputError("admin.several", name=who, ids=ids)
    seats = connection.execute(
        select(SEATS.c.name).where(or_(SEATS.c.guest == who, SEATS.c.former == who))
    ).all()
    if not seats:
        raise InputError("admin.nobody", name=who)
    banned = connection.scalar(select(BANS.c.guest).where(BANS.c.guest == who)) is not None
    return Person(who, seats[-1].name, False, 0.0, None, len(seats), banned)


def details(connection: Connection, who: str) -> PersonDetails:
    """Returns what an operator needs to know of a person."""
    person = find(connection, who)
    ban = connection.execute(select(BANS).where(BANS.c.guest == person.id)).first()
    running = (
        select(TABLES.c.id)
        .join(SEATS, SEATS.c.table_id == TABLES.c.id)
        .where(SEATS.c.guest == person.id, ~TABLES.c.finished, ~TABLES.c.ended)
        .order_by(TABLES.c.id)
    )
    rated = select(RATINGS).where(RATINGS.c.who == person.id).order_by(RATINGS.c.game)
    return PersonDetails(
        person=person,
        banned_until=ban.until if ban else None,
        ban_reason=ban.reason if ban else "",
        sessions=_count(connection, SESSIONS, person.id),
        tokens=_count(connection, TOKENS, person.id),
        running=list(connection.scalars(running)),
        ratings={row.game: row.games for row in connection.execute(rated)},
    )


def _count(connection: Connection, table: Any, guest: str) -> int:
    query = select(func.count()).select_from(table).where(table.c.guest == guest)
    return connection.scalar(query) or 0


def require_account(person: Person) -> None:
    """Refuses a guest where only an account makes sense."""
    if not person.account:
        raise InputError("admin.guest", name=person.name)


async def rename(operator: Operator, person: Person, name: str) -> None:
    """Gives a person another name, also at the tables where they sit or sat."""
    written = partial(note, act="person.rename", subject=person.id, before=person.name, name=name)
    name = await operator.accounts.rename(person.id, name, written)
    await operator.accounts.store.rename_at_tables(person.id, name)


async def set_password(operator: Operator, person: Person, password: str) -> None:
    """Gives an account another password and signs it out everywhere."""
    require_account(person)
    hashed = await operator.accounts.hash(good_password(password, person.name))

    def work(connection: Connection) -> None:
        this = ACCOUNTS.c.guest == person.id
        connection.execute(update(ACCOUNTS).where(this).values(password=hashed))
        end_sessions(connection, person.id)
        note(connection, "person.password", person.id, name=person.name)

    await operator.write(work)


async def sign_out(operator: Operator, person: Person) -> int:
    """Ends all sessions of an account; returns how many there were."""
    require_account(person)

    def work(connection: Connection) -> int:
        ended = end_sessions(connection, person.id)
        note(connection, "person.sign_out", person.id, name=person.name, sessions=ended)
        return ended

    return await operator.write(work)


async def ban(operator: Operator, person: Person, until: float | None, reason: str) -> None:
    """Bans a person, whose seats in games with others bots take over."""

    def work(connection: Connection) -> None:
        connection.execute(delete(BANS).where(BANS.c.guest == person.id))
        row = {"guest": person.id, "at": time.time(), "until": until, "reason": reason}
        connection.execute(insert(BANS).values(**row))
        note(connection, "person.ban", person.id, name=person.name, until=until, reason=reason)

    await operator.write(work)
    await operator.accounts.leave_games(person.id)


async def unban(operator: Operator, person: Person) -> None:
    """Ends a ban."""

    def work(connection: Connection) -> None:
        if not connection.execute(delete(BANS).where(BANS.c.guest == person.id)).rowcount:
            raise conflict("admin.not_banned", name=person.name)
        note(connection, "person.unban", person.id, name=person.name)

    await operator.write(work)


async def remove(operator: Operator, person: Person) -> None:
    """Deletes a person's account and data; others keep their games with a nameless player."""
    written = partial(note, act="person.delete", subject=person.id)
    await operator.accounts.remove(person.id, written)


def _can_be_told(column: Column[Any]) -> bool:
    return column.name not in SECRETS and not isinstance(column.type, LargeBinary)


def known_of(connection: Connection, person: Person) -> dict[str, Any]:
    """Returns everything that is stored about a person, as the person may ask for it.

    Secrets are left out, and what others keep about the person: whom they avoid or report.
    """
    mine = or_(SEATS.c.guest == person.id, SEATS.c.former == person.id)
    held = select(SEATS.c.table_id).where(mine)
    listed = {
        column.table.name: select(*filter(_can_be_told, column.table.c)).where(column == person.id)
        for column in (*OWNED, RESULTS.c.guest, EVENTS.c.guest)
        if column.name != "other"
    }
    listed["tables"] = select(
        *(TABLES.c[n] for n in ("id", "game", "map", "created", "started", "changed"))
    ).where(or_(TABLES.c.id.in_(held), TABLES.c.host == person.id))
    known = {"exported": time.time(), "person": msgspec.to_builtins(person)}
    return known | {
        name: [dict(row) for row in connection.execute(query).mappings()]
        for name, query in listed.items()
    }


def exported(connection: Connection, who: str) -> dict[str, Any]:
    """Returns what is known of a person, and notes that an operator has asked for it."""
    person = find(connection, who)
    note(connection, "export", person.id, name=person.name)
    return known_of(connection, person)


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
