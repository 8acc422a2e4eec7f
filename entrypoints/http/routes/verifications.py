"""The search of verifications (C-37)."""

from __future__ import annotations

from aiohttp import web
from attrs import evolve

from ....application.caller import Caller
from ....application.paging import Paging
from ....application.pins.searching_verifications import VerificationSearch
from ....application.searches import COUNTED_TO
from ...wire.pin_records import verification_record
from ...wire.searches import names_of, verification_search
from ...wired import Wired
from ..operator_handlers import account_searched, records_answer
from ..request_ids import calling_about
from ..requests import paging_of, search_in_body, search_of
from ..route import PAGE, READ, About, Route


async def verifications(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Search PINs."""
    search = search_of(request, VerificationSearch, verification_search)
    return await _found(service, request, by, search, paging_of(request))


async def posted_search(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Search PINs by the members of a body, which no proxy logs (C-73)."""
    search, paging = await search_in_body(request, VerificationSearch, verification_search)
    return await _found(service, request, by, search, paging)


async def _found(
    service: Wired, request: web.Request, by: Caller, search: VerificationSearch, paging: Paging
) -> web.Response:
    by = calling_about(request, by, [search.destination] if search.destination else ())
    account_id = await account_searched(
        service, by, search.account_id, search.destination, search.reference_id
    )
    search = evolve(search, account_id=account_id)
    listed = await service.verifications.search(search, paging)
    shown = [verification_record(each) for each in listed.data]
    exact = listed.total < COUNTED_TO
    return records_answer(by, listed, shown, totalIsExact=exact)


_VERIFICATIONS = (*names_of(VerificationSearch), *PAGE)

VERIFICATION_ROUTES = (
    Route(
        "GET",
        "/admin/v1/verifications",
        verifications,
        READ,
        About.ACCOUNT,
        _VERIFICATIONS,
        search=VerificationSearch,
        names_people=True,
    ),
    Route(
        "POST",
        "/admin/v1/verifications/search",
        posted_search,
        READ,
        About.ACCOUNT,
        search=VerificationSearch,
        members=_VERIFICATIONS,
        names_people=True,
    ),
)
