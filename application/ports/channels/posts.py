"""
Posts of providers to `/callbacks/{channelAccountId}`, what is heard in them, and the answers (C-34, C-70).

A report may concern another channel account than the one whose address was called: `addressed_to` then has
members of that account's config that are not secret. It gets the report if it has the same
`ChannelProvider.signing_setting`; if there is none, the report is counted and dropped (C-99).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from ....domain.receipt import Receipt


@frozen(kw_only=True)
class Post:
    """
    A request of a provider.

    `url` is the address that the provider called: the public URL, the path and the raw query. Names of
    `headers` are in lower case; of a repeated header, the last value counts.
    """

    method: str = "POST"
    url: str = ""
    headers: Mapping[str, str] = field(factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)


@frozen(kw_only=True)
class ProviderReport:
    """
    A receipt and its message: the provider's id of the message, our reference, or both.

    A reference also finds a message with an unknown outcome, which has no id yet (C-68). Embedders
    import the class, so its name stays (D-187).
    Raises `ValueError` without a name, and for a time without a zone: such a part of a post is unreadable
    (D-255).
    """

    provider_message_id: str | None = field(default=None, repr=False)
    reference: str | None = None
    receipt: Receipt
    addressed_to: Mapping[str, str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        if self.provider_message_id is None and self.reference is None:
            raise ValueError("a report names the provider's id, our reference, or both")
        if self.receipt.reported_at.utcoffset() is None:
            # Nobody could tell when it was, and it would not compare with the times of other events.
            raise ValueError("reported_at has no time zone; add that of the provider")


@frozen(kw_only=True)
class InboundMessage:
    """A message from a person; `recipient` is the number or name that the person wrote to."""

    provider_message_id: str | None = field(default=None, repr=False)
    sender: str = field(repr=False)
    recipient: str
    text: str = field(repr=False)
    addressed_to: Mapping[str, str] = field(factory=dict)


@frozen(kw_only=True)
class TemplateReview:
    """
    A provider's decision on a template: RCS by sender profile and name, WhatsApp by name and language.

    The profile or language may be missing if only one template has the name.
    """

    name: str
    sender_profile: str | None = None
    language: str | None = None
    approved: bool
    reason: str | None = None
    addressed_to: Mapping[str, str] = field(factory=dict)


Report = ProviderReport | InboundMessage | TemplateReview


@frozen(kw_only=True)
class Heard:
    """
    The reports in a post, and the answer that its provider expects.

    It is answered once the reports are durable. Without a `content_type` the answer is the service's
    own. `unreadable` is the number of parts that were left out; they are counted (C-70).
    """

    reports: Sequence[Report] = ()
    unreadable: int = 0
    status: int = 200
    content_type: str | None = None
    body: bytes = b""
