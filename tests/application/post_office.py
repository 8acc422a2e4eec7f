"""Messages that tests send, through the house's store and provider."""

from __future__ import annotations

from typing import Any

from tests.application.house import House, claim
from watchword.application.journal import beginning
from watchword.application.messages.planning.send_requests import (
    FallbackRequest,
    MessageRequest,
    SendRequest,
    StepRequest,
)
from watchword.application.messages.sending_messages import SentMessage
from watchword.domain import message as messages
from watchword.domain.channel import Channel, ChannelName
from watchword.domain.message import Content, SmsContent, WhatsappSessionContent, message_decider

RECIPIENT = "+447700900123"
READY = SmsContent(type="SI", text="Your tea is ready.")
CODE = SmsContent(type="OTP", text="Your code is CANARY4711X.")
WAIT = 60


def message(
    content: Content = READY, channel: ChannelName = Channel.SMS, **more: Any
) -> MessageRequest:
    """Write one message."""
    return MessageRequest(
        **{
            "channel": channel,
            "sender": "TEAHSE",
            "recipient": RECIPIENT,
            "content": content,
            "cust_refs": {"custRef1": "pot-7"},
            "path": "sms[0]",
            "content_path": "sms[0]",
            **more,
        }
    )


def session() -> MessageRequest:
    """Write a session message on WhatsApp."""
    content = WhatsappSessionContent(type="text", body={"body": "How was it?"})
    return message(content, Channel.WHATSAPP, path="wa[0]", content_path="wa[0].text")


def step(content: Content = READY, channel: ChannelName = Channel.SMS) -> StepRequest:
    """Write one step of a fallback."""
    path = f"fallback.{'wa' if channel == Channel.WHATSAPP else channel}"
    return StepRequest(
        channel=channel,
        sender="TEAHSE",
        content=content,
        cust_refs={"custRef1": "pot-7"},
        path=path,
        content_path=path,
    )


def fallback(*steps: StepRequest, waits: int = WAIT) -> FallbackRequest:
    """Write a fallback on the configuration of `post_office`."""
    return FallbackRequest(
        fallback_id="tea-first",
        waittime_seconds=waits,
        steps={each.channel: each for each in steps or (step(),)},
    )


async def falls_back(house: House, *steps: ChannelName) -> None:
    """Configure the steps that the account falls back to."""
    await house.service.fallback_configurations.create(
        house.by, fallback_id="tea-first", steps=steps or (Channel.SMS,)
    )


async def send(
    house: House, *sent: MessageRequest, once: str | None = None, **more: Any
) -> tuple[SentMessage, ...]:
    """Send messages, one by default, and return each outcome."""
    request = SendRequest(messages=sent or (message(),), **more)
    idempotency = claim(once, "one") if once else None
    answer = await house.service.sending_messages.send(house.by, request, idempotency)
    return answer.messages


async def receive(
    house: House,
    *,
    sender: str = RECIPIENT,
    account_id: str | None = None,
    channel: Channel = Channel.WHATSAPP,
) -> None:
    """Let a message come in."""
    message_id = house.service.randomness.new_id("msg")
    now = house.clock.now()
    account_id = account_id or house.by.account_id
    (met,) = (await house.service.people.find_or_create(account_id, (sender,))).values()
    decision = messages.receive(
        messages.ReceiveMessage(
            at=now,
            message_id=message_id,
            account_id=account_id,
            person_id=met.person_id,
            channel=channel,
            channel_account_id="cha_window",
            sender=sender,
            recipient="+15550100",
            text="Is it ready?",
        )
    )
    received = beginning(message_decider, message_id, decision)
    await house.service.journal.write(house.by, now, received, new_people=met.new_people)


async def work(house: House) -> None:
    """Run all due work of runs, and wait for its sends."""
    some = True
    while some:
        some = bool(await house.firing.run_due())
        await house.service.provider_tasks.finish()
