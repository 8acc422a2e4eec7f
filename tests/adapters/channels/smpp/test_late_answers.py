"""The SMSC takes a message after its sender stopped to wait: the message does not stay unknown (D-301)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from tests.adapters.channels.smpp import answers, deliveries
from tests.adapters.channels.smpp.smsc import Smsc, Submit
from watchword.adapters.channels.smpp import SmppProvider
from watchword.adapters.channels.smpp.bodies import MessageResp
from watchword.adapters.channels.smpp.late_answers import MOST_IDS, MOST_WAITING, LateAnswers
from watchword.adapters.channels.smpp.pdus import RESPONSE, Command, Pdu
from watchword.application.ports.channels import Message, ProviderReport
from watchword.testing import FakeContext, a_message

MESSAGE = a_message(reference="msg_1")


def told(context: FakeContext) -> list[tuple[str | None, str | None, str]]:
    """Return reference, id and status of each report that was heard."""
    return [
        (each.reference, each.provider_message_id, str(each.receipt.status))
        for _, reports in context.heard
        for each in reports
        if isinstance(each, ProviderReport)
    ]


async def given_up(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], message: Message
) -> Submit:
    """Send a message, and stop waiting for its answer; return what the SMSC got."""
    smsc.answers.append(answers.never)
    sending = asyncio.create_task(provider.send(config, message))
    await smsc.until(lambda: bool(smsc.submits))
    sending.cancel()
    await asyncio.wait((sending,))
    return smsc.submits[0]


async def test_a_late_answer_and_its_receipts_explain_the_message(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """A receipt names the SMSC's id alone, also where it comes right behind the answer (C-68)."""
    submit = await given_up(provider, smsc, config, MESSAGE)
    submit.accept("late")
    pushed = [smsc.push(deliveries.receipt(each)) for each in ("late", "another")]
    await smsc.until(lambda: all(each.ended for each in pushed))

    assert [
        ("msg_1", "late", "sent"),
        ("msg_1", "late", "delivered"),
        (None, "another", "delivered"),
    ] == told(context)


@pytest.mark.parametrize("is_refused", [True, False])
async def test_what_was_not_taken_whole_stays_unknown(
    provider: SmppProvider,
    smsc: Smsc,
    config: Mapping[str, Any],
    context: FakeContext,
    is_refused: bool,
) -> None:
    """A refusal may come while another account is asked; of a long text, the other parts were not sent."""
    message = MESSAGE if is_refused else a_message(reference="msg_1", text="tea " * 100)
    submit = await given_up(provider, smsc, config, message)
    submit.respond(0x58 if is_refused else 0, "late")
    pushed = smsc.push(deliveries.receipt("late"))
    await smsc.until(lambda: pushed.ended)

    assert [(None, "late", "delivered")] == told(context)


async def test_an_answer_in_the_moment_of_the_cancellation_is_late_too(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """It was read, and the send was cancelled before it could go on."""
    smsc.answers.append(answers.never)
    sending = asyncio.create_task(provider.send(config, MESSAGE))
    await smsc.until(lambda: bool(smsc.submits))
    session = provider._accounts.of("cha_orchid", config)[0].sender.bound
    assert session is not None
    taken = MessageResp(message_id="late").encode()
    session._take(Pdu(Command.SUBMIT_SM | RESPONSE, 0, smsc.submits[0].sequence, taken))
    sending.cancel()
    await asyncio.wait((sending,))
    await smsc.until(lambda: bool(context.heard))

    assert sending.cancelled()
    assert [("msg_1", "late", "sent")] == told(context)


async def test_without_a_store_the_receipt_still_names_the_message(
    provider: SmppProvider, smsc: Smsc, config: Mapping[str, Any], context: FakeContext
) -> None:
    """The answer is lost to the store; the SMSC delivers the receipt again."""
    submit = await given_up(provider, smsc, config, MESSAGE)
    context.away = True
    submit.accept("late")
    refused = smsc.push(deliveries.receipt("late"))
    await smsc.until(lambda: refused.ended)
    context.away = False
    repeated = smsc.push(deliveries.receipt("late"))
    await smsc.until(lambda: repeated.ended)

    assert ("msg_1", "late", "delivered") == told(context)[-1]


def test_late_answers_have_bounds() -> None:
    """The oldest ids are forgotten, and answers beyond the bound are not recorded."""
    late, now = LateAnswers(), FakeContext().now()
    for number in range(MOST_IDS + 1):
        late.take(f"msg_{number}", f"id-{number}", now)
    waiting = late.taken()

    def explained(number: int) -> str | None:
        return late.explained(
            ProviderReport(provider_message_id=f"id-{number}", receipt=waiting[0].receipt)
        ).reference

    assert MOST_WAITING == len(waiting)
    assert not late.wait
    assert (None, f"msg_{MOST_IDS}") == (explained(0), explained(MOST_IDS))
