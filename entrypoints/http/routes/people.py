"""People, erased on request (C-74)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...wire.stored_people import certificate_record
from ...wire.typed_requests import Erasure
from ...wired import Wired
from ..operator_handlers import acting_for, record_answer
from ..request_ids import calling_about
from ..requests import body_as
from ..route import ALL, About, Route

_PEOPLE = "/admin/v1/people"


async def erase(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Erase a person."""
    body = await body_as(request, Erasure)
    by = calling_about(request, by, (body.destination,))
    acting = await acting_for(service, by, body.account)
    certificate = await service.erasing_people.erase(acting, body.destination, dry_run=body.dry_run)
    return record_answer(by, certificate_record(certificate))


# It destroys data, and so needs the role of those who give access.
PEOPLE_ROUTES = (Route("POST", f"{_PEOPLE}/erase", erase, ALL, About.ACCOUNT, names_people=True),)
