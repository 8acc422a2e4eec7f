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
from .channel_settings import Setting
from .redacted import Redacted


@frozen(kw_only=True)
class ProviderTemplate:
    """A PIN's message whose text the provider stores (WhatsApp): its reference, values and button."""

    name: str
    language: str | None = None
    code: str = field(repr=False)
    params: Mapping[str, str] = field(factory=dict, repr=False)
    copy_code_button_index: int | None = None


class Message(Redacted, frozen=True, kw_only=True):
    """
    One message for one recipient.

    `reference` is our own id of the message; a repeated send has the same. `destination` is exactly
    what the caller gave. `content` is the content of a send by the messaging endpoints; it is None for
    a PIN's code. `rcs` is the template of an RCS message, filled in. `text` is either of these as text,
    as far as it is known. `text`, `subject`, `template`, `content` and `rcs` may contain a code: a
    provider passes them on, and neither stores nor logs them. After `ttl_seconds` the message need not
    be delivered.
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
    """The provider accepted the message."""

    provider_message_id: str


class Rejected(Struct, frozen=True):
    """The provider refused the message; `code` in snake case, `message` for people."""

    code: str
    message: str


class Unknown(Struct, frozen=True):
    """
    Nobody knows whether the provider accepted the message. It is neither repeated nor called rejected.

    The connection was cut or the time ran out after the request had begun, or the answer cannot be
    read. `provider_message_id` is set if the adapter chose it itself.
    """

    message: str = ""
    provider_message_id: str | None = None


@frozen(kw_only=True)
class ProviderReport:
    """
    A receipt and its message: the provider's id of the message, our reference, or both.

    A reference also finds a message with an unknown outcome, which has no id yet (C-68). Embedders
    import the class, so its name stays (D-187).
    """

    provider_message_id: str | None = None
    reference: str | None = None
    receipt: Receipt

    def __attrs_post_init__(self) -> None:
        if self.provider_message_id is None and self.reference is None:
            raise ValueError("a report names the provider's id, our reference, or both")


@frozen(kw_only=True)
class InboundMessage:
    """A message from a person; `recipient` is the number or name that the person wrote to."""

    provider_message_id: str | None = None
    sender: str = field(repr=False)
    recipient: str
    text: str = field(repr=False)


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


Report = ProviderReport | InboundMessage | TemplateReview


class ChannelProvider(Protocol):
    """
    One provider technology, registered under a name that channel accounts use.

    One object serves all its channel accounts, concurrently and from one event loop. An adapter that
    subclasses this class inherits the answers of a provider that can only send.
    """

    @property
    def deduplicates(self) -> bool:
        """
        Whether the provider ignores a message whose reference it has accepted before.

        If a crash lost the outcome of a due send, the send is repeated only with such a provider
        (C-20).
        """
        return False

    @property
    def settings(self) -> Sequence[Setting]:
        """
        The settings of a channel account's config.

        What is not declared here is secret: sealed at rest, and shown as `***` (C-63).
        """
        return ()

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """
        Check the settings of a channel account, and return the form to store.

        Raises `ValidationFailedError` with the path of each wrong, unknown or missing member.
        """
        ...

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """
        Send a message to the provider once; the caller decides whether to try again.

        Returns `Rejected` only if the provider certainly did not accept the message; in doubt,
        returns `Unknown`. The caller sets the time limit and cancels; a cancelled send may still
        have reached the provider. An exception that escapes, and any other answer, counts as
        unknown, with `provider_unknown`; its text must not contain the code.
        """
        ...

    async def revoke(
        self, config: Mapping[str, Any], channel: ChannelName, provider_message_id: str
    ) -> RevokeOutcome:
        """
        Revoke a message that the provider accepted, if the channel can (C-20).

        The caller sets the time limit; no answer within it, and any exception, count as not
        revoked.
        """
        return RevokeOutcome.NOT_REVOKED

    def can_revoke(self, channel: ChannelName) -> bool:
        """Return whether `revoke` can succeed on this channel."""
        return False

    def reports(
        self, config: Mapping[str, Any], headers: Mapping[str, str], body: bytes
    ) -> Sequence[Report]:
        """
        Parse a post of the provider to `/callbacks/{channelAccountId}` (C-34).

        The reports are receipts, messages, and decisions on templates. Checks the provider's
        signature first and raises `UnauthorizedError` if it is wrong; raises
        `ValidationFailedError` for a body that cannot be read. Names of headers are in lower case.
        Returns nothing for a post without reports.
        """
        raise UnauthorizedError
