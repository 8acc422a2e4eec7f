"""Callback endpoints, and what was sent to each (C-33, C-53)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from aiohttp import web

from ....domain.accounts.token_role import TokenRole
from ....domain.callback_endpoint import (
    ACCOUNTS_PATTERNS,
    EVERYTHING,
    OPERATORS_PATTERNS,
)
from ....domain.errors import ValidationFailedError
from ...http.requests import integer, paging_of
from ...http.routes.callbacks import endpoint_owner
from ...wire.structuring import structure
from ...wire.typed_requests import NewCallback
from ..forms import Form
from ..page import Page
from ..visit import Visit

_ALL = "/callbacks"
_NEW = f"{_ALL}/new"
_ONE = f"{_ALL}/{{id}}"
_DELIVERY = f"{_ONE}/deliveries/{{deliveryId}}"
# A test event is delivered within a second or two; the list looks so often whether it was, a second apart.
_LOOKS = 5


async def callbacks(visit: Visit) -> web.StreamResponse:
    """List callback endpoints, the newest first."""
    listed = await visit.service.callbacks.list(visit.account_id, paging_of(visit.request))
    return visit.show(
        "callbacks/list.html",
        listed=listed,
        records=[visit.shown(each) for each in listed.data],
        owners=await visit.names_of(each.account_id for each in listed.data),
    )


async def new(visit: Visit) -> web.StreamResponse:
    """Show the form of a new endpoint."""
    return _form(visit, Form.of(events=EVERYTHING))


async def create(visit: Visit) -> web.StreamResponse:
    """Make an endpoint, and show its secret this once."""
    form = visit.form
    raw: dict[str, Any] = {"url": form.get("url"), "events": form.all("events")}
    if secret := form.optional("secret"):
        raw["secret"] = secret
    named = form.optional("account") or visit.account
    if named is not None:
        raw["account"] = named
    try:
        body = structure(raw, NewCallback)
        owner = await endpoint_owner(visit.service, visit.by, body)
        made = await visit.service.callbacks.create(
            owner, url=body.url, events=body.events, secret=body.secret
        )
    except ValidationFailedError as refusal:
        return _form(visit, form.with_problems(refusal))
    return visit.show("callbacks/made.html", endpoint=made)


async def callback(visit: Visit) -> web.StreamResponse:
    """Show an endpoint, and what was sent to it or will be."""
    endpoint_id = visit.request.match_info["id"]
    endpoint = await visit.service.callbacks.get(visit.by, endpoint_id)
    listed = await visit.service.callbacks.deliveries(
        visit.by, endpoint_id, paging_of(visit.request)
    )
    deliveries = [visit.shown(each) for each in listed.data]
    return visit.show(
        "callbacks/one.html",
        record=visit.shown(endpoint),
        listed=listed,
        deliveries=deliveries,
        looks=_looks_left(visit, deliveries),
        owners=await visit.names_of([endpoint.account_id]),
        answered=_answered,
    )


async def remove(visit: Visit) -> web.StreamResponse:
    """Remove an endpoint and its secret."""
    endpoint_id = visit.request.match_info["id"]
    await visit.service.callbacks.remove(visit.by, endpoint_id)
    return visit.redirect(f"{_ALL}/{endpoint_id}", done="removed")


async def test(visit: Visit) -> web.StreamResponse:
    """Send a test event to an endpoint."""
    endpoint_id = visit.request.match_info["id"]
    sent = await visit.service.callbacks.test(visit.by, endpoint_id)
    facts = {"sent": sent.delivery_id, "looks": _LOOKS}
    return visit.redirect(f"{_ALL}/{endpoint_id}", done="test-event-sent", **facts)


async def delivery(visit: Visit) -> web.StreamResponse:
    """Show one delivery: its request, and what was answered."""
    endpoint_id, delivery_id = _ids(visit)
    endpoint = await visit.service.callbacks.get(visit.by, endpoint_id)
    found = await visit.service.callbacks.delivery(visit.by, endpoint_id, delivery_id)
    record = visit.shown(found)
    body = record["request"]["body"]
    return visit.show(
        "callbacks/delivery.html",
        endpoint=visit.shown(endpoint),
        record=record,
        body=None if body is None else json.dumps(body, ensure_ascii=False, indent=2),
        answered=_answered,
    )


async def redeliver(visit: Visit) -> web.StreamResponse:
    """Attempt a delivery again."""
    endpoint_id, delivery_id = _ids(visit)
    await visit.service.callbacks.redeliver(visit.by, endpoint_id, delivery_id)
    return visit.redirect(f"{_ALL}/{endpoint_id}/deliveries/{delivery_id}", done="redelivered")


def _looks_left(visit: Visit, deliveries: Iterable[Mapping[str, Any]]) -> int:
    """
    Return how often an open page is to look again for the test event that was sent from it (D-548).

    Neither the making of a delivery nor its attempts are events, so no stream tells of them.
    """
    query = visit.request.query
    sent = [each for each in deliveries if each["id"] == query.get("sent")]
    if any(each["attempts"] > 0 for each in sent):
        return 0
    return min(max(integer(query.get("looks"), 0), 0), _LOOKS)


def _form(visit: Visit, form: Form) -> web.Response:
    for_operators = visit.account_id is None
    return visit.show(
        "callbacks/form.html",
        status=400 if form.problems else 200,
        form=form,
        wanted=form.all("events"),
        patterns=ACCOUNTS_PATTERNS,
        operators_patterns=OPERATORS_PATTERNS if for_operators else (),
    )


def _answered(record: dict[str, Any]) -> str:
    """Return in words what the last attempt of a delivery met."""
    status, error = record["lastStatus"], record["error"]
    if status is not None:
        try:
            return f"{status} {HTTPStatus(status).phrase}"
        except ValueError:
            return str(status)
    return "none yet" if error is None else str(error).replace("_", " ")


def _ids(visit: Visit) -> tuple[str, str]:
    return visit.request.match_info["id"], visit.request.match_info["deliveryId"]


CALLBACK_PAGES = (
    Page("GET", _ALL, callbacks, TokenRole.AUDITOR),
    Page("GET", _NEW, new, TokenRole.OPERATOR),
    Page("POST", _NEW, create, TokenRole.OPERATOR),
    Page("GET", _ONE, callback, TokenRole.AUDITOR),
    Page("POST", f"{_ONE}/remove", remove, TokenRole.OPERATOR),
    Page("POST", f"{_ONE}/test", test, TokenRole.OPERATOR),
    Page("GET", _DELIVERY, delivery, TokenRole.AUDITOR),
    Page("POST", f"{_DELIVERY}/redeliver", redeliver, TokenRole.OPERATOR),
)
