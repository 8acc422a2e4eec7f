"""Hosted media: uploads (SPEC A3, C) and what is hosted, for whoever has its address (C-25, C-58)."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from aiohttp import hdrs, web

from ....application.caller import Caller
from ....application.media.receiving_media import Upload
from ....domain.errors import FieldProblem, ValidationFailedError
from ....domain.media import FILE_LIMIT, EmptyFileError, FileTooLargeError
from ...addresses.media import MEDIA_PATH
from ...wire.known_members import unknown_members
from ...wire.media_uploads import (
    KNOWN_FIELDS,
    NO_CONTENT_TYPE,
    OTHER_CONTENT_TYPE,
    TEXT_FIELDS,
    MediaUploadRefusedError,
    UploadFields,
    upload_fields,
)
from ...wired import Wired
from ..hosted_file_response import media_response
from ..listener.bodies import MAX_BODY, read_body
from ..listener.client_address import client_of
from ..listener.large_bodies import LARGE, LARGE_BODIES
from ..listener.multipart import boundary_of, form_boundary, form_parts
from ..media_upload_answers import UPLOAD, stored_answer
from ..operator_handlers import ACCOUNT_AND_PAGE, acting, listing
from ..preferences import handled_strictly
from ..request_ids import request_id_of
from ..requests import media_addresses, refuse
from ..route import ACT, KEY_FOR_MEDIA, NOTHING, READ, About, Route
from ..unknown_parameters import unknown_parameters


async def host(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """A3: host a file, or what stands at a URL."""
    await service.storing_media.require_room(by)
    async with service.receiving_media.upload(by) as upload:
        asked = await _asked(request, upload)
        _check_known(request, asked)
        asked.check()
        file = asked.file or await service.storing_media.fetch(upload, asked.url)
        stored = await service.storing_media.store(by, upload, file)
    address = media_addresses(request, service)(stored.id)
    return stored_answer(stored, address).response(by.request_id)


async def host_for_whatsapp(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Host a file whose id a WhatsApp message may name."""
    await service.storing_media.require_room(by)
    boundary = form_boundary(request)
    async with service.receiving_media.upload(by) as upload:
        asked = await _form(request, boundary, upload)
        _check_known(request, asked)
        if asked.files != 1:
            raise ValidationFailedError([FieldProblem("file", "is required, once")])
        if asked.file is None:
            raise EmptyFileError
        stored = await service.storing_media.store(by, upload, asked.file)
    return stored_answer(stored).response(by.request_id)


async def fetch(service: Wired, request: web.Request) -> web.StreamResponse:
    """Return a medium, or a part of it."""
    stored = await service.hosted_media.get(request.match_info["id"])
    async with service.hosted_media.opened(stored.id, client_of(request)) as file:
        return await media_response(request, stored, file, request_id_of(request))


def _check_known(request: web.Request, asked: UploadFields) -> None:
    """Raise `ValidationFailedError` for unknown members, if the caller prefers that (C-93)."""
    if handled_strictly(request):
        unknown = unknown_members(asked.unknown, KNOWN_FIELDS)
        refuse(unknown + unknown_parameters(request))


async def _asked(request: web.Request, upload: Upload) -> UploadFields:
    if hdrs.CONTENT_TYPE not in request.headers:
        raise MediaUploadRefusedError(NO_CONTENT_TYPE)
    if request.content_type == "application/json":
        return await _json(request)
    if request.content_type != "multipart/form-data":
        raise MediaUploadRefusedError(OTHER_CONTENT_TYPE)
    boundary = boundary_of(request)
    if boundary is None or not request.can_read_body:
        raise MediaUploadRefusedError(NO_CONTENT_TYPE)
    return await _form(request, boundary, upload)


async def _json(request: web.Request) -> UploadFields:
    body = await read_body(request)
    read = partial(upload_fields, body)
    return read() if len(body) <= LARGE else await request.app[LARGE_BODIES].do(read)


async def _form(request: web.Request, boundary: bytes, upload: Upload) -> UploadFields:
    if (request.content_length or 0) >= FILE_LIMIT + MAX_BODY:
        raise FileTooLargeError
    asked = UploadFields()
    async for part in form_parts(request, boundary):
        if part.name == "file":
            if part.filename == "":
                # What a browser sends where nobody chose a file.
                continue
            asked.files += 1
            if asked.files > 1:
                break
            with suppress(EmptyFileError):
                asked.file = await upload.receive(
                    part.chunks(), name=part.filename, content_type=part.content_type
                )
        elif part.name in TEXT_FIELDS:
            setattr(asked, TEXT_FIELDS[part.name], (await part.text()).strip())
        else:
            asked.unknown.append(part.name)
    return asked


_ALL = "/admin/v1/media"
_list = listing(lambda service: service.hosted_media.list)
_remove = acting(lambda service: service.removing_media.remove)

MEDIA_ROUTES = (
    Route("POST", UPLOAD, host, KEY_FOR_MEDIA, About.ACCOUNT),
    Route("POST", "/oapi/wa/mediaupload", host_for_whatsapp, KEY_FOR_MEDIA, About.ACCOUNT),
    Route("GET", MEDIA_PATH, fetch, NOTHING, About.ACCOUNT),
    Route("GET", _ALL, _list, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("DELETE", f"{_ALL}/{{id}}", _remove, ACT, About.ACCOUNT, bodiless=True),
)
