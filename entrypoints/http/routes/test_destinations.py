"""Test destinations: fixed codes for reviewers and automated tests (C-79, C-104)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...wire.typed_requests import NewTestDestination
from ...wired import Wired
from ..operator_handlers import ACCOUNT_AND_PAGE, acting, acting_for, listing, record_answer
from ..request_ids import calling_about
from ..requests import body_as
from ..route import ALL, READ, About, Route

_ALL = "/admin/v1/test-destinations"


async def put(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Set a test destination (201), or revise it (200)."""
    body = await body_as(request, NewTestDestination)
    by = calling_about(request, by, (body.destination,))
    done = await service.test_destinations.put(
        await acting_for(service, by, body.account),
        destination=body.destination,
        code=body.code,
        until=body.until,
    )
    return record_answer(by, done.view, 201 if done.new else 200)


_list = listing(lambda service: service.test_destinations.list)
_remove = acting(lambda service: service.test_destinations.remove)

# A fixed code lets in whoever knows it, so only those who give access may set one, and no token that is
# bound to an account (D-403).
TEST_DESTINATION_ROUTES = (
    Route("POST", _ALL, put, ALL, About.STORE, names_people=True),
    Route("GET", _ALL, _list, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("DELETE", f"{_ALL}/{{id}}", _remove, ALL, About.STORE, bodiless=True),
)
