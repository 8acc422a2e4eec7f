"""The port for URLs from clients, which are called only if that is safe (C-25)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import Protocol

from attrs import field, frozen


class WebFailure(StrEnum):
    """The reasons for a failed call; nothing else of it is ever shown."""

    ADDRESS_REFUSED = "address_refused"
    NAME_UNKNOWN = "name_unknown"
    CONNECTION_FAILED = "connection_failed"
    TLS_FAILED = "tls_failed"
    NO_ANSWER = "no_answer"
    TIMEOUT = "timeout"
    STATUS = "status"
    CODED = "coded"
    TOO_MANY_REDIRECTS = "too_many_redirects"


class WebError(Exception):
    """A call got no status, or a status without content."""

    def __init__(self, failure: WebFailure) -> None:
        super().__init__(f"The call failed: {failure}.")
        self.failure = failure


@frozen
class WebContent:
    """The content of a URL: the server's content type, and the bytes as they arrive."""

    content_type: str | None
    chunks: AsyncIterator[bytes] = field(repr=False)


@frozen
class WebAnswer:
    """The HTTP status of an answer, and the beginning of its body."""

    status: int
    body: bytes = field(repr=False)


class Web(Protocol):
    """
    Calls URLs from strangers, and never reaches private addresses.

    Only http and https are allowed. Each call resolves the name again, checks all its addresses, and
    connects to one of those that it checked. No proxy or cookie of this machine is used.
    """

    async def refusal(self, url: str) -> str | None:
        """
        Return why a URL must not be called, in words for its author; None if it may be called.

        A name without an address passes, because it may have one later. Each call checks it again.
        """
        ...

    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes, most: int = 0
    ) -> WebAnswer:
        """
        Post, and return the status; raises `WebError`.

        Of an answer that is no success, at most so many bytes come with it, as far as they arrive within a
        second; others are not read. No redirect is followed, and a call takes 15 s at most.
        """
        ...

    async def exchange(
        self, url: str, headers: Mapping[str, str], body: bytes, most: int
    ) -> WebAnswer:
        """
        Post, and return the status and at most so many bytes of the answer; raises `WebError`.

        No redirect is followed, and a call takes 15 s at most. Compressed content is never unpacked.
        """
        ...

    def get(self, url: str) -> AbstractAsyncContextManager[WebContent]:
        """
        Get the content of a URL, to be read in the block; raises `WebError`, also while it is read.

        A few redirects are followed; each URL is checked like the first. The call takes 60 s at
        most. The size is not limited, and compressed content is never unpacked.
        """
        ...
