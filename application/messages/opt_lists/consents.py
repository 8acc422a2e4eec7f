"""Who has opted in or out of an account's WhatsApp messages (C-27)."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Iterable, Mapping

from attrs import field, frozen

from ....domain.channel import Channel, ChannelName, ChannelOutcome, rejected
from ....domain.conditions import Unchanged
from ....domain.consent import RECIPIENT_OPTED_OUT, Consent, consent_decider
from ....domain.destination import canonical
from ...bulk_lane import BulkWork
from ...journal import Journal
from ...ports.event_store import Loaded
from ...records.consent import CONSENT

# The store's setting that has the secret of `Consents`.
CONSENT_SECRET = "consent_secret"  # noqa: S105  the name of a setting

_ID_DIGITS = 32
# Numbers of one call that are looked up side by side.
_AT_ONCE = 50
_OPTED_OUT = (
    "The recipient has opted out of WhatsApp messages. Send on another channel, or take the number off"
    " the opt-out list once the person has agreed."
)


@frozen(kw_only=True)
class Standing:
    """
    Where a number stands, and on which stream.

    `recipient` is one spelling of it.
    """

    stream: str
    recipient: str = field(repr=False)
    consent: Loaded[Consent] | None

    @property
    def state(self) -> Consent | None:
        """The number's consent, if it was ever put on a list."""
        return None if self.consent is None else self.consent.state

    @property
    def opted_out(self) -> bool:
        """Whether nothing may be sent to it."""
        return self.state is not None and self.state.opted_out

    @property
    def unchanged(self) -> Unchanged:
        """The condition that it still stands there, also where nobody ever put it on a list (D-72)."""
        return Unchanged(self.stream, 0 if self.consent is None else self.consent.version)


class Consents:
    """
    Finds the consent of numbers by their account and canonical form (C-28).

    Their streams are found without a look-up, so that a send to a number on no list has a stream
    to be conditional on. `secret` keeps numbers from being read out of stream ids, which no mask
    covers (D-74); it stays the same for the life of the store.
    """

    def __init__(self, journal: Journal, secret: str) -> None:
        self._journal = journal
        self._secret = secret.encode()

    async def of(
        self, account_id: str, recipients: Iterable[str], work: BulkWork | None = None
    ) -> Mapping[str, Standing]:
        """Return where each recipient stands; spellings of one number stand together."""
        streams = {each: self._stream(account_id, each) for each in recipients}
        first: dict[str, str] = {}
        for recipient, stream in streams.items():
            first.setdefault(stream, recipient)
        loaded: list[Loaded[Consent] | None] = []
        asked = tuple(first)
        for beginning in range(0, len(asked), _AT_ONCE):
            some = asked[beginning : beginning + _AT_ONCE]
            loaded += await asyncio.gather(
                *(self._journal.find(consent_decider, stream) for stream in some)
            )
            if work is not None:
                await work.pause()
        standings = {
            stream: Standing(stream=stream, recipient=first[stream], consent=consent)
            for stream, consent in zip(first, loaded, strict=True)
        }
        return {recipient: standings[stream] for recipient, stream in streams.items()}

    async def for_sends(
        self,
        account_id: str,
        recipients: Iterable[tuple[ChannelName, str]],
        work: BulkWork | None = None,
    ) -> Mapping[str, Standing]:
        """Return where those stand who are written to on WhatsApp; other channels have no lists."""
        asked = {each for channel, each in recipients if channel == Channel.WHATSAPP}
        return await self.of(account_id, asked, work) if asked else {}

    def _stream(self, account_id: str, recipient: str) -> str:
        return consent_id(self._secret, account_id, Channel.WHATSAPP, recipient)


def consent_id(secret: bytes, account_id: str, channel: Channel, recipient: str) -> str:
    """Return the stream on which a number's consent stands (D-74)."""
    number = f"{account_id}:{channel}:{canonical(recipient)}"
    digits = hmac.digest(secret, number.encode(), "sha256").hex()[:_ID_DIGITS]
    return f"{CONSENT.prefix}_{digits}"


def opted_out(channel: ChannelName, channel_account_id: str) -> ChannelOutcome:
    """Return the outcome of a message that its recipient does not want (C-27, C-48)."""
    return rejected(channel, channel_account_id, RECIPIENT_OPTED_OUT, _OPTED_OUT)
