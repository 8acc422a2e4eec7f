"""People: erased on request, and shown to whoever answers for the data (C-74)."""

from __future__ import annotations

from contextlib import aclosing

from aiohttp import hdrs, web

from ....application.caller import Caller
from ...data_requests.person_records import certificate_record, person_json
from ...wire.typed_requests import Erasure, PersonQuestion
from ...wired import Wired
from ..listener.json_response import REQUEST_ID
from ..operator_handlers import acting_for, record_answer
from ..preferences import APPLIED, PREFERENCE_APPLIED
from ..request_ids import calling_about
from ..requests import body_as
from ..route import ALL, About, Route

_PEOPLE = "/admin/v1/people"
# Small parts are written together.
_AT_ONCE = 64 << 10


async def erase(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Erase a person; a misspelt `dryRun` must not erase (D-367)."""
    body = await body_as(request, Erasure)
    by = calling_about(request, by, (body.destination,))
    acting = await acting_for(service, by, body.account)
    certificate = await service.erasing_people.erase(acting, body.destination, dry_run=body.dry_run)
    return record_answer(by, certificate_record(certificate))


async def show(service: Wired, request: web.Request, by: Caller) -> web.StreamResponse:
    """Show everything stored of a person; the answer is written part by part."""
    body = await body_as(request, PersonQuestion)
    by = calling_about(request, by, (body.destination,))
    account_id = (await acting_for(service, by, body.account)).account_id
    person = await service.showing_people.show(account_id, body.destination)
    headers: dict[str, str] = {
        hdrs.CONTENT_TYPE: "application/json; charset=utf-8",
        REQUEST_ID: by.request_id,
        hdrs.CACHE_CONTROL: "no-store",
    }
    if APPLIED in request:
        # The edge cannot add to an answer that is under way.
        headers[PREFERENCE_APPLIED] = request[APPLIED]
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    async with aclosing(person_json(person)) as parts:
        kept = bytearray()
        async for part in parts:
            kept += part
            if len(kept) >= _AT_ONCE:
                await response.write(bytes(kept))
                kept.clear()
        await response.write(bytes(kept))
    await response.write_eof()
    return response


# Both need the role of those who give access: one destroys data, the other shows all of it.
PEOPLE_ROUTES = (
    Route("POST", f"{_PEOPLE}/erase", erase, ALL, About.ACCOUNT, names_people=True),
    Route("POST", f"{_PEOPLE}/show", show, ALL, About.ACCOUNT, names_people=True),
)
