"""The port for addresses on the web that clients give: called, and only where that is safe (C-25)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import Protocol

from attrs import field, frozen


class WebFailure(StrEnum):
    """Why a call got no answer or no content; nothing else of it is ever shown."""

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
    """A call got no status, or none with content."""

    def __init__(self, failure: WebFailure) -> None:
        super().__init__(f"The call failed: {failure}.")
        self.failure = failure


@frozen
class WebContent:
    """The content of a URL: its content type, as the server says, and its bytes as they come."""

    content_type: str | None
    chunks: AsyncIterator[bytes] = field(repr=False)


class Web(Protocol):
    """
    Calls URLs that strangers wrote, and reaches nobody whom they should not reach.

    Only http and https. Every address that a name has is looked at, for each call anew, and the
    connection goes to one of those that were looked at. No proxy or cookie of this machine is used.
    """

    async def refusal(self, url: str) -> str | None:
        """
        Say what is wrong with a URL, in words for whoever wrote it; None where it can be called.

        A name that has no address now may have one later: it passes, and is looked at by each call.
        """
        ...

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """
        Post, and give the HTTP status of the answer, whose body is not read; raises `WebError`.

        No redirect is followed, and a call takes 15 s at most.
        """
        ...

    def get(self, url: str) -> AbstractAsyncContextManager[WebContent]:
        """
        Get what stands at a URL, which is read in the block; raises `WebError`, there too.

        A few redirects are followed, each to a URL that is looked at like the first. All of it takes
        60 s at most. How much comes is not bounded, but nothing of it is ever unpacked.
        """
        ...
