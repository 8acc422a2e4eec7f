"""A request to a provider's API, and its answer."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen
from yarl import URL


@frozen(kw_only=True)
class Request:
    """A request as it goes out; its `repr` shows nothing of the message."""

    method: str
    url: URL = field(repr=False)
    headers: Mapping[str, str] = field(factory=dict, repr=False)
    body: bytes | None = field(default=None, repr=False)


@frozen(kw_only=True)
class Answer:
    """An answer of a provider; `body` is None if it is longer than is read."""

    status: int
    headers: Mapping[str, str] = field(factory=dict, repr=False)
    body: bytes | None = field(default=b"", repr=False)
