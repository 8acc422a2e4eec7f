"""A content that several messages of a call say, or their fallbacks' steps: it is stored once (C-94)."""

from __future__ import annotations

from datetime import datetime

from attrs import field, frozen

from .decider import Decider, Decision, begun
from .event import Event, secret
from .message import Content, carries_code


@frozen(kw_only=True)
class ContentSubmitted(Event):
    """
    A content was stored for the messages and runs of a call, which refer to it by its id.

    `content` where it may be stored in clear, else `sealed`, which the key of each of those runs opens
    (C-23). `own_links` are the marks that stand in it for codes of short links: every message has codes
    of its own, in this order.
    """

    account_id: str
    content: Content | None
    sealed: str | None = secret(default=None)
    own_links: tuple[str, ...] = ()


@frozen(kw_only=True)
class SharedContent:
    """A content as it was submitted, which never changes."""

    account_id: str
    content: Content | None
    sealed: str | None = field(repr=False)
    own_links: tuple[str, ...]
    created_at: datetime


def submit(submitted: ContentSubmitted) -> Decision:
    """Take a content in; raises `ValueError` for one that carries a code in clear (C-23)."""
    if submitted.content is not None and carries_code(submitted.content):
        raise ValueError("carries a code: seal it, and leave the content out (C-23)")
    return Decision((submitted,))


def begin(event: ContentSubmitted) -> SharedContent:
    """Return the state after the first event."""
    return begun(SharedContent, event)


shared_content_decider: Decider[SharedContent] = Decider(
    "shared_content", begin, (ContentSubmitted,)
)
