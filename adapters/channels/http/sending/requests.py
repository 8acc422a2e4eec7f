"""Requests of sends: a template read once from a config, and filled for each message (C-63)."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from urllib.parse import quote, unquote, urlencode

from attrs import field, frozen
from yarl import URL

from .....application.ports.channels import Fault
from .....domain.limits import has_controls
from ...http_client.exchanges import Request
from ...http_client.failures import NotSentError, no_unicode
from .bodies import Fields, FormBody, JsonBody, filled_fields
from .placeholders import Filling, Values

_SLASH, _DOTS = re.compile(r"[/\\]"), frozenset({".", ".."})


@frozen(kw_only=True)
class UrlTemplate:
    """A URL with a fixed origin; values stand in pieces of its path, and in its query."""

    origin: str
    pieces: tuple[Filling, ...]
    query: Fields

    def fill(self, values: Values) -> URL:
        """Return the URL for a message; raises `NotSentError`."""
        path = "/".join(_piece(each, values) for each in self.pieces)
        query = urlencode(filled_fields(self.query, values), quote_via=quote)
        return URL(f"{self.origin}{path}{'?' if query else ''}{query}", encoded=True)


@frozen(kw_only=True)
class RequestTemplate:
    """The request of one channel account's sends."""

    method: str
    url: UrlTemplate
    headers: Mapping[str, Filling] = field(repr=False)
    body: JsonBody | FormBody | None = field(repr=False)

    def fill(self, values: Values) -> Request:
        """Return the request for a message; raises `NotSentError` if it does not fit."""
        try:
            return Request(
                method=self.method,
                url=self.url.fill(values),
                headers={
                    name: _header(name, each.fill(values))
                    for name, each in self.headers.items()
                    if not each.vanishes(values)
                },
                body=None if self.body is None else self.body.fill(values),
            )
        except UnicodeError:
            raise no_unicode() from None


def basic(username: str, password: str) -> str:
    """Return the header value of Basic authentication."""
    return "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()


def _piece(piece: Filling, values: Values) -> str:
    """Return a piece of a path; a value must not leave it out, or climb to another path (D-201)."""
    filled = piece.fill(values, _percent_encoded)
    if piece.names and (not filled or not _DOTS.isdisjoint(_SLASH.split(unquote(filled)))):
        raise _unfit("path_refused", "A value is empty, or dots, in the path of the URL.")
    return filled


def _header(name: str, value: str) -> str:
    if has_controls(value):
        raise _unfit("header_refused", f"The header {name} cannot hold line breaks.")
    return value


def _unfit(code: str, words: str) -> NotSentError:
    return NotSentError(code, words, Fault.CONTENT)


def _percent_encoded(text: str) -> str:
    return quote(text, safe="")
