"""The provider `smpp`: sends SMS by sessions with SMSCs, and hears receipts and messages on them (C-63)."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from ....application.ports.channels import (
    Accepted,
    ChannelProvider,
    Connected,
    Context,
    Message,
    Rejected,
    Setting,
    Unknown,
    Webhook,
)
from ....domain.channel import Channel, ChannelName
from ...checked_addresses import CheckedAddresses, LookUp
from ...public_addresses import is_public_or_own
from ..servers import NotTakenError
from .bound_accounts import BoundAccounts
from .config_checks import checked_smpp_config
from .hearing import Hearing
from .listening import Listening
from .probing import probed
from .sending import sent
from .settings import SETTINGS, SmppSettings, settings_of
from .submitting import submits
from .timings import Timings

# The seconds for deliveries, and then for answers, that are under way when the provider closes.
_CLOSING = 1.5
_NO_WEBHOOK = Webhook(
    steps=("Nothing is to be entered: receipts and messages from people come over the bind.",)
)


class SmppProvider(ChannelProvider):
    """
    Sends SMS by SMPP 3.4, one session for each channel account and process.

    A session is bound by the first send, or stands from the start where the process listens (D-263).
    Receipts and messages of people come on it, and are answered when they are durable. `look_up` resolves
    names in place of the system's resolver, and `timings` has all time limits.
    """

    def __init__(self, look_up: LookUp | None = None, timings: Timings | None = None) -> None:
        self._look_up = look_up
        self._timings = timings or Timings()
        self._context: Context | None = None
        self._listening: Listening | None = None
        self._begin()

    @property
    def settings(self) -> Sequence[Setting]:
        """The settings of C-63."""
        return SETTINGS

    @property
    def channels(self) -> Collection[ChannelName]:
        """SMS alone."""
        return (Channel.SMS,)

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check a config, and the file of certificates that it names."""
        return checked_smpp_config(config)

    async def open(self, context: Context) -> None:
        """Begin without sessions."""
        self._context = context
        self._begin()

    async def listen(self) -> None:
        """Bind for every channel account, and stay bound; the first look goes on behind this call."""
        self._listening = Listening(self._opened, self._accounts, self._timings)

    async def close(self) -> None:
        """Unbind everywhere; a delivery that is not durable by then is not acknowledged."""
        if self._listening is not None:
            await self._listening.stop()
            self._listening = None
        await self._accounts.close(_CLOSING)
        self._names.close()

    async def probe(self, config: Mapping[str, Any]) -> Connected | Rejected:
        """Look at the session that stands; without one, bind and unbind."""
        settings = settings_of(config).bind
        standing = self._accounts.bound(settings)
        return await probed(settings, standing, self._names, self._timings)

    async def set_webhook(self, config: Mapping[str, Any], url: str) -> Webhook:
        """Say that nothing is to be entered."""
        return _NO_WEBHOOK

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Send a message, in as many parts as it needs, once."""
        try:
            account, settings = self._accounts.of(message.channel_account_id, config)
        except NotTakenError as error:
            return error.answer
        self._reference += 1
        parts = submits(message, settings, self._reference, self._opened.now())
        if isinstance(parts, Rejected):
            return parts
        pause = self._timings.throttled
        taken_late = partial(account.hearing.taken_late, message.reference)
        return await sent(account.sender, parts, message.text, settings.id_form, pause, taken_late)

    @property
    def _opened(self) -> Context:
        if self._context is None:
            raise RuntimeError("Open the provider first.")
        return self._context

    def _begin(self) -> None:
        # Hosts are the operator's choice: private ones are allowed, link-local ones never (C-63).
        self._names = CheckedAddresses(is_public_or_own, self._look_up)
        self._accounts = BoundAccounts(self._names, self._timings, self._hearing)
        # Phones tell the parts of two long messages apart by it, also after a restart.
        self._reference = random.randrange(1 << 16)  # noqa: S311  nobody gains from a guess of it

    def _hearing(self, channel_account_id: str, settings: SmppSettings) -> Hearing:
        return Hearing(channel_account_id, settings, self._opened, self._timings)
