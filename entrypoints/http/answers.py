"""Answers: statuses, bodies and headers, and the envelopes of lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from aiohttp import web

from ...application.paging import Listed
from ..wire.codec import encode, unstructure
from .listener.json_response import JsonResponse, head_of


class Answer(msgspec.Struct, frozen=True):
    """A status, the bytes of a JSON body, and headers."""

    status: int
    body: bytes
    headers: Mapping[str, str] = {}

    def response(self, request_id: str) -> web.Response:
        """Return it as aiohttp's response."""
        return JsonResponse(self.status, self.body, request_id, self.headers)

    def raw(self, request_id: str) -> bytes:
        """Return it as the last bytes of a connection on which no request was read."""
        return head_of(self.status, len(self.body), request_id, self.headers) + self.body


def list_answer(listed: Listed[Any], data: Sequence[Any] | None = None, **more: Any) -> Answer:
    """Return a page, its records or the `data` that shows them, in the list envelope of SPEC 2.8."""
    shown = listed.data if data is None else data
    return Answer(
        200,
        encode(
            {
                "page": listed.page,
                "pageSize": listed.page_size,
                "total": listed.total,
                "totalPages": listed.total_pages,
                **more,
                "data": [each if isinstance(each, dict) else unstructure(each) for each in shown],
            }
        ),
    )


def page_answer(page_no: int, limit: int, data: Sequence[Any]) -> Answer:
    """Return entries in the envelope of the messaging lists, with the page as it was asked for (C-54)."""
    return Answer(200, encode({"page_details": {"pageNo": page_no, "limit": limit}, "data": data}))
