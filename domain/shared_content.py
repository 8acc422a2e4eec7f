"""A content that several messages of a call share, or steps of their fallbacks; stored once (C-94)."""

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

    A content that may not be stored in clear is in `sealed` instead of `content`; the key of each of
    those runs opens it (C-23). `own_links` are the marks in it that stand for codes of short links.
    Every message has its own codes, in this order. `person_id` is set if all messages go to one person.
    """

    account_id: str
    person_id: str | None = None
    content: Content | None
    sealed: str | None = secret(default=None)
    own_links: tuple[str, ...] = ()


@frozen(kw_only=True)
class SharedContent:
    """A shared content as it was submitted; it never changes."""

    account_id: str
    person_id: str | None = None
    content: Content | None
    sealed: str | None = field(repr=False)
    own_links: tuple[str, ...]
    created_at: datetime


def submit(submitted: ContentSubmitted) -> Decision:
    """Store a content. Raises `ValueError` for one that carries a code in clear (C-23)."""
    if submitted.content is not None and carries_code(submitted.content):
        raise ValueError("carries a code: seal it, and leave the content out (C-23)")
    return Decision((submitted,))


def begin(event: ContentSubmitted) -> SharedContent:
    """Return the state after the first event."""
    return begun(SharedContent, event)


shared_content_decider: Decider[SharedContent] = Decider(
    "shared_content", begin, (ContentSubmitted,)
)
