"""`headway admin people`, `invitations`, `reports`: accounts and guests, and what they write."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from headway.cli.admin.acts import (
    Columns,
    Json,
    Most,
    Yes,
    confirm,
    moment,
    operate,
    read,
    tell_done,
    tell_facts,
    tell_json,
    tell_rows,
    until,
    write,
)
from headway.cli.options import FILE, Database, N, server_settings
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.i18n import say

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from headway.server.admin.operator import Operator
    from headway.server.admin.people import Person

T = TypeVar("T")
group = Commands(no_args_is_help=True, help=say("cli.admin_people"))
invitations = Commands(no_args_is_help=True, help=say("cli.admin_invitations"))
reports = Commands(no_args_is_help=True, help=say("cli.admin_reports"))

Who = Annotated[str, typer.Argument(help=say("cli.admin_who"), metavar=say("metavar.person"))]
Span = Annotated[
    str | None, typer.Option("--for", help=say("cli.admin_ban_for"), metavar=say("metavar.span"))
]
Number = Annotated[int, typer.Argument(help=say("cli.admin_report"), metavar=N)]
INVITATION_PATH = "/invitation#"
"""The code is where no proxy writes it down: browsers send nothing behind the sign."""


def _do(
    database: str | None, who: str, act: Callable[[Operator, Person], Awaitable[T]]
) -> tuple[Person, T]:
    """Does something about a person; returns the person as before, and what the act returns."""
    from headway.server.admin.people import find

    async def work(operator: Operator) -> tuple[Person, T]:
        person = await operator.read(partial(find, who=who))
        return person, await act(operator, person)

    return operate(database, work)


@group.command("list", help=say("cli.admin_people_list"), epilog=say("cli.admin_people_list_ex"))
def list_people(
    search: Annotated[
        str, typer.Option(help=say("cli.admin_search"), metavar=say("metavar.name"))
    ] = "",
    banned: Annotated[bool, typer.Option("--banned", help=say("cli.admin_banned"))] = False,
    most: Most = 50,
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin.people import people

    columns: Columns = {
        "name": lambda one: one.name,
        "kind": _kind,
        "id": lambda one: one.id,
        "created": lambda one: moment(one.created),
        "seen": lambda one: moment(one.seen),
        "tables": lambda one: str(one.tables),
        "state": lambda one: say("admin.banned") if one.banned else "",
    }
    asked = partial(people, search=search, banned=banned, most=most)
    tell_rows(read(database, asked), columns, as_json)


def _kind(person: Person) -> str:
    return say("admin.account" if person.account else "admin.guest_kind")


@group.command("show", help=say("cli.admin_people_show"), epilog=say("cli.admin_people_show_ex"))
def show_person(who: Who, as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin.people import details

    found = read(database, partial(details, who=who))
    one = found.person
    facts = {
        "name": one.name,
        "kind": _kind(one),
        "id": one.id,
        "created": moment(one.created),
        "seen": moment(one.seen),
        "tables": str(one.tables),
        "running": ", ".join(found.running) or "-",
        "sessions": str(found.sessions),
        "tokens": str(found.tokens),
        "rated": ", ".join(f"{game} {games}" for game, games in found.ratings.items()) or "-",
    }
    if one.banned:
        facts["banned"] = f"{_end(found.banned_until)} {found.ban_reason}".strip()
    tell_facts(found, facts, as_json)


def _end(until: float | None) -> str:
    """Returns when a ban ends, in words."""
    return moment(until) if until else say("admin.for_good")


@group.command("rename", help=say("cli.admin_rename"), epilog=say("cli.admin_rename_ex"))
def rename(
    who: Who,
    name: Annotated[
        str, typer.Argument(help=say("cli.admin_new_name"), metavar=say("metavar.name"))
    ],
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin import people

    person, _ = _do(database, who, partial(people.rename, name=name))
    sentence = say("admin.renamed", before=person.name, name=name)
    tell_done(as_json, sentence, id=person.id, name=name, before=person.name)


@group.command("password", help=say("cli.admin_password"), epilog=say("cli.admin_password_ex"))
def password(
    who: Who,
    generate: Annotated[bool, typer.Option("--generate", help=say("cli.admin_generate"))] = False,
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin import people
    from headway.server.core.codes import clear_groups

    async def act(operator: Operator, person: Person) -> str:
        people.require_account(person)
        chosen = clear_groups(4) if generate else _asked_password()
        await people.set_password(operator, person, chosen)
        return chosen

    person, chosen = _do(database, who, act)
    made = {"password": chosen} if generate else {}
    sentence = "\n".join([say("admin.password", name=person.name), *made.values()])
    tell_done(as_json, sentence, id=person.id, name=person.name, **made)


def _asked_password() -> str:
    """Asks for a password twice; reads a line where there is no terminal."""
    if sys.stdin.isatty():
        asked = typer.prompt(
            say("admin.password_prompt"), hide_input=True, confirmation_prompt=True, err=True
        )
        return str(asked)
    return sys.stdin.readline().rstrip("\n")


@group.command("sign-out", help=say("cli.admin_sign_out"), epilog=say("cli.admin_sign_out_ex"))
def sign_out(who: Who, as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin import people

    person, ended = _do(database, who, people.sign_out)
    sentence = say("admin.signed_out", name=person.name, n=ended)
    tell_done(as_json, sentence, id=person.id, name=person.name, ended=ended)


@group.command("ban", help=say("cli.admin_ban"), epilog=say("cli.admin_ban_ex"))
def ban(
    who: Who,
    span: Span = None,
    reason: Annotated[
        str, typer.Option(help=say("cli.admin_reason"), metavar=say("metavar.text"))
    ] = "",
    yes: Yes = False,
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin import people

    end = until(span) if span else None

    async def act(operator: Operator, person: Person) -> None:
        confirm(yes, say("admin.ban_sure", name=person.name))
        await people.ban(operator, person, end, reason)

    person, _ = _do(database, who, act)
    sentence = say("admin.is_banned", name=person.name, until=_end(end))
    tell_done(as_json, sentence, id=person.id, name=person.name, until=end)


@group.command("unban", help=say("cli.admin_unban"), epilog=say("cli.admin_unban_ex"))
def unban(who: Who, as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin import people

    person, _ = _do(database, who, people.unban)
    sentence = say("admin.is_unbanned", name=person.name)
    tell_done(as_json, sentence, id=person.id, name=person.name)


@group.command("delete", help=say("cli.admin_delete"), epilog=say("cli.admin_delete_ex"))
def delete_person(
    who: Who, yes: Yes = False, as_json: Json = False, database: Database = None
) -> None:
    from headway.server.admin import people

    async def act(operator: Operator, person: Person) -> None:
        confirm(yes, say("admin.delete_sure", name=person.name))
        await people.remove(operator, person)

    person, _ = _do(database, who, act)
    sentence = say("admin.deleted", name=person.name)
    tell_done(as_json, sentence, id=person.id, name=person.name)


@group.command("export", help=say("cli.admin_export"), epilog=say("cli.admin_export_ex"))
def export(
    who: Who,
    file: Annotated[Path, typer.Argument(help=say("cli.admin_export_file"), metavar=FILE)],
    as_json: Json = False,
    database: Database = None,
) -> None:
    import msgspec

    from headway.server.admin.people import exported
    from headway.server.core.database import FILE_MODE

    known = write(database, lambda connection: exported(connection, who))
    content = msgspec.json.format(msgspec.json.encode(known), indent=1)
    try:
        file.touch(FILE_MODE)
        file.write_bytes(content + b"\n")
    except OSError as error:
        raise InputError("format.not_writable", file=file, reason=error.strerror) from None
    tell_done(as_json, say("admin.exported", file=file), file=str(file))


# Invitations


@invitations.command("make", help=say("cli.admin_invite"), epilog=say("cli.admin_invite_ex"))
def make(
    span: Annotated[
        str, typer.Option("--for", help=say("cli.admin_invite_for"), metavar=say("metavar.span"))
    ] = "7d",
    uses: Annotated[int, typer.Option(min=1, help=say("cli.admin_uses"), metavar=N)] = 1,
    about: Annotated[
        str, typer.Option("--note", help=say("cli.admin_invite_note"), metavar=say("metavar.text"))
    ] = "",
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin.acts import note
    from headway.server.people.ways_in import make_invitation

    end = until(span)

    def work(connection: Connection) -> tuple[str, str]:
        made = make_invitation(connection, about[:80], end, uses)
        note(connection, "invitation.make", made[0], note=about[:80], until=end, uses=uses)
        return made

    invitation_id, code = write(database, work)
    settings = server_settings(database=database)
    link = (settings.origin or f"http://{settings.host}:{settings.port}") + INVITATION_PATH + code
    if as_json:
        tell_json({"id": invitation_id, "code": code, "link": link, "until": end})
    else:
        typer.echo(say("admin.invitation", id=invitation_id, until=moment(end), n=uses))
        typer.echo(link)


@invitations.command("list", help=say("cli.admin_invites"), epilog=say("cli.admin_invites_ex"))
def list_invitations(as_json: Json = False, database: Database = None) -> None:
    from headway.server.people.ways_in import all_invitations

    columns: Columns = {
        "id": lambda one: one.id,
        "note": lambda one: one.note,
        "created": lambda one: moment(one.made),
        "until": lambda one: moment(one.until),
        "uses": lambda one: str(one.uses_left),
    }
    tell_rows(read(database, all_invitations), columns, as_json)


@invitations.command("revoke", help=say("cli.admin_revoke"), epilog=say("cli.admin_revoke_ex"))
def revoke(
    invitation: Annotated[
        str, typer.Argument(help=say("cli.admin_invitation"), metavar=say("metavar.invitation"))
    ],
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin.acts import note
    from headway.server.people.ways_in import revoke_invitation

    def work(connection: Connection) -> None:
        revoke_invitation(connection, invitation)
        note(connection, "invitation.revoke", invitation)

    write(database, work)
    tell_done(as_json, say("admin.revoked", id=invitation), id=invitation)


# Reports of remarks


@reports.command(
    "list", help=say("cli.admin_reports_list"), epilog=say("cli.admin_reports_list_ex")
)
def list_reports(
    everything: Annotated[bool, typer.Option("--all", help=say("cli.admin_reports_all"))] = False,
    most: Most = 50,
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin import people

    columns: Columns = {
        "number": lambda one: str(one.id),
        "at": lambda one: moment(one.at),
        "table": lambda one: one.table_id,
        "writer": lambda one: one.name,
        "text": lambda one: one.text,
        "handled": lambda one: moment(one.handled),
    }
    asked = partial(people.reports, handled=everything, most=most)
    tell_rows(read(database, asked), columns, as_json)


@reports.command(
    "show", help=say("cli.admin_reports_show"), epilog=say("cli.admin_reports_show_ex")
)
def show_report(number: Number, as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin.people import report

    found = read(database, partial(report, number=number))
    facts = {
        "number": str(found.id),
        "at": moment(found.at),
        "reporter": found.guest,
        "table": found.table_id,
        "writer": f"{found.name} ({found.other})",
        "text": found.text,
        "said": moment(found.said),
        "handled": moment(found.handled),
    }
    tell_facts(found, facts, as_json)


@reports.command(
    "handle", help=say("cli.admin_reports_handle"), epilog=say("cli.admin_reports_handle_ex")
)
def handle(
    number: Number,
    remove: Annotated[bool, typer.Option("--remove", help=say("cli.admin_reports_remove"))] = False,
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin import people

    write(database, partial(people.handle, number=number, remove=remove))
    sentence = say("admin.report_removed" if remove else "admin.report_handled", id=number)
    tell_done(as_json, sentence, id=number, removed=remove)
