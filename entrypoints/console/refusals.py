"""Pages in place of answers in JSON: for refusals, and for errors that nobody foresaw."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web

from ...application.errors import UnavailableError, UnexpectedError
from ...application.ports.event_store import StoreUnavailable
from ...domain.errors import DomainError
from ..http.edge import REFUSAL, note_unexpected
from ..http.error_answers import retry_after
from ..http.request_ids import request_id_of
from ..http.statuses import STATUSES
from ..wired import Wired
from .rendering import page_response

Handler = Callable[[Wired, web.Request], Awaitable[web.StreamResponse]]


class UnforeseenError(UnexpectedError):
    """An error that nobody foresaw, as its visitor is told of it: without its text."""

    def __init__(self) -> None:
        DomainError.__init__(
            self,
            "Something went wrong on our side. Try again. If it persists, name the id below to whoever"
            " runs the service.",
        )


def with_refusals(base: str, handler: Handler) -> Handler:
    """Return a handler that answers whatever `handler` raises with a page; `base` is the console's path."""

    async def answered(service: Wired, request: web.Request) -> web.StreamResponse:
        try:
            return await handler(service, request)
        except DomainError as refusal:
            return _refused(base, request, refusal)
        except StoreUnavailable:
            return _refused(base, request, UnavailableError())
        except (web.HTTPException, ConnectionResetError, TimeoutError):
            # The edge answers them, or the visitor went away.
            raise
        except Exception as error:
            note_unexpected(error)
            return _refused(base, request, UnforeseenError())

    return answered


def _refused(base: str, request: web.Request, refusal: DomainError) -> web.Response:
    facts = {"base": base, "refusal": refusal, "request_id": request_id_of(request)}
    answer = page_response(request, "refused.html", facts, STATUSES[refusal.code])
    note_refusal(request, answer, refusal)
    return answer


def note_refusal(request: web.Request, answer: web.Response, refusal: DomainError) -> None:
    """Tell the edge of a refusal that a page answers, and the visitor when to retry."""
    request[REFUSAL] = refusal.code
    answer.headers.update(retry_after(refusal))
