"""`headway admin`: what operators do about people, tables, notices, invitations and reports."""

from headway.cli.admin import invitations, notice, people, reports, tables
from headway.cli.admin.acts import log
from headway.cli.admin.housekeeping import commands as housekeeping
from headway.cli.usage import Commands
from headway.i18n import say

group = Commands(
    no_args_is_help=True, help=say("cli.admin"), epilog="\b\n" + say("cli.admin_examples")
)
group.add_typer(people.group, name="people")
group.add_typer(tables.group, name="tables")
group.add_typer(notice.group, name="notice")
group.add_typer(invitations.group, name="invitations")
group.add_typer(reports.group, name="reports")
group.add_typer(housekeeping)
group.add_typer(log)
