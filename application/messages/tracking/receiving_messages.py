"""Record inbound messages (C-26, C-59)."""

from __future__ import annotations

from functools import partial

import attrs

from ....domain.accounts.channel_account import channel_account_decider
from ....domain.message import ReceiveMessage, message_decider, receive
from ...caller import Caller
from ...journal import Journal, beginning, retry_on_conflict
from ...people.people import People, PersonRef
from ...ports.channels import InboundMessage
from ...ports.clock import Clock
from ...ports.event_store import HeldByOthers
from ...ports.randomness import Randomness
from ...records import is_id_of
from ...records.message import MESSAGE


class ReceivingMessages:
    """Records each inbound message once, even if its provider repeats it (D-37)."""

    def __init__(
        self, journal: Journal, people: People, randomness: Randomness, clock: Clock
    ) -> None:
        self._journal = journal
        self._people = people
        self._randomness = randomness
        self._clock = clock

    async def receive(
        self, channel_account_id: str, inbound: InboundMessage, request_id: str | None = None
    ) -> str:
        """Record a message in the channel account's name; return its id, or that of the first report."""
        by = Caller("", channel_account_id, request_id or self._randomness.new_id("req"))
        return await retry_on_conflict(partial(self._receive, by, inbound))

    async def _receive(self, by: Caller, inbound: InboundMessage) -> str:
        now = self._clock.now()
        account = (await self._journal.load(channel_account_decider, by.actor)).state
        people = await self._people.find_or_create(account.account_id, (inbound.sender,))
        person = people[inbound.sender]
        message_id = self._randomness.new_id(MESSAGE.prefix)
        command = ReceiveMessage(
            at=now,
            message_id=message_id,
            account_id=account.account_id,
            person_id=person.person_id,
            channel=account.channel_type,
            channel_account_id=by.actor,
            provider_message_id=inbound.provider_message_id,
            sender=inbound.sender,
            recipient=inbound.recipient,
            text=inbound.text,
        )
        try:
            await self._take(by, command, person)
        except HeldByOthers as held:
            (holder,) = held.holders
            if is_id_of(message_decider, holder):
                return holder
            # The id belongs to parked receipts or a code. The person's message is kept without it.
            await self._take(by, attrs.evolve(command, provider_message_id=None), person)
        return message_id

    async def _take(self, by: Caller, command: ReceiveMessage, person: PersonRef) -> None:
        decision = receive(command)
        received = beginning(message_decider, command.message_id, decision)
        await self._journal.write(by, command.at, received, new_people=person.new_people)
