"""The request of a caller of the messaging endpoints (SPEC 2.6), in the domain's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import field, frozen

from ....domain.channel import ChannelName
from ....domain.message import Content, ResourceType

# The messages of one call (C-19).
MAX_MESSAGES = 1_000


@frozen(kw_only=True)
class StepRequest:
    """
    The content of one step of a fallback, for any recipient.

    `path` names the step in refusals (`fallback.sms`), `content_path` its content (`fallback.rcs`).
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
    One message for one recipient. Messages of one object in a body share its paths.

    `ttl_seconds` is how long the message is worth delivering (C-50).
    """

    recipient: str = field(repr=False)
    ttl_seconds: int | None = None


@frozen(kw_only=True)
class FallbackRequest:
    """
    The fallback of a send: the given objects, by their channels (C-52).

    `name_of` returns the name of a channel's object in the caller's fallback.
    """

    fallback_id: str
    waittime_seconds: int
    steps: Mapping[ChannelName, StepRequest]
    name_of: Callable[[ChannelName], str] = field(default=str, eq=False)


@frozen(kw_only=True)
class LinkRequest:
    """
    One address to shorten wherever it occurs: `{base}/s/{code}` replaces it (C-29).

    `per_message` is whether each message has its own code (`track_user`), or the call has one.
    """

    long_url: str = field(repr=False)
    base: str
    per_message: bool = False
    path: str


@frozen(kw_only=True)
class SendRequest:
    """
    One call: 1 to 1,000 messages in their order, and the fallback of each.

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
