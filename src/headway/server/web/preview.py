"""What other programs show of a link to Headway: title, description and picture (Open Graph).

A preview is made for nobody in particular: it shows what a spectator may see, whoever asks.
"""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from headway.errors import HeadwayError
from headway.games import boxes
from headway.i18n import number, say
from headway.server.content.pictures import MAP_PIXELS
from headway.server.process import ServerProcess
from headway.server.tables.state import TableState
from headway.server.tables.view import occupant_name, titles
from headway.server.web.context import RequestContext

ICON = "/icons/any-512.png"
_TABLE = re.compile(r"/t/(\w{1,16})(/replay.*|/review)?", re.ASCII)
REVIEW = "/review"
_TODAY = re.compile(r"/today(/.*)?")


class LinkPreview(NamedTuple):
    """The preview of a page; `picture` is an address on this server."""

    title: str
    description: str
    picture: str

    def html(self, origin: str, path: str) -> str:
        """Returns the elements for the head of the page.

        Without an origin the addresses have no host: `Host` is whatever a client sends, and
        programs that show links keep what they read for others.
        """
        board = self.picture != ICON
        properties = {
            "og:type": "website",
            "og:site_name": "Headway",
            "og:title": self.title,
            "og:description": self.description,
            "og:url": origin + quote(path),
            "og:image": origin + self.picture,
            "og:image:alt": self.title,
        }
        names = {
            "description": self.description,
            "twitter:card": "summary_large_image" if board else "summary",
        }
        return "".join(
            f'<meta {kind}="{key}" content="{escape(content)}">'
            for kind, contents in (("property", properties), ("name", names))
            for key, content in contents.items()
        )


async def preview_of(process: ServerProcess, context: RequestContext) -> LinkPreview:
    """Returns the preview of the page that a request asks for."""
    lang, path = context.lang, context.path
    if match := _TABLE.fullmatch(path):
        try:
            return await _of_table(process, match[1], match[2] or "", lang)
        except HeadwayError:
            pass  # there is no such table: the page says so
    if _TODAY.fullmatch(path):
        box = next(iter(boxes()))
        picture = _map_picture(box.name, box.maps[0], lang)
        return LinkPreview(say("web.today.title", lang), say("web.today.what", lang), picture)
    return LinkPreview("Headway", say("web.hero_more", lang), ICON)


async def _of_table(process: ServerProcess, table_id: str, page: str, lang: str) -> LinkPreview:
    state = await process.authority.refresh(table_id)
    setup = state.setup
    title = titles(setup.game, setup.map, len(state.occupants))[lang]
    empty = _map_picture(setup.game, setup.map, lang)
    if setup.day and process.store.calendar.is_today(setup.day):
        # Others play the same deal: neither its cards nor its results are shown.
        today = say("preview.today", lang, title=title)
        return LinkPreview(today, say("web.today.what", lang), empty)
    board = f"/api/tables/{setup.id}/picture.png?lang={lang}&width={MAP_PIXELS}"
    if page and state.finished:
        title = say("preview.review" if page == REVIEW else "preview.replay", lang, title=title)
    if page == REVIEW and await process.reviewing.is_done(table_id):
        board = f"/api/tables/{setup.id}/review.png?lang={lang}&width={MAP_PIXELS}"
    return LinkPreview(title, _description(state, lang), board if state.started else empty)


def _map_picture(game: str, map_name: str, lang: str) -> str:
    """Returns the address of the picture of a map, on which nothing is dealt."""
    return f"/api/shelf/{quote(game)}/{quote(map_name)}/picture.png?lang={lang}"


def _description(state: TableState, lang: str) -> str:
    names = [occupant_name(occupant, state.setup.game, lang) for occupant in state.occupants]
    if state.finished:
        outcome = state.playing().outcome()
        totals = outcome.totals if outcome else ()
        names = [f"{name} {number(total)}" for name, total in zip(names, totals, strict=True)]
        return say("preview.finished", lang, names=", ".join(names))
    return say(
        "preview.running" if state.started else "preview.waiting", lang, names=", ".join(names)
    )
