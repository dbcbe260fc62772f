"""The host's own pages: imprint, contact and privacy, from text files in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from litestar import Controller
from litestar.params import FromPath

from headway.i18n import SOURCE
from headway.server.core.errors import not_found
from headway.server.web.dependencies import ANYBODY, Context, Process, read

PAGES = "imprint", "contact", "privacy"
PageName = Literal["imprint", "contact", "privacy"]
MOST_BYTES = 200_000


class HousePage(msgspec.Struct, frozen=True):
    """A text of the host's: paragraphs between empty lines, headings after `# `."""

    text: str


def pages(folder: str) -> list[str]:
    """Returns which pages the host has written, in the order of their links."""
    return [name for name in PAGES if folder and any(Path(folder).glob(f"{name}*.txt"))]


def page_text(folder: str, name: str, lang: str) -> str:
    """Returns a page in a language, else for all languages, else in the source's, else any."""
    files = [Path(folder, f"{name}{ending}.txt") for ending in (f".{lang}", "", f".{SOURCE}")]
    files += sorted(Path(folder).glob(f"{name}*.txt"))
    found = next((file for file in files if folder and file.is_file()), None)
    if found is None:
        raise not_found()
    return found.read_bytes()[:MOST_BYTES].decode("utf-8", "replace")


class HouseController(Controller):
    """What the host says about the server."""

    path = "/api/house"
    tags = ("house",)
    opt = ANYBODY

    @read("/{page:str}")
    async def house_page(
        self, page: FromPath[PageName], process: Process, context: Context
    ) -> HousePage:
        """The host's imprint, contact or privacy text."""
        return HousePage(page_text(process.settings.pages, page, context.lang))
