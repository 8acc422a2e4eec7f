"""The provider `http`: a request for each message, and posts, as a config describes them (C-63, C-68)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from yarl import URL

from ....application.ports.channels import (
    Accepted,
    ChannelProvider,
    Connected,
    Context,
    Fault,
    Heard,
    Message,
    Post,
    Rejected,
    Setting,
    Unknown,
    Webhook,
)
from ....domain.accounts.api_key import UnauthorizedError
from ....domain.channel import PROVIDER_TIMEOUT, Channel, ChannelName
from ....domain.errors import ValidationFailedError
from ...checked_addresses import CheckedAddresses, LookUp
from ...never_repeated import RequestCutError
from ...public_addresses import Address, is_public_or_own
from ..http_client.failures import NotSentError
from ..http_client.keep_alive import KeepAliveClients
from ..http_client.probing import connected
from .config import HttpConfig, ReadConfigs, stored_config
from .hearing.reading_posts import heard
from .sending.placeholders import Values
from .settings import all_settings
from .webhook_steps import webhook_steps

_CUT = "The connection was cut after the request began; nobody knows whether the provider took it."
_LATE = "The provider did not answer in time; nobody knows whether it took the message."


class HttpProvider(ChannelProvider):
    """Sends SMS by the HTTP API that a channel account's config describes, or that a preset knows."""

    def __init__(
        self,
        allowed: Callable[[Address], bool] = is_public_or_own,
        look_up: LookUp | None = None,
    ) -> None:
        self._addresses = CheckedAddresses(allowed, look_up)
        self._clients = KeepAliveClients(self._addresses)
        self._configs = ReadConfigs()
        self._settings = all_settings()
        self._context: Context | None = None

    @property
    def settings(self) -> Sequence[Setting]:
        """The members of a config, and the parameters of all presets."""
        return self._settings

    @property
    def channels(self) -> Collection[ChannelName]:
        """SMS alone."""
        return (Channel.SMS,)

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check a config by reading all of it; a token for the provider's calls is added (D-206)."""
        has_address = self._context is not None and self._context.callback_url("") is not None
        return stored_config(config, has_address=has_address)

    def callback_query(self, config: Mapping[str, Any]) -> str:
        """Return the token that the provider's calls must have, if they have no other signature."""
        return self._configs.of(config).callback_query

    async def open(self, context: Context) -> None:
        """Remember the context; connections begin with the first send."""
        self._context = context

    async def close(self) -> None:
        """Close all connections."""
        await self._clients.close()
        self._addresses.close()

    async def probe(self, config: Mapping[str, Any]) -> Connected | Rejected:
        """Connect to the API's host, with TLS, and send no request."""
        read = self._configs.of(config)
        try:
            return await connected(
                URL(read.request.url.origin), self._addresses, await self._clients.tls()
            )
        except NotSentError as error:
            return read.rules.not_sent(error)

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Send a message with one request, which is never repeated."""
        try:
            read = self._configs.of(config)
        except ValidationFailedError:
            words = "The channel account's config is no longer valid: test it, and update it."
            return Rejected("http_config_invalid", words, Fault.ACCOUNT)
        values = read.placeholders.values(message, self._callback_url(read, message))
        try:
            return await self._sent(read, message, values)
        except NotSentError as error:
            return read.rules.not_sent(error)
        except RequestCutError:
            return read.rules.unknown(_CUT, values)
        except TimeoutError:
            return read.rules.unknown(_LATE, values, PROVIDER_TIMEOUT)

    async def _sent(
        self, read: HttpConfig, message: Message, values: Values
    ) -> Accepted | Rejected | Unknown:
        request = read.request.fill(values)
        answer = await self._clients.call(message.channel_account_id, request)
        return read.rules.outcome(answer, values)

    async def set_webhook(self, config: Mapping[str, Any], url: str) -> Webhook:
        """Say where people enter the address."""
        read = self._configs.of(config)
        has_token = bool(read.callback_query)
        return Webhook(steps=webhook_steps(config, read.described, has_token=has_token))

    async def hear(self, config: Mapping[str, Any], post: Post) -> Heard:
        """Read the receipts and messages in a request, after its signature."""
        if self._context is None:
            raise UnauthorizedError
        return await heard(self._configs.of(config).described, post, self._context.now())

    def _callback_url(self, read: HttpConfig, message: Message) -> str:
        """Return the address for receipts, with its secret query; empty without `--public-url`."""
        if self._context is None:
            return ""
        url = self._context.callback_url(message.channel_account_id)
        query = read.callback_query
        return f"{url}?{query}" if url and query else url or ""
