"""The sandbox: a demo account that works at once, an outbox and a clock that moves (C-4, C-39)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from ..adapters.channels.sandbox import SandboxProvider
from ..adapters.clock import MovableClock
from ..application.bounded_tasks import BoundedTasks
from ..application.caller import ADMIN, Caller
from ..application.due_work import DueWork
from ..application.paging import Paging
from ..application.pins.template_channels import ChannelEntry
from ..application.ports.clock import CLOCK_OFFSET
from ..application.ports.event_store import EventStore, StoreUnavailable, StreamConflict
from ..domain.account import AccountNotFoundError
from ..domain.channel import PIN_CHANNELS, Channel
from ..domain.errors import DuplicateNameError, FieldProblem, ValidationFailedError
from ..domain.pin_policy import PinPolicy
from ..domain.pin_template import TemplateNotFoundError
from ..domain.rate_limit import Rate
from .sandbox_phones import PROVIDER, SandboxPhones
from .sandbox_templates import RCS_SENDER_PROFILE, seed_message_templates
from .settings import SettingsError
from .worker.loop import run_due

if TYPE_CHECKING:
    from .wiring import Wired

ACCOUNT = "demo"
API_KEY = "sandbox-key"
TEMPLATE_ID = "tpl_demo"
TEMPLATE_NAME = "demo"
_FOLLOW_SECONDS = 0.5
# Whoever is overtaken finds more of the demo there, the next time.
_MEETINGS = 5
_MEETING_SECONDS = 0.5
_SENDERS = {
    Channel.SMS: "Watchword",
    Channel.WHATSAPP: "+15550100",
    Channel.RCS: RCS_SENDER_PROFILE,
    Channel.EMAIL: "codes@watchword.example",
}
_FALLBACKS: Mapping[str, tuple[str, ...]] = {
    "demo": (Channel.SMS,),
    "demo-two": (Channel.SMS, Channel.WHATSAPP),
}


@frozen
class Sandbox:
    """What only a sandbox has."""

    provider: SandboxProvider
    clock: MovableClock | None
    store: EventStore
    due_work: Sequence[DueWork]
    tasks: Sequence[BoundedTasks]
    phones: SandboxPhones

    async def advance(self, by: timedelta) -> datetime:
        """
        Move the clock on, keep its offset, run what falls due, and give the new time.

        Receipts that come by themselves come in before that, and as those of what was sent by it.
        Other processes on the store follow within half a second (D-60).
        Raises `SettingsError` where the sandbox was opened with a clock of the caller's.
        """
        if self.clock is None:
            raise SettingsError("This sandbox runs on a clock of yours. Move that one.")
        await self.provider.deliver_pending()
        self.clock.catch_up(await kept_offset(self.store))
        try:
            self.clock.advance(by)
        except ValueError as error:
            raise ValidationFailedError([FieldProblem("seconds", str(error))]) from None
        await self.store.keep_setting(CLOCK_OFFSET, str(self.clock.offset.total_seconds()))
        # What was sent may fall due again at once, as a step that its provider refused, or failed.
        some = True
        while some:
            some = bool(await run_due(self.due_work))
            for each in self.tasks:
                await each.finish()
            some = bool(await self.provider.deliver_pending()) or some
        return self.clock.now()

    async def follow(self) -> None:
        """Go along until cancelled when another process moves the clock of this store (C-39)."""
        while self.clock is not None:
            await asyncio.sleep(_FOLLOW_SECONDS)
            with suppress(StoreUnavailable):
                self.clock.catch_up(await kept_offset(self.store))


async def kept_offset(store: EventStore) -> timedelta:
    """Give the clock's offset as it was when the store was last used."""
    return timedelta(seconds=float(await store.setting(CLOCK_OFFSET) or 0))


async def set_up(
    service: Wired,
    provider: SandboxProvider,
    clock: MovableClock | None,
    api_key: str = API_KEY,
) -> Sandbox:
    """Have the demo in a service, and the receipts of its provider heard; gives what only it has."""
    demo_id = await seed(service, api_key)
    provider.deliver_receipts_to(service.tracking_receipts.track)
    phones = SandboxPhones(
        provider,
        service.journal,
        service.channel_accounts,
        service.tracking_receipts,
        service.receiving_messages,
        demo_id,
    )
    tasks = (service.provider_tasks, service.callback_tasks)
    return Sandbox(provider, clock, service.store, service.due_work, tasks, phones)


async def seed(service: Wired, api_key: str = API_KEY) -> str:
    """
    Create what the demo needs and is not there yet, and give its account's id.

    A start that was cut short is made good, and so is one that met another process's on the store.
    """
    for _ in range(_MEETINGS):
        with suppress(DuplicateNameError, StreamConflict):
            return await _seed(service, api_key)
        await asyncio.sleep(_MEETING_SECONDS)
    return await _seed(service, api_key)


def _widened(policy: PinPolicy) -> PinPolicy:
    """Let the one phone of an example have more codes a day than anybody tries out (D-151)."""
    return evolve(policy, send_pin_per_phone_number_limit=Rate("1000/1d"))


async def _seed(service: Wired, api_key: str) -> str:
    try:
        account_id = await service.accounts.resolve(ACCOUNT)
    except AccountNotFoundError:
        account_id = (await service.accounts.create(Caller("", ADMIN, ""), ACCOUNT)).id
    by = Caller(account_id, ADMIN, "")
    with suppress(DuplicateNameError):
        await service.api_keys.create(by, "sandbox", key=api_key)
    listed = await service.channel_accounts.list(account_id, Paging(page_size=100))
    present = {row.channel_type for row in listed.data}
    for channel in Channel:
        if str(channel) not in present:
            await service.channel_accounts.create(
                by,
                channel_type=channel,
                provider=PROVIDER,
                name=f"sandbox {channel}",
                sender=_SENDERS[channel],
                config={},
            )
    for fallback_id, steps in _FALLBACKS.items():
        with suppress(DuplicateNameError):
            await service.fallback_configurations.create(by, fallback_id=fallback_id, steps=steps)
    try:
        demo = await service.pin_templates.get(account_id, TEMPLATE_ID)
    except TemplateNotFoundError:
        await service.pin_templates.create(
            by,
            name=TEMPLATE_NAME,
            policy=_widened(PinPolicy()),
            channels=[ChannelEntry(channel_type=channel) for channel in PIN_CHANNELS],
            template_id=TEMPLATE_ID,
        )
    else:
        narrow = demo.send_pin_per_phone_number_limit == PinPolicy().send_pin_per_phone_number_limit
        # Such as earlier releases made it.
        if narrow and demo.archived_at is None:
            await service.pin_templates.revise(by, TEMPLATE_ID, policy=_widened)
    await seed_message_templates(service, by)
    return account_id
