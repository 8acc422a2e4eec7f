"""What a caller of the messaging endpoints asks for (SPEC 2.6), in the domain's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import field, frozen

from ....domain.channel import ChannelName
from ....domain.message import Content, ResourceType

# Entries of one call (C-19).
MAX_MESSAGES = 1_000


@frozen(kw_only=True)
class StepRequest:
    """
    What one step of a fallback sends, to whomever the message was for.

    `path` names it in refusals (`fallback.sms`), `content_path` what it says (`fallback.rcs`).
    """

    channel: ChannelName
    sender: str
    content: Content
    cust_refs: Mapping[str, str] = field(factory=dict, repr=False)
    path: str
    content_path: str


@frozen(kw_only=True)
class MessageRequest(StepRequest):
    """
    One message for one recipient; messages of one object of a body have its paths in common.

    `ttl_seconds` is how long it is worth delivering (C-50).
    """

    recipient: str = field(repr=False)
    ttl_seconds: int | None = None


@frozen(kw_only=True)
class FallbackRequest:
    """
    The fallback of a send: the objects given, by their channels (C-52).

    `name_of` returns the name under which the caller's fallback has the object of a channel.
    """

    fallback_id: str
    waittime_seconds: int
    steps: Mapping[ChannelName, StepRequest]
    name_of: Callable[[ChannelName], str] = field(default=str, eq=False)


@frozen(kw_only=True)
class LinkRequest:
    """
    One address to shorten wherever it stands: in its place comes `{base}/s/{code}` (C-29).

    `per_message` is whether each message has a code of its own (`track_user`), or the call one.
    """

    long_url: str = field(repr=False)
    base: str
    per_message: bool = False
    path: str


@frozen(kw_only=True)
class SendRequest:
    """
    One call: messages in the order given, 1 to 1,000, and what to do where one does not arrive.

    `links_path` names all `links` in refusals. `tags` are `tag1` to `tag3`. `callback_url` receives the
    statuses of each message; the caller has checked it (`ManagingCallbacks.url_problems`).
    """

    messages: tuple[MessageRequest, ...]
    fallback: FallbackRequest | None = None
    prefix: str | None = None
    campaign: str | None = None
    links: tuple[LinkRequest, ...] = ()
    links_path: str = "links"
    resource_type: ResourceType = ResourceType.API
    tags: Mapping[str, str] = field(factory=dict, repr=False)
    callback_url: str | None = field(default=None, repr=False)
