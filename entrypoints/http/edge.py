"""The edge: every request gets an id, and every failure its documented form."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web
from aiohttp.http import HttpVersion10, HttpVersion11
from aiohttp.typedefs import Handler, Middleware

from ...adapters.logs import REQUEST_ID as LOGGED_ID
from ...adapters.logs import logger
from ...application.errors import UnavailableError
from ...application.ports.event_store import KeyAnswered, StoreUnavailable
from ...application.ports.sealer import SealBrokenError, SealKeyMissingError
from ...domain.accounts.api_key import UnauthorizedError
from ...domain.errors import DomainError
from .answers import Answer
from .error_answers import error_answer, internal_error, refusal_answer
from .error_forms import form_of
from .listener.bodies import BodyTooLarge
from .listener.expectations import refuse_unknown
from .listener.incoming_requests import path_of
from .listener.json_response import JsonResponse
from .listener.mounting import MOUNT
from .listener.plain_paths import refuse_disguised
from .media_upload_answers import MediaKeyError, in_media_form, media_failure, media_key_answer
from .preferences import APPLIED, PREFER, PREFERENCE_APPLIED
from .refused_keys import RefusedKeys
from .replay import replayed
from .request_ids import begin_request_id, request_id_of
from .unrouted_answers import not_http

# The documented code of a request that was refused, for whoever looks on.
REFUSAL = web.RequestKey("refusal", str)
# What an application without `/openapi.json` says of a path where nothing is.
NOTHING_HERE = web.AppKey("nothing_here", str)
_VERSIONS = (HttpVersion11, HttpVersion10)
_log = logger("watchword.http")

_FAILURES = {
    404: ("not_found", "There is nothing at this path. See GET /openapi.json."),
    405: ("method_not_allowed", "This path does not take this method. See the Allow header."),
    408: ("request_timeout", "The body came too slowly. Send all of it at once."),
    413: ("payload_too_large", "The body is larger than 1 MiB. Send less."),
    415: (
        "unsupported_media_type",
        "The body must be JSON in UTF-8, sent as it is. Send Content-Type: application/json and no"
        " Content-Encoding.",
    ),
    417: ("expectation_failed", "Nothing but Expect: 100-continue is understood. Leave it out."),
}


def edge(
    new_request_id: Callable[[], str], admit: Callable[[web.Request], None] | None = None
) -> Middleware:
    """
    Make the middleware that turns every outcome of a handler into a documented answer.

    `admit` raises a refusal for what no route is to see.
    """
    refused_keys = RefusedKeys()

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        outside = begin_request_id(request, new_request_id)
        try:
            if request.version not in _VERSIONS:
                raise not_http()
            if admit is not None:
                admit(request)
            if "%" in request.raw_path:
                refuse_disguised(request)
            refuse_unknown(request)
            response = await handler(request)
            if request.get(REFUSAL) == UnauthorizedError.code:
                # The page of the log-in answers a wrong token itself.
                refused_keys.note(request)
        except Exception as error:
            response = _answer_to(error, request, refused_keys)
        finally:
            LOGGED_ID.reset(outside)
        if PREFER in request.headers and APPLIED in request:
            _say_applied(response, request[APPLIED])
        if not request.content.is_eof():
            # The rest of the body is wanted no more; without a word of it the client would go on.
            response.force_close()
        return response

    return middleware


def note_unexpected(error: Exception) -> None:
    """Log an error that no handler foresaw; the line has the request's id (`request_failed`)."""
    _log.error("request_failed", exc_info=error)


def _say_applied(response: web.StreamResponse, preference: str) -> None:
    if isinstance(response, JsonResponse):
        response.add_header(PREFERENCE_APPLIED, preference)
    elif not response.prepared:
        # One that is under way says it itself.
        response.headers[PREFERENCE_APPLIED] = preference


def _answer_to(error: Exception, request: web.Request, refused_keys: RefusedKeys) -> web.Response:
    request_id = request_id_of(request)
    match error:
        case KeyAnswered():
            try:
                return replayed(request, error.answer)
            except (SealBrokenError, SealKeyMissingError) as unreadable:
                return _answer_to(unreadable, request, refused_keys)
        case DomainError():
            if isinstance(error, UnauthorizedError):
                refused_keys.note(request)
            return _refused(request, error, request_id)
        case StoreUnavailable():
            return _refused(request, UnavailableError(), request_id)
        case web.HTTPException():
            return _failed(request, error, request_id)
        case ConnectionResetError() | TimeoutError():
            # The client went away in the middle of its own body; nobody reads this answer.
            raise error
        case _:
            note_unexpected(error)
            answer = (
                media_failure(500)
                if in_media_form(_path_of(request))
                else internal_error(request_id, form_of(_path_of(request)))
            )
            return _answered(request, "internal_error", answer)


def _refused(request: web.Request, refusal: DomainError, request_id: str) -> web.Response:
    if isinstance(refusal, MediaKeyError):
        answer = media_key_answer(refusal)
    else:
        answer = refusal_answer(refusal, request_id, form_of(_path_of(request)))
        if in_media_form(_path_of(request)):
            answer = media_failure(answer.status, refusal, answer.headers)
    return _answered(request, refusal.code, answer)


def _failed(request: web.Request, failure: web.HTTPException, request_id: str) -> web.Response:
    code, message = _FAILURES.get(failure.status, ("validation_failed", failure.reason))
    if isinstance(failure, BodyTooLarge):
        message = failure.message
    if failure.status == 404:
        message = request.app.get(NOTHING_HERE, message)
    headers = {"Allow": failure.headers["Allow"]} if "Allow" in failure.headers else {}
    form = form_of(_path_of(request), found=failure.status != 404)
    answer = error_answer(code, message, {}, request_id, form, headers)
    if in_media_form(_path_of(request)):
        answer = media_failure(answer.status, DomainError(message), headers)
    return _answered(request, code, answer)


def _path_of(request: web.Request) -> str:
    """Return the path as the routes have it, wherever an embedder has mounted them."""
    mount = request.app.get(MOUNT)
    return path_of(request) if mount is None else mount.within(path_of(request))


def _answered(request: web.Request, code: str, answer: Answer) -> web.Response:
    request[REFUSAL] = code
    return answer.response(request_id_of(request))
