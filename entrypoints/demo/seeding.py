"""Creates the demo, an account ready for use, at the start of a sandbox (C-4)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from attrs import evolve

from ...adapters.channels.sandbox import SandboxProvider
from ...adapters.clock import MovableClock
from ...application.caller import ADMIN, Caller
from ...application.paging import Paging
from ...application.pins.template_channels import ChannelEntry
from ...application.ports.event_store import StreamConflict
from ...domain.accounts.account import AccountNotFoundError
from ...domain.channel import PIN_CHANNELS, Channel
from ...domain.errors import DuplicateNameError
from ...domain.pin_template import TemplateNotFoundError
from ...domain.pin_template.policy import PinPolicy
from ...domain.rate_limit import Rate
from ..sandbox.controls import Sandbox
from ..sandbox.phones import PROVIDER, SandboxPhones
from ..wired import Wired
from .templates import RCS_SENDER_PROFILE, seed_message_templates

ACCOUNT = "demo"
API_KEY = "sandbox-key"
TEMPLATE_ID = "tpl_demo"
TEMPLATE_NAME = "demo"
# If another process seeds the store too, the next attempt finds what that process created.
_ATTEMPTS = 5
_PAUSE_SECONDS = 0.5
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


async def set_up(
    service: Wired,
    provider: SandboxProvider,
    clock: MovableClock | None,
    api_key: str = API_KEY,
) -> Sandbox:
    """Create the demo in a service, connect the provider's receipts, and return the sandbox's controls."""
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
    tasks = (service.provider_tasks, service.callback_tasks, service.template_tasks)
    return Sandbox(provider, clock, service.store, service.due_work, tasks, phones)


async def seed(service: Wired, api_key: str = API_KEY) -> str:
    """
    Create the missing parts of the demo; return its account's id.

    It completes a start that was interrupted, or that ran together with another on the same store.
    """
    for _ in range(_ATTEMPTS):
        with suppress(DuplicateNameError, StreamConflict):
            return await _seed(service, api_key)
        await asyncio.sleep(_PAUSE_SECONDS)
    return await _seed(service, api_key)


def _widened(policy: PinPolicy) -> PinPolicy:
    """Allow many codes a day to one phone, so that examples never reach the limit (D-151)."""
    return evolve(policy, send_pin_per_phone_number_limit=Rate("1000/1d"))


async def _seed(service: Wired, api_key: str) -> str:
    operator = Caller("", ADMIN, "")
    try:
        account_id = await service.accounts.resolve(operator, ACCOUNT)
    except AccountNotFoundError:
        account_id = (await service.accounts.create(operator, ACCOUNT)).id
    by = operator.acting_for(account_id)
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
        demo = await service.pin_templates.get(by, TEMPLATE_ID)
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
        # Earlier releases created the demo's template with the default limit.
        if narrow and demo.archived_at is None:
            await service.pin_templates.revise(by, TEMPLATE_ID, policy=_widened)
    await seed_message_templates(service, by)
    return account_id
