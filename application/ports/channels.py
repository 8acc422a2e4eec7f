"""The ports for sending: a provider per technology, a channel account per contract with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from attrs import field, frozen
from msgspec import Struct

from ...domain.accounts.api_key import UnauthorizedError
from ...domain.channel import ChannelName
from ...domain.fallback_run import RevokeOutcome
from ...domain.message import Content
from ...domain.rcs_template import TemplateContent as RcsContent
from ...domain.receipt import Receipt
from .redacted import Redacted


@frozen(kw_only=True)
class ProviderTemplate:
    """A PIN's message whose text the provider holds (WhatsApp): its reference, values and button."""

    name: str
    language: str | None = None
    code: str = field(repr=False)
    params: Mapping[str, str] = field(factory=dict, repr=False)
    copy_code_button_index: int | None = None


class Message(Redacted, frozen=True, kw_only=True):
    """
    One message for one recipient.

    `reference` is ours and the same whenever the same message is sent again. `destination` is
    exactly what the caller gave. `content` is what a caller of the messaging endpoints sends; it is
    None for a PIN's code. `rcs` is the template of an RCS message, filled in. `text` is either one in
    words, as far as we know them. All of `text`, `subject`, `template`, `content` and `rcs` may carry
    a code: a provider hands them on and neither keeps nor logs them. After `ttl_seconds` the message
    need not be delivered any more.
    """

    reference: str
    channel: ChannelName
    channel_account_id: str
    sender: str | None = None
    destination: str
    text: str
    subject: str | None = None
    template: ProviderTemplate | None = None
    content: Content | None = None
    rcs: RcsContent | None = None
    entity_id: str | None = None
    unicode: bool | None = None
    ttl_seconds: int | None = None


class Accepted(Struct, frozen=True):
    """The provider took the message."""

    provider_message_id: str


class Rejected(Struct, frozen=True):
    """The provider refused the message; `code` in snake case, `message` for people."""

    code: str
    message: str


class Unknown(Struct, frozen=True):
    """
    Nobody knows whether the provider took the message: it is not sent again, nor called rejected.

    That is so where the connection was cut, or time ran out, after the request had begun, and where
    the answer cannot be read. `provider_message_id` is there where the adapter chose it itself.
    """

    message: str = ""
    provider_message_id: str | None = None


@frozen(kw_only=True)
class ProviderReport:
    """
    A receipt and its message: the provider's id for it, our reference, or both.

    A reference also finds a message whose outcome is unknown, which has no id yet (C-68). The name
    stays, since embedders import it (D-187).
    """

    provider_message_id: str | None = None
    reference: str | None = None
    receipt: Receipt

    def __attrs_post_init__(self) -> None:
        if self.provider_message_id is None and self.reference is None:
            raise ValueError("a report names the provider's id, our reference, or both")


@frozen(kw_only=True)
class InboundMessage:
    """A message from a person; `recipient` is the number or name that they wrote to."""

    provider_message_id: str | None = None
    sender: str = field(repr=False)
    recipient: str
    text: str = field(repr=False)


@frozen(kw_only=True)
class TemplateReview:
    """
    A provider's decision on a template: RCS by sender profile and name, WhatsApp by name and language.

    What tells templates of one name apart may be left out where there is one alone.
    """

    name: str
    sender_profile: str | None = None
    language: str | None = None
    approved: bool
    reason: str | None = None


Report = ProviderReport | InboundMessage | TemplateReview


class ChannelProvider(Protocol):
    """
    One provider technology, registered under a name that channel accounts use.

    One object serves all its channel accounts, at once and from one event loop. An adapter that
    subclasses this class inherits the answers of a provider that can do no more than send.
    """

    @property
    def deduplicates(self) -> bool:
        """
        Whether a message with a reference that was taken before is taken once.

        A due send whose outcome a crash swallowed is repeated there, and nowhere else (C-20).
        """
        return False

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """
        Check the settings of a channel account and give them in the form to keep.

        Raises `ValidationFailedError` with the path of each wrong, unknown or missing member.
        """
        ...

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """
        Hand a message to the provider, once: whoever calls decides whether to try again.

        Returns `Rejected` only where the provider certainly did not take it, and `Unknown` in doubt.
        The caller sets the time limit and cancels; a cancelled send may still have reached the
        provider. Any exception that escapes, and any other answer, counts as unknown, with
        `provider_unknown`; its text must not name the code.
        """
        ...

    async def revoke(
        self, config: Mapping[str, Any], channel: ChannelName, provider_message_id: str
    ) -> RevokeOutcome:
        """
        Take a message back that the provider accepted, where the channel can (C-20).

        The caller sets the time limit; no answer within it, and any exception, count as not revoked.
        """
        return RevokeOutcome.NOT_REVOKED

    def can_revoke(self, channel: ChannelName) -> bool:
        """Whether `revoke` is worth a try on this channel."""
        return False

    def reports(
        self, config: Mapping[str, Any], headers: Mapping[str, str], body: bytes
    ) -> Sequence[Report]:
        """
        Read what the provider posts to `/callbacks/{channelAccountId}` (C-34).

        That is receipts, messages, and decisions on templates.

        Checks the provider's signature first and raises `UnauthorizedError` where it is wrong;
        raises `ValidationFailedError` for a body that cannot be read. Names of headers are in lower
        case. What reports on nothing gives nothing.
        """
        raise UnauthorizedError
