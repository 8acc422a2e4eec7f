"""The ports for sending: a provider per technology, a channel account per contract with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from attrs import field, frozen

from ...domain.channel import Channel


@frozen(kw_only=True)
class ProviderTemplate:
    """A message whose text the provider holds (WhatsApp): its reference, values and button."""

    name: str
    language: str | None = None
    code: str = field(repr=False)
    params: Mapping[str, str] = field(factory=dict, repr=False)
    copy_code_button_index: int | None = None


@frozen(kw_only=True)
class Message:
    """
    One message for one recipient.

    `reference` is ours and the same whenever the same message is sent again. `destination` is
    exactly what the caller gave. `text` and `subject` may carry a code: a provider hands them on
    and neither keeps nor logs them.
    """

    reference: str
    channel: Channel
    channel_account_id: str
    sender: str | None = None
    destination: str = field(repr=False)
    text: str = field(repr=False)
    subject: str | None = field(default=None, repr=False)
    template: ProviderTemplate | None = None
    entity_id: str | None = None
    unicode: bool | None = None


@frozen
class Accepted:
    """The provider took the message."""

    provider_message_id: str


@frozen
class Rejected:
    """The provider refused the message; `code` in snake case, `message` for people."""

    code: str
    message: str


class ChannelProvider(Protocol):
    """
    One provider technology, registered under a name that channel accounts use.

    One object serves all its channel accounts, at once and from one event loop.
    """

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """
        Check the settings of a channel account and give them in the form to keep.

        Raises `ValidationFailedError` with the path of each wrong, unknown or missing member.
        """
        ...

    async def send(self, config: Mapping[str, Any], message: Message) -> Accepted | Rejected:
        """
        Hand a message to the provider, once: whoever calls decides whether to try again.

        Translates the provider's own errors into `Rejected`. The caller sets the time limit and
        cancels; a cancelled send may still have reached the provider. Any exception that escapes
        counts as rejected with `provider_error`, so its text must not name the code.
        """
        ...
