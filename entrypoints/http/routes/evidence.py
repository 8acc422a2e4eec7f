"""Proofs of the log: that events are in it, and that it only grew (C-81, C-105)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ....domain.errors import FieldProblem, ValidationFailedError
from ...wire.codec import encode
from ...wire.evidence import consistency_record, evidence_record
from ...wire.searches import whole_number
from ...wired import Wired
from ..answers import Answer
from ..listener.large_bodies import LARGE_BODIES
from ..operator_handlers import record_answer
from ..route import READ, About, Route


async def evidence(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show the proofs that the events of a stream are in the log."""
    stream = request.match_info["id"]
    proved = await service.proving.prove(stream)
    service.recording_reads.stream(by.actor, stream)
    body = await request.app[LARGE_BODIES].do(lambda: encode(evidence_record(proved)))
    return Answer(200, body).response(by.request_id)


async def consistency(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show the proof that the log of one size extends that of another."""
    proved = await service.proving.consistency(_size(request, "from"), _size(request, "to"))
    return record_answer(by, consistency_record(proved))


def _size(request: web.Request, name: str) -> int:
    size = whole_number(request.query.get(name, ""))
    if not isinstance(size, int):
        raise ValidationFailedError([FieldProblem(name, "must be the number of events of a head")])
    return size


EVIDENCE_ROUTES = (
    Route("GET", "/admin/v1/streams/{id}/evidence", evidence, READ, About.STORE),
    Route("GET", "/admin/v1/log/consistency", consistency, READ, About.STORE, ("from", "to")),
)
