"""Failover for embedders: results say what was tried, also when an Idempotency-Key repeats them (C-69)."""

from __future__ import annotations

import watchword
from tests.fakes.providers import ScriptedProvider
from watchword import Accepted, Message, Price, Rejected
from watchword.application.ports.channels import Fault
from watchword.domain.channel import OutcomeStatus

DESTINATION = "+919812345610"


async def test_a_saved_result_has_what_was_tried(store_url: str) -> None:
    """With segments and price as the provider counted them."""
    phone = ScriptedProvider()
    async with watchword.open(store_url, channels={"phone": phone}) as service:
        account = await service.accounts.create("orchid")
        spare = await service.channel_accounts.create(account, "sms", "phone", "spare")
        first = await service.channel_accounts.create(
            account, "sms", "phone", "first", failover=[spare]
        )

        async def answer(message: Message) -> Accepted | Rejected:
            if message.channel_account_id == first.id:
                return Rejected("vendor_401", "Unauthorized.", Fault.ACCOUNT)
            return Accepted("spare-1", segments=2, price=Price("0.0150", "EUR"))

        phone.script = answer
        template = await service.pin_templates.create(
            account=account,
            name="tea",
            channels=[{"channelType": "sms", "channelAccountId": first.id}],
        )
        issued, again = [
            await service.pins.issue(account, template, DESTINATION, idempotency_key="tea")
            for _ in range(2)
        ]
        shown = await service.pins.get(account, issued.pin_id)

    (outcome,) = issued.channels
    assert issued == again
    assert 2 == len(phone.messages)
    assert (spare.id, 2, Price("0.0150", "EUR")) == (
        outcome.channel_account_id,
        outcome.segments,
        outcome.price,
    )
    assert (
        watchword.TriedAccount(first.id, OutcomeStatus.REJECTED, "vendor_401"),
        watchword.TriedAccount(spare.id, OutcomeStatus.ACCEPTED),
    ) == outcome.tried
    assert [first.id, spare.id] == [
        each["channel_account_id"] for each in shown.channels[0]["tried"]
    ]
