"""Errors over HTTP: the status code of each, and every error as a sentence."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from headway.errors import HeadwayError, InputError, NotYourTurn, RuleBroken
from headway.server.core import metrics
from headway.server.core.errors import RefusedError, invalid, not_found
from headway.server.web.context import context_of
from headway.server.web.limits import TooOftenError

log = logging.getLogger("headway.app")
_OF_FRAMEWORK = {
    404: not_found(),
    413: RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "server.too_large"),
}


class ErrorBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is wrong: the rule's id, the key of the sentence, and the sentence in a language.

    Of something wrong in a record, also its place in words and its line in the text, from 1.
    """

    rule: str
    key: str
    sentence: str
    lang: str
    place: str = ""
    line: int = 0


class Failure(msgspec.Struct, frozen=True):
    """The body of every answer that is an error."""

    error: ErrorBody


def status_of(error: HeadwayError) -> int:
    """Returns the HTTP status of an error."""
    if isinstance(error, RefusedError):
        return int(error.status)
    if isinstance(error, NotYourTurn):
        return 409
    return 422 if isinstance(error, RuleBroken) else 400


def failure(error: HeadwayError, lang: str) -> Failure:
    """Returns an error as it goes over the wire."""
    sentence, place = error.sentence(lang), error.where(lang)
    return Failure(ErrorBody(error.rule, error.key, sentence, lang, place, error.line))


def retry_headers(error: HeadwayError) -> dict[str, str]:
    """Returns the header that says when to ask again, if that helps."""
    return {"retry-after": str(error.wait_seconds)} if isinstance(error, TooOftenError) else {}


def answer_error(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Answers every error with a sentence: ours as it is, the server's without details."""
    context = context_of(request)
    status, sentence = _translated(error, context.id.decode())
    metrics.refusals(sentence.key).inc()
    body, headers = failure(sentence, context.lang), retry_headers(sentence)
    return Response(body, status_code=status, headers=headers)


def _translated(error: Exception, request_id: str) -> tuple[int, HeadwayError]:
    if isinstance(error, HeadwayError):
        return status_of(error), error
    if isinstance(error, ValidationException):
        return 400, InputError("format.field", reason=_reason(error))
    if isinstance(error, UnicodeDecodeError | RecursionError):
        # Litestar lets these through.
        return 400, InputError("format.no_json", reason=type(error).__name__)
    if isinstance(error, HTTPException) and error.status_code < 500:
        status = error.status_code
        if status == 405:
            return status, invalid("server.method")
        unnamed = invalid("format.field", reason=error.detail)
        return status, _OF_FRAMEWORK.get(status, unnamed)
    log.error("request failed", exc_info=error, extra={"id": request_id})
    return 500, RefusedError(HTTPStatus.INTERNAL_SERVER_ERROR, "server.broken", id=request_id)


def _reason(error: ValidationException) -> str:
    """Returns what is wrong in a field, without quoting what was sent."""
    extra = error.extra if isinstance(error.extra, list) else []
    reasons = [f"{part.get('key', '')}: {part.get('message', '')}".strip(": ") for part in extra]
    return "; ".join(reasons[:3]) or error.detail
