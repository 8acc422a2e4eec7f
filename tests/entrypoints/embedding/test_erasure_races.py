"""An erasure against creates, resends and sends to the same number at once (C-74)."""

from __future__ import annotations

import asyncio

import pytest

import watchword
from tests.erasure_rounds import ROUNDS
from tests.fakes.providers import ScriptedProvider
from tests.log_keys import LOG_KEY
from watchword.domain.errors import DomainError

STORES = ("sqlite", "postgresql")
ANNA = "+447700900610"
SMS = {"sender": "Orchid", "recipient": ANNA, "type": "SI", "messageBody": "Tea at five."}
CODE_KEY = "1:" + "a" * 44


@pytest.mark.parametrize("_", range(ROUNDS))
async def test_an_erasure_wins_or_loses_whole(store_url: str, _: int) -> None:
    """Of 200 calls beside it, each comes before it and ends with it, or is about a new person."""
    async with watchword.open(
        store_url, code_key=CODE_KEY, log_key=LOG_KEY, channels={"phone": ScriptedProvider()}
    ) as service:
        account = await service.accounts.create("orchid")
        sms = await service.channel_accounts.create(account, "sms", "phone", "sms", sender="Orchid")
        template = await service.pin_templates.create(
            account,
            "tea",
            channels=[{"channel_type": "sms", "channel_account_id": sms.id}],
            resend_cooldown="0s",
            send_pin_per_phone_number_limit="100000/1d",
        )
        first = await service.pins.issue(account, template, ANNA)

        async def create() -> str:
            return (await service.pins.issue(account, template, ANNA)).pin_id

        async def resend() -> str:
            return (await service.pins.resend(account, first)).pin_id

        async def send() -> str:
            return (await service.messages.send(account, sms=[SMS])).messages[0].message_id

        calls = [(create, resend, send)[number % 3]() for number in range(200)]
        erasing = asyncio.create_task(service.people.erase(account=account, destination=ANNA))
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        certificate = await erasing
        while (await service.people.erase(account=account, destination="x")).finished is False:
            await service.run_due()
        back = await service.people.erase(account=account, destination=ANNA, dry_run=True)
        pins = (await service.pins.list(account=account, page_size=100)).data
        events = await service.events.list(limit=1000)

    assert certificate.erased
    # A resend of the first PIN loses to the erasure, or came too early or too late for its limits.
    assert all(isinstance(each, str | DomainError) for each in outcomes)
    gone = certificate.person_id
    of_gone = {each.stream for each in events if _person(each) == gone}
    late = [each for each in events if each.position > (certificate.position or 0)]
    begun = ("PinIssued", "PinResent", "MessageSubmitted")
    assert [] == [each for each in late if each.type in begun and each.stream in of_gone]
    ended = {each.stream for each in events if each.type == "PinErased"}
    assert {each.pin_id for each in pins if each.pin_id in of_gone} == ended
    assert [each.pin_id for each in pins if each.status == "PENDING"] in ([], [pins[0].pin_id])
    assert gone != back.person_id


def _person(recorded: watchword.Recorded) -> str | None:
    person_id: str | None = getattr(recorded.event, "person_id", None)
    return person_id
