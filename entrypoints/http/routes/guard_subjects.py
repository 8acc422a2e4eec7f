"""What the guard refuses now, and the release of a subject (C-78)."""

from __future__ import annotations

from aiohttp import web
from attrs import evolve

from ....application.caller import Caller
from ....application.guard.listing_refused_sends import RefusedSearch
from ....application.searches import COUNTED_TO
from ...wire.searches import names_of, refused_search
from ...wire.typed_requests import SubjectRelease
from ...wired import Wired
from ..operator_handlers import account_searched, acting_for, record_answer, records_answer
from ..request_ids import calling_about
from ..requests import body_as, paging_of, search_of
from ..route import ACT, PAGE, READ, About, Route

_GUARD = "/admin/v1/guard"


async def refused_sends(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """List what is refused now."""
    search, paging = search_of(request, RefusedSearch, refused_search), paging_of(request)
    account_id = await account_searched(service, by, search.account_id)
    listed = await service.refused_sends.list(evolve(search, account_id=account_id), paging)
    exact = listed.total < COUNTED_TO
    return records_answer(by, listed, totalIsExact=exact)


async def release(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Begin the count of a subject anew."""
    body = await body_as(request, SubjectRelease)
    by = calling_about(request, by, [body.destination] if body.destination else ())
    acting = await acting_for(service, by, body.account)
    return record_answer(by, await service.releasing_subjects.release(acting, body))


GUARD_SUBJECT_ROUTES = (
    Route(
        "GET",
        f"{_GUARD}/refused",
        refused_sends,
        READ,
        About.ACCOUNT,
        (*names_of(RefusedSearch), *PAGE),
        search=RefusedSearch,
    ),
    Route("POST", f"{_GUARD}/release", release, ACT, About.ACCOUNT, names_people=True),
)
