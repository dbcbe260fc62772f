"""Games, maps, texts and rules: what does not change while the server runs."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from litestar import Controller, MediaType, Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, QueryParameter

from headway.i18n import Lang
from headway.server.content import catalogue, rulebook
from headway.server.content.catalogue import Document, Shelf
from headway.server.content.pictures import NARROWEST_PIXELS, WIDEST_PIXELS, Style
from headway.server.content.rulebook import Rules
from headway.server.core.fields import Word
from headway.server.tables.schema import GameMap
from headway.server.web.dependencies import ANYBODY, Context, HttpRequest, Process, failures, read
from headway.server.web.limits import limited
from headway.svg import Theme

Options = Annotated[list[Word] | None, QueryParameter(max_items=16)]
SVG, PNG, PDF = "image/svg+xml", "image/png", "application/pdf"
Width = Annotated[
    int, QueryParameter(schema_extra={"minimum": NARROWEST_PIXELS, "maximum": WIDEST_PIXELS})
]
"""Its limits are checked where pictures are drawn, with a sentence."""
SvgStyle = NamedDependency[Style]
PngStyle = NamedDependency[Style]
drawn = partial(get, responses=failures(400, 401, 404, 422, 429, 503), guards=[limited("pictures")])
PICTURE_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}
"""The headers of a drawing: it may load nothing."""
SHARED = {"cache-control": "public, no-cache", "vary": "accept-language"}
"""The headers of what is the same for everybody: caches keep it, and ask whether it is still so."""


def svg_style(
    context: Context, theme: FromQuery[Theme] = "auto", lang: FromQuery[Lang | None] = None
) -> Style:
    """Returns how a request wants an SVG drawn."""
    return Style(theme, lang or context.lang)


def png_style(
    context: Context,
    theme: FromQuery[Theme] = "light",
    lang: FromQuery[Lang | None] = None,
    width: Width = 1280,
) -> Style:
    """Returns how a request wants a PNG drawn."""
    return Style(theme, lang or context.lang, width)


STYLES = {style.__name__: Provide(style, sync_to_thread=False) for style in (svg_style, png_style)}


def answer_svg(drawing: bytes) -> Response[bytes]:
    """Answers with an SVG that may load nothing."""
    return Response(drawing, media_type=SVG, headers=PICTURE_HEADERS)


def _answer(request: HttpRequest, document: Document) -> Response[Any]:
    """Answers with a document that browsers keep, and ask for again."""
    headers = {"etag": document.etag, **SHARED}
    sent = request.headers.get("if-none-match", "").replace("W/", "").split(",")
    if document.etag.removeprefix("W/") in map(str.strip, sent):
        return Response(b"", status_code=304, headers=headers)
    return Response(document.body, media_type=MediaType.JSON, headers=headers)


class ContentController(Controller):
    """The catalogue of games, the texts and the rules."""

    path = "/api"
    tags = ("shelf",)
    opt = ANYBODY

    @read("/shelf", operation_id="shelf")
    async def games(self, request: HttpRequest) -> Response[Shelf]:
        """All games with what can be chosen."""
        return _answer(request, catalogue.shelf())

    @read("/shelf/{game:str}/{map_name:str}", operation_id="map")
    async def map_data(
        self, request: HttpRequest, game: FromPath[str], map_name: FromPath[str]
    ) -> Response[GameMap]:
        """A map as data for drawing."""
        return _answer(request, catalogue.map_data(game, map_name))

    @drawn("/shelf/{game:str}/{map_name:str}/sheet.svg", media_type=SVG)
    async def sheet_svg(
        self,
        game: FromPath[str],
        map_name: FromPath[str],
        process: Process,
        context: Context,
        option: Options = None,
        lang: FromQuery[Lang | None] = None,
    ) -> Response[bytes]:
        """The empty sheet of a map on a page of A4, with these modules, as SVG."""
        choices = game, map_name, option or [], lang or context.lang
        drawing = await process.drawings.sheet(*choices, context.owners, as_pdf=False)
        headers = {**PICTURE_HEADERS, **SHARED}
        return Response(drawing, media_type=SVG, headers=headers)

    @drawn("/shelf/{game:str}/{map_name:str}/sheet.pdf", media_type=PDF)
    async def sheet_pdf(
        self,
        game: FromPath[str],
        map_name: FromPath[str],
        process: Process,
        context: Context,
        option: Options = None,
        lang: FromQuery[Lang | None] = None,
    ) -> Response[bytes]:
        """The empty sheet of a map on a page of A4, with these modules, as PDF."""
        choices = game, map_name, option or [], lang or context.lang
        document = await process.drawings.sheet(*choices, context.owners, as_pdf=True)
        return Response(document, media_type=PDF, headers=SHARED)

    @drawn("/shelf/{game:str}/{map_name:str}/picture.png", media_type=PNG)
    async def map_picture(
        self,
        game: FromPath[str],
        map_name: FromPath[str],
        process: Process,
        context: Context,
        lang: FromQuery[Lang | None] = None,
    ) -> Response[bytes]:
        """The board of a map before anything is dealt, as PNG."""
        language = lang or context.lang
        pixels = await process.drawings.map(game, map_name, language, context.owners)
        return Response(pixels, media_type=PNG, headers=SHARED)

    @read("/texts/{lang_name:str}")
    async def texts(
        self, request: HttpRequest, lang_name: FromPath[str]
    ) -> Response[dict[str, str]]:
        """All texts that a client shows, by key."""
        return _answer(request, catalogue.client_texts(lang_name))

    @read("/rules/{game:str}/{lang_name:str}")
    async def rules(
        self, request: HttpRequest, game: FromPath[str], lang_name: FromPath[str]
    ) -> Response[Rules]:
        """The rules of a game for players; `luck` instead of a game: what luck and skill mean."""
        return _answer(request, catalogue.rules(game, lang_name))

    @read("/rules/pictures/{name:str}", media_type=SVG)
    async def rules_picture(self, name: FromPath[str]) -> Response[str]:
        """A picture that the rules show, as SVG."""
        headers = {**PICTURE_HEADERS, "cache-control": "public, max-age=3600"}
        return Response(rulebook.picture(name), media_type=SVG, headers=headers)
