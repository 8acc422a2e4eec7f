"""Read the consent of numbers to an account's WhatsApp messages (C-27)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from attrs import field, frozen

from ....domain.channel import Channel, ChannelName, ChannelOutcome, rejected
from ....domain.conditions import Unchanged
from ....domain.consent import RECIPIENT_OPTED_OUT, Consent, consent_decider
from ....domain.destination import canonical
from ...concurrency.bulk_lane import BulkWork
from ...journal import Journal
from ...ports.event_store import Loaded
from ...ports.person_keys import PersonKeys
from ...records.consent import CONSENT

# The numbers of one call that are looked up side by side.
_AT_ONCE = 50
_OPTED_OUT = (
    "The recipient has opted out of WhatsApp messages. Send on another channel, or take the number off"
    " the opt-out list once the person has agreed."
)


@frozen(kw_only=True)
class Standing:
    """
    The consent of a number, and its stream.

    `recipient` is one of the number's spellings.
    """

    stream: str
    recipient: str = field(repr=False)
    consent: Loaded[Consent] | None

    @property
    def state(self) -> Consent | None:
        """The number's consent; None if it never was on a list."""
        return None if self.consent is None else self.consent.state

    @property
    def opted_out(self) -> bool:
        """Whether no message may be sent to the number."""
        return self.state is not None and self.state.opted_out

    @property
    def unchanged(self) -> Unchanged:
        """The condition that the consent has not changed; it also covers numbers on no list (D-72)."""
        return Unchanged(self.stream, 0 if self.consent is None else self.consent.version)


class Consents:
    """
    Finds the consent of numbers by their account and canonical form (C-28).

    The id of a consent's stream is computed, not looked up. So a send to a number on no list can depend
    on its stream, too. Without the index secret, numbers could be guessed from stream ids, which are
    never masked (D-74). It never changes in the life of a store.
    """

    def __init__(self, journal: Journal, keys: PersonKeys) -> None:
        self._journal = journal
        self._keys = keys

    async def of(
        self, account_id: str, recipients: Iterable[str], work: BulkWork | None = None
    ) -> Mapping[str, Standing]:
        """Return the consent of each recipient; all spellings of a number have the same."""
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
        """Return the consents of WhatsApp recipients; other channels have no lists."""
        asked = {each for channel, each in recipients if channel == Channel.WHATSAPP}
        return await self.of(account_id, asked, work) if asked else {}

    def _stream(self, account_id: str, recipient: str) -> str:
        return consent_id(self._keys, account_id, Channel.WHATSAPP, recipient)


def consent_id(keys: PersonKeys, account_id: str, channel: Channel, recipient: str) -> str:
    """Return the stream id of a number's consent (D-74)."""
    return f"{CONSENT.prefix}_{keys.hashed('consent', account_id, channel, canonical(recipient))}"


def opted_out(channel: ChannelName, channel_account_id: str) -> ChannelOutcome:
    """Return the outcome of a message to a recipient who opted out (C-27, C-48)."""
    return rejected(channel, channel_account_id, RECIPIENT_OPTED_OUT, _OPTED_OUT)
