"""Messages over the socket of a table: news from the server, a ping from the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import msgspec
from msgspec import UNSET, UnsetType

from headway.server.tables.bot_compiler import CompileWait
from headway.server.tables.view import TableView, rest_of_log, shared_lines
from headway.server.web.schema import ErrorBody, Pong


class TableNow(msgspec.Struct, frozen=True):
    """Everything that a guest is told about a table."""

    table: TableView
    watchers: int = 0
    names: list[str] = []
    compiling: CompileWait | None = None


if TYPE_CHECKING:
    TableChanges = TableView
else:
    _SOME_FIELDS = {"views": dict[str, dict[str, Any]]}
    TableChanges = msgspec.defstruct(
        "TableChanges",
        [
            (field.name, Union[_SOME_FIELDS.get(field.name, field.type), UnsetType], UNSET)  # noqa: UP007
            for field in msgspec.structs.fields(TableView)
        ],
        frozen=True,
    )
    TableChanges.__doc__ = """The fields of a table that differ from what was sent before.

    Each replaces the old value, except two: `views` names all my views and has the fields of each
    that differ, and `log` has the lines that follow the first `log_from`.
    """


class TableNews(msgspec.Struct, frozen=True, tag="table"):
    """What is new at a table: first everything, then only what differs.

    `watchers` counts those who look on without a seat; `names` are what some of the others among
    them chose to be called. `compiling` is the bot that the table waits for, if it does.
    """

    table: TableChanges | UnsetType = UNSET
    watchers: int | UnsetType = UNSET
    names: list[str] | UnsetType = UNSET
    compiling: CompileWait | UnsetType | None = UNSET


_NOTHING = TableNews()


class Ping(msgspec.Struct, frozen=True, tag="ping"):
    """Asks whether the server is there."""


class RefusedMessage(msgspec.Struct, frozen=True, tag="refused"):
    """Says why a message was not understood."""

    error: ErrorBody


MESSAGES = TableNews, Pong, RefusedMessage, Ping
"""All that a socket brings, and the ping that it takes."""


def news_since(sent: TableNow | None, now: TableNow) -> TableNews | None:
    """Returns what differs from what was sent, all if nothing was; None if nothing differs.

    Both say only what their reader may know, and so does the difference.
    """
    changed = changed_fields(sent, now)
    if "table" in changed:
        changed["table"] = table_changes(sent.table if sent else None, now.table)
    news = TableNews(**changed)
    return None if news == _NOTHING else news


def table_changes(sent: TableView | None, now: TableView) -> TableChanges | UnsetType:
    """Returns the fields of a table that differ; none if it is only the time."""
    changed = changed_fields(sent, now)
    if sent is not None:
        if changed.keys() <= {"now"}:
            return UNSET
        if "views" in changed:
            changed["views"] = {
                seat: changed_fields(sent.views[seat], view) if seat in sent.views else view
                for seat, view in now.views.items()
            }
        if "log" in changed:
            rest = rest_of_log(now, shared_lines(sent.log, now.log))
            changed |= {"log": rest.log, "log_from": rest.log_from}
    return TableChanges(**changed)


def changed_fields(before: msgspec.Struct | None, after: msgspec.Struct) -> dict[str, Any]:
    """Returns the fields of a structure that differ from those of an earlier one; else all."""
    fields = {name: getattr(after, name) for name in after.__struct_fields__}
    if before is None:
        return fields
    return {
        name: new
        for name, new in fields.items()
        if (old := getattr(before, name)) is not new and old != new
    }
