"""The id of a request: the caller's own, unless it shows for whom the call is (C-12, C-100)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextvars import Token

from aiohttp import web
from msgspec.structs import replace

from ...adapters.logs import REQUEST_ID as LOGGED_ID
from ...application.caller import Caller
from ...domain.destination import TELLING_DIGITS, canonical, digits_of, shows_number
from .listener.json_response import REQUEST_ID
from .listener.large_bodies import LARGE
from .route import TABLE

_CHOSEN = web.RequestKey("request_id", str)
_REPLACEMENT = web.RequestKey("replacement_of_request_id", str)
_OWN = re.compile(r"[A-Za-z0-9._-]{1,64}")
# What may be numbers, plain and with the decoration that people write, and addresses.
_ANYBODY = (
    re.compile(r"[0-9]{7,}"),
    re.compile(r"[0-9][0-9 ().-]{5,40}[0-9]"),
    re.compile(r"[A-Za-z0-9#$&'*+/=?^_`{|}~.-]{1,64}@"),
)


def request_id_of(request: web.Request) -> str:
    """Return the request's id, which the edge has chosen."""
    return request[_CHOSEN]


def begin_request_id(request: web.Request, new_id: Callable[[], str]) -> Token[str | None]:
    """
    Choose the id of a request and of its log lines; `LOGGED_ID.reset` takes the result.

    On a route that names people, log lines have an id of ours until the caller's own is known to show
    nobody (D-331).
    """
    own = request.headers.get(REQUEST_ID)
    if own is None or not _OWN.fullmatch(own):
        request[_CHOSEN] = ours = new_id()
        return LOGGED_ID.set(ours)
    request[_CHOSEN] = own
    row = request.app[TABLE].get(request.match_info.handler) if TABLE in request.app else None
    if row is None or not row.names_people:
        return LOGGED_ID.set(own)
    request[_REPLACEMENT] = new_id()
    return LOGGED_ID.set(request[_REPLACEMENT])


def logged_id_of(request: web.Request) -> str:
    """Return the id for logs and spans: one of ours until the caller's own is known to show nobody."""
    return request.get(_REPLACEMENT) or request_id_of(request)


def may_show_a_number(request: web.Request) -> bool:
    """Return whether the caller's own id was not compared yet, and has the digits of a number."""
    return _REPLACEMENT in request and len(digits_of(request_id_of(request))) >= TELLING_DIGITS


def settle_request_id(request: web.Request, destinations: Iterable[str]) -> str:
    """Return the request's id for good: one of ours if the caller's own shows one of the destinations."""
    own = request_id_of(request)
    if _REPLACEMENT not in request:
        return own
    if shows_any(own, destinations):
        return _take_ours(request)
    del request[_REPLACEMENT]
    LOGGED_ID.set(own)
    return own


def settle_unread(request: web.Request, *texts: bytes) -> str:
    """
    Return the request's id for good, of a call whose texts nothing has read, or that cannot be read.

    Of large texts it is one of ours: searching them would hold the event loop (C-94).
    """
    if sum(map(len, texts)) > LARGE:
        return _take_ours(request)
    return settle_request_id(request, _anybody_in(texts))


def calling_about(request: web.Request, by: Caller, destinations: Iterable[str]) -> Caller:
    """Return the caller with an id that shows none of those for whom the call is."""
    request_id = settle_request_id(request, destinations)
    return by if request_id == by.request_id else replace(by, request_id=request_id)


def shows_any(own: str, destinations: Iterable[str]) -> bool:
    """Return whether an id contains the end of a number, or the local part of an address (C-100)."""
    digits, lowered = digits_of(own), own.lower()
    return any(
        each.rpartition("@")[0].lower() in lowered if "@" in each else shows_number(digits, each)
        for destination in destinations
        # The number may be written in the digits of another script (D-365).
        for each in (destination, canonical(destination))
    )


def _take_ours(request: web.Request) -> str:
    if _REPLACEMENT in request:
        request[_CHOSEN] = request.pop(_REPLACEMENT)
    return request_id_of(request)


def _anybody_in(texts: Iterable[bytes]) -> Iterator[str]:
    """Yield what may be numbers and addresses."""
    for text in texts:
        plain = text.decode(errors="replace")
        for form in _ANYBODY:
            yield from form.findall(plain)
