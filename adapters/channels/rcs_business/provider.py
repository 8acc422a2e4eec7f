"""The provider `rcs_business`: agent messages of RCS Business Messaging (C-63)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from yarl import URL

from ....application.ports.channels import (
    Accepted,
    ChannelProvider,
    Connected,
    Context,
    Heard,
    Message,
    Post,
    Rejected,
    SentMessage,
    Setting,
    Unknown,
    Webhook,
)
from ....domain.channel import PROVIDER_TIMEOUT, Channel, ChannelName
from ....domain.fallback_run import RevokeOutcome
from ...checked_addresses import CheckedAddresses, LookUp
from ...never_repeated import RequestCutError
from ...public_addresses import is_public_or_own
from ..http_client.exchanges import Answer, Request
from ..http_client.failures import NotSentError
from ..http_client.keep_alive import KeepAliveClients
from ..http_client.probing import connected
from .access_tokens import AccessTokens
from .agent_messages import (
    GRACE_SECONDS,
    authorized,
    capabilities_request,
    message_id_of,
    revoke_request,
    send_request,
)
from .capabilities import capability_words
from .hearing.posts import heard
from .log_ins import LOG_IN_SECONDS, LogIns
from .outcomes import not_sent, revoke_outcome, send_outcome, unknown
from .settings import SETTINGS, RcsSettings, checked_rcs_config, settings_of

# With the log-in. Longer than a connection may take, and shorter than a first attempt's time (D-294).
CALL_SECONDS = 5.5
# The other half is for clocks that differ, and for the revoke's own way.
_SURELY_KEPT = timedelta(seconds=GRACE_SECONDS / 2)
_CUT = (
    "The connection was cut after the request began; nobody knows whether Google took the message."
)
_WEBHOOK = Webhook(
    steps=(
        "In Google's developer console, enter the address as the webhook of the agent, or of the partner for"
        " all its agents. Google asks it for the clientToken, the webhookToken of the config, at once.",
    )
)
_LATE = "Google did not answer in time; nobody knows whether it took the message."


class RcsBusinessProvider(ChannelProvider):
    """
    Sends agent messages, and revokes those that have not arrived.

    We choose Google's id of a message: it is known after an unknown outcome, and Google ignores a
    repeated send. `look_up` resolves names in place of the system's resolver. A log-in has its seconds of
    those of a call.
    """

    def __init__(
        self,
        look_up: LookUp | None = None,
        real_time: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        call_seconds: float = CALL_SECONDS,
        log_in_seconds: float = LOG_IN_SECONDS,
    ) -> None:
        # Hosts are the operator's choice: private ones are allowed, link-local ones never (C-63).
        self._addresses = CheckedAddresses(is_public_or_own, look_up)
        self._clients = KeepAliveClients(self._addresses)
        log_ins = LogIns(self._clients.call, real_time, log_in_seconds)
        self._tokens = AccessTokens(log_ins.token_of, monotonic)
        self._call_seconds = call_seconds
        self._now: Callable[[], datetime] = lambda: datetime.now(UTC)

    @property
    def settings(self) -> Sequence[Setting]:
        """The settings of C-63."""
        return SETTINGS

    @property
    def channels(self) -> Collection[ChannelName]:
        """RCS alone."""
        return (Channel.RCS,)

    @property
    def deduplicates(self) -> bool:
        """Google ignores a message whose id it has seen, and the id is made of the reference."""
        return True

    def id_of(self, reference: str) -> str:
        """Google has our id of the message, whether it answers or not."""
        return message_id_of(reference)

    @property
    def signing_setting(self) -> str:
        """A partner's webhook hears for all agents, under one token."""
        return "webhookToken"

    def can_revoke(self, channel: ChannelName) -> bool:
        """Messages that have not arrived can be taken back."""
        return channel == Channel.RCS

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check a config and its service account; of Google's key file, what a log-in needs is kept."""
        return checked_rcs_config(config)

    async def open(self, context: Context) -> None:
        """Use the service's clock; connections begin with the first send."""
        self._now = context.now

    async def close(self) -> None:
        """End log-ins, and close all connections."""
        await self._tokens.close()
        await self._clients.close()
        self._addresses.close()

    async def probe(self, config: Mapping[str, Any]) -> Connected | Rejected:
        """Log in, connect to the service, and send nothing."""
        settings = settings_of(config)
        try:
            await self._tokens.of(settings.service_account)
            place = await connected(
                URL(settings.base_url), self._addresses, await self._clients.tls()
            )
        except NotSentError as error:
            return not_sent(error)
        return Connected(f"{place.detail}, agent {settings.agent_id}")

    async def reachability(self, config: Mapping[str, Any], destination: str) -> str:
        """Return in words whether a number takes RCS messages of the agent."""
        settings = settings_of(config)
        try:
            answer = await self._called(settings, capabilities_request(settings, destination))
        except (NotSentError, RequestCutError, TimeoutError):
            return "whether the number takes RCS is not known"
        return capability_words(answer)

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Send a message with one request, after a log-in if need be."""
        settings = settings_of(config)
        message_id = message_id_of(message.reference)
        try:
            answer = await self._called(settings, send_request(settings, message))
        except NotSentError as error:
            return not_sent(error)
        except RequestCutError:
            return unknown(_CUT, message_id)
        except TimeoutError:
            return unknown(_LATE, message_id, PROVIDER_TIMEOUT)
        return send_outcome(answer, message_id)

    async def revoke(
        self, config: Mapping[str, Any], channel: ChannelName, sent: SentMessage
    ) -> RevokeOutcome:
        """
        Take a message back.

        One that is not in Google's queue has arrived, unless Google may never have had it, may have let it
        expire, or may have taken it back for a process that died since. Then nobody would get it if its
        fallback did not fire (D-289).
        """
        settings = settings_of(config)
        message_id = sent.provider_message_id or message_id_of(sent.reference)
        try:
            request = revoke_request(settings, sent.destination, message_id)
            answer = await self._called(settings, request)
        except (NotSentError, RequestCutError, TimeoutError):
            return RevokeOutcome.NOT_REVOKED
        has_ended = sent.expires_at is not None and self._now() >= sent.expires_at + _SURELY_KEPT
        doubtful = sent.outcome_unknown or sent.asked_before or has_ended
        missing = RevokeOutcome.NOT_REVOKED if doubtful else RevokeOutcome.DELIVERED
        return revoke_outcome(answer, missing=missing)

    async def set_webhook(self, config: Mapping[str, Any], url: str) -> Webhook:
        """Say where people enter the address."""
        return _WEBHOOK

    async def hear(self, config: Mapping[str, Any], post: Post) -> Heard:
        """Read an event, after its signature, or confirm the webhook."""
        return heard(settings_of(config), post, self._now())

    async def _called(self, settings: RcsSettings, request: Request) -> Answer:
        """Send a request with an access token; one that Google refuses is not used again (D-293)."""
        account = settings.service_account
        until = asyncio.get_running_loop().time() + self._call_seconds
        token = await self._tokens.of(account)
        async with asyncio.timeout_at(until):
            answer = await self._clients.call(settings.client, authorized(request, token))
        if answer.status == 401:
            self._tokens.drop(account, token)
        return answer
