"""Evidence: how far the log is sealed and who signed it, proofs to take away, and proofs to check."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from aiohttp import web
from aiohttp.hdrs import CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE

from ....application.errors import StreamNotFoundError, UnavailableError
from ....application.evidence.checking_proofs import MOST_PROOF, CheckedProof
from ....application.evidence.proving import EventProof, Evidence
from ....application.evidence.sealing_log import LogState
from ....domain.accounts.token_role import TokenRole
from ....domain.errors import FieldProblem, ValidationFailedError
from ...http.listener.json_response import REQUEST_ID
from ...http.requests import integer
from ...http.route import About
from ...wire.log_heads import LogHead
from ..forms import Form
from ..page import LONG_FORM, Page
from ..visit import Visit

_HEADS = 25


async def evidence(
    visit: Visit, form: Form | None = None, prove: Form | None = None, status: int = 200
) -> web.Response:
    """Show the newest head and those before it, and the forms that make and check proofs."""
    service = visit.service
    before = visit.request.query.get("before")
    size = integer(before, 0) if before else None
    heads = await service.showing_log.heads(size, _HEADS + 1)
    standing = await service.showing_log.standing()
    return visit.show(
        "evidence/evidence.html",
        status=status,
        standing=standing,
        head=None if standing.head is None else LogHead.of(standing.head),
        state=LogState.SEALED if service.sealing is None else service.sealing.state,
        heads=[LogHead.of(each) for each in heads[:_HEADS]],
        older=heads[_HEADS - 1].size if len(heads) > _HEADS else None,
        before=size,
        form=form or Form({}),
        prove=prove or Form({}),
        most=MOST_PROOF,
    )


async def seal(visit: Visit) -> web.StreamResponse:
    """Sign a head of the log as it is now."""
    if visit.service.sealing is None:
        raise UnavailableError
    await visit.service.sealing.seal()
    return visit.redirect("/evidence", done="sealed")


async def proofs(visit: Visit) -> web.StreamResponse:
    """Show the proofs that the events of a stream are in the log."""
    stream = visit.request.query.get("id", "").strip()
    try:
        proved = await _proved(visit, stream)
    except StreamNotFoundError as refusal:
        problem = FieldProblem("id", refusal.message)
        return await evidence(visit, prove=_wrong("id", stream, problem), status=404)
    root = LogHead.of(proved.head).root
    return visit.show("evidence/proofs.html", evidence=proved, root=root)


async def proof(visit: Visit) -> web.StreamResponse:
    """Download the proof of one event of a stream."""
    query = visit.request.query
    proved = await _proved(visit, query.get("id", "").strip())
    wanted = query.get("version", "")
    found = [each for each in proved.proofs if str(each.version) == wanted]
    if not found:
        raise StreamNotFoundError
    return _download(visit, found[0].name, "text/plain; charset=utf-8", found[0].proof.encode())


async def all_proofs(visit: Visit) -> web.StreamResponse:
    """Download the proofs of all events of a stream in one file."""
    proved = await _proved(visit, visit.request.query.get("id", "").strip())
    body = await asyncio.to_thread(_zipped, proved.proofs)
    return _download(visit, f"{proved.stream}.zip", "application/zip", body)


async def check(visit: Visit) -> web.StreamResponse:
    """Check a proof that somebody handed in."""
    form = visit.form
    try:
        checked = await visit.service.checking_proofs.check(form.get("proof"), form.get("keys"))
    except ValidationFailedError as refusal:
        return await evidence(visit, form=form.with_problems(refusal), status=400)
    return visit.show(
        "evidence/checked.html",
        checked=checked,
        proven=checked.proven,
        signed_at=_signed_at(checked),
        shown=_opened(checked.proven.open),
    )


async def _proved(visit: Visit, stream: str) -> Evidence:
    proved = await visit.service.proving.prove(stream)
    visit.service.recording_reads.stream(visit.by.actor, stream)
    return proved


def _download(visit: Visit, name: str, kind: str, body: bytes) -> web.Response:
    headers = {
        CONTENT_TYPE: kind,
        # The name is made of an id of ours: it has no quote and no path.
        CONTENT_DISPOSITION: f'attachment; filename="{name}"',
        CACHE_CONTROL: "no-store",
        "X-Content-Type-Options": "nosniff",
        REQUEST_ID: visit.by.request_id,
    }
    return web.Response(body=body, headers=headers)


def _zipped(files: Sequence[EventProof]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in files:
            archive.writestr(each.name, each.proof)
    return packed.getvalue()


def _wrong(name: str, text: str, problem: FieldProblem) -> Form:
    return Form.of(**{name: text}).with_problems(ValidationFailedError([problem]))


def _signed_at(checked: CheckedProof) -> datetime | None:
    at = checked.proven.head.at
    return None if at is None else datetime.fromtimestamp(at, UTC)


def _opened(line: str | None) -> list[tuple[str, str]]:
    """Return the members of an event's open line as pairs; they are as whoever made the proof wrote them."""
    try:
        told: Any = json.loads(line or "{}")
    except (ValueError, RecursionError):
        return [("line", str(line))]
    if not isinstance(told, dict):
        return [("line", str(line))]
    return [
        (str(name), each if isinstance(each, str) else json.dumps(each, ensure_ascii=False))
        for name, each in told.items()
    ]


_READ = TokenRole.AUDITOR

EVIDENCE_PAGES = (
    Page("GET", "/evidence", evidence, _READ, About.STORE),
    # As by the management API, auditors may: a head says nothing that the log did not.
    Page("POST", "/evidence/seal", seal, _READ, About.STORE),
    Page("GET", "/evidence/proofs", proofs, _READ, About.STORE),
    Page("GET", "/evidence/proofs/one", proof, _READ, About.STORE),
    Page("GET", "/evidence/proofs/all", all_proofs, _READ, About.STORE),
    Page("POST", "/evidence/check", check, _READ, About.STORE, most=LONG_FORM),
)
