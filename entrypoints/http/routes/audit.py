"""What happened: the search of verifications and the event log (C-37, C-38)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.pins.searching_verifications import COUNTED_TO
from ....application.pins.views import VerificationView
from ....application.ports.event_store import Recorded
from ....domain.errors import FieldProblem, ValidationFailedError
from ...wire.codec import encode, unstructure
from ...wire.shown_events import check_names, shown_event
from ...wire.structuring import structure
from ...wire.typed_requests import VerificationFilters, channel_named
from ...wiring import Wired
from ..answers import Answer, list_answer
from ..large_bodies import LARGE_BODIES
from ..pin_records import code_channel
from ..requests import filters_of, integer, paging_of
from ..route import PAGE, READ, About, Route

_DEFAULT_EVENTS = 100
_FILTERS = (
    "referenceId",
    "destination",
    "templateId",
    "status",
    "channel",
    "from",
    "to",
    "account",
)


async def verifications(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Search PINs."""
    filters = filters_of(request, _FILTERS, _verification_filters)
    account = filters.account
    account_id = None if account is None else await service.accounts.resolve(account)
    listed = await service.verifications.search(filters.search(account_id), paging_of(request))
    shown = [_verification(row) for row in listed.data]
    exact = listed.total < COUNTED_TO
    return list_answer(listed, shown, totalIsExact=exact).response(by.request_id)


async def events(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show the log behind a position, in commit order."""
    after = _cursor(request)
    limit = integer(request.query.get("limit"), _DEFAULT_EVENTS)
    page = await service.auditing.events(after, limit, _event_names(request))
    return (await _events(request, page.events, page.next)).response(by.request_id)


async def stream(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show one stream."""
    found = await service.auditing.stream(request.match_info["id"])
    return (await _events(request, found, found[-1].position)).response(by.request_id)


def _verification_filters(given: dict[str, str]) -> VerificationFilters:
    """Read the filters (C-37, C-45)."""
    if "channel" in given:
        given["channel"] = channel_named(given["channel"])
    return structure(given, VerificationFilters)


def _event_names(request: web.Request) -> Collection[str]:
    """Read the names of events that the log is narrowed to; an empty one narrows nothing (D-114)."""
    names = {name for name in request.query.getall("type", ()) if name}
    check_names(names)
    return names


async def _events(request: web.Request, found: Sequence[Recorded], next_after: int) -> Answer:
    # Whatever asks for masking gets it: a slip must not show destinations.
    mask = request.query.get("mask", "false").lower() not in ("false", "0", "no", "off")

    def shown() -> bytes:
        data = [shown_event(each, mask=mask) for each in found]
        return encode({"data": data, "next": next_after})

    many = len(found) > _DEFAULT_EVENTS
    return Answer(200, await request.app[LARGE_BODIES].do(shown) if many else shown())


def _verification(pin: VerificationView) -> dict[str, Any]:
    shown: dict[str, Any] = unstructure(pin)
    shown["channels"] = [code_channel(outcome) for outcome in pin.channels]
    return shown


def _cursor(request: web.Request) -> int:
    text = request.query.get("after", "0")
    if not re.fullmatch(r"[0-9]{1,18}", text):
        # A damaged cursor that began anew would have its reader take the whole log again.
        raise ValidationFailedError([FieldProblem("after", "must be a position in the log")])
    return int(text)


_VERIFICATIONS = (*_FILTERS, *PAGE)
_EVENTS = ("after", "limit", "type", "mask")

AUDIT_ROUTES = (
    Route("GET", "/admin/v1/verifications", verifications, READ, About.ACCOUNT, _VERIFICATIONS),
    Route("GET", "/admin/v1/events", events, READ, About.STORE, _EVENTS, several=("type",)),
    Route("GET", "/admin/v1/streams/{id}/events", stream, READ, About.STORE, ("mask",)),
)
