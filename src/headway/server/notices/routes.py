"""Notices: how I want to be told what happens at my tables."""

from __future__ import annotations

import secrets
from typing import Annotated

import msgspec
from litestar import Controller, Response, delete, put
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from headway.server.core.errors import not_found
from headway.server.notices.calls import KINDS, Kind, calendar_of
from headway.server.notices.outbound import URL_LENGTH
from headway.server.notices.web_push import Browser
from headway.server.people.guests import secret_hash
from headway.server.process import ServerProcess
from headway.server.web.context import RequestContext
from headway.server.web.dependencies import ANYBODY, WRITE, Context, Process, person_of, read, write
from headway.server.web.limits import limited

SECRET_LENGTH = 43
Url = Annotated[str, Meta(min_length=1, max_length=URL_LENGTH)]
CalendarName = Annotated[str, PathParameter(min_length=SECRET_LENGTH, max_length=SECRET_LENGTH + 4)]


class WebhookHead(msgspec.Struct, frozen=True):
    """A webhook as its owner sees it; `stopped` says that it failed too often to go on."""

    url: str
    failures: int
    stopped: bool


class NoticeChoices(msgspec.Struct, frozen=True):
    """How I am told: `key` is what a browser needs to let this server call me.

    `kinds` says which notices I want, `browsers` in how many I am called.
    """

    key: str
    kinds: dict[str, bool]
    browsers: int
    calendar: bool
    webhook: WebhookHead | None


class UnwantedKinds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The kinds of notices that I do not want."""

    unwanted: Annotated[list[Kind], Meta(max_length=len(KINDS))]


class NewBrowser(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser that lets this server call me, as its subscription says."""

    endpoint: Url
    p256dh: Annotated[str, Meta(min_length=1, max_length=100)]
    auth: Annotated[str, Meta(min_length=1, max_length=30)]


class OldBrowser(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser in which I am no longer to be called."""

    endpoint: Url


class NewWebhook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The https address of a program of mine, which is sent notices."""

    url: Url


class WebhookSecret(msgspec.Struct, frozen=True):
    """Shown once: it signs every notice."""

    secret: str


class CalendarPath(msgspec.Struct, frozen=True):
    """Shown once: the secret address of my calendar on this server."""

    path: str


async def _choices(process: ServerProcess, context: RequestContext) -> NoticeChoices:
    store, guest = process.notices.store, context.guest
    browsers, hook, unwanted = await store.ways(guest)
    return NoticeChoices(
        key=process.notices.vapid.public,
        kinds={kind: kind not in unwanted for kind in KINDS},
        browsers=len(browsers),
        calendar=await store.calendar(guest),
        webhook=WebhookHead(hook.url, hook.failures, hook.stopped) if hook else None,
    )


class NoticeController(Controller):
    """How I am told what happens at my tables while I do not look."""

    path = "/api"
    tags = ("notices",)

    @read("/notices")
    async def notices(self, process: Process, context: Context) -> NoticeChoices:
        """How I am told, and of what."""
        return await _choices(process, context)

    @put("/notices", responses=WRITE)
    async def choose_notices(
        self, data: JSONBody[UnwantedKinds], process: Process, context: Context
    ) -> NoticeChoices:
        """Chooses of what I am told."""
        await process.notices.store.choose(person_of(context), set(data.unwanted))
        return await _choices(process, context)

    @write("/notices/browsers", guards=[limited("notices")])
    async def subscribe(
        self, data: JSONBody[NewBrowser], process: Process, context: Context
    ) -> NoticeChoices:
        """Calls me in this browser from now on; again changes nothing."""
        guest = person_of(context)
        browser = Browser(data.endpoint, data.p256dh, data.auth)
        session = secret_hash(context.cookie)
        await process.notices.subscribe(guest, session, browser, context.lang)
        return await _choices(process, context)

    @write("/notices/browsers/remove")
    async def unsubscribe(
        self, data: JSONBody[OldBrowser], process: Process, context: Context
    ) -> NoticeChoices:
        """Calls me in this browser no more."""
        await process.notices.store.unsubscribe(person_of(context), data.endpoint)
        return await _choices(process, context)

    @write("/notices/calendar", guards=[limited("notices")], status_code=201)
    async def new_calendar(self, process: Process, context: Context) -> CalendarPath:
        """A calendar of my deadlines at a secret address; an earlier address ends."""
        secret = secrets.token_urlsafe(32)
        await process.notices.store.set_calendar(person_of(context), secret, context.lang)
        return CalendarPath(f"/api/calendar/{secret}.ics")

    @delete("/notices/calendar", responses=WRITE, status_code=200)
    async def drop_calendar(self, process: Process, context: Context) -> NoticeChoices:
        """Ends my calendar."""
        await process.notices.store.drop_calendar(person_of(context))
        return await _choices(process, context)

    @put("/notices/webhook", responses=WRITE, guards=[limited("notices")])
    async def set_webhook(
        self, data: JSONBody[NewWebhook], process: Process, context: Context
    ) -> WebhookSecret:
        """Sends my account's notices to a program of mine as well, signed with a new secret."""
        guest, secret = person_of(context), secrets.token_urlsafe(32)
        await process.accounts.key_of(guest)  # refuses a guest without an account
        await process.notices.set_webhook(guest, data.url, secret, context.lang)
        return WebhookSecret(secret)

    @delete("/notices/webhook", responses=WRITE, status_code=200)
    async def drop_webhook(self, process: Process, context: Context) -> NoticeChoices:
        """Ends my webhook."""
        await process.notices.store.drop_webhook(person_of(context))
        return await _choices(process, context)

    @read("/calendar/{name:str}", guards=[limited("calendars")], opt=ANYBODY)
    async def calendar(
        self, name: CalendarName, process: Process, context: Context
    ) -> Response[str]:
        """The calendar at a secret address, for the calendars of people."""
        owner = await process.notices.store.owner_of_calendar(name.removesuffix(".ics"))
        if owner is None:
            raise not_found()
        heads = await process.store.heads(guest=owner.guest, hidden=False)
        text = calendar_of(heads, owner.guest, owner.lang, process.settings.origin)
        return Response(text, media_type="text/calendar; charset=utf-8")
