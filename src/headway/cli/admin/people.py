"""`headway admin people`: accounts and guests."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headway.cli.admin.acts import (
    Json,
    Most,
    Yes,
    confirm,
    moment,
    operate,
    tell_done,
    tell_facts,
    tell_json,
    tell_table,
    until,
)
from headway.cli.options import FILE, Database
from headway.cli.usage import Commands
from headway.errors import InputError
from headway.i18n import say

if TYPE_CHECKING:
    from headway.server.admin.people import Person

group = Commands(no_args_is_help=True, help=say("cli.admin_people"))

Who = Annotated[str, typer.Argument(help=say("cli.admin_who"), metavar=say("metavar.person"))]
Span = Annotated[
    str | None, typer.Option("--for", help=say("cli.admin_ban_for"), metavar=say("metavar.span"))
]


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

    asked = partial(people, search=search, banned=banned, most=most)
    found = operate(database, lambda operator: operator.read(asked))
    if as_json:
        tell_json(found)
        return
    rows = [
        [
            one.name,
            say("admin.account" if one.account else "admin.guest_kind"),
            one.id,
            moment(one.created),
            moment(one.seen),
            str(one.tables),
            say("admin.banned") if one.banned else "",
        ]
        for one in found
    ]
    tell_table(("name", "kind", "id", "created", "seen", "tables", "state"), rows)


@group.command("show", help=say("cli.admin_people_show"), epilog=say("cli.admin_people_show_ex"))
def show(who: Who, as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin.people import details

    found = operate(database, lambda operator: operator.read(partial(details, who=who)))
    if as_json:
        tell_json(found)
        return
    one = found.person
    kind = say("admin.account" if one.account else "admin.guest_kind")
    ratings = ", ".join(f"{game} {games}" for game, games in found.ratings.items())
    facts = {
        "name": one.name,
        "kind": kind,
        "id": one.id,
        "created": moment(one.created),
        "seen": moment(one.seen),
        "tables": str(one.tables),
        "running": ", ".join(found.running) or "-",
        "sessions": str(found.sessions),
        "tokens": str(found.tokens),
        "rated": ratings or "-",
    }
    if one.banned:
        end = moment(found.banned_until) if found.banned_until else say("admin.for_good")
        facts["banned"] = f"{end} {found.ban_reason}".strip()
    tell_facts(facts)


@group.command("rename", help=say("cli.admin_rename"), epilog=say("cli.admin_rename_ex"))
def rename(
    who: Who,
    name: Annotated[
        str, typer.Argument(help=say("cli.admin_new_name"), metavar=say("metavar.name"))
    ],
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin import operator, people

    async def work(opened: operator.Operator) -> Person:
        person = await opened.read(partial(people.find, who=who))
        await people.rename(opened, person, name)
        return person

    person = operate(database, work)
    sentence = say("admin.renamed", before=person.name, name=name)
    tell_done(as_json, sentence, id=person.id, name=name, before=person.name)


@group.command("password", help=say("cli.admin_password"), epilog=say("cli.admin_password_ex"))
def password(
    who: Who,
    generate: Annotated[bool, typer.Option("--generate", help=say("cli.admin_generate"))] = False,
    as_json: Json = False,
    database: Database = None,
) -> None:
    from headway.server.admin import operator, people
    from headway.server.core.codes import clear_groups

    async def work(opened: operator.Operator) -> tuple[Person, str]:
        person = await opened.read(partial(people.find, who=who))
        people.require_account(person)
        chosen = clear_groups(4) if generate else _asked_password()
        await people.set_password(opened, person, chosen)
        return person, chosen

    person, chosen = operate(database, work)
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
    from headway.server.admin import operator, people

    async def work(opened: operator.Operator) -> tuple[Person, int]:
        person = await opened.read(partial(people.find, who=who))
        return person, await people.sign_out(opened, person)

    person, ended = operate(database, work)
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
    from headway.server.admin import operator, people

    end = until(span) if span else None

    async def work(opened: operator.Operator) -> Person:
        person = await opened.read(partial(people.find, who=who))
        confirm(yes, say("admin.ban_sure", name=person.name))
        await people.ban(opened, person, end, reason)
        return person

    person = operate(database, work)
    when = moment(end) if end else say("admin.for_good")
    sentence = say("admin.is_banned", name=person.name, until=when)
    tell_done(as_json, sentence, id=person.id, name=person.name, until=end)


@group.command("unban", help=say("cli.admin_unban"), epilog=say("cli.admin_unban_ex"))
def unban(who: Who, as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin import operator, people

    async def work(opened: operator.Operator) -> Person:
        person = await opened.read(partial(people.find, who=who))
        await people.unban(opened, person)
        return person

    person = operate(database, work)
    sentence = say("admin.is_unbanned", name=person.name)
    tell_done(as_json, sentence, id=person.id, name=person.name)


@group.command("delete", help=say("cli.admin_delete"), epilog=say("cli.admin_delete_ex"))
def delete(who: Who, yes: Yes = False, as_json: Json = False, database: Database = None) -> None:
    from headway.server.admin import operator, people

    async def work(opened: operator.Operator) -> Person:
        person = await opened.read(partial(people.find, who=who))
        confirm(yes, say("admin.delete_sure", name=person.name))
        await people.remove(opened, person)
        return person

    person = operate(database, work)
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

    from headway.server.admin import operator, people
    from headway.server.core.database import FILE_MODE

    async def work(opened: operator.Operator) -> dict[str, object]:
        person = await opened.read(partial(people.find, who=who))
        return await opened.read(partial(people.known_of, person=person))

    content = msgspec.json.format(msgspec.json.encode(operate(database, work)), indent=1)
    try:
        file.touch(FILE_MODE)
        file.write_bytes(content + b"\n")
    except OSError as error:
        raise InputError("format.not_writable", file=file, reason=error.strerror) from None
    tell_done(as_json, say("admin.exported", file=file), file=str(file))
