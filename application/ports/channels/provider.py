"""The port itself: what a provider does, and what the service does for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from attrs import field, frozen

from ....domain.accounts.api_key import UnauthorizedError
from ....domain.channel import ChannelName
from ....domain.fallback_run import RevokeOutcome
from ....domain.whatsapp_template import TemplateDefinition
from .answers import Accepted, Connected, Fault, Rejected, Submitted, Unknown, Webhook
from .config_checks import checked_config
from .message import Message, SentMessage
from .posts import Heard, Post, Report, TemplateReview
from .settings import Setting

_ENTER = "Enter the address at the provider, where it asks for a callback or webhook URL."


@frozen(kw_only=True)
class ProviderAccount:
    """
    A channel account of a provider, with its whole config.

    One that is not `enabled` sends nothing, and still hears receipts (C-66).
    """

    channel_account_id: str
    channel: ChannelName
    sender: str | None
    config: Mapping[str, Any] = field(repr=False)
    enabled: bool = True


@frozen(kw_only=True)
class MediaFile:
    """A file that an account uploaded, in memory."""

    name: str = field(repr=False)
    content_type: str
    content: bytes = field(repr=False)


class Context(Protocol):
    """The parts of the service that an open provider may use."""

    async def hear(self, channel_account_id: str, reports: Sequence[Report]) -> None:
        """
        Record reports that came on a connection of the provider's own; return once they are durable.

        Raises `UnavailableError` when the store is out of reach: the provider is then told nothing,
        so that it repeats them. Raises `ChannelAccountNotFoundError` for a channel account that does not
        exist or has another provider: nobody will ever hear them, so acknowledge and drop them.
        """
        ...

    async def accounts(self) -> Sequence[ProviderAccount]:
        """
        Return the channel accounts of this provider, disabled ones included.

        An account whose secrets this node cannot open is left out. Raises `UnavailableError`.
        """
        ...

    def callback_url(self, channel_account_id: str) -> str | None:
        """Return the address that hears posts about a channel account; None without `--public-url`."""
        ...

    async def media(self, media_id: str, most_bytes: int) -> MediaFile | None:
        """
        Return a file that an account uploaded, by the id in a template or a message.

        Returns None if there is none, or if it has more bytes. Raises `UnavailableError`.
        """
        ...

    def now(self) -> datetime:
        """Return the time of the service's clock."""
        ...


class ChannelProvider(Protocol):
    """
    One provider technology, registered under a name that channel accounts use.

    One object serves all its channel accounts, concurrently and from one event loop. An adapter
    subclasses this class, declares its `settings` and defines `send`; everything else has an answer
    already, that of a provider that can only send.
    """

    @property
    def settings(self) -> Sequence[Setting]:
        """
        The settings of a channel account's config.

        What is not declared here is secret: sealed at rest, and shown as `***` (C-63).
        """
        return ()

    @property
    def channels(self) -> Collection[ChannelName] | None:
        """
        The channels that the provider serves; None for a channel of its own, or for any (C-52).

        A channel account for another channel is refused (C-63).
        """
        return None

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """
        Check the config of a channel account, and return the form to store.

        The checks of `settings` are made here; an adapter with rules across settings adds them. The
        form to store passes the check again, unchanged. It is called after `open`.
        Raises `ValidationFailedError` with the path of each wrong, unknown or missing member.
        """
        return checked_config(self.settings, config)

    async def open(self, context: Context) -> None:
        """Prepare for sends; it is called once, before anything else but the properties."""
        return None  # noqa: RET501  an empty body would be abstract

    async def listen(self) -> None:
        """
        Hold the connections on which the provider reports by itself; return once that has begun (D-263).

        It is called once, after `open`, and only in a process that does the service's due work: not in
        one that a command starts for itself. Sends work without it.
        """
        return None  # noqa: RET501  an empty body would be abstract

    async def close(self) -> None:
        """Close all connections; no send is under way, and none follows."""
        return None  # noqa: RET501  an empty body would be abstract

    async def probe(self, config: Mapping[str, Any]) -> Connected | Rejected | Unknown | None:
        """
        Log in to the provider, and send nothing; None if there is nothing to log in to (C-67).

        The caller sets the time limit. An exception that escapes counts as unknown.
        """
        return None

    async def reachability(self, config: Mapping[str, Any], destination: str) -> str | None:
        """
        Return in words whether the provider reaches a recipient; None if it cannot tell (C-67).

        It sends nothing. Operators who test a channel account read the words. The caller sets the time
        limit, and leaves the words out if an exception escapes.
        """
        return None

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """
        Send a message to the provider once; the caller decides whether to try again.

        Returns `Rejected` only if the provider certainly did not accept the message; in doubt,
        returns `Unknown`. If nothing was written, it is `Rejected` with `Fault.AWAY`. The caller sets
        the time limit and cancels; a cancelled send may still have reached the provider. An
        exception that escapes, and any other answer, counts as unknown, with `provider_unknown`; its
        text must not contain the code.
        """
        ...

    @property
    def deduplicates(self) -> bool:
        """
        Whether the provider ignores a message whose reference it has accepted before.

        Only then is a send with an unknown outcome repeated, also after a crash (C-20, C-68).
        """
        return False

    def id_of(self, reference: str) -> str | None:
        """
        Return the provider's id of a message with our reference, if the adapter makes ids of references.

        Receipts then find a message whose send was cancelled at its time limit, or ended in an exception.
        """
        return None

    def can_revoke(self, channel: ChannelName) -> bool:
        """Return whether `revoke` can succeed on this channel."""
        return False

    async def revoke(
        self, config: Mapping[str, Any], channel: ChannelName, sent: SentMessage
    ) -> RevokeOutcome:
        """
        Revoke a message that the provider took, or may have taken, if the channel can (C-20).

        The caller sets the time limit; no answer within it, and any exception, count as not
        revoked.
        """
        return RevokeOutcome.NOT_REVOKED

    def submits_templates(self, config: Mapping[str, Any]) -> bool:
        """
        Return whether a channel account with this config submits its account's WhatsApp templates (C-99).

        The secrets in `config` may be masked.
        """
        return False

    async def submit_template(
        self, config: Mapping[str, Any], template: TemplateDefinition
    ) -> Submitted | Rejected | Unknown:
        """
        Submit a WhatsApp template for review; one with its name and language is adopted (C-99).

        A repeated call must not submit it twice: look for it first. `Rejected` with `Fault.CONTENT` or
        `Fault.RECIPIENT` is final and rejects the template. After anything else the call is repeated, for
        up to three days. The caller sets the time limit; an exception that escapes counts as unknown.
        """
        return Rejected(
            "templates_not_submitted", "This provider takes no templates.", Fault.ACCOUNT
        )

    async def template_states(
        self, config: Mapping[str, Any]
    ) -> Sequence[TemplateReview] | Rejected | Unknown:
        """
        Return the decisions on all templates of a channel account that are in force now (C-36).

        A template that the provider has not decided on is left out. The caller sets the time limit, and
        asks again later after any failure.
        """
        return ()

    async def set_webhook(
        self, config: Mapping[str, Any], url: str
    ) -> Webhook | Rejected | Unknown:
        """
        Have the provider post to an address, or say what people do there (D-282).

        `url` is that of the channel account, with its secret query if it has one. The steps repeat no
        part of it, because they are shown beside it. The caller sets the time limit; an exception that
        escapes counts as unknown. By default, people enter the address.
        """
        return Webhook(steps=(_ENTER,))

    async def hear(self, config: Mapping[str, Any], post: Post) -> Heard:
        """
        Read a request of the provider to `/callbacks/{channelAccountId}` (C-34, C-70).

        Checks the provider's signature first and raises `UnauthorizedError` if it is wrong; raises
        `ValidationFailedError` for a body that cannot be read. By default, `reports` reads it.
        """
        return Heard(reports=self.reports(config, post.headers, post.body))

    def reports(
        self, config: Mapping[str, Any], headers: Mapping[str, str], body: bytes
    ) -> Sequence[Report]:
        """
        Read the reports in a post, for a provider that wants no answer of its own.

        The reports are receipts, messages, and decisions on templates. It raises the errors of
        `hear`, checks the signature first, and returns nothing for a post without reports. Names of
        headers are in lower case.
        """
        raise UnauthorizedError

    def callback_query(self, config: Mapping[str, Any]) -> str:
        """Return the secret query that posts must have, such as `t=9f…`; by default there is none."""
        return ""

    @property
    def signing_setting(self) -> str | None:
        """The secret setting that checks posts, if one address hears for many accounts (C-99)."""
        return None
