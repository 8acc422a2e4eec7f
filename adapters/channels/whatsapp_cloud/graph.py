"""Requests to Meta's Graph API, and the errors that it answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from attrs import field, frozen
from yarl import URL

from ..http_client.exchanges import Answer, Request
from ..http_client.reading_answers import object_of
from .settings import WhatsappSettings

# Meta serves this version until July 2028.
GRAPH_VERSION = "v25.0"
_MOST_CODE = 99_999_999


@frozen(kw_only=True)
class GraphError:
    """
    The error object of an answer.

    `message`, `details` and `user_message` are Meta's words: they may quote what was sent.
    """

    code: int
    subcode: int | None = None
    message: str = field(default="", repr=False)
    details: str = field(default="", repr=False)
    user_message: str = field(default="", repr=False)


def graph_request(
    settings: WhatsappSettings,
    method: str,
    path: str,
    *,
    query: Mapping[str, str] | None = None,
    body: Any = None,
) -> Request:
    """Return a request with the channel account's token; `body` goes out as JSON."""
    url = URL(f"{settings.base_url}/{GRAPH_VERSION}/{path}").with_query(query or {})
    headers = {"Authorization": f"Bearer {settings.access_token}"}
    if body is None:
        return Request(method=method, url=url, headers=headers)
    headers["Content-Type"] = "application/json"
    return Request(method=method, url=url, headers=headers, body=msgspec.json.encode(body))


def error_in(answer: Answer) -> GraphError | None:
    """Return the error object of an answer; None if it has none with a code."""
    error = object_of(answer).get("error")
    if not isinstance(error, dict):
        return None
    code = error.get("code")
    if not isinstance(code, int) or isinstance(code, bool) or not 0 <= code <= _MOST_CODE:
        return None
    subcode, data = error.get("error_subcode"), error.get("error_data")
    return GraphError(
        code=code,
        subcode=subcode if isinstance(subcode, int) else None,
        message=_text(error, "message"),
        details=_text(data, "details") if isinstance(data, dict) else "",
        user_message=_text(error, "error_user_msg"),
    )


def _text(members: Mapping[str, Any], name: str) -> str:
    said = members.get(name)
    return said if isinstance(said, str) else ""
