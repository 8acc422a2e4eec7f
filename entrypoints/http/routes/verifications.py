"""The search of verifications (C-37)."""

from __future__ import annotations

from aiohttp import web
from attrs import evolve

from ....application.caller import Caller
from ....application.pins.searching_verifications import VerificationSearch
from ....application.searches import COUNTED_TO
from ...wire.pin_records import verification_record
from ...wire.searches import names_of, verification_search
from ...wired import Wired
from ..answers import list_answer
from ..operator_handlers import account_searched
from ..requests import paging_of, search_of
from ..route import PAGE, READ, About, Route


async def verifications(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Search PINs."""
    search = search_of(request, VerificationSearch, verification_search)
    account_id = await account_searched(service, request, search.destination, search.reference_id)
    search = evolve(search, account_id=account_id)
    listed = await service.verifications.search(search, paging_of(request))
    shown = [verification_record(each) for each in listed.data]
    exact = listed.total < COUNTED_TO
    return list_answer(listed, shown, totalIsExact=exact).response(by.request_id)


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
    ),
)
