"""Meta's list of the templates of a business account, page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import msgspec

from ...http_client.keep_alive import KeepAliveClients
from ...http_client.reading_answers import object_of
from ..graph import graph_request
from ..settings import WhatsappSettings
from .answers import KnownTemplate, RefusedError, refusal, unreadable

# A name has at most 512 characters, so that a page stays below the 64 KiB that are read of an answer.
_PAGE = 50
# A business account has at most 6,000 templates.
MOST_PAGES = 200
_FIELDS = "id,name,language,status,category,rejected_reason"


async def listed(
    clients: KeepAliveClients, settings: WhatsappSettings, name: str | None = None
) -> AsyncIterator[KnownTemplate]:
    """
    Yield the templates of the business account; Meta narrows them by a `name`, and may yield others.

    Raises `RefusedError`, `NotSentError`, `RequestCutError` and `TimeoutError`.
    """
    query = {"fields": _FIELDS, "limit": str(_PAGE), **({} if name is None else {"name": name})}
    for _ in range(MOST_PAGES):
        request = graph_request(settings, "GET", path(settings), query=query)
        answer = await clients.call(settings.phone_number_id, request)
        if not 200 <= answer.status < 300:
            raise RefusedError(refusal(answer, settings))
        page = object_of(answer)
        if not isinstance(page.get("data"), list):
            raise unreadable()
        for each in page["data"]:
            try:
                yield msgspec.convert(each, KnownTemplate)
            except msgspec.ValidationError:
                # One that has a form of its own hides no other.
                continue
        after = _next_page(page)
        if after is None:
            return
        query = {**query, "after": after}


def path(settings: WhatsappSettings) -> str:
    """Return the path of a business account's templates."""
    return f"{settings.business_account_id}/message_templates"


def _next_page(page: Mapping[str, Any]) -> str | None:
    """Return the cursor of the next page; its address is made here, and not taken from the answer."""
    paging = page.get("paging")
    if not isinstance(paging, dict) or not paging.get("next"):
        return None
    cursors = paging.get("cursors")
    after = cursors.get("after") if isinstance(cursors, dict) else None
    return after if isinstance(after, str) and after else None
